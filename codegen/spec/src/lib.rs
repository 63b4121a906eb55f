//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds the spec as written, and the stages `read` and `resolve`.

pub mod read;
pub mod resolve;
pub mod spec;
