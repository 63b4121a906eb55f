//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds reports of equations; with the symbolic engine closed forms and proofs.

pub mod inspect;
#[cfg(feature = "symbolica")]
pub mod prove;
#[cfg(feature = "symbolica")]
pub mod symbolic;
