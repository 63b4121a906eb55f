//! Linear feedback along a motion: of states, `u = u₀ − K (x − x₀)`, or of outputs,
//! `u = u₀ − K (y − y₀)`; read from a file, or from a gain of the caller.
//!
//! Limits of inputs apply to the result, as to any other input. The columns of K for states are
//! those of a linearisation: an attitude has three small angles, and with constraints the
//! independent states suffice.

mod file;
mod json;
mod law;
mod reader;
mod trim;

pub use file::{InputSetting, read_feedback_file};
pub use law::{Feedback, FeedbackLaw, GainError};
