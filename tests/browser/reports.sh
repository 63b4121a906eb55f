#!/usr/bin/env bash
# The reports of `dqdt inspect` of every example, looked at from outside: HTML by the Nu checker and by axe-core in Chromium (a
# phone's, a tablet's and a desktop's width, light and dark), LaTeX by pdflatex (no error, no overfull box).
#
#   tests/browser/reports.sh [OUT_DIR]        target/reports if absent
#
# Needs npm (vnu-jar and axe-core are installed below OUT_DIR), Java 11 or newer, Chromium ($CHROMIUM), Node, pdflatex. Not in CI.
# $DQDT: the command; built in release if absent.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=${1:-target/reports}
mkdir -p "$out/tex"
if [[ -z ${DQDT:-} ]]; then
  cargo build --release -p dqdt-command --bin dqdt
  DQDT=target/release/dqdt
fi
if [[ ! -d $out/npm/node_modules/axe-core ]]; then
  npm install --prefix "$out/npm" --no-audit --no-fund vnu-jar axe-core
fi

for spec in examples/specs/*.toml; do
  name=$(basename "$spec" .toml)
  "$DQDT" inspect "$spec" --format html -o "$out/$name.html" 2>/dev/null
  "$DQDT" inspect "$spec" --format html --form recursive -o "$out/$name-steps.html" 2>/dev/null
  "$DQDT" inspect "$spec" --format latex -o "$out/tex/$name.tex" 2>/dev/null
done
for spec in chain_absolute snowboarder_edge; do
  "$DQDT" inspect "examples/specs/families/$spec.toml" --family n --format html -o "$out/family-$spec.html" 2>/dev/null
  "$DQDT" inspect "examples/specs/families/$spec.toml" --family n --format latex -o "$out/tex/family-$spec.tex" 2>/dev/null
done

echo "Nu checker"
java -jar "$out"/npm/node_modules/vnu-jar/build/dist/vnu.jar --errors-only "$out"/*.html

echo "axe-core"
SHOTS=${SHOTS:-0} AXE=$out/npm/node_modules/axe-core/axe.min.js node tests/browser/check.mjs "$out/shots" "$out"/*.html

echo "pdflatex"
faults=0
for tex in "$out"/tex/*.tex; do
  name=$(basename "$tex" .tex)
  if ! pdflatex -interaction=nonstopmode -halt-on-error -output-directory "$out/tex" "$tex" >/dev/null; then
    echo "$name does not compile"
    faults=1
  fi
  if grep '^Overfull' "$out/tex/$name.log"; then
    echo "  in $name"
    faults=1
  fi
done
exit $faults
