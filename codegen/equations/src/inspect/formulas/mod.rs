//! Formulas of the spec and quantities of a report as closed forms.

mod closed;
mod closed_math;
mod definitions;
mod loads;
mod spelling;

pub use closed::{LIMIT, assumptions, closed_forms, entries};
pub use closed_math::math;
pub(super) use closed_math::symbol;
pub(super) use definitions::typeset;
pub use definitions::{ReportDefinition, definitions};
pub(super) use loads::load_law;
pub use spelling::Spelling;
