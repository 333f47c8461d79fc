#!/usr/bin/env bash
# Installs the peers of benches/peers/cliques.py into a virtual environment of their own.
#
#     benches/peers/install.sh [FOLDER]     (default: target/peers)
#
# Then: target/peers/bin/python benches/peers/cliques.py --longhaul target/release/longhaul
set -euo pipefail
folder=${1:-target/peers}
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet 'networkx==3.6.*' 'igraph==1.0.*'
"$folder/bin/python" -c 'import igraph, networkx; print("networkx", networkx.__version__, "igraph", igraph.__version__)'
