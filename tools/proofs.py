#!/usr/bin/env python3
"""Writes and checks a proof for every instance of the corpus, and prints the table of docs/proof.md.

    cargo build --release --features cli && cargo build --release -p longhaul-check
    python3 tools/proofs.py [--time-limit SECONDS] [FILE ...]

FILE: instances by their names in graphs/INDEX.tsv [default: all]. Ten thousand mutations beside:

    LONGHAUL_MUTATIONS=1000 cargo test --release --features full --test all -- proofs::no_mutation   (ten of each proof)
"""
import argparse
import json
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def spent(command):
    """Seconds of the processor, and what was said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--time-limit", type=int, default=120)
    parser.add_argument("--binaries", type=pathlib.Path, default=ROOT / "target/release")
    given = parser.parse_args()
    rows = [line.split("\t") for line in (ROOT / "graphs/INDEX.tsv").read_text().splitlines() if not line.startswith("#")]
    names = [row[0] for row in rows[1:] if not row[1].endswith("-table")]
    print("| instance | answer | solve s | proving s | proof bytes | check s |\n|---|---|---|---|---|---|", flush=True)
    for name in given.files or names:
        with tempfile.TemporaryDirectory() as folder:
            proof = pathlib.Path(folder) / "proof.lhp"
            graph = ROOT / "graphs" / name
            command = [given.binaries / "longhaul", "uno" if name.endswith(".deck") else "solve", graph, "--output", "json"]
            command += ["--quiet", "--time-limit", given.time_limit]
            alone, _ = spent(command)
            together, done = spent(command + ["--proof", proof])
            answer = json.loads(done.stdout)
            told = f"{answer['status']} {answer['length']}"
            cells = [name, told, f"{alone:.2f}", f"{max(together - alone, 0):.2f}"]
            if proof.exists():
                seconds, checked = spent([given.binaries / "longhaul-check", graph, proof])
                verdict = f"{seconds:.2f}" if checked.returncode == 0 else f"REFUSED: {checked.stderr.strip()}"
                cells += [str(proof.stat().st_size), verdict]
            else:
                cells += ["none", "-"]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
