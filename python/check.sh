#!/usr/bin/env bash
# Builds the extension module and runs the tests of the package, in a virtual environment below the
# target folder. DQDT may name a built command `dqdt`; else that of the target folder is taken if it
# is there. Ten seconds where crates are built and packages installed.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
venv=$target/python
if [[ ! -x $venv/bin/pytest || ! -x $venv/bin/jupyter-execute ]]; then
  python3 -m venv "$venv"
  "$venv/bin/python" -m pip install -q numpy pytest mypy pandas matplotlib control nbclient ipykernel
fi
python/build.sh "$@"
if [[ -z ${DQDT:-} && -x $target/debug/dqdt ]]; then
  DQDT=$(realpath "$target/debug/dqdt")
fi
export DQDT=${DQDT:-}
venv=$(realpath "$venv")
(cd python && "$venv/bin/python" -m mypy --strict)
"$venv/bin/python" -m pytest -q --no-header python/tests
