//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds the stages `assemble` and `derive`, the registry of emitted functions, formulas in the indices of families.

pub mod assemble;
pub mod derive;
pub mod functions;
pub mod indexed;
pub mod symbols;
