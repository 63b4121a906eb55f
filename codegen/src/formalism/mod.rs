//! Formalisms: one method a file, each a function generic over the scalar, all with the contract of `equations`.
//!
//! | file | what |
//! |---|---|
//! | `equations` | the contract: `M v̇ + c = Q`, and which method |
//! | `forward` | the contract: accelerations, multipliers and reactions at a state |
//! | `kane`, `lagrange` | the methods |
//! | `inverse` | accelerations in, efforts out |
//! | `actions` | loads as wrenches on bodies and efforts on speeds, for the methods that want them so |
//! | `events` | functions that cross zero; what an impact does |
//! | `energy`, `power` | energy, momentum, the power of every load |
//! | `outputs` | what the spec asks for by name |

mod actions;
mod energy;
mod equations;
mod events;
mod forward;
mod inverse;
mod kane;
mod lagrange;
mod outputs;
mod power;

pub use actions::line_denominators;
pub use energy::{Energy, Momentum, energy, lagrangian, momentum};
pub use equations::{Equations, Formalism, Implicit, equations};
pub use events::{ImpactRow, event_values, impact_row};
pub use forward::Forward;
pub use inverse::inverse_dynamics;
pub use outputs::{OutputShape, OutputValue, outputs};
pub use power::{Power, powers};
