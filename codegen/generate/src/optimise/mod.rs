//! The room of searches: which formalism, and how its equations are written, so that the functions asked for cost least.
//!
//! Every candidate gives the same values; what differs is the work. A search is a function from an assembled mechanism to a
//! formalism and a [`Formulation`](dqdt_mechanics::mechanism::Formulation), which derivation takes as arguments. It counts operations, never time, so that the answer is the same on
//! every machine.
//!
//! | file | what |
//! |---|---|
//! | `choice` | how the formalism is found: what the command, `Config` and requests name |
//! | `formalisms` | the search for a formalism, by each choice |
//! | `cost` | what a call costs |
//! | `open`, `formulation` | what is open for a formalism, and the search that closes it |
//! | `search` | groups, axes and origins by recorded operations: candidates, budget, descent |
//! | `refine` | origins and axes once more, by what passes and equal limbs leave |
//! | `equal_limbs`, `shortest` | equal limbs derived alike; the shorter of both programs |
//! | `singles`, `digits` | formalisms that keep digits in single precision, and under constraints |

mod choice;
mod cost;
mod digits;
mod equal_limbs;
mod formalisms;
mod formulation;
mod open;
mod optimised;
mod refine;
mod search;
mod shortest;
pub mod singles;

pub use choice::{FormalismChoice, UnknownFormalism};
pub use cost::{WAITING, cost, total};
pub use formalisms::form_that_keeps_digits;
pub use formalisms::{AUTO_ALL, HOPELESS, optimise};
pub use formulation::complete;
pub use open::as_written;
pub use optimised::Optimised;
pub use shortest::{shortest, shortest_to_count};
