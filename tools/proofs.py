#!/usr/bin/env python3
"""Writes and checks a proof for every instance of the corpus, and prints the table of docs/proof.md.

    cargo build --release --features cli && cargo build --release -p longhaul-check
    python3 tools/proofs.py [--time-limit SECONDS] [FILE ...]

FILE: instances by their names in graphs/INDEX.tsv [default: all]. Seconds are those of the processor, with one thread. Beside, ten
thousand mutations, and all kinds of graphs with up to six nodes:

    LONGHAUL_MUTATIONS=1000 cargo test --release --features full --test all -- proofs::no_mutation   (ten of each proof)
    LONGHAUL_ALL_PROOFS=1 cargo test --release --features full --test all -- proofs::every
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def spent(command):
    """Seconds of the processor, MiB, and what was said."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = subprocess.Popen([str(part) for part in command], stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        said = [file.seek(0) or file.read() for file in (out, err)]
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, child.returncode, *said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--time-limit", type=int, default=120)
    parser.add_argument("--binaries", type=pathlib.Path, default=ROOT / "target/release")
    given = parser.parse_args()
    rows = [line.split("\t") for line in (ROOT / "graphs/INDEX.tsv").read_text().splitlines() if not line.startswith("#")]
    names = [row[0] for row in rows[1:] if not row[1].endswith("-table") and row[1] != "game"]
    print("| instance | answer | solve s | with proof s | proof bytes | check s | solve MiB | check MiB |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for name in given.files or names:
        with tempfile.TemporaryDirectory() as folder:
            proof = pathlib.Path(folder) / "proof.lhp"
            graph = ROOT / "graphs" / name
            command = [given.binaries / "longhaul", "uno" if name.endswith(".deck") else "solve", graph, "--output", "json"]
            command += ["--quiet", "--threads", "1", "--time-limit", given.time_limit]
            alone, memory, *_ = spent(command)
            together, _, _, answer, why = spent(command + ["--proof", proof])
            if not answer:
                print(f"| {name} | {why.strip()} |", flush=True)
                continue
            answer = json.loads(answer)
            told = f"{answer['status']} {answer['length']}"
            cells = [name, told, f"{alone:.2f}", f"{together:.2f}"]
            if proof.exists():
                seconds, checking, code, _, why = spent([given.binaries / "longhaul-check", graph, proof])
                verdict = f"{seconds:.2f}" if code == 0 else f"REFUSED: {why.strip()}"
                cells += [str(proof.stat().st_size), verdict, f"{memory:.0f}", f"{checking:.0f}"]
            else:
                cells += ["none", "-", f"{memory:.0f}", "-"]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
