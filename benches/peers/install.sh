#!/usr/bin/env bash
# Installs everything that longhaul is compared with, in pinned versions, into a virtual environment of its own.
#
#     benches/peers/install.sh [FOLDER]     (default: target/peers)
#
# Then: target/peers/bin/python benches/peers/rivals.py, cliques.py, counting.py, rummy.py
set -euo pipefail
folder=${1:-target/peers}
[ -x "$folder/bin/python" ] || python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --requirement "$(dirname "$0")/requirements.txt"
