//! Values of parameters, initial states and inputs.

use crate::algebra::{Number, Scalar};
use crate::mechanism::{Environment, Mechanism};

/// Values of all parameters: constants and derived ones are computed from the free ones, which stand in `free` in spec
/// order. A free parameter beyond the end of `free` has its default.
pub fn parameters<S: Scalar>(_m: &Mechanism, _number: &dyn Fn(Number) -> S, _free: &[S]) -> Vec<S> {
    todo!()
}

/// Initial state and default inputs.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Start<S> {
    pub q: Vec<S>,
    pub v: Vec<S>,
    pub z: Vec<S>,
    pub u: Vec<S>,
}

/// Initial state and default inputs for parameters `p` (all of them).
pub fn start<S: Scalar>(_m: &Mechanism, _number: &dyn Fn(Number) -> S, _p: &[S]) -> Start<S> {
    todo!()
}

/// Inputs after saturation; `env.u` holds them before.
pub fn saturate_inputs<S: Scalar>(_m: &Mechanism, _env: &Environment<'_, S>) -> Vec<S> {
    todo!()
}
