//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds source spans, ordered maps, random numbers, files written whole; diagnostics of a run and
//! their rendering.

pub mod base;
pub mod error;
mod tell;
