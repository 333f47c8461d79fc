#!/usr/bin/env bash
# Everything that longhaul is compared with, in one command: installs the peers, builds longhaul, and runs all of them one after the other
# on the corpus, with the same limit and threads.
#
#     benches/peers/compare.sh [OPTIONS OF rivals.py]     such as --limit 20 --only real/
#
# Ends with the Markdown of PERFORMANCE.md and a CSV in target/rivals. With KALP=PROGRAM in the environment KaLP is among them.
set -euo pipefail
cd "$(dirname "$0")/../.."
benches/peers/install.sh
cargo build --locked --release --features cli --bin longhaul
exec target/peers/bin/python benches/peers/rivals.py "$@"
