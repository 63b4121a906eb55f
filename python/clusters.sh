#!/usr/bin/env bash
# Runs python/clusters.py with Ray and Dask, in a virtual environment below the target folder.
# DQDT may name a built command `dqdt`; else shards run in Python. Options after the number of points
# are those of cargo: `python/clusters.sh 100000 --release`.
set -euo pipefail
cd "$(dirname "$0")/.."
points=${1:-100000}
shift || true
venv=${CARGO_TARGET_DIR:-target}/python-clusters
if [[ ! -x $venv/bin/dask ]]; then
  python3 -m venv "$venv"
  "$venv/bin/python" -m pip install -q numpy ray dask distributed psutil pytest pandas joblib
fi
python/build.sh "$@"
PYTHONPATH=$(realpath python) "$venv/bin/python" python/clusters.py "$points"
