//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds reports of equations, closed forms and proofs.

pub mod inspect;
pub mod prove;
pub mod symbolic;
