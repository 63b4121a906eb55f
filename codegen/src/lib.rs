//! Symbolic generator of equations of motion.

pub mod algebra;
pub mod base;
pub mod emit;
pub mod error;
pub mod ir;
pub mod mechanism;
