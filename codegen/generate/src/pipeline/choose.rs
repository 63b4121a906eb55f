//! The stage that chooses the formalism.

use crate::inertia;
use crate::optimise::{self, FormalismChoice};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::size;
use dqdt_derivation::functions::Definition;
use dqdt_diagnostics::error::Errors;
use dqdt_mechanics::formalism::Formalism;

/// Chooses the formalism for these functions, without deriving them.
///
/// # Errors
/// Same as for [`derive()`](super::derive()).
pub fn choose(
    loaded: &Assembled,
    choice: FormalismChoice,
    functions: &[&'static Definition],
) -> Result<Formalism, Errors> {
    inertia::check_massless(loaded, functions)?;
    let formalism = match choice {
        FormalismChoice::Given(f) => f,
        _ => optimise::choose_optimised(loaded, choice, functions).formalism,
    };
    inertia::check_formalism(loaded, formalism, functions)?;
    size::check_function_sizes(&loaded.mechanism, formalism, functions)?;
    Ok(formalism)
}
