//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds the printers of code, one for each target. Nothing clever happens here: passes of
//! [`dqdt_graph::simplify`] and the plan of [`dqdt_graph::plan`] come before.

mod c;
pub mod code;
pub mod rust;

pub use c::{CFiles, COptions, CScalar, c};
pub use code::equal_part::EqualPart;
pub use rust::{RustOptions, Stats, rust, rust_stats};
