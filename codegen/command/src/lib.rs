//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! This crate is the command line `dqdt`.

pub mod cli;
pub mod compare;
