#!/usr/bin/env python3
"""Runs longhaul and its rivals one after the other on the same graphs, and writes what they came to as a table.

    rivals.py --table TABLE --drivers FOLDER [--rivals NAMES] [--python PYTHON] [--longhaul BINARY]
              [--limit SECONDS] [--only REGEX] [--write FILE]

TABLE is a list of graphs with tabs between its columns: `file` (DIMACS, `p edge` or `p arc`, beside TABLE), `n`, `m`,
`ends` (`free`, or two nodes with a comma between them), and whatever else. FOLDER holds a driver for each rival: a
Python program that is called as

    DRIVER FILE [-s NODE -t NODE] --limit SECONDS --workers N [--lin LEVEL] --path

where FILE begins with a line `n m directed` (1 or 0) and goes on with a line `u v weight` for each edge, nodes from 0, and
that prints a line of JSON with `bound` and `proved`, then the nodes of its path. NAMES are `highs` (highs_lp.py), `cpsat1L2`
(cpsat_lp.py with one worker and linearization level 2) and `cpsat2` (with two workers), with commas between them, or none.

Every path is checked here: no node twice, every edge in the graph, the ends as asked; its length is what counts. Seconds
are those of the processor, for the whole process and all its threads, start and reading included. Every graph is given
to all solvers in turn before the next is begun. A cell says `length seconds` where the solver proved its path to be
longest, `length … bound` where it did not in time, and `-` where it found none. The exit code is 1 where longhaul's path
is shorter than a rival's, where it leaves open what a rival proves, or where two proofs contradict each other.

Needs Python 3.9 or later, and what the drivers need.
"""

import argparse
import csv
import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile

RIVALS = {
    "highs": ("highs_lp.py", ["--workers", "1"]),
    "cpsat1L2": ("cpsat_lp.py", ["--workers", "1", "--lin", "2"]),
    "cpsat2": ("cpsat_lp.py", ["--workers", "2"]),
}


def read(file):
    """The node count, whether edges are directed, and the heaviest edge between any two nodes, counted from 0."""
    nodes, directed, weights = 0, False, {}
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if words and words[0] == "p":
                nodes, directed = int(words[2]), words[1] == "arc"
            elif words and words[0] in ("e", "a"):
                edge = (int(words[1]) - 1, int(words[2]) - 1)
                weight = int(words[3]) if len(words) > 3 else 1
                weights[edge] = max(weight, weights.get(edge, weight))
    return nodes, directed, weights


def length_of(graph, ends, path):
    """The length of a path, which must be one."""
    nodes, directed, weights = graph
    assert path and len(set(path)) == len(path) and all(0 <= node < nodes for node in path), "a node twice, or none"
    assert not ends or (path[0], path[-1]) in ([ends] if directed else [ends, ends[::-1]]), "other ends"
    length = 0
    for edge in zip(path, path[1:]):
        turned = None if directed else weights.get(edge[::-1])
        found = [weight for weight in (weights.get(edge), turned) if weight is not None]
        assert found, f"no edge {edge}"
        length += max(found)
    return length


def timed(command, limit):
    """What a command prints, and the processor's seconds it takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=3 * limit + 60, check=False)
        printed = run.stdout
    except subprocess.TimeoutExpired:
        printed = ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return printed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run_longhaul(options, file, graph, ends):
    command = [options.longhaul, "solve", file, "--output", "json", "--time-limit", f"{options.limit}s"]
    command += ["--from", str(ends[0] + 1), "--to", str(ends[1] + 1)] if ends else ["--free"]
    printed, seconds = timed(command, options.limit)
    answer = json.loads(printed)
    path = [int(node) - 1 for node in answer["nodes"] or []]
    length = length_of(graph, ends, path) if path else None
    assert length == answer["length"], f"a path of length {length}, said to have {answer['length']}"
    return {"length": length, "bound": answer["upper_bound"], "proved": answer["status"] == "optimal", "seconds": seconds}


def run_rival(options, name, plain, graph, ends):
    driver, arguments = RIVALS[name]
    command = [options.python, os.path.join(options.drivers, driver), plain, "--limit", str(options.limit), "--path"]
    command += arguments + (["-s", str(ends[0]), "-t", str(ends[1])] if ends else [])
    printed, seconds = timed(command, options.limit)
    answer, path = {}, []
    for line in printed.splitlines():
        if line.startswith("{"):
            answer = json.loads(line)
        elif line.strip():
            path = [int(node) for node in line.split()]
    length = length_of(graph, ends, path) if path else None
    bound = answer.get("bound")
    return {"length": length, "bound": bound, "proved": bool(answer.get("proved")) and path != [], "seconds": seconds}


def write_plain(graph, folder):
    """The graph as the drivers want it."""
    nodes, directed, weights = graph
    name = os.path.join(folder, "graph")
    with open(name, "w", encoding="utf-8") as out:
        print(nodes, len(weights), int(directed), file=out)
        for (source, target), weight in weights.items():
            print(source, target, weight, file=out)
    return name


def cell(result):
    if result["length"] is None:
        return "-" if result["bound"] is None else f"- … {result['bound']}"
    if result["proved"]:
        return f"{result['length']} {result['seconds']:.2f} s"
    return f"{result['length']} … {result['bound']}"


def complaints(results):
    """What longhaul owes the rivals, and what can't be true."""
    ours = results["longhaul"]
    for name, result in results.items():
        if result["length"] is not None and (ours["length"] is None or ours["length"] < result["length"]):
            yield f"{name} has a path of length {result['length']}, longhaul one of {ours['length']}"
        if result["proved"] and not ours["proved"]:
            yield f"{name} proves {result['length']}, longhaul does not"
        if result["proved"] and any((other["length"] or 0) > result["length"] for other in results.values()):
            yield f"{name} proves {result['length']}, and there is a longer path"
    if any(ours["bound"] is not None and (other["length"] or 0) > ours["bound"] for other in results.values()):
        yield f"longhaul's bound {ours['bound']} is below a path"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", required=True)
    parser.add_argument("--drivers", metavar="FOLDER", required=True)
    parser.add_argument("--rivals", metavar="NAMES", default="highs,cpsat1L2")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--longhaul", metavar="BINARY", default="target/release/longhaul")
    parser.add_argument("--limit", metavar="SECONDS", type=int, default=60)
    parser.add_argument("--only", metavar="REGEX", default="")
    parser.add_argument("--write", metavar="FILE", help="write the table there instead of the terminal")
    options = parser.parse_args()
    names = [name for name in options.rivals.split(",") if name]

    head = ["graph", "nodes", "edges", "ends", "longhaul"] + names
    lines = [" | ".join(head), " | ".join(["---"] * len(head))]
    good = True
    with open(options.table, encoding="utf-8", newline="") as table, tempfile.TemporaryDirectory() as folder:
        for row in csv.DictReader(table, delimiter="\t"):
            if not re.search(options.only, row["file"]):
                continue
            file = os.path.join(os.path.dirname(options.table), row["file"])
            graph = read(file)
            ends = None if row["ends"] == "free" else tuple(int(node) - 1 for node in row["ends"].split(","))
            plain = write_plain(graph, folder)
            results = {"longhaul": run_longhaul(options, file, graph, ends)}
            for name in names:
                results[name] = run_rival(options, name, plain, graph, ends)
            for complaint in complaints(results):
                print(f"{row['file']}: {complaint}", file=sys.stderr, flush=True)
                good = False
            title = os.path.splitext(os.path.basename(file))[0]
            cells = [title, row["n"], row["m"], row["ends"]] + [cell(result) for result in results.values()]
            lines.append(" | ".join(cells))
            print(lines[-1], file=sys.stderr, flush=True)
    text = "".join(f"| {line} |\n" for line in lines)
    if options.write:
        with open(options.write + ".part", "w", encoding="utf-8") as out:
            machine = f"{os.cpu_count()} processors ({platform.machine()})"
            out.write(f"Limit {options.limit} s, one after the other on {machine}.\n\n{text}")
        os.replace(options.write + ".part", options.write)
    else:
        print(text, end="")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
