//! Other quantities of a motion, which no method owns.
//!
//! | file | what |
//! |---|---|
//! | `energy`, `power` | energy, momentum, the power of every load |
//! | `reactions`, `undetermined` | what joints transmit; which of it constraints that depend on each other leave open |
//! | `inverse`, `inverse_constrained`, `kinetostatics` | efforts from accelerations, also of independent speeds alone; drives of a prescribed motion |
//! | `events`, `impact` | functions that cross zero; jumps of the speeds |
//! | `outputs` | what the spec asks for by name |

pub(crate) mod energy;
pub(crate) mod events;
pub(crate) mod impact;
pub(crate) mod inverse;
pub(crate) mod inverse_constrained;
pub(crate) mod kinetostatics;
pub(crate) mod outputs;
pub(crate) mod power;
pub(crate) mod reactions;
pub(crate) mod undetermined;
