//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds the mechanism, its kinematics, the formalisms and quantities derived by them.

pub mod formalism;
pub mod kinematics;
pub mod mechanism;
