//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Contains the model of a spec as written, and the stages `read` and `resolve`.

pub mod read;
pub mod resolve;
pub mod spec;
