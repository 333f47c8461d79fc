#!/usr/bin/env python3
"""Holds the command line to its limits: time, memory and signals, on every graph given, as path and as cycle, by every engine asked for.

    limits.py [--longhaul BINARY] [--seconds 0.1,1,5] [--megabytes 20,200,2000] [--signals] [--engines NAMES] [--only path|cycle]
              FILE ...

Time: an answer within 2 % and 0.1 s of the limit, by the clock, start and reading included. Memory: the process never holds more
than 5 % and 50 MB above the limit, in a run of 5 s at most. Signals: SIGTERM after 0.4 s, and an answer within 0.3 s. Every answer is an object of JSON whose
length is not above its bound, and the exit code is 0. Each row that fails is printed, then how many were tried; the exit code is 1 if any failed.

Times by the clock mean something on an idle machine only; --slack SECONDS allows for a busy one. Needs Python 3.9, Linux.
"""

import argparse
import itertools
import json
import os
import resource
import signal
import subprocess
import sys
import time

ENGINES = "auto,backtracking,plain-backtracking,branch-and-bound,branch-and-cut,conflict,frontier,signature,trail,local-search,color-coding,plain-color-coding,sieve"


def run(command, signal_after=None):
    """Exit code, output, seconds by the clock (from the signal on, if there is one), and the most memory held, in bytes."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if signal_after is not None:
        # Looked at without being waited for: what it held is told only once.
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        while (ended := os.waitid(os.P_PID, process.pid, look)) is None and time.monotonic() < began + signal_after:
            time.sleep(0.005)
        began = time.monotonic()
        if ended is None:
            process.send_signal(signal.SIGTERM)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, output, time.monotonic() - began, usage.ru_maxrss * 1024


def flaw_of(code, output):
    """What is wrong with an answer, if anything."""
    if code != 0:
        return f"exit code {code}"
    try:
        answer = json.loads(output)
    except ValueError as error:
        return f"no JSON: {error}"
    length, bound = answer.get("length"), answer.get("upper_bound")
    if length is not None and bound is not None and length > bound:
        return f"length {length} above the bound {bound}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--longhaul", default="target/release/longhaul")
    parser.add_argument("--seconds", default="0.1,1,5", help="time limits; none if empty")
    parser.add_argument("--megabytes", default="", help="memory limits, such as 20,200,2000")
    parser.add_argument("--signals", action="store_true")
    parser.add_argument("--engines", default=ENGINES)
    parser.add_argument("--only", choices=["path", "cycle"])
    parser.add_argument("--slack", type=float, default=0.0)
    arguments = parser.parse_args()

    kinds = [arguments.only] if arguments.only else ["path", "cycle"]
    seconds = [float(limit) for limit in arguments.seconds.split(",") if limit]
    megabytes = [int(limit) for limit in arguments.megabytes.split(",") if limit]
    tried = failed = 0
    for file, kind, engine in itertools.product(arguments.files, kinds, arguments.engines.split(",")):
        ask = [arguments.longhaul, "solve", file, "--engine", engine, "--output", "json"]
        ask += ["--cycle"] if kind == "cycle" else []
        checks = [("time", limit) for limit in seconds] + [("memory", limit) for limit in megabytes]
        checks += [("signal", 0.4)] if arguments.signals else []
        for check, limit in checks:
            if check == "time":
                code, output, took, _ = run(ask + ["--time-limit", str(limit)])
                most = 1.02 * limit + 0.1 + arguments.slack
                flaw = f"{took:.3f} s" if took > most else None
            elif check == "memory":
                code, output, _, held = run(ask + ["--time-limit", "5", "--memory-limit", f"{limit}MB"])
                flaw = f"{held / 1e6:.0f} MB" if held > 1.05e6 * limit + 50e6 else None
            else:
                code, output, took, _ = run(ask, signal_after=limit)
                flaw = f"{took:.3f} s after the signal" if took > 0.3 + arguments.slack else None
            # A file that does not fit in the memory limit is refused in words.
            refused = check == "memory" and code == 1 and not output
            flaw = flaw or (None if refused else flaw_of(code, output))
            tried += 1
            if flaw:
                failed += 1
                print(f"{file} {kind} {engine} {check} {limit}: {flaw}", flush=True)
    print(f"{tried} tried, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
