//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds families of mechanisms: formulas in the indices, how they are written, and their module in
//! Rust.

pub mod indexed;
pub mod notation;
mod rust;

pub use rust::rust_family;
