#!/usr/bin/env python3
"""Compares longhaul's pruned backtracking with rustworkx's `longest_simple_path`, which enumerates.

    backtracking.py [--longhaul BINARY] [--rounds N] [--at-least RATIO] FILE...

Every FILE is an unweighted graph in DIMACS form (`p edge` or `p arc`), solved with free ends. Both solvers take turns
on it, so that what else the machine does hits both alike. For each file one line: the length, which must be the same,
and the medians of the N rounds of

    rustworkx   the call alone, in seconds, the graph already built;
    longhaul    the whole solve as longhaul times itself (`"seconds"`), reading the file not counted;
    process     the whole process of longhaul, start and reading included;

then the median over the rounds of rustworkx / longhaul. The exit code is 1 if two lengths differ or if one of these
ratios is below RATIO. Needs Python 3 and rustworkx (0.15 or later), and nothing else.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time

import rustworkx


def read(file):
    """The node count, the edges from 0, and whether they are directed."""
    nodes, edges, directed = 0, [], False
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if words and words[0] == "p":
                nodes, directed = int(words[2]), words[1] == "arc"
            elif words and words[0] in ("e", "a"):
                edges.append((int(words[1]) - 1, int(words[2]) - 1, None))
    return nodes, edges, directed


def rustworkx_round(nodes, edges, directed):
    kind = rustworkx.PyDiGraph if directed else rustworkx.PyGraph
    graph = kind(multigraph=False)
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(edges)
    began = time.perf_counter()
    path = rustworkx.longest_simple_path(graph)
    return time.perf_counter() - began, len(path) - 1


def longhaul_round(binary, file):
    command = [binary, "solve", "--free", "--engine", "backtracking", "--output", "json", file]
    began = time.perf_counter()
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    process = time.perf_counter() - began
    answer = json.loads(run.stdout)
    if answer["status"] != "optimal":
        sys.exit(f"{file}: longhaul says '{answer['status']}', not 'optimal'")
    return answer["seconds"], process, answer["length"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", metavar="FILE", nargs="+")
    parser.add_argument("--longhaul", metavar="BINARY", default="target/release/longhaul")
    parser.add_argument("--rounds", metavar="N", type=int, default=7)
    parser.add_argument("--at-least", metavar="RATIO", type=float, default=20)
    options = parser.parse_args()

    good = True
    print(f"{'file':<40} {'length':>6} {'rustworkx':>12} {'longhaul':>12} {'process':>12} {'ratio':>10}")
    for file in options.files:
        graph = read(file)
        theirs, ours, processes, ratios, lengths = [], [], [], [], set()
        for _ in range(options.rounds):
            seconds, length = rustworkx_round(*graph)
            theirs.append(seconds)
            lengths.add(length)
            seconds, process, length = longhaul_round(options.longhaul, file)
            ours.append(seconds)
            processes.append(process)
            lengths.add(length)
            ratios.append(theirs[-1] / ours[-1])
        medians = [statistics.median(times) for times in (theirs, ours, processes)]
        ratio = statistics.median(ratios)
        spelt = "/".join(str(length) for length in sorted(lengths))
        times = " ".join(f"{median:>12.6f}" for median in medians)
        print(f"{file[-40:]:<40} {spelt:>6} {times} {ratio:>9.0f}x", flush=True)
        good &= len(lengths) == 1 and ratio >= options.at_least
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
