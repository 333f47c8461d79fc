#!/usr/bin/env python3
"""Compares `longhaul solve --count` and `--distribution` with Graphillion's `GraphSet.paths` on corner-to-corner paths of grids.

    counting.py --longhaul BINARY [--sides 8 9 10] [--rounds N]

Both count all paths between two opposite corners of a grid; longhaul also how many there are of each length, and how many
longest. The two take turns, each in a process of its own, and what is told is the processor time that each process took
itself, start and reading included, the least of N rounds: what else the machine does matters little to that. The counts have
to be the same, and the known ones (OEIS A007764); the exit code is 1 if they are not.

Needs Python 3 with the packages of install.sh.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

KNOWN = {8: 789360053252, 9: 3266598486981642, 10: 41044208702632496804, 11: 1568758030464750013214100}

GRAPHILLION = """
import sys
from graphillion import GraphSet
side = int(sys.argv[1])
edges = [((r, c), (r, c + 1)) for r in range(side) for c in range(side - 1)]
edges += [((r, c), (r + 1, c)) for r in range(side - 1) for c in range(side)]
# Row by row: the order that it takes by itself needs more than 22 GB for a side of 10.
GraphSet.set_universe(edges, traversal="bfs", source=(0, 0))
print(GraphSet.paths((0, 0), (side - 1, side - 1)).len())
"""


def grid(side):
    node = lambda row, column: row * side + column
    lines = [f"{node(r, c)} {node(r, c + 1)}" for r in range(side) for c in range(side - 1)]
    lines += [f"{node(r, c)} {node(r + 1, c)}" for r in range(side - 1) for c in range(side)]
    return "\n".join(lines) + "\n"


def measured(command):
    """What it prints, and the processor time it took."""
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    after = os.times()
    seconds = (after.children_user + after.children_system) - (before.children_user + before.children_system)
    return done.stdout, seconds


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--longhaul", required=True)
    options.add_argument("--sides", nargs="+", type=int, default=[8, 9, 10])
    options.add_argument("--rounds", type=int, default=3)
    options = options.parse_args()
    wrong = False
    print(f"{'side':>4} {'all paths':>26} {'graphillion':>12} {'by length':>10} {'longest':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for side in options.sides:
            file = Path(folder) / f"grid{side}.el"
            file.write_text(grid(side))
            ends = ["--from", "0", "--to", str(side * side - 1), "--threads", "1"]
            ask = [options.longhaul, "solve", str(file), *ends]
            times = {"graphillion": [], "by length": [], "longest": []}
            for _ in range(options.rounds):
                counted, seconds = measured([sys.executable, "-c", GRAPHILLION, str(side)])
                times["graphillion"].append(seconds)
                told, seconds = measured([*ask, "--distribution"])
                times["by length"].append(seconds)
                times["longest"].append(measured([*ask, "--count"])[1])
                total = sum(int(line.split()[1]) for line in told.splitlines() if not line.startswith("#"))
                wrong |= int(counted) != total
                wrong |= KNOWN.get(side, total) != total
            least = {name: min(all) for name, all in times.items()}
            print(
                f"{side:>4} {total:>26} {least['graphillion']:>10.2f} s {least['by length']:>8.2f} s {least['longest']:>8.2f} s"
            )
    if wrong:
        sys.exit("the counts differ")


if __name__ == "__main__":
    main()
