//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Contains the stages `assemble` and `derive`, and the registry of emitted functions.

pub mod assemble;
pub mod derive;
pub mod functions;
pub mod symbols;
