//! Programs for the interpreter, which are never printed.

use crate::optimise;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::{Request, size};
use dqdt_derivation::functions::{self, Definition};
use dqdt_diagnostics::error::Errors;
use dqdt_graph::ir::Program;
use dqdt_mechanics::formalism::Formalism;

/// Derives functions for the interpreter (`eval`, `simulate`, `linearize`): without a search for a
/// formulation, and without vectorised limbs, from which only compiled code benefits.
///
/// # Errors
/// If the equations outgrow memory.
#[doc(hidden)]
pub fn program_to_run(
    loaded: &Assembled,
    formalism: Formalism,
    functions: &[&'static Definition],
) -> Result<Program, Errors> {
    let request = Request { side_by_side: false, ..Request::new(formalism, functions::in_order(functions)) };
    let program =
        optimise::shortest_program(loaded, &optimise::default_formulation(&loaded.mechanism), &request);
    size::check_node_limit(&program)?;
    Ok(program)
}

/// A formalism that keeps the precision that `taken` loses to light bodies under load and
/// constraints; `None` if `taken` keeps it, or none does.
#[doc(hidden)]
pub fn form_that_keeps_digits(loaded: &Assembled, taken: Formalism) -> Option<Formalism> {
    optimise::form_that_keeps_digits(loaded, taken, &|f| program_to_run(loaded, f, &[functions::DQDT]).ok())
}
