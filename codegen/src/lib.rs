//! Symbolic generator of equations of motion: from the description of a mechanism to flat, allocation-free Rust.
//!
//! From a build script use [`compile`] or [`Config`]; to look at the stages one by one start at [`pipeline`].

pub mod algebra;
pub mod assembly;
pub mod base;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compare;
mod config;
mod constraint_messages;
pub mod emit;
pub mod error;
pub mod formalism;
pub mod functions;
pub mod indexed;
pub mod inspect;
pub mod ir;
pub mod kinematics;
pub mod mechanism;
pub mod pipeline;
mod program_constraints;
#[cfg(feature = "symbolica")]
pub mod prove;
#[cfg(test)]
mod registry_tests;
pub mod scene;
mod size;
pub mod spec;
mod start_messages;
#[cfg(feature = "symbolica")]
pub mod symbolic;

pub use config::{Config, ConfigError, compile};
