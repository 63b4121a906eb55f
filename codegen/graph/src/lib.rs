//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Contains the graph of operations with its tracer and interpreter, the simplification passes, and
//! the plan of the emitted code.

pub mod ir;
pub mod plan;
pub mod simplify;
