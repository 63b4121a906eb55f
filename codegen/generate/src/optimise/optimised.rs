//! What a search finds.

use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::Formulation;

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Optimised {
    /// Which formalism derives the equations.
    pub formalism: Formalism,
    /// How they are written.
    pub formulation: Formulation,
}
