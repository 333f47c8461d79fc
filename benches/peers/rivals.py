#!/usr/bin/env python3
"""Runs longhaul and its rivals one after the other on the same graphs, checks every path, and tells what came of it.

    rivals.py [--table graphs/INDEX.tsv] [--rivals NAMES] [--limit SECONDS] [--threads N] [--only REGEX]
              [--longhaul BINARY] [--folder target/rivals] [--performance PERFORMANCE.md]

A table has tabs between its columns: `file` (beside the table), `format` (only `dimacs` is taken), `from` and `to` (nodes, or `*`).
Each rival is a program of `drivers/`: cpsat, highs, graphillion, rustworkx, networkx, lkh, and kalp where the environment variable
KALP names it. All get the same limit by the clock and the same number of threads, and 8 GiB of memory.

Every path is checked here, on the graph as it stands in the file: no node twice, every edge there, the ends as asked; its length is what
counts. Two times are told for each: seconds of the processor for the whole process and all its threads, start and reading included, and
seconds by the clock. In the Markdown a cell says `length seconds` (of the processor) where the path is proved longest, `length … bound`
where not, and `-` where there was none; the quickest proof of a row is bold. `rivals.csv` has everything. With --performance the part of
that file between `<!-- rivals -->` and `<!-- end of rivals -->` becomes the new table.

The exit code is 1 where longhaul's path is shorter than a rival's, where it leaves open what a rival proves, where two proofs
contradict each other, or where a path is none.
"""

import argparse
import csv
import json
import math
import os
import platform
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DRIVERS = Path(__file__).parent / "drivers"
RIVALS = {
    "cpsat": "cpsat.py",
    "highs": "highs.py",
    "graphillion": "graphillion_paths.py",
    "rustworkx": "rustworkx_paths.py",
    "networkx": "networkx_paths.py",
    "lkh": "lkh.py",
    "kalp": "kalp.py",
}
MEMORY = 8 << 30
COLUMNS = ["graph", "nodes", "edges", "from", "to", "solver", "length", "bound", "proved", "processor", "clock", "remark"]


def read(file):
    """The node count, whether edges are directed, and the heaviest edge between any two nodes, counted from 0."""
    nodes, directed, weights = 0, False, {}
    for line in file.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words and words[0] == "p":
            nodes, directed = int(words[2]), words[1] == "arc"
        elif words and words[0] in ("e", "a") and words[1] != words[2]:
            edge = (int(words[1]) - 1, int(words[2]) - 1)
            edge = edge if directed else (min(edge), max(edge))
            weight = int(words[3]) if len(words) > 3 else 1
            weights[edge] = max(weight, weights.get(edge, weight))
    return nodes, directed, weights


def length_of(graph, ends, path):
    """The length of a path; ValueError if it is none."""
    nodes, directed, weights = graph
    if not path or len(set(path)) != len(path) or not all(0 <= node < nodes for node in path):
        raise ValueError("a node twice, or none")
    if ends and (path[0], path[-1]) not in ([ends] if directed else [ends, ends[::-1]]):
        raise ValueError("other ends")
    length = 0
    for step in zip(path, path[1:]):
        edge = step if directed else (min(step), max(step))
        if edge not in weights:
            raise ValueError(f"no edge {edge}")
        length += weights[edge]
    return length


def timed(command, limit):
    """What a command prints, the processor's seconds that it takes, and those of the clock."""

    def alone():
        os.setpgrp()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=alone) as process:
        try:
            # Solvers that know no limit, and those that are late.
            printed, _ = process.communicate(timeout=limit + max(2.0, 0.1 * limit))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            printed, _ = process.communicate()
    return printed, time.monotonic() - began


def run_longhaul(options, file, ends):
    command = [options.longhaul, "solve", str(file), "--output", "json", "--time-limit", f"{options.limit}s"]
    command += ["--threads", str(options.threads), "--memory-limit", f"{MEMORY // 2}"]
    command += ["--from", str(ends[0] + 1), "--to", str(ends[1] + 1)] if ends else ["--free"]
    printed, clock = timed(command, options.limit)
    answer = json.loads(printed)
    path = [int(node) - 1 for node in answer["nodes"]] if answer["nodes"] else None
    proved = answer["status"] in ("optimal", "infeasible")
    return {"path": path, "bound": answer["upper_bound"], "proved": proved, "refused": None}, clock


def run_rival(options, name, plain, ends):
    command = [sys.executable, str(DRIVERS / RIVALS[name]), plain, "--limit", str(options.limit), "--threads", str(options.threads)]
    command += ["--from", str(ends[0]), "--to", str(ends[1])] if ends else []
    printed, clock = timed(command, options.limit)
    lines = [line for line in printed.splitlines() if line.startswith("{")]
    nothing = {"path": None, "bound": None, "proved": False, "refused": None}
    return (json.loads(lines[-1]) if lines else nothing), clock


def judged(graph, ends, answer, processor, clock):
    """A row of the CSV, with the path checked."""
    length, proved, remark = None, answer["proved"], answer["refused"] or ""
    if answer["path"]:
        try:
            length = length_of(graph, ends, answer["path"])
        except ValueError as error:
            proved, remark = False, f"wrong: {error}"
    return {"length": length, "bound": answer["bound"], "proved": proved, "processor": processor, "clock": clock, "remark": remark}


def complaints(results):
    """What longhaul owes the rivals, and what can't be true."""
    ours = results["longhaul"]
    for name, result in results.items():
        length = result["length"]
        if result["remark"].startswith("wrong"):
            yield f"{name}: {result['remark']}"
        if length is not None and (ours["length"] is None or ours["length"] < length):
            yield f"{name} has a path of length {length}, longhaul one of {ours['length']}"
        if result["proved"] and not ours["proved"]:
            yield f"{name} proves {length}, longhaul does not"
        known = [other["length"] for other in results.values() if other["length"] is not None]
        if result["proved"] and known and (length is None or max(known) > length):
            yield f"{name} proves {length}, and there is a path of {max(known)}"
        if result["bound"] is not None and known and result["bound"] < max(known):
            yield f"{name} has the bound {result['bound']}, and there is a path of {max(known)}"


def cell(result, is_quickest):
    if result["remark"]:
        return "n/a"
    if result["proved"]:
        text = f"{'none' if result['length'] is None else result['length']} {result['processor']:.2f} s"
        return f"**{text}**" if is_quickest else text
    if result["length"] is None:
        return "-" if result["bound"] is None else f"- … {result['bound']}"
    return f"{result['length']} … {'?' if result['bound'] is None else result['bound']}"


def quickest(results):
    times = {name: result["processor"] for name, result in results.items() if result["proved"]}
    return min(times, key=times.get) if times else None


def summary(names, rows):
    """Wins and losses against each rival, as lines of Markdown."""
    yield "| rival | asked | proves | proved by longhaul alone | by the rival alone | by both | longhaul quicker | slower | times as quick (geometric mean) |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for name in names:
        asked = [results for results in rows if not results[name]["remark"] or results[name]["remark"].startswith("wrong")]
        both = [results for results in asked if results[name]["proved"] and results["longhaul"]["proved"]]
        alone = sum(results["longhaul"]["proved"] and not results[name]["proved"] for results in asked)
        lost = sum(results[name]["proved"] and not results["longhaul"]["proved"] for results in asked)
        ratios = [max(r[name]["processor"], 0.001) / max(r["longhaul"]["processor"], 0.001) for r in both]
        mean = f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.1f}" if ratios else "-"
        won = sum(ratio > 1 for ratio in ratios)
        proves = sum(results[name]["proved"] for results in asked)
        yield f"| {name} | {len(asked)} | {proves} | {alone} | {lost} | {len(both)} | {won} | {len(both) - won} | {mean} |"


def write_whole(file, text):
    part = file.with_name(file.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, file)


def replace_part(file, text):
    begin, end = "<!-- rivals -->\n", "<!-- end of rivals -->"
    before, _, rest = file.read_text(encoding="utf-8").partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        sys.exit(f"{file} has no part between {begin.strip()} and {end}")
    write_whole(file, before + begin + text + end + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", type=Path, default=Path("graphs/INDEX.tsv"))
    parser.add_argument("--rivals", metavar="NAMES", help="with commas between them [all]")
    parser.add_argument("--longhaul", metavar="BINARY", default="target/release/longhaul")
    parser.add_argument("--limit", metavar="SECONDS", type=int, default=60)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--only", metavar="REGEX", default="")
    parser.add_argument("--folder", type=Path, default=Path("target/rivals"))
    parser.add_argument("--performance", type=Path, metavar="FILE")
    options = parser.parse_args()
    everybody = [name for name in RIVALS if name != "kalp" or "KALP" in os.environ]
    names = everybody if options.rivals is None else [name for name in options.rivals.split(",") if name]
    unknown = [name for name in names if name not in everybody]
    if unknown:
        parser.error(f"no such rival: {', '.join(unknown)}; there are {', '.join(everybody)}")

    table = options.table.read_text(encoding="utf-8").splitlines()
    instances = [
        row
        for row in csv.DictReader((line for line in table if not line.startswith("#")), delimiter="\t")
        if row["format"] == "dimacs" and re.search(options.only, row["file"])
    ]
    options.folder.mkdir(parents=True, exist_ok=True)
    rows, flaws, lines, records = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for row in instances:
            file = options.table.parent / row["file"]
            graph = nodes, directed, weights = read(file)
            ends = None if "*" in (row["from"], row["to"]) else (int(row["from"]) - 1, int(row["to"]) - 1)
            plain = Path(folder) / "graph"
            edges = "".join(f"{source} {target} {weight}\n" for (source, target), weight in weights.items())
            plain.write_text(f"{nodes} {len(weights)} {int(directed)}\n{edges}", encoding="utf-8")
            results = {}
            for name in ["longhaul", *names]:
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                run = run_longhaul(options, file, ends) if name == "longhaul" else run_rival(options, name, str(plain), ends)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                results[name] = judged(graph, ends, run[0], processor, run[1])
                place = [row["file"], nodes, len(weights), row["from"], row["to"], name]
                records.append(dict(zip(COLUMNS, place)) | results[name])
            for complaint in complaints(results):
                flaws.append(f"{row['file']}: {complaint}")
                print(flaws[-1], file=sys.stderr, flush=True)
            first = quickest(results)
            cells = [cell(result, name == first) for name, result in results.items()]
            told = "free" if ends is None else f"{row['from']}, {row['to']}"
            lines.append(f"| {row['file'].removesuffix('.gr')} | {nodes} | {len(weights)} | {told} | {' | '.join(cells)} |")
            print(lines[-1], file=sys.stderr, flush=True)
            rows.append(results)

    with open(options.folder / "rivals.csv.part", "w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS)
        writer.writeheader()
        writer.writerows(records)
    os.replace(options.folder / "rivals.csv.part", options.folder / "rivals.csv")
    families = len({row["file"].split("/")[0] for row in instances})
    head = f"{len(instances)} graphs of {families} families, {options.limit} s and {options.threads} threads each, one after the other on "
    head += f"{os.cpu_count()} processors ({platform.machine()}).\n\n"
    titles = ["graph", "nodes", "edges", "ends", "longhaul", *names]
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|", *lines]
    text = head + "\n".join(summary(names, rows)) + "\n\n" + "\n".join(lines) + "\n"
    write_whole(options.folder / "rivals.md", text)
    if options.performance:
        replace_part(options.performance, text)
    print(text, end="")
    return 1 if flaws else 0


if __name__ == "__main__":
    sys.exit(main())
