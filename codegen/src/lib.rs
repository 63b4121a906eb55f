//! Symbolic generator of equations of motion: from the description of a mechanism to flat, allocation-free Rust.
//!
//! From a build script use [`compile`] or [`Config`]; to look at the stages one by one start at [`pipeline`].

pub mod algebra;
pub mod assemble;
pub mod base;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compare;
mod config;
pub mod derive;

pub mod error;
pub mod formalism;
pub mod functions;
pub mod indexed;
pub mod inspect;
pub mod ir;
pub mod kinematics;
pub mod mechanism;
pub mod pipeline;
pub mod plan;
pub mod print;
#[cfg(feature = "symbolica")]
pub mod prove;
pub mod read;
#[cfg(test)]
mod registry_tests;
pub mod resolve;
pub mod scene;
pub mod simplify;
#[cfg(feature = "simulate")]
pub mod simulate;
pub mod spec;
#[cfg(feature = "symbolica")]
pub mod symbolic;
pub mod symbols;

pub use config::{Config, ConfigError, compile};
