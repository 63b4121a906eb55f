//! Programs that are interpreted and printed nowhere.

use crate::assemble::Assembled;
use crate::derive::{Request, size};
use crate::error::Errors;
use crate::formalism::Formalism;
use crate::functions::{self, Definition};
use crate::ir::Program;
use crate::optimise;

/// Derives functions that are interpreted: without a search for a formulation, and without equal limbs, which only a compiler makes
/// use of.
///
/// # Errors
/// If the equations outgrow memory.
pub(crate) fn program_to_run(
    loaded: &Assembled,
    formalism: Formalism,
    functions: &[&'static Definition],
) -> Result<Program, Errors> {
    let request = Request { side_by_side: false, ..Request::new(formalism, functions::in_order(functions)) };
    let program = optimise::shortest(loaded, &optimise::as_written(&loaded.mechanism), &request);
    size::check_recorded(&program)?;
    Ok(program)
}

/// A form that keeps the digits which this one loses to light bodies under load and constraints; `None` where it keeps them, or none does.
pub(crate) fn form_that_keeps_digits(loaded: &Assembled, taken: Formalism) -> Option<Formalism> {
    let program = |f| program_to_run(loaded, f, &[functions::DQDT]).ok();
    optimise::form_that_keeps_digits(loaded, taken, &program)
}
