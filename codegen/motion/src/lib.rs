//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! This crate simulates and linearises mechanisms in the interpreter.

pub mod linearize;
pub mod simulate;
#[doc(hidden)]
pub mod sweep;
