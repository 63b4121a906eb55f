//! Named outputs of the spec.

use crate::algebra::Scalar;
use crate::mechanism::{Environment, Mechanism};

/// Shape of an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputShape {
    /// One value.
    Scalar,
    /// A vector.
    Vector(usize),
}

/// A named output and its value.
#[derive(Clone, Debug)]
pub struct OutputValue<S> {
    /// As the spec has it.
    pub name: String,
    /// Unit text, SI.
    pub unit: String,
    /// One line for people.
    pub description: String,
    /// Shape.
    pub shape: OutputShape,
    /// What each entry is: `x`, `kinetic`, the name of a speed; empty for a scalar.
    pub labels: Vec<String>,
    /// One entry a label, or one.
    pub values: Vec<S>,
}

/// The outputs of the mechanism at given accelerations.
pub fn outputs<S: Scalar>(
    _m: &Mechanism,
    _env: &Environment<'_, S>,
    _accelerations: &[S],
) -> Vec<OutputValue<S>> {
    todo!()
}
