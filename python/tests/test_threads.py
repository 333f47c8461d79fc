"""The GIL is free while longhaul works; Ctrl-C and callbacks end a run at once; many threads may ask."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import longhaul
import networkx as nx
import pytest

#: Runs that would go on for ages, by what they are busy with.
ENDLESS = {
    "backtracking": "longhaul.longest_path(networkx.complete_bipartite_graph(12, 15), engine='plain-backtracking')",
    "auto": "longhaul.longest_path(networkx.hypercube_graph(7), induced=True)",
    "frontier": "longhaul.longest_path(networkx.grid_2d_graph(20, 20), engine='frontier')",
    "count": "longhaul.count(networkx.grid_2d_graph(14, 14))",
    "list": "list(longhaul.all_longest(networkx.complete_graph(12)))",
    "sieve": "longhaul.k_path(networkx.star_graph(3000), 24, engine='sieve')",
    "clique": "longhaul.maximum_clique(networkx.gnp_random_graph(500, 0.9, seed=1))",
}


def seconds_to_interrupt(run):
    """How long after SIGINT a run in a process of its own raises KeyboardInterrupt."""
    script = textwrap.dedent(
        f"""
        import longhaul, networkx, signal, time
        # Whoever runs these tests in the background may have it ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print("ready", flush=True)
        try:
            {run}
            print("ended by itself")
        except KeyboardInterrupt:
            print(time.monotonic())
        """
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.8)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        return float(process.communicate(timeout=30)[0]) - began
    finally:
        process.kill()
        process.wait()


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to a process")
@pytest.mark.parametrize("kind", ENDLESS)
def test_ctrl_c_ends_a_run_within_half_a_second(kind):
    # A machine that is busy with other things may make one wait, not every one.
    assert any(seconds_to_interrupt(ENDLESS[kind]) < 0.5 for _ in range(3))


def test_a_callback_stops_the_run():
    rows = []

    def enough(progress):
        rows.append(progress)
        return progress.length is not None and progress.length >= 15

    solution = longhaul.longest_path(nx.complete_bipartite_graph(12, 15), engine="plain-backtracking", callback=enough)
    assert solution.stop == "interrupted" and solution.status == "feasible" and 15 <= solution.length <= 24
    assert rows


def test_an_exception_of_a_callback_goes_through():
    def raises(progress):
        raise ZeroDivisionError("out of the callback")

    with pytest.raises(ZeroDivisionError, match="out of the callback"):
        longhaul.longest_path(nx.complete_bipartite_graph(12, 15), engine="plain-backtracking", callback=raises)


def test_other_threads_go_on_meanwhile():
    ended = threading.Event()
    steps = 0

    def work():
        nonlocal steps
        while not ended.is_set():
            steps += 1

    thread = threading.Thread(target=work)
    thread.start()
    longhaul.longest_path(nx.complete_bipartite_graph(12, 15), engine="plain-backtracking", time_limit=0.5)
    ended.set()
    thread.join()
    assert steps > 1000


def test_twenty_threads_at_once():
    graphs = [nx.gnp_random_graph(24, 0.2, seed=seed) for seed in range(20)]
    alone = [longhaul.longest_path(graph).length for graph in graphs]
    shared = longhaul.read_graph(graphs[0])
    together = threading.Barrier(20)

    def ask(at):
        together.wait()
        lengths = [longhaul.longest_path(graphs[at]).length for _ in range(5)]
        assert longhaul.longest_path(shared).length == alone[0]
        return lengths

    with ThreadPoolExecutor(20) as pool:
        assert list(pool.map(ask, range(20))) == [[length] * 5 for length in alone]


def test_a_list_that_is_dropped_ends_its_search():
    def searching():
        return sum(1 for thread in os.listdir("/proc/self/task") if name(thread) == "longhaul")

    def name(thread):
        # A thread that ends between the listing and the read has no file, or one that can't be read.
        try:
            with open(f"/proc/self/task/{thread}/comm") as file:
                return file.read().strip()
        except (FileNotFoundError, ProcessLookupError):
            return ""

    def none_is_left():
        for _ in range(200):
            if searching() == 0:
                return True
            time.sleep(0.05)
        return False

    if not os.path.isdir("/proc/self/task"):
        pytest.skip("looks for threads in /proc")
    assert none_is_left()
    paths = longhaul.samples(nx.grid_2d_graph(5, 5))
    next(paths)
    assert searching() == 1
    del paths
    assert none_is_left()
