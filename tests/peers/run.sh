#!/usr/bin/env bash
# Times our emitted code beside what a user would take instead, and prints one table. See README.md.
# usage: run.sh [STAGE...]   stages in order: setup models drivers peers ours bench table; these if none is named
#                            docs: the table into docs/performance.md and the figure beside it
#                            batch: many states in one call, by instruction set; needs none of the others
#                            rollout: many steps of many samples, by instruction set; needs none of the others
#                            hessians: our Hessians beside Pinocchio's second derivatives; needs setup
#                            field: batches of the robots of the field's newest table, beside frax; needs setup. Times of
#                            other libraries are those of a run of PEERS_MODELS="iiwa14 go2 g1" PEERS_FUNCTIONS=fd before
#
# PEERS_WORK    where everything is built (target/peers)
# PEERS_MODELS  models (all)       PEERS_RUNS  runs in a row, of which the least median counts (6)
# PEERS_FUNCTIONS  functions (all of fd id crba dfd loop)
# DQDT          our command (built by setup)
# PEERS_CORE    core to run on (1) PEERS_CHUNKS, PEERS_CHUNK_MS  chunks of a cell (151) and their length (0.3)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${PEERS_WORK:-$root/target/peers}
mkdir -p "$work"/{models,reference,gen,so,bin,out}
work=$(cd "$work" && pwd)
python=$work/venv/bin/python
export PEERS_SPECS=$work/specs
built=$root/target/release/dqdt
export DQDT=${DQDT:-$built}
read -ra trees <<<"$(python3 "$here/models.py" --list trees)"
read -ra loops <<<"$(python3 "$here/models.py" --list loops)"
if [ -n "${PEERS_MODELS:-}" ]; then
  read -ra asked <<<"$PEERS_MODELS"
  chosen() { for model; do if [[ " ${asked[*]} " == *" $model "* ]]; then echo "$model"; fi; done; }
  mapfile -t trees < <(chosen "${trees[@]}")
  mapfile -t loops < <(chosen "${loops[@]}")
fi
export PEERS_FUNCTIONS=${PEERS_FUNCTIONS:-fd id crba dfd loop}
# True if one of these functions is asked for.
asked() { for name; do if [[ " $PEERS_FUNCTIONS " == *" $name "* ]]; then return; fi; done && return 1; }
if ! asked loop; then loops=(); fi
if ! asked fd id crba dfd; then trees=(); fi
with_pinocchio() { for model; do [ "$model" = rolling_disc ] || echo "$model"; done; }
mapfile -t closed < <(with_pinocchio "${loops[@]}")
files=()
for model in "${trees[@]}"; do files+=("$work/models/$model.txt"); done

setup() {
  command -v g++ >/dev/null && [ -d /usr/include/eigen3 ] || apt-get install -y g++ libeigen3-dev
  [ -d "$work/venv" ] || python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install -q -r "$here/requirements.txt"
  [ "$DQDT" != "$built" ] || cargo build --release -p dqdt-command --manifest-path "$root/Cargo.toml"
}

models() {
  "$python" "$here/robots.py" "$PEERS_SPECS"
  python3 "$here/models.py" "$work"
  if asked loop; then "$python" "$here/loops/states.py" "$work"; fi
}

# A driver is built anew when one of its sources is newer. What stands behind a dot in its name is not of the source's.
driver() {
  local name=$1 source
  shift
  for source in "$here/cpp/${name%.*}.cpp" "$here"/cpp/*.hpp; do
    if [ ! "$work/bin/$name" -nt "$source" ]; then
      echo "building $name"
      g++ -std=c++17 -DNDEBUG -w "$here/cpp/${name%.*}.cpp" -o "$work/bin/$name" "$@"
      return
    fi
  done
}

drivers() {
  local site prefix mujoco level
  site=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
  prefix=$site/cmeel.prefix
  mujoco=$(echo "$site"/mujoco/libmujoco.so.*)
  # Boost's lists of joint types are longer than its defaults.
  local pinocchio=(-I/usr/include/eigen3 "-I$prefix/include" -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30
    -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS -DBOOST_FUSION_INVOKE_MAX_ARITY=12)
  local casadi=("-I$site/casadi/include" "-L$site/casadi" -lcasadi "-Wl,-rpath,$site/casadi")
  for level in 1 2 3; do driver "harness.$level" "-O$level" -ldl; done
  if asked fd id crba; then driver bench_mujoco -O3 -march=native "-I$site/mujoco/include" "$mujoco" "-Wl,-rpath,$site/mujoco"; fi
  driver bench_pinocchio -O3 -march=native "${pinocchio[@]}"
  if asked loop; then driver bench_loops -O3 -march=native "${pinocchio[@]}"; fi
  driver generate_casadi -O1 "${pinocchio[@]}" "${casadi[@]}"
  if asked loop; then driver generate_loops -O1 "${pinocchio[@]}" "${casadi[@]}"; fi
  "$work/bin/bench_pinocchio" "$work/reference" "${files[@]}"
}

# Our Hessians of fixed arms beside what Pinocchio's second derivatives of inverse dynamics imply.
hessians() {
  local site prefix model gen=$work/gen/hessians arguments=()
  site=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
  prefix=$site/cmeel.prefix
  "$python" "$here/robots.py" "$PEERS_SPECS"
  python3 "$here/models.py" "$work" ur5 panda iiwa14 chain5 chain10
  driver check_hessians -O2 "-I$prefix/include" -I/usr/include/eigen3 -DBOOST_MPL_LIMIT_LIST_SIZE=30 \
    -DBOOST_MPL_LIMIT_VECTOR_SIZE=30 -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS -DBOOST_FUSION_INVOKE_MAX_ARITY=12 -ldl
  for model in ur5 panda iiwa14 chain5 chain10; do
    "$DQDT" emit "$(python3 "$here/models.py" --spec "$model")" --language c --functions dqdt_hessian -o "$gen"
    gcc -O1 -shared -fPIC -w "-DROBOT=$model" "-DHEADER=\"$gen/$model.h\"" "$here/cpp/hessian_library.c" "$gen/$model.c" -lm \
      -o "$work/so/$model.hessian.so"
    arguments+=("$work/models/$model.txt" "$work/so/$model.hessian.so")
  done
  "$work/bin/check_hessians" "${arguments[@]}" | tee "$work/out/hessians.txt"
}

# Generated code to WORK/so, with the flags that ours gets: optimisation 3 for this processor.
compile() {
  local source=$1 name so
  name=$(basename "$source")
  so=$work/so/${name%.*}.so
  if [ "$so" -nt "$source" ]; then return; fi
  case $name in
    *.c) gcc -O3 -march=native -fPIC -shared -w "$source" -o "$so" -lm ;;
    *.cpp) g++ -std=c++17 -O3 -march=native -DNDEBUG -fPIC -shared -w "$source" -o "$so" ;;
    *.rs) rustc --edition 2021 --crate-type cdylib -C opt-level=3 -C target-cpu=native -C panic=abort -C codegen-units=1 \
      -A warnings "$source" -o "$so" ;;
  esac
}

peers() {
  local source
  if asked fd id crba; then (cd "$here" && "$python" trace.py "$work" "${trees[@]}"); fi
  "$work/bin/generate_casadi" "$work/gen" "${files[@]}" | tee "$work/out/casadi.tsv"
  if asked loop; then "$work/bin/generate_loops" "$work/models" "$work/gen" "${closed[@]}"; fi
  for source in "$work"/gen/{casadi,wrenfold,sympy}*--*.{c,cpp,rs}; do
    if [ -e "$source" ]; then compile "$source"; fi
  done
}

ours() { (cd "$here" && python3 plugin.py "$work" "${trees[@]}" "${loops[@]}"); }

bench() {
  local run libraries=() model path
  local run_with=(taskset -c "${PEERS_CORE:-1}")
  [ "$(id -u)" = 0 ] && run_with=(nice -n -15 "${run_with[@]}")
  for model in "${trees[@]}" "${loops[@]}"; do
    for path in "$work"/so/*--"$model"--*.so; do
      if asked "$(basename "${path##*--}" .so)"; then libraries+=("$path"); fi
    done
  done
  : >"$work/out/results.tsv"
  for ((run = 0; run < ${PEERS_RUNS:-6}; run++)); do
    # Code that just fills the instruction cache is quick or slow by who calls it and what was loaded before.
    mapfile -t libraries < <(printf '%s\n' "${libraries[@]}" | tac)
    {
      "${run_with[@]}" "$work/bin/bench_pinocchio" - "${files[@]}"
      if asked fd id crba; then "${run_with[@]}" "$work/bin/bench_mujoco" "$work/models" "$work/reference" "${trees[@]}"; fi
      if asked loop; then "${run_with[@]}" "$work/bin/bench_loops" "$work/models" "$work/reference" "${closed[@]}"; fi
      "${run_with[@]}" "$work/bin/harness.$((run % 3 + 1))" "$work/reference" "${libraries[@]}"
    } >>"$work/out/results.tsv"
  done
}

# What the table was measured on.
machine() {
  printf '%s, %s cores, load %s; ' "$(sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -1)" "$(nproc)" \
    "$(cut -d' ' -f1 /proc/loadavg)"
  printf '%s; gcc %s; commit %s' "$(rustc --version)" "$(gcc -dumpfullversion)" \
    "$(git -C "$root" describe --always --dirty)"
  [ ! -d "$work/venv" ] || "$work/venv/bin/pip" freeze | grep -iE '^(pin|casadi|mujoco|wrenfold|sympy|frax|jax)==' | sort | sed 's/^/; /' | tr -d '\n'
  echo
}

table() {
  machine >"$work/out/machine.txt"
  (cd "$here" && python3 table.py "$work")
}

# Compiled for any x86-64: the instructions are chosen at run time.
batch() {
  local run_with=(taskset -c "${PEERS_CORE:-1}")
  export CARGO_TARGET_DIR=$work/batch
  [ "$(id -u)" = 0 ] && run_with=(nice -n -15 "${run_with[@]}")
  cargo build --release --manifest-path "$here/batch/Cargo.toml"
  { machine && echo && "${run_with[@]}" "$work/batch/release/peers-batch"; } | tee "$work/out/batch.md"
}

# The same program; two of its threads need two cores, so it keeps to none.
rollout() {
  local run_with=()
  export CARGO_TARGET_DIR=$work/batch
  [ "$(id -u)" = 0 ] && run_with=(nice -n -15)
  cargo build --release --manifest-path "$here/batch/Cargo.toml"
  { machine && echo && "${run_with[@]}" "$work/batch/release/peers-batch" rollout; } | tee "$work/out/rollout.md"
}

# Batches of the robots of the field's newest table: ours and frax, one core each.
field() {
  local precision run_with=(taskset -c "${PEERS_CORE:-1}")
  export CARGO_TARGET_DIR=$work/field PEERS_FIELD=$work/field-states
  [ "$(id -u)" = 0 ] && run_with=(nice -n -15 "${run_with[@]}")
  "$python" "$here/robots.py" "$PEERS_SPECS"
  "$python" "$here/field.py" states "$PEERS_FIELD"
  PEERS_MODELS="iiwa14 go2 g1" cargo build --release --manifest-path "$here/batch/Cargo.toml"
  "${run_with[@]}" "$CARGO_TARGET_DIR/release/peers-batch" field | tee "$work/out/field.tsv"
  for precision in f32 f64; do
    "${run_with[@]}" "$python" "$here/field.py" frax "$PEERS_FIELD" "$precision" | tee -a "$work/out/field.tsv"
  done
  machine >"$work/out/machine.txt"
  "$python" "$here/field.py" table "$work"
}

docs() { python3 "$here/docs.py" "$work" "$root/docs"; }

[ $# -gt 0 ] || set -- setup models drivers peers ours bench table
for stage; do
  case $stage in
    setup | models | drivers | peers | ours | bench | table | docs | batch | rollout | hessians | field) echo "== $stage (${SECONDS}s)" && "$stage" ;;
    *) echo "no stage \`$stage\`" >&2 && exit 2 ;;
  esac
done
