//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Contains the mechanism (`mechanism`), its motion (`kinematics`), and the formalisms that derive
//! equations of motion and further quantities, such as energies and reactions (`formalism`).

pub mod formalism;
pub mod kinematics;
pub mod mechanism;
