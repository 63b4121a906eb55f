//! The result of the search for a formalism.

use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::Formulation;

/// Result of the search: the formalism and formulation by which the equations are derived.
#[derive(Clone, PartialEq, Debug)]
pub struct Optimised {
    /// The formalism that derives the equations.
    pub formalism: Formalism,
    /// Body axes, joint origins and elimination groups of the derivation.
    pub formulation: Formulation,
}
