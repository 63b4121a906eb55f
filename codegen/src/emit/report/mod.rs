//! Reports: a document as data, and its printers.

pub mod escape;
mod html;
mod html_math;
mod latex;
mod latex_pieces;
mod math;
mod model;
mod names;
mod text;
mod wrap;

pub use html::html;
pub use latex::latex;
pub use math::MathText;
pub use model::{Block, Cell, Report, Section};
pub use text::text;
