//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds motions by the interpreter, and linearisation.

pub mod linearize;
pub mod simulate;
