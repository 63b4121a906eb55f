//! Symbolic generator of equations of motion.

pub mod algebra;
pub mod base;
pub mod error;
pub mod ir;
pub mod mechanism;
#[cfg(feature = "symbolica")]
pub mod symbolic;
