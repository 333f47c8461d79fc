"""One process against two workers of one thread each, the same questions in the same run: what docs/scale.md tells.

    python python/benches/scale.py [batch] [sieve] [cases] [sweep]

Run it from the root of the repository, with the package and `distributed` installed. Each row says how long one process took, how long
two workers took, and both in seconds of processor time, which other work on the machine disturbs less.
"""

import os
import random
import sys
import time

import distributed
import longhaul
import longhaul.dask
import networkx as nx

RIVALS = "graphs/rivals"
BATCH = [
    "cubic120", "cubic300", "dgnp120", "dgnp60", "gnp120", "gnp60", "grid10", "grid12", "maze20", "maze30", "maze40", "planar200",
    "planar400", "planar90", "road12", "road18", "uno24", "uno60", "road7", "planar40",
]  # fmt: skip


def processor_seconds():
    times = os.times()
    return times.user + times.system


def seconds_of_workers(client):
    return sum(client.run(processor_seconds).values())


def compare(client, name, alone, together):
    wall, cpu = time.perf_counter(), processor_seconds()
    one = alone()
    wall, cpu = time.perf_counter() - wall, processor_seconds() - cpu
    wall_of_two, cpu_of_two = time.perf_counter(), seconds_of_workers(client) + processor_seconds()
    two = together()
    wall_of_two = time.perf_counter() - wall_of_two
    cpu_of_two = seconds_of_workers(client) + processor_seconds() - cpu_of_two
    print(f"{name}: {wall:.1f} s alone ({cpu:.1f} s cpu), {wall_of_two:.1f} s by two ({cpu_of_two:.1f} s cpu): {wall / wall_of_two:.2f}x", flush=True)
    return one, two


def batch(client):
    files = [f"{RIVALS}/{name}.gr" for name in BATCH] * 2
    longhaul.dask.solve_many(files[:2], client)
    one, two = compare(
        client, "40 instances", lambda: [longhaul.longest_path(file) for file in files], lambda: longhaul.dask.solve_many(files, client)
    )
    assert [solution.length for solution in one] == [solution.length for solution in two]


def sieve(client):
    graph = longhaul.read_graph(nx.complete_bipartite_graph(6, 9994))
    asked = dict(engine="sieve", failure_probability=1e-3)
    one, two = compare(
        client, "sieve, k = 14, 10^4 nodes", lambda: longhaul.k_path(graph, 14, **asked), lambda: longhaul.k_path(graph, 14, client=client, **asked)
    )
    assert one.path is None and two.path is None
    assert one.status == two.status or two.failure_probability <= 1e-3


def cases(client):
    name, source, target = (os.environ.get("CASES") or "planar800 1 780").split()
    graph = longhaul.read_file(f"{RIVALS}/{name}.gr")
    one, two = compare(
        client,
        f"cases of {name}",
        lambda: longhaul.longest_path(graph, source, target, engine="branch-and-cut"),
        lambda: longhaul.longest_path(graph, source, target, engine="branch-and-cut", client=client),
    )
    print("  ", one, one.stats.steps, two, two.stats.steps)
    assert one.length == two.length and one.is_optimal and two.is_optimal


def sweep(client):
    graph, rng = nx.grid_2d_graph(9, 9), random.Random(9)
    for u, v in graph.edges:
        graph.edges[u, v]["weight"] = rng.randint(1, 100)
    longhaul.dask._LOCAL_SECONDS = 0.0
    asked = dict(engine="frontier", memory_limit=1 << 20)
    one, two = compare(
        client, "sweep in 1 MiB", lambda: longhaul.longest_path(graph, **asked), lambda: longhaul.longest_path(graph, client=client, **asked)
    )
    print("  ", one, two)
    assert one.stop == "memory-limit" and two.is_optimal


def main():
    workers = int(os.environ.get("WORKERS", "2"))
    with (
        distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        for name in sys.argv[1:] or ["batch", "sieve", "cases", "sweep"]:
            {"batch": batch, "sieve": sieve, "cases": cases, "sweep": sweep}[name](client)


if __name__ == "__main__":
    main()
