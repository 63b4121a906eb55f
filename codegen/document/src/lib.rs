//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds reports as data, and the equations of a program as a reader writes them.

pub mod equations;
pub mod report;
