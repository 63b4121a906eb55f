//! Printers, one for each target. Nothing clever happens here: passes of [`crate::simplify`] and the plan of [`crate::plan`] come before.

pub mod animation;
#[cfg(test)]
mod c;
pub mod figure;
pub mod report;
mod rust;

#[cfg(test)]
pub use rust::EqualPart;
pub use rust::{RustOptions, Stats, rust, rust_family, rust_stats};
