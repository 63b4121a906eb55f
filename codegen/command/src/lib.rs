//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds the command `dqdt`.

pub mod cli;
pub mod compare;
