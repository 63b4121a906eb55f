//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Contains families of mechanisms: indexed formulas, their notation, and their Rust module.

pub mod indexed;
pub mod notation;
mod rust;

pub use rust::emit_rust_family;
