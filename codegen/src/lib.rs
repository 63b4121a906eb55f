//! Symbolic generator of equations of motion.

pub mod algebra;
pub mod base;
pub mod emit;
pub mod error;
pub mod formalism;
pub mod ir;
pub mod kinematics;
pub mod mechanism;
// pub mod inspect;
// pub mod pipeline;
