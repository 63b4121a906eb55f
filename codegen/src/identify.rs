//! Identification: which combinations of the inertial parameters the motion of a mechanism shows.
//!
//! ```
//! use dqdt_codegen::{identify, pipeline};
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/specs/double_pendulum.toml");
//! let pendulum = pipeline::load(path.as_ref())?;
//! let base = identify::base_parameters(&pendulum);
//! assert_eq!(base.parameters.len(), 6);
//! # Ok::<(), dqdt_codegen::Errors>(())
//! ```
//!
//! The columns of the emitted function `regressor` at the [places](BaseParameter::place) of the base parameters are those that are
//! independent: measured efforts over many states, less the field `rest`, are fitted by them.

use dqdt_derivation::assemble::Assembled;
use dqdt_mechanics::formalism;

pub use dqdt_mechanics::formalism::{BaseParameter, BaseParameters};

/// The base inertial parameters of the efforts of the tree, at the default parameters: constraints are left aside. In order of
/// the bodies; ten parameters of each, as the function `regressor` counts them.
pub fn base_parameters(mechanism: &Assembled) -> BaseParameters {
    formalism::base_parameters(&mechanism.mechanism)
}
