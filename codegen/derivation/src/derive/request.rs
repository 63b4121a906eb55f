//! The request to derive functions by a formalism.

use super::definition::Definition;
use super::inertial::InertialParameters;
use dqdt_mechanics::formalism::Formalism;

/// Argument of [`derive()`](super::derive()): the formalism and the functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Formalism by which the equations are derived, such as Kane's.
    pub formalism: Formalism,
    /// Inertial parameters with which the equations are written.
    pub inertia: InertialParameters,
    /// Requested functions, in the order of derivation and emission.
    pub functions: Vec<&'static Definition>,
    /// If true, equal limbs (legs, fingers) may cost some more operations if that lets SIMD lanes
    /// compute them together.
    pub side_by_side: bool,
}

impl Request {
    /// A request for these functions by this formalism, with defaults for the other fields.
    pub fn new(formalism: Formalism, functions: Vec<&'static Definition>) -> Self {
        Request { formalism, inertia: InertialParameters::default(), functions, side_by_side: true }
    }
}
