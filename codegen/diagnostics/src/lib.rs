//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Contains source spans, ordered maps, random numbers and atomic writes; the diagnostics of a run
//! and their rendering.

pub mod base;
pub mod error;
mod tell;
