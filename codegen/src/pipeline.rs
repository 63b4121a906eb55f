//! Stages of the generator in their order, from a spec to the text of emitted code.

pub use dqdt_generate::pipeline::*;

#[cfg(feature = "c")]
pub use dqdt_targets::{CFiles, COptions, CScalar, c};
