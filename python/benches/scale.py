"""One process against workers of one thread each, the same questions in the same run, in one table: what docs/scale.md tells.

    python python/benches/scale.py [batch] [sieve] [cases] [sweep]

Run it from the root of the repository, with the package and `distributed` installed, on two processors with nothing else to do: about
five minutes. Each row says how long one process took, and workers; both in seconds of the clock, whose ratio is the speed-up,
and of the processor, which other work on the machine disturbs less; how evenly the work lay (the busiest worker's share over
an even one); and whether what was promised holds. Answers are asserted.
"""

import os
import random
import sys
import time
from pathlib import Path

import distributed
import longhaul
import longhaul.dask
import networkx as nx

RIVALS = Path("graphs/rivals")
#: What is promised of two workers.
PROMISED = {"batch": 1.7, "sieve": 1.7, "cases": 1.4}
BATCH_SECONDS = float(os.environ.get("BATCH_SECONDS", "4"))
CASES = os.environ.get("CASES", "maze50 300 1700").split()


def processor_seconds():
    times = os.times()
    return times.user + times.system


def warm():
    """Everything that is done once in a process is done."""
    import longhaul  # noqa: F401
    import longhaul._pieces  # noqa: F401

    return processor_seconds()


def timed(work):
    wall, cpu = time.perf_counter(), processor_seconds()
    answer = work()
    return answer, time.perf_counter() - wall, processor_seconds() - cpu


def timed_together(client, work):
    before = client.run(warm)
    answer, wall, cpu_here = timed(work)
    after = client.run(processor_seconds)
    spent = [after[worker] - before[worker] for worker in after if worker in before]
    evenly = max(spent) / (sum(spent) / len(spent)) if sum(spent) > 0 else 1.0
    return answer, wall, sum(spent) + cpu_here, evenly


def row(name, workers, alone, together, promised):
    (wall, cpu), (wall_together, cpu_together, evenly) = alone, together
    ratio = wall / wall_together
    holds = "" if promised is None else f"{promised:.1f}: {'holds' if ratio >= promised else 'FALLS SHORT'}"
    print(
        f"| {name} | {workers} | {wall:.1f} s | {wall_together:.1f} s | {ratio:.2f} | {cpu:.1f} s | {cpu_together:.1f} s | {evenly:.2f} | {holds} |",
        flush=True,
    )


def compare(client, workers, kind, name, alone, together):
    one, wall, cpu = timed(alone)
    many, wall_together, cpu_together, evenly = timed_together(client, together)
    row(name, workers, (wall, cpu), (wall_together, cpu_together, evenly), PROMISED.get(kind))
    return one, many


def batch(client, workers):
    files = [str(file) for file in sorted(RIVALS.glob("*.gr"))]
    options = {"time_limit": BATCH_SECONDS}
    one, two = compare(
        client,
        workers,
        "batch",
        f"a batch of {len(files)} instances, {BATCH_SECONDS:.0f} s each at most",
        lambda: [longhaul.longest_path(file, **options) for file in files],
        lambda: longhaul.dask.solve_many(files, client, **options),
    )
    assert len(files) == 40
    for alone, together in zip(one, two, strict=True):
        if alone.is_optimal and together.is_optimal:
            assert alone.length == together.length
        assert (alone.length or 0) <= together.upper_bound and (together.length or 0) <= alone.upper_bound


def sieve(client, workers):
    graph = longhaul.read_graph(nx.complete_bipartite_graph(6, 9994))
    asked = {"engine": "sieve", "failure_probability": 1e-3}
    one, two = compare(
        client,
        workers,
        "sieve",
        "the sieve, k = 14, 10^4 nodes",
        lambda: longhaul.k_path(graph, 14, **asked),
        lambda: longhaul.k_path(graph, 14, client=client, **asked),
    )
    assert one.path is None and two.path is None
    assert one.status == two.status or two.failure_probability <= 1e-3


def cases(client, workers):
    name, source, target = CASES
    graph = longhaul.read_file(RIVALS / f"{name}.gr")
    asked = {"engine": "branch-and-cut"}
    one, two = compare(
        client,
        workers,
        "cases",
        f"cases of {name} from {source} to {target}",
        lambda: longhaul.longest_path(graph, source, target, **asked),
        lambda: longhaul.longest_path(graph, source, target, client=client, **asked),
    )
    print(f"  ({one.length}, proved by one process in {one.stats.steps} steps and by {workers} workers in {two.stats.steps})")
    assert one.length == two.length and one.is_optimal and two.is_optimal


def sweep(client, workers):
    """A layer that one worker has no room for, settled by four with as much room each."""
    graph, rng = nx.grid_2d_graph(9, 9), random.Random(9)
    for u, v in graph.edges:
        graph.edges[u, v]["weight"] = rng.randint(1, 100)
    longhaul.dask._LOCAL_SECONDS = 0.0
    asked = {"engine": "frontier", "memory_limit": 1 << 20}
    one, four = compare(
        client,
        workers,
        "sweep",
        "a sweep in 1 MiB a worker",
        lambda: longhaul.longest_path(graph, **asked),
        lambda: longhaul.longest_path(graph, client=client, **asked),
    )
    print(f"  (alone: {one.length} of at most {one.upper_bound}, {one.stop}; four workers: {four.length}, {four.status})")
    assert one.stop == "memory-limit" and not one.is_optimal and four.is_optimal
    assert four.length == longhaul.longest_path(graph).length


def main():
    print("| what | workers | one process | workers | speed-up | processor, one | processor, all | busiest | promised |")
    print("|---|---|---|---|---|---|---|---|---|")
    asked = sys.argv[1:] or ["batch", "sieve", "cases", "sweep"]
    for workers, kinds in ((2, ("batch", "sieve", "cases")), (4, ("sweep",))):
        if not set(kinds) & set(asked):
            continue
        with (
            distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
        ):
            client.run(warm)
            for kind in kinds:
                if kind in asked:
                    {"batch": batch, "sieve": sieve, "cases": cases, "sweep": sweep}[kind](client, workers)


if __name__ == "__main__":
    main()
