//! What to derive.

use super::definition::Definition;
use super::inertial::InertialParameters;
use dqdt_mechanics::formalism::Formalism;

/// What to derive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Which formalism derives the equations.
    pub formalism: Formalism,
    /// Which parameters of inertia the equations are written with.
    pub inertia: InertialParameters,
    /// Functions wanted, in the order in which they are derived and emitted.
    pub functions: Vec<&'static Definition>,
    /// Equal limbs may take some operations more where they can be computed side by side then.
    pub side_by_side: bool,
}

impl Request {
    /// These functions by this formalism, by default else.
    pub fn new(formalism: Formalism, functions: Vec<&'static Definition>) -> Self {
        Request { formalism, inertia: InertialParameters::default(), functions, side_by_side: true }
    }
}
