//! Searches for the formalism and formulation of least cost for the requested functions.
//!
//! All candidates give the same values by different operations. A search is a function from an
//! assembled mechanism to a formalism and a
//! [`Formulation`](dqdt_mechanics::mechanism::Formulation), which the derivation takes as
//! arguments. It counts operations and never measures time, so the result is the same on every
//! machine.
//!
//! | file | content |
//! | --- | --- |
//! | `choice` | ways to choose the formalism, as named by the command, `Config` and requests |
//! | `formalisms` | the search for a formalism, for each choice |
//! | `cost` | cost of a call |
//! | `open`, `formulation` | the open choices of a formulation, and the search that completes it |
//! | `search` | groups, axes and origins by recorded operations: candidates, budget, descent |
//! | `refine` | origins and axes again, by the cost after passes and vectorised limbs |
//! | `equal_limbs`, `shortest` | equal limbs with equal operations; the shorter of both programs |
//! | `singles`, `digits` | formalisms that keep precision in `f32`, and with constraints |

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
pub use cost::{WAITING, cost, total_operations};
pub use formalisms::form_that_keeps_digits;
pub use formalisms::{AUTO_ALL, HOPELESS, choose_optimised};
pub use formulation::complete_formulation;
pub use open::default_formulation;
pub use optimised::Optimised;
pub use shortest::{shortest_program, shortest_program_to_count};
