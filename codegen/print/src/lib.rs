//! Printers, one for each target. Nothing clever happens here: passes of [`crate::simplify`] and the plan of [`crate::plan`] come before.

pub mod animation;
mod c;
mod code;
pub mod equations;
pub mod figure;
pub mod report;
mod rust;

pub use c::{CFiles, COptions, CScalar, c};
#[cfg(test)]
pub use code::equal_part::EqualPart;
pub use rust::{RustOptions, Stats, rust, rust_family, rust_stats};
