//! Tests across crates in one binary, to link generated code once. A filter selects a file, as in
//! `cargo test -p dqdt-tests --test it families::`. `no_alloc` is a separate binary, because it
//! counts all allocations of its process.

#[path = "../../../codegen/command/tests/it/common/mod.rs"]
mod common;
mod compiled;
#[path = "../../../codegen/command/tests/it/common/constrained.rs"]
mod constrained;
mod emitted;
#[path = "../../../codegen/command/tests/it/common/null_space.rs"]
mod null_space;

mod c_callers;
mod c_compilers;
mod c_steps;
mod compiled_constrained;
mod compiled_random;
mod constrained_motion;
mod contact_forces;
mod controllers;
mod emitted_c;
mod emitted_calls;
mod emitted_cuda;
mod emitted_names;
mod events;
mod families;
mod footprint;
mod guards;
mod joint_calls;
mod loops;
mod nan_and_infinity;
mod native_bits;
mod numeric_properties;
mod options;
mod reference;
mod single_precision;
mod specimen;
mod stops_at_rest;
mod stops_random;
