//! Reports: documents as plain data. The printers for HTML, LaTeX and text are in the crate `view`.

pub mod escape;
pub mod html_math;
mod math;
mod model;
mod names;
mod prose;

pub use math::{Accent, Math, Spacing};
pub use model::{Block, Cell, Report, Section, Steps, bold_letters};
pub use names::{Name, format_unit};
pub use prose::Prose;
