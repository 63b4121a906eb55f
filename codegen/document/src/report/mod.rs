//! Reports: a document as data. Its printers are above.

pub mod escape;
pub mod html_math;
mod math;
mod model;
mod names;
mod prose;

pub use math::{Accent, Math, Spacing};
pub use model::{Block, Cell, Report, Section, Steps, bold_letters};
pub use names::{Name, unit};
pub use prose::Prose;
