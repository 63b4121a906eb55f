//! Macros of which emitted modules consist, apart from their functions.
//!
//! Problem: a module should show what is particular to its mechanism. Items that follow from that
//!          by rule (access to parameters by name, methods, implementations of traits) would be
//!          most of its lines.
//! Method:  the module states data, one line for each entry; macros expand these to documented
//!          items. Only emitted code calls the macros: they change with the format of emitted code.
//!
//! | macro | defines |
//! |---|---|
//! | [`variables!`](crate::variables) | sizes, indices, names and units of state, inputs and rows |
//! | [`parameters!`](crate::parameters) | `Params` |
//! | [`model!`](crate::model) | `Model`, without its constructor |
//! | [`results!`](crate::results) | a struct of results |
//! | [`pivots!`](crate::pivots) | the list of the divisors that a function checks |
//! | [`methods!`](crate::methods) | the functions as methods of `Model` |
//! | [`traits!`](crate::traits) | [`System`](crate::System) and the other traits for `Model` |

mod methods;
mod model;
mod parameters;
mod pivots;
mod results;
#[cfg(feature = "serde")]
pub mod serialise;
#[cfg(not(feature = "serde"))]
mod serialise_off;
mod support;
mod traits;
mod variables;

pub use support::{Entries, Outcome, finish_solved};
