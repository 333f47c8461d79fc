#!/usr/bin/env python3
"""Asks the same questions again and again, and holds the answers to what is promised of them.

    determinism.py [--longhaul BINARY] [--runs 20] [--limit SECONDS] [--threads N] [--instances N] [FILE ...]

One thread and one seed: the same answer, path, steps and decisions, and the same log but for its times. Several threads: the same length, bound
and status, wherever the question is settled. Without files: so many [30] instances of the corpus, the largest of each family in turn
that one thread settles within the limit [2 s]. The environment differs from run to run, so that nothing may depend on addresses. The exit
code is 1 if anything differs.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

CORPUS = Path("graphs/INDEX.tsv")


def answer(options, file, kind, threads, run):
    command = [options.longhaul, "solve", str(file), "--output", "json", "--verbose", "--seed", "7", "--threads", str(threads)]
    command += ["--time-limit", str(10 * options.limit)] + (["--cycle"] if kind == "cycle" else [])
    # The stack begins elsewhere with each run.
    environment = {**os.environ, "PADDING": "x" * (137 * run)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    told = json.loads(done.stdout)
    seconds = told.pop("seconds")
    # Times stand in the first column of a row, and at the end of the last line.
    log = [re.sub(r"\b\d+\.\d+ ?s\b", "", line).split() for line in done.stderr.splitlines()]
    return told, log, seconds


def corpus(options):
    """The instances of the corpus by size, a family after the other."""
    families = defaultdict(list)
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        if len(cells) > 1 and cells[1] == "dimacs":
            file = CORPUS.parent / cells[0]
            families[cells[0].split("/")[0]].append((file.stat().st_size, file))
    queues = [sorted(files, reverse=True) for files in families.values()]
    while any(queues):
        for queue in queues:
            if queue:
                yield queue.pop(0)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--longhaul", default="target/release/longhaul")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--limit", type=float, default=2.0)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--instances", type=int, default=30)
    options = parser.parse_args()

    tried, runs, flaws = 0, 0, 0
    for file in options.files or corpus(options):
        if tried == options.instances and not options.files:
            break
        kind = "cycle" if tried % 3 == 2 else "path"
        told, log, seconds = answer(options, file, kind, 1, 0)
        settled = told["status"] in ("optimal", "infeasible")
        if not options.files and (not settled or seconds > options.limit):
            continue
        tried += 1
        if not settled:
            print(f"{file} {kind}: not settled, left out", flush=True)
            continue
        for run in range(1, options.runs):
            runs += 1
            threads = 1 if run % 4 == 0 else options.threads
            again, other_log, _ = answer(options, file, kind, threads, run)
            same = ["length", "upper_bound", "status"] if threads > 1 else list(told)
            different = [name for name in same if told.get(name) != again.get(name)]
            different += ["log"] if threads == 1 and log != other_log else []
            if different:
                flaws += 1
                print(f"{file} {kind}, run {run}, {threads} threads: {', '.join(different)} differ", flush=True)
    print(f"{tried} instances, {runs} runs beside the first, {flaws} differ")
    return 1 if flaws else 0


if __name__ == "__main__":
    sys.exit(main())
