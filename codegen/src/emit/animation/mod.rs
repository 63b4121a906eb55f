//! Animations: one HTML file that plays a motion.

mod model;

pub use model::{Animation, Signal, Trace};
