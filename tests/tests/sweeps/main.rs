//! Tests across crates that compile whole crates or hundreds of emitted modules. They belong to the
//! full tier; `cargo test --workspace` skips them. `just test-all` runs all of them,
//! `cargo test -p dqdt-tests --test sweeps build_rs::` those of one file.

#[path = "../it/compiled/mod.rs"]
mod compiled;
#[path = "../it/emitted/mod.rs"]
mod emitted;
mod satellite;

mod added_kinds;
mod build_rs;
mod emitted_compiles;
mod tutorials;
