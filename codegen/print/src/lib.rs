//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Contains the printer of Rust and code that all printers share. Printers make no optimisation:
//! the passes of [`dqdt_graph::simplify`] and the plan of [`dqdt_graph::plan`] come before.

pub mod code;
pub mod rust;
pub mod target;
pub mod tree;

pub use code::equal_part::EqualPart;
pub use rust::{RustOptions, Stats, rust, rust_stats};
