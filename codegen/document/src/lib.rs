//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Contains reports as data, and the equations of a program as readable mathematics.

pub mod equations;
pub mod report;
