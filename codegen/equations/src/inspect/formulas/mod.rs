//! Formulas of the spec and quantities of a report as closed forms.

mod closed;
mod closed_math;
mod definitions;
mod loads;
mod spelling;

pub use closed::{LIMIT, assumptions, closed_forms, entries};
pub use closed_math::math;
pub(super) use closed_math::symbol;
pub(super) use definitions::shown;
pub use definitions::{Definition, definitions};
pub(super) use loads::value as load;
pub use spelling::Spelling;
