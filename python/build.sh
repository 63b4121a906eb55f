#!/usr/bin/env bash
# Builds the extension module with cargo and puts it beside the package, for tests and for an
# editable import: PYTHONPATH=python. Options are those of cargo: `python/build.sh --release`.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build -p dqdt-python "$@"
profile=debug
[[ " $* " == *" --release "* ]] && profile=release
cp "${CARGO_TARGET_DIR:-target}/$profile/lib_dqdt.so" python/dqdt/_dqdt.abi3.so
