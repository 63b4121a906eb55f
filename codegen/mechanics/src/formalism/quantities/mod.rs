//! Other quantities of a motion, which no method owns.
//!
//! | file | what |
//! |---|---|
//! | `energy`, `power` | energy, momentum, the power of every load |
//! | `reactions`, `undetermined` | what joints transmit; which of it constraints that depend on each other leave open |
//! | `inverse`, `inverse_constrained`, `kinetostatics` | efforts from accelerations, also of independent speeds alone; drives of a prescribed motion |
//! | `inverse_by_state` | derivatives of the efforts by displacements and speeds |
//! | `drives` | efforts of the drives of prescribed coordinates |
//! | `events`, `impact` | functions that cross zero; jumps of the speeds |
//! | `gravity`, `coriolis`, `friction` | parts of the efforts: g(q), C(q, v), friction and its columns |
//! | `energy_slopes` | gradients of the energies by displacements and speeds |
//! | `centroid` | centre of mass, momentum about it |
//! | `base_parameters` | what of the inertial parameters a motion can show |
//! | `regressor` | efforts, energies, momenta by inertial parameters |
//! | `outputs` | what the spec asks for by name |

pub(crate) mod arrows;
pub(crate) mod base_parameters;
pub(crate) mod centroid;
pub(crate) mod coriolis;
pub(crate) mod drives;
pub(crate) mod energy;
pub(crate) mod energy_slopes;
pub(crate) mod events;
pub(crate) mod frame_accelerations;
pub(crate) mod friction;
pub(crate) mod gravity;
pub(crate) mod impact;
pub(crate) mod inverse;
pub(crate) mod inverse_by_state;
pub(crate) mod inverse_constrained;
pub(crate) mod kinetostatics;
pub(crate) mod outputs;
pub(crate) mod power;
pub(crate) mod reactions;
pub(crate) mod regressor;
pub(crate) mod undetermined;
