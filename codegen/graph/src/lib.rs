//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds the graph of operations with tracer and interpreter, the passes over it, the plan of what
//! is printed.

pub mod ir;
pub mod plan;
pub mod simplify;
