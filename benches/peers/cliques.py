#!/usr/bin/env python3
"""Compares `longhaul clique` with networkx's `max_weight_clique` and igraph's `largest_cliques`.

    cliques.py --longhaul BINARY [--limit SECONDS] [--rounds N] [NAME...]

Each graph is made here from a seed and written in DIMACS form. The solvers take turns on it, each in a process of its
own that is ended after the limit, so that what else the machine does hits all alike. A row of the table has the nodes
and edges, the size, which must be the same for all that finish, and the medians of the N rounds of

    longhaul    the whole process, start and reading the file included, in seconds; and as it times itself;
    networkx    the call alone, the graph already built;
    igraph      the call alone, the graph already built.

The exit code is 1 if two sizes differ. Needs Python 3 with the packages of install.sh.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def gnp(nodes, density, hidden=0):
    draw = random.Random(1)
    return nodes, [(a, b) for a in range(nodes) for b in range(a) if draw.random() < density or a < hidden]


def scale_free(nodes, each):
    draw = random.Random(1)
    edges, ends = [], [0]
    for node in range(1, nodes):
        for old in {draw.choice(ends) for _ in range(min(each, node))}:
            edges.append((node, old))
            ends += (node, old)
    return nodes, edges


GRAPHS = {
    "gnp_200_90": lambda: gnp(200, 0.9),
    "gnp_500_50": lambda: gnp(500, 0.5),
    "hidden_17_in_200_65": lambda: gnp(200, 0.65, 17),
    "scale_free_1e6": lambda: scale_free(200_000, 5),
}

NETWORKX = """
import sys, time, networkx
graph = networkx.Graph()
for line in open(sys.argv[1]):
    words = line.split()
    if words[0] == "p": graph.add_nodes_from(range(1, int(words[2]) + 1))
    else: graph.add_edge(int(words[1]), int(words[2]))
began = time.perf_counter()
clique, size = networkx.max_weight_clique(graph, weight=None)
print(size, time.perf_counter() - began)
"""

IGRAPH = """
import sys, time, igraph
rows = [line.split() for line in open(sys.argv[1])]
graph = igraph.Graph(int(rows[0][2]), [(int(row[1]) - 1, int(row[2]) - 1) for row in rows[1:]])
began = time.perf_counter()
cliques = graph.largest_cliques()
print(len(cliques[0]), time.perf_counter() - began)
"""


def peer(program, file, limit):
    """The size and the seconds of the call, or nothing if it was ended."""
    try:
        run = subprocess.run([sys.executable, "-c", program, file], capture_output=True, text=True, check=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    size, seconds = run.stdout.split()
    return int(size), float(seconds)


def longhaul(binary, file, limit):
    began = time.perf_counter()
    command = [binary, "clique", file, "--output", "json", "--threads", "2", "--time-limit", str(limit)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    process = time.perf_counter() - began
    answer = json.loads(run.stdout)
    return (answer["size"], process, answer["seconds"]) if answer["status"] == "optimal" else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--longhaul", default="target/release/longhaul")
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("names", nargs="*", metavar="NAME")
    args = parser.parse_args()
    print("| graph | nodes | edges | size | longhaul, process | longhaul | networkx | igraph |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    differ = False
    with tempfile.TemporaryDirectory() as folder:
        for name in args.names or GRAPHS:
            nodes, edges = GRAPHS[name]()
            file = str(Path(folder) / f"{name}.col")
            with open(file, "w", encoding="utf-8") as out:
                out.write(f"p edge {nodes} {len(edges)}\n")
                out.writelines(f"e {a + 1} {b + 1}\n" for a, b in edges)
            ours, theirs = [], {"networkx": [], "igraph": []}
            for _ in range(args.rounds):
                ours.append(longhaul(args.longhaul, file, args.limit))
                for peer_name, program in (("networkx", NETWORKX), ("igraph", IGRAPH)):
                    times = theirs[peer_name]
                    # Who did not finish once is not asked again.
                    if None not in times:
                        times.append(peer(program, file, args.limit))
            known = {result[0] for result in [*ours, *theirs["networkx"], *theirs["igraph"]] if result}
            differ |= len(known) > 1

            def median(results, place):
                return f"{statistics.median(result[place] for result in results):.3f} s" if None not in results else f"> {args.limit:.0f} s"

            size = "/".join(map(str, sorted(known))) or "-"
            cells = [median(ours, 1), median(ours, 2), median(theirs["networkx"], 1), median(theirs["igraph"], 1)]
            print(f"| {name} | {nodes} | {len(edges)} | {size} | {' | '.join(cells)} |", flush=True)
    sys.exit(differ)


if __name__ == "__main__":
    main()
