//! Symbolic generator of equations of motion.

pub mod algebra;
pub mod base;
pub mod emit;
pub mod error;
pub mod formalism;
// pub mod inspect;
pub mod ir;
pub mod kinematics;
pub mod mechanism;
// pub mod pipeline;
#[cfg(feature = "symbolica")]
pub mod symbolic;
