#!/usr/bin/env bash
# Installs the peers of benches/peers/cliques.py and counting.py into a virtual environment of their own.
#
#     benches/peers/install.sh [FOLDER]     (default: target/peers)
#
# Then: target/peers/bin/python benches/peers/cliques.py --longhaul target/release/longhaul
set -euo pipefail
folder=${1:-target/peers}
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet 'networkx==3.6.*' 'igraph==1.0.*' graphillion
"$folder/bin/python" -c 'import graphillion, igraph, networkx; print("networkx", networkx.__version__, "igraph", igraph.__version__)'
