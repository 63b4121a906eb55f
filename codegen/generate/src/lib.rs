//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds the stages in their order, and the search for a formulation.

pub mod explain;
pub mod inertia;
pub mod optimise;
pub mod pipeline;
