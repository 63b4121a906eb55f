//! Identification: the combinations of inertial parameters that measured motions can determine.

use dqdt_derivation::assemble::Assembled;
use dqdt_mechanics::formalism;

pub use dqdt_mechanics::formalism::{BaseParameter, BaseParameters};

/// Base inertial parameters of the efforts of the tree, at the default parameters, without
/// constraints. They are in the order of the bodies, each with ten parameters, as in the function
/// `regressor`.
pub fn base_parameters(mechanism: &Assembled) -> BaseParameters {
    formalism::base_parameters(&mechanism.mechanism)
}
