//! Reports: a document as data, and its printers.

pub mod escape;
mod math;
mod model;
mod names;

pub use math::MathText;
pub use model::{Block, Cell, Report, Section};
