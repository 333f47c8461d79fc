"""The model of docs/scale.md: what sweeps by many workers take, predicted, and beside that what some layers of real ones took.

    python python/benches/model.py                the table of predictions
    python python/benches/model.py measure [S]    sweeps by 1, 2 and 4 workers, S seconds each [15], beside the predictions

Run it from the root of the repository, with the package and `distributed` installed.
"""

import shutil
import sys
import time
from pathlib import Path

import longhaul
import networkx as nx

#: Seconds a state: to expand, merge and write it.
STATE = 0.5e-6
#: Bytes a second of network or disk for each worker.
BANDWIDTH = 1e9
#: Seconds of a task there and back, and of two tasks of each worker at the scheduler.
LATENCY, OVERHEAD = 0.016, 0.005
#: States that several shards make, each for itself, over those that one makes: measured for the first numbers of workers, and
#: beyond them what two steps of two choices each make at most.
TWINS = {1: 1.0, 2: 1.45, 4: 1.87}
MOST_TWINS = 4.0
#: Steps that a shard goes before its states meet their twins.
STRIDE = 2


def twins(workers):
    return TWINS.get(workers, MOST_TWINS)


def seconds(states, state_bytes, steps, workers):
    """What a sweep of so many states (without twins) takes, in so many layers of files."""
    work = states * twins(workers) * (STATE + 2 * state_bytes / BANDWIDTH) / workers
    return work + steps / STRIDE * (LATENCY + OVERHEAD * workers)


def graphs():
    for name in ("maze75", "planar1200", "road50"):
        yield name, longhaul.read_file(Path("graphs/rivals") / f"{name}.gr")
    yield "grid 30 × 60", longhaul.read_graph(nx.grid_2d_graph(30, 60))


def told(time_):
    for unit, length in (("days", 86400), ("h", 3600), ("min", 60)):
        if time_ >= 2 * length:
            return f"{time_ / length:.1f} {unit}"
    return f"{time_:.1f} s"


def prepared(graph):
    from longhaul import _pieces, dask

    ask = _pieces.Ask(graph, None, None, False)
    order, width, states = ask.problem().order(dask._ORDER_WORK, _pieces.limits())
    return ask, order, width, states


def predict():
    print("| graph | width | states | 1 | 2 | 4 | 10 | 100 | 1000 workers |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, graph in graphs():
        ask, order, width, states = prepared(graph)
        sweep = ask.sweep(order)
        if sweep is None:
            print(f"| {name} | {width} | {states:.1e} | no room for a state | | | | | |")
            continue
        times = [seconds(states, sweep.state_bytes, sweep.steps, workers) for workers in (1, 2, 4, 10, 100, 1000)]
        print(f"| {name} | {width} | {states:.1e} | " + " | ".join(map(told, times)) + " |", flush=True)


class Timed(list):
    """A list that knows when it grew last."""

    def __init__(self, items):
        super().__init__(items)
        self.grew = time.monotonic()

    def append(self, item):
        super().append(item)
        self.grew = time.monotonic()


def measure(limit):
    import distributed
    from longhaul import dask

    print("| graph | width | workers | steps done | states with twins | measured | predicted | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    read = [(name, graph, *prepared(graph)) for name, graph in graphs()]
    for workers in (1, 2, 4):
        with (
            distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
        ):
            for name, graph, ask, order, width, _ in read:
                sweep = ask.sweep(order)
                if sweep is None:
                    print(f"| {name} | {width} | {workers} | no room for a state | | | | |", flush=True)
                    continue
                asked = {"source": None, "target": None, "cycle": False, "time_limit": limit, "memory_limit": None}
                asked |= {"seed": 0, "gap": 0, "relative_gap": 0.0, "engine": "frontier"}
                run = dask._Run(graph, ask, asked, client, None, None, longhaul.longest_path)
                began = time.monotonic()
                layers = dask._Layers(run, client, order)
                layers.segments = Timed(layers.segments)
                try:
                    layers.forwards()
                finally:
                    shutil.rmtree(layers.own_folder, ignore_errors=True)
                # What was begun and not completed does not count.
                spent = layers.segments.grew - began
                # The run counts states as they are in the files, twins and all.
                done = layers.segments[-1][0]
                expected = seconds(run.steps / twins(workers), sweep.state_bytes, done, workers)
                print(
                    f"| {name} | {width} | {workers} | {done} of {sweep.steps} | {run.steps:.2e} | {spent:.1f} s | {expected:.1f} s | {spent / expected:.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(float(sys.argv[2]) if len(sys.argv) > 2 else 15.0)
    else:
        predict()
