# Recipes for developers. `just` lists them; each is a few commands that can be typed without it.

[private]
default:
    @just --list --unsorted

# The gate, as CI runs it
check:
    .ci/run

# Format every file; with --check, compare. `cargo fmt` does not see modules that a macro declares
fmt *options:
    git ls-files --cached --others --exclude-standard '*.rs' ':!generated/src' | xargs rustfmt --edition 2024 {{ options }}

# Tests of the quick tier, as the README says; `just test emit` for some
test *filter:
    cargo test --workspace {{ filter }}

# Tests of the full tier too: all random mechanisms, robots and examples, crates of build scripts, mutants
test-all:
    cargo test --workspace
    DQDT_TESTS=all cargo test --workspace --test it --test sweeps

# Write expected messages and snapshots anew, `just bless spec_corpus::` some; read every difference before committing
bless *filter:
    DQDT_BLESS=1 cargo test -p dqdt-command -- {{ filter }}
    git diff --stat

# Write `generated/` anew from examples/specs
regenerate *options:
    cargo run -p dqdt-tests --bin regenerate -- {{ options }}

# write what of the book is made by the program; with --check, compare
book *options:
    cargo run -p dqdt-tests --features cli --bin book -- {{ options }}

# What runs without std, and what a build script compiles
nostd:
    cargo check -p dqdt-codegen
    cargo build -p embedded --target thumbv7em-none-eabihf --release

# Time of each stage of the generator, from small mechanisms to a chain of 50 rods
bench-generate:
    cargo run -p dqdt-tests --bin bench_generate

# Operations and nanoseconds by the number of bodies, chains and binary trees, to target/sweep; minutes, and not in CI
sweep last="31":
    mkdir -p target/sweep
    for family in chain chain_spherical binary_tree binary_tree_spherical; do \
        cargo dqdt compare examples/specs/families/$family.toml \
            --sweep {{ last }} --bench --plot target/sweep/$family.svg > target/sweep/$family.txt || exit 1; \
        cat target/sweep/$family.txt; \
    done

# All formalisms on many more random trees than the tests try; not in CI
sweep-random trees="5000":
    DQDT_TESTS=all DQDT_RANDOM_TREES={{ trees }} cargo test -p dqdt-command --test it -- random_trees:: formalisms:: constrained_

# Linearisations of random mechanisms, half of them constrained, against differences of `dqdt` and `outputs`; minutes, and not in CI
sweep-linearize mechanisms="2000":
    DQDT_TESTS=all DQDT_RANDOM_TREES={{ mechanisms }} cargo test -p dqdt-command --test it -- linearize_differences:: --nocapture

# Random models with tendons beside MuJoCo, by an environment as tests/mjcf/README.md says; minutes, and not in CI
sweep-tendons models="200":
    cargo build --release -p dqdt-command --bin dqdt
    target/mjcf/bin/python tests/mjcf/tendons.py target/release/dqdt {{ models }}

# Formulas with a wrong limit, knot, sign or value of a table, by `prove --against`; minutes, and not in CI
sweep-switches mutants="500":
    DQDT_SWITCH_MUTANTS={{ mutants }} cargo test -p dqdt-command --test symbolic -- switches::mutants --nocapture

# Mutated specs and hostile names: what is accepted must compile without a warning; an hour or so, and not in CI
sweep-emitted mutants="20000":
    DQDT_MUTANTS={{ mutants }} cargo test -p dqdt-tests --test sweeps -- emitted_compiles:: --nocapture

# The Python package: its extension module, types and tests
python *options:
    python/check.sh {{ options }}

# One sweep by threads, shards, Ray and Dask, with killed workers and drivers; needs the network, minutes, and not in CI
python-clusters points="100000" *options:
    python/clusters.sh {{ points }} {{ options }}

# Operations of examples and robots anew; read the difference before committing
operations:
    DQDT_BLESS=1 cargo test -p dqdt-command --test it -- operations::
    git diff --stat tests/data/operations.toml

# Functional mock-up units by fmpy, and their sources under the sanitisers; needs tests/fmu/requirements.txt in an environment, and not in CI
fmu python="python3":
    cargo build -p dqdt-command --bin dqdt
    {{ python }} tests/fmu/compare.py target/debug/dqdt

# The page, web/dist/index.html, and its tests in Chromium; needs npm, minutes, before each release and not in CI
web *options:
    web/engine/build.sh
    cargo build -p dqdt-command --bin dqdt
    cd web && npm ci && node build.mjs && node tests/page.mjs --dqdt ../target/debug/dqdt {{ options }}

# Emitted code beside its peers, see tests/peers/README.md; needs the network, half an hour, and not in CI
peers *stages:
    tests/peers/run.sh {{ stages }}

# Stack and code size of every generated function
footprint:
    cargo run -p dqdt-tests --bin footprint

# Documentation, warnings denied
docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps
    cargo run -q -p dqdt-tests --bin public_items

# Every spec through the command, then the example programs
examples *specs:
    cargo build -p dqdt-command
    examples/run-all {{ specs }}

# Open the tour's report and animation in Chromium: no script error, no request, nothing too wide
browser-check:
    cargo run -p tour
    node tests/browser/check.mjs target/browser target/tour/report.html target/tour/animation.html

# Reports of all examples: HTML by the Nu checker and axe-core, LaTeX by pdflatex; needs npm, Java, Chromium, TeX, and not in CI
report-check:
    tests/browser/reports.sh

# Fuzz the reader of specs for two minutes; needs nightly and cargo-fuzz
fuzz seconds="120":
    cargo +nightly fuzz run --fuzz-dir tests/fuzz parse_spec tests/data/spec/pass tests/data/spec/fail -- -max_total_time={{ seconds }}
