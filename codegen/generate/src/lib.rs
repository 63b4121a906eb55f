//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Contains the pipeline of all stages, and the search for a formalism and a formulation.

pub mod explain;
pub mod inertia;
pub mod optimise;
pub mod pipeline;
