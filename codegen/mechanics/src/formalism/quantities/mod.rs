//! Other quantities of a motion, which do not depend on the formalism.
//!
//! - `energy`, `power`: energy, momentum, the power of each load.
//! - `energy_gradients`: gradients of the kinetic energy by displacements and speeds.
//! - `reactions`, `undetermined`: wrenches through joints; their components that redundant
//!   constraints leave undetermined.
//! - `inverse`, `inverse_constrained`: inverse dynamics of all speeds, or of independent speeds.
//! - `effort_derivatives`: derivatives of the efforts by displacements and speeds.
//! - `kinetostatics`: drives and reactions of a prescribed motion; `drives`: efforts of the drives
//!   of prescribed coordinates.
//! - `events`, `impact`: functions that cross zero; jumps of the speeds.
//! - `gravity`, `coriolis`, `friction`: parts of the efforts: g(q), C(q, v), friction and its
//!   columns.
//! - `centroid`: centre of mass, and momentum about it.
//! - `regressor`, `base_parameters`: efforts, energies and momenta by inertial parameters; the
//!   combinations that a motion determines.
//! - `outputs`, `frame_accelerations`: outputs of the spec; accelerations of named frames.
//! - `arrows`: forces and moments for figures.

pub(crate) mod arrows;
pub(crate) mod base_parameters;
pub(crate) mod centroid;
pub(crate) mod coriolis;
pub(crate) mod drives;
pub(crate) mod effort_derivatives;
pub(crate) mod energy;
pub(crate) mod energy_gradients;
pub(crate) mod events;
pub(crate) mod frame_accelerations;
pub(crate) mod friction;
pub(crate) mod gravity;
pub(crate) mod impact;
pub(crate) mod inverse;
pub(crate) mod inverse_constrained;
pub(crate) mod kinetostatics;
pub(crate) mod outputs;
pub(crate) mod power;
pub(crate) mod reactions;
pub(crate) mod regressor;
pub(crate) mod undetermined;
