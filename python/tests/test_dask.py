"""Many workers give the answers that one process gives, whatever dies meanwhile."""

import json
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import brute_force
import longhaul
import networkx as nx
import pytest
from random_graphs import random_graph

distributed = pytest.importorskip("distributed")
import longhaul.dask  # noqa: E402
from longhaul import _pieces  # noqa: E402


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(autouse=True)
def no_local_run(monkeypatch):
    """Nothing is settled before there is something to share out, and cases come back soon."""
    monkeypatch.setattr(longhaul.dask, "_LOCAL_SECONDS", 0.0)
    monkeypatch.setattr(longhaul.dask, "_SLICE", 0.005)


#: A planar graph with some work in it: its longest path between two nodes has 161 edges.
FILE = Path(__file__).parents[2] / "graphs" / "rivals" / "planar200.gr"
ENDS = (1, 196)
LENGTH = 161


@pytest.fixture(scope="module")
def graph():
    if not FILE.exists():
        pytest.skip("the corpus is not here")
    lines = (line.split() for line in FILE.read_text().splitlines())
    return nx.Graph((int(words[1]), int(words[2])) for words in lines if words[:1] == ["e"])


def check(graph, solution):
    assert (solution.length, solution.upper_bound, solution.status) == (LENGTH, LENGTH, "optimal"), solution
    assert nx.is_simple_path(graph, solution.path) and (solution.path[0], solution.path[-1]) == ENDS
    assert len(solution.path) == LENGTH + 1


class Killer:
    """Kills a worker with SIGKILL when something has come back for the so-manieth time."""

    def __init__(self, monkeypatch, client, after=1):
        self.killed = None
        waited = longhaul.dask._Tasks.next

        def wait(tasks, timeout):
            nonlocal after
            came = waited(tasks, timeout)
            after -= len(came)
            if after <= 0 and self.killed is None:
                busy = [worker for worker, running in client.processing().items() if running]
                pids = client.run(os.getpid)
                self.killed = pids[busy[0] if busy else next(iter(pids))]
                os.kill(self.killed, signal.SIGKILL)
            return came

        monkeypatch.setattr(longhaul.dask._Tasks, "next", wait)


def test_many_questions(client, tmp_path):
    graphs = [random_graph(seed)[0] for seed in range(40)]
    solutions = longhaul.dask.solve_many(graphs, client)
    assert [solution.length for solution in solutions] == [brute_force.longest(graph) for graph in graphs]
    file = tmp_path / "roads.el"
    file.write_text("Rome Milan 477\nMilan Turin 126\n")
    (solution,) = longhaul.dask.solve_many([file], client)
    assert (sorted(solution.path), solution.length) == (["Milan", "Rome", "Turin"], 603)
    solution = longhaul.dask.solve_many([nx.path_graph(3)], client)[0]
    assert solution.svg().count('class="step"') == 2
    with pytest.raises(longhaul.GraphFormatError, match="graph 1: .*missing.gr"):
        longhaul.dask.solve_many([file, str(tmp_path / "missing.gr")], client)


def test_many_questions_go_on_from_a_checkpoint(client, tmp_path):
    graphs = [random_graph(seed)[0] for seed in range(8)]
    first = longhaul.dask.solve_many(graphs[:5], client, checkpoint=str(tmp_path))
    done = sorted(tmp_path.rglob("*.done"))
    assert len(done) == 5
    written = [file.stat().st_mtime_ns for file in done]
    again = longhaul.dask.solve_many(graphs, client, checkpoint=str(tmp_path))
    assert again[:5] == first and len(list(tmp_path.rglob("*.done"))) == 8
    assert [file.stat().st_mtime_ns for file in done] == written
    done[0].write_bytes(b"x" + done[0].read_bytes())
    with pytest.raises(longhaul.LonghaulError, match="is not as it was written"):
        longhaul.dask.solve_many(graphs, client, checkpoint=str(tmp_path))


def test_many_questions_survive_a_killed_worker(client, monkeypatch):
    graphs = [random_graph(seed)[0] for seed in range(30)]
    killer = Killer(monkeypatch, client, after=5)
    solutions = longhaul.dask.solve_many(graphs, client)
    assert killer.killed is not None
    assert [solution.length for solution in solutions] == [brute_force.longest(graph) for graph in graphs]


@pytest.mark.parametrize("engine", ["sieve", "color-coding"])
def test_paths_of_k_nodes(client, engine, tmp_path):
    graph = nx.gnp_random_graph(60, 0.08, seed=3)
    solution = longhaul.k_path(graph, 9, engine=engine, client=client)
    assert len(solution.path) == 9 and nx.is_simple_path(graph, solution.path)
    spider = nx.star_graph(30)
    nx.add_path(spider, [1, 31, 32])
    asked = dict(engine=engine, failure_probability=1e-4, client=client, checkpoint=str(tmp_path))
    none = longhaul.k_path(spider, 5, **asked)
    assert none.path is not None  # 2 - 0 - 1 - 31 - 32
    none = longhaul.k_path(nx.complete_bipartite_graph(3, 40), 8, **asked)
    assert none.path is None
    assert none.status == "infeasible" or none.failure_probability <= 1e-4
    again = longhaul.k_path(nx.complete_bipartite_graph(3, 40), 8, **asked)
    assert again.status == none.status
    # A trial that came in after the first answer was given counts in the second.
    if none.failure_probability is not None:
        assert again.failure_probability <= none.failure_probability


def test_the_heaviest_path_of_k_nodes(client):
    for seed in range(6):
        graph, nodes, _ = random_graph(4 * seed, most_nodes=6)
        k = min(3, len(nodes))
        solution = longhaul.k_path(graph, k, weight="weight", engine="color-coding", client=client)
        lengths = [brute_force.length(graph, edges) for path, edges in brute_force.paths(graph) if len(path) == k]
        assert solution.length == max(lengths, default=None)


def test_paths_of_k_nodes_survive_a_killed_worker(client, monkeypatch):
    killer = Killer(monkeypatch, client)
    graph = nx.complete_bipartite_graph(5, 400)
    solution = longhaul.k_path(graph, 12, engine="sieve", failure_probability=1e-4, client=client)
    assert killer.killed is not None
    assert solution.path is None and (solution.status == "infeasible" or solution.failure_probability <= 1e-4)


@pytest.mark.parametrize("engine", ["branch-and-cut", "frontier"])
def test_one_question(client, engine, graph):
    check(graph, longhaul.longest_path(graph, *ENDS, engine=engine, client=client))


@pytest.mark.parametrize("engine", ["branch-and-cut", "frontier"])
def test_one_question_with_all_kinds_of_ends(client, engine):
    for seed in range(16):
        graph, nodes, rng = random_graph(seed, most_nodes=6)
        source, target = (rng.choice([None, rng.choice(nodes)]) for _ in range(2))
        solution = longhaul.longest_path(graph, source, target, engine=engine, client=client)
        assert solution.length == brute_force.longest(graph, source, target), seed
        assert solution.status == ("infeasible" if solution.path is None else "optimal")
        cycle = longhaul.longest_path(graph, nodes[0], cycle=True, engine=engine, client=client)
        assert cycle.length == brute_force.longest(graph, nodes[0], cycle=True), seed


@pytest.mark.parametrize("engine", ["branch-and-cut", "frontier"])
def test_one_question_survives_a_killed_worker(client, engine, graph, monkeypatch):
    killer = Killer(monkeypatch, client, after=2)
    solution = longhaul.longest_path(graph, *ENDS, engine=engine, client=client)
    assert killer.killed is not None
    check(graph, solution)


def test_a_sweep_that_one_process_has_no_room_for(client, monkeypatch):
    grid, rng = nx.grid_2d_graph(9, 9), random.Random(9)
    for u, v in grid.edges:
        grid.edges[u, v]["weight"] = rng.randint(1, 100)
    memory = 3 << 18
    alone = longhaul.longest_path(grid, engine="frontier", memory_limit=memory)
    assert (alone.stop, alone.status) == ("memory-limit", "feasible")
    monkeypatch.setattr(longhaul.dask, "_SMALL_LAYER", 5000)
    solution = longhaul.longest_path(grid, engine="frontier", memory_limit=memory, client=client)
    whole = longhaul.longest_path(grid)
    assert (solution.status, solution.length) == ("optimal", whole.length)
    assert brute_force.length(grid, solution.edges) == whole.length


def test_what_cannot_be_shared_out_is_refused(client):
    with pytest.raises(longhaul.ContradictionError, match="visit=… can't be shared out"):
        longhaul.longest_path(nx.path_graph(3), visit=[0], client=client)
    with pytest.raises(longhaul.ContradictionError, match="disk_limit=… can't be shared out"):
        longhaul.longest_path(nx.path_graph(3), disk_limit=1 << 20, client=client)
    with pytest.raises(longhaul.ContradictionError, match="the engine 'conflict' can't be shared out"):
        longhaul.longest_path(nx.path_graph(3), engine="conflict", client=client)
    with pytest.raises(longhaul.ContradictionError, match="checkpoint=… goes with client"):
        longhaul.longest_path(nx.path_graph(3), checkpoint="there")
    with pytest.raises(longhaul.ContradictionError, match="has no trials to share out"):
        longhaul.k_path(nx.path_graph(3), 3, engine="backtracking", client=client)


def test_what_is_to_be_avoided_is_left_out(client):
    graph = nx.grid_2d_graph(4, 5)
    for u, v in graph.edges:
        graph.edges[u, v]["weight"] = 1 + (7 * u[0] + 5 * u[1] + 3 * v[1]) % 11
    asked = {"avoid": [(1, 1), (0, 4)], "avoid_edges": [((3, 0), (3, 1))]}
    solution = longhaul.longest_path(graph, (0, 0), client=client, **asked)
    whole = longhaul.longest_path(graph, (0, 0), **asked)
    assert (solution.status, solution.length) == ("optimal", whole.length)
    assert brute_force.length(graph, solution.edges) == whole.length
    assert not set(asked["avoid"]) & set(solution.path)
    with pytest.raises(longhaul.ContradictionError, match="begin at the node"):
        longhaul.longest_path(graph, (1, 1), avoid=[(1, 1)], client=client)


def test_small_questions_of_a_batch_are_put_together():
    shares = longhaul.dask._shares([(3.0, 0), (0.01, 1), (2.0, 2), (0.01, 3), (0.02, 4)], 2)
    assert shares == [[0], [2], [4, 1, 3]]
    assert longhaul.dask._shares([(0.0, at) for at in range(3)], 2) == [[0, 1, 2]]
    assert sorted(sum(longhaul.dask._shares([(0.2, at) for at in range(40)], 2), [])) == list(range(40))


def test_a_tree_that_is_begun_anew_again_and_again_comes_to_its_end(client, graph, monkeypatch):
    begin, trees = longhaul.dask._Cases.begin_anew, set()

    def begin_at_once(cases):
        if cases.tree < 3:
            cases.anew = 0
        begin(cases)
        trees.add(cases.tree)

    monkeypatch.setattr(longhaul.dask._Cases, "begin_anew", begin_at_once)
    check(graph, longhaul.longest_path(graph, *ENDS, engine="branch-and-cut", client=client))
    assert len(trees) > 1


def test_nothing_is_taken_for_done_while_there_are_no_workers(client, graph, monkeypatch):
    monkeypatch.setattr(client, "nthreads", dict)
    check(graph, longhaul.longest_path(graph, *ENDS, engine="branch-and-cut", client=client))


def test_limits_and_callbacks_hold(client, graph):
    solution = longhaul.longest_path(graph, *ENDS, time_limit=0.2, engine="branch-and-cut", client=client)
    assert solution.stop == "time-limit" and solution.upper_bound >= LENGTH
    rows = []
    stopped = longhaul.longest_path(
        graph, *ENDS, engine="branch-and-cut", client=client, callback=lambda row: rows.append(row) or True
    )
    assert rows and stopped.stop == "interrupted" and stopped.upper_bound >= LENGTH


ASK = """
import sys, distributed, longhaul, longhaul.dask, networkx, pickle
longhaul.dask._LOCAL_SECONDS, longhaul.dask._SLICE = 0.0, 0.005
if __name__ == "__main__":
    graph = pickle.loads(open(sys.argv[1], "rb").read())
    client = distributed.Client(sys.argv[2])
    waited = longhaul.dask._Tasks.next
    count = 0
    def wait(tasks, timeout):
        global count
        came = waited(tasks, timeout)
        count += len(came)
        if came and count == 2:
            print("came", flush=True)
            sys.stdin.readline()  # until the scheduler is dead
        return came
    longhaul.dask._Tasks.next = wait
    try:
        print(longhaul.longest_path(graph, 1, 196, engine=sys.argv[3], client=client, checkpoint=sys.argv[4]))
    except longhaul.dask.SchedulerLostError as error:
        print("lost", error, flush=True)
    import os
    os._exit(0)
"""


def wait_for_address(file, scheduler):
    """Where a scheduler listens, from the file that it writes in place: what is not yet whole does not parse."""
    for _ in range(1200):
        assert scheduler.poll() is None, "the scheduler ended"
        try:
            return json.loads(file.read_text())["address"]
        except (FileNotFoundError, json.JSONDecodeError):
            time.sleep(0.05)
    raise AssertionError("the scheduler has not started")


@pytest.mark.skipif(os.name != "posix", reason="kills processes")
@pytest.mark.parametrize("engine", ["branch-and-cut", "frontier"])
def test_a_killed_scheduler_leaves_a_checkpoint(client, engine, graph, tmp_path):
    (tmp_path / "graph").write_bytes(pickle.dumps(graph))
    folder = str(tmp_path / "kept")
    start = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    scheduler = subprocess.Popen(
        [*start, "--scheduler-file", str(tmp_path / "address")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    started = [scheduler]
    try:
        address = wait_for_address(tmp_path / "address", scheduler)
        worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        started.append(subprocess.Popen(worker, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path))
        asks = [sys.executable, "-c", ASK, str(tmp_path / "graph"), address, engine, folder]
        asking = subprocess.Popen(asks, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        started.append(asking)
        for line in asking.stdout:
            if line == "came\n":
                break
        scheduler.kill()
        scheduler.wait()
        told = asking.communicate("\n", timeout=120)[0]
        assert "lost the scheduler is lost; what was done is in" in told, told
    finally:
        for process in started:
            process.kill()
            process.wait()
    assert list((tmp_path / "kept").rglob("*.done"))
    solution = longhaul.longest_path(graph, *ENDS, engine=engine, client=client, checkpoint=folder)
    assert any("checkpoint" in decision for decision in solution.stats.decisions)
    check(graph, solution)


def test_files_are_whole_or_not_at_all(tmp_path):
    file = tmp_path / "a" / "b"
    _pieces.write_whole(file, b"states")
    assert _pieces.read_whole(file) == b"states" and list(tmp_path.rglob("*")) == [tmp_path / "a", file]
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(longhaul.LonghaulError, match="is not as it was written"):
        _pieces.read_whole(file)


def test_what_a_file_says_beside_its_edges_counts_for_many_workers(client, tmp_path):
    rows = [f"e {u + 1} {v + 1} {(u * v) % 7 + 0.5}" for u in range(12) for v in range(u) if (u + v) % 3]
    path = tmp_path / "dense.gr"
    path.write_text(f"c terminals 1 12\np edge 12 {len(rows)}\n" + "\n".join(rows) + "\n")
    alone = longhaul.longest_path(str(path))
    assert alone.is_optimal and (alone.path[0], alone.path[-1]) == ("1", "12")
    assert longhaul.longest_path(longhaul.read_file(path).with_free_ends()).length > alone.length > int(alone.length)
    for engine in ("branch-and-cut", "frontier"):
        shared = longhaul.longest_path(str(path), client=client, engine=engine)
        assert (shared.status, shared.length, shared.upper_bound) == ("optimal", alone.length, alone.length)
    (one,) = longhaul.dask.solve_many([str(path)], client)
    assert (one.length, one.path[0]) == (alone.length, "1")
    path.write_text("p edge 2 1\nn 1 3\ne 1 2\n")
    with pytest.raises(longhaul.ContradictionError, match="prizes"):
        longhaul.longest_path(str(path), client=client)
