//! Formulas of the spec and quantities of a report as closed forms.

mod closed;
mod closed_math;
mod definitions;
mod loads;
mod spelling;

pub use closed::{LIMIT, closed_forms, engine_assumptions, entry_closed_forms};
pub use closed_math::typeset_closed_form;
pub(super) use closed_math::typeset_symbol;
pub(super) use definitions::typeset_formula;
pub use definitions::{ReportDefinition, expanded_definitions};
pub(super) use loads::load_law;
pub use spelling::Spelling;
