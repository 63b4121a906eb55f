#!/usr/bin/env bash
# Builds the engine of the page for WebAssembly, into web/engine/pkg: dqdt_web_bg.wasm, and the
# JavaScript through which the page calls it.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=${CARGO_TARGET_DIR:-target}
rustup target list --installed | grep -qx wasm32-unknown-unknown || rustup target add wasm32-unknown-unknown
# Deep formulas need more stack than the megabyte that programs get by default. The bound of the
# memory (104 MiB) keeps the process of the page below 300 MB; the largest robots of tests/data need
# 102 MB. Beyond it an allocation fails, and the page says so.
flags="-C link-arg=-zstack-size=8388608 -C link-arg=--max-memory=109051904"
RUSTFLAGS="$flags" cargo rustc --package dqdt-web --lib --crate-type cdylib \
  --target wasm32-unknown-unknown --profile web
mkdir -p web/engine/pkg
cargo run --quiet --manifest-path web/bind/Cargo.toml --target-dir "$target/bind" -- \
  "$target/wasm32-unknown-unknown/web/dqdt_web.wasm" web/engine/pkg
