//! What emitted modules are made of, besides their functions.
//!
//! Problem: a module should show what is particular to its mechanism. What follows from that by rule (access to parameters by
//!          name, methods, implementations of traits) would be most of its lines.
//! Method:  the module states data, one line an entry; macros make the items of it, with their documentation. Each macro
//!          says what it makes. Only emitted code calls them: they change with the format of it.
//!
//! | macro | makes |
//! |---|---|
//! | [`variables!`](crate::variables) | sizes, indices, names and units of state, inputs and rows |
//! | [`parameters!`](crate::parameters) | `Params` |
//! | [`model!`](crate::model) | `Model`, but for what it computes once |
//! | [`results!`](crate::results) | a struct of results |
//! | [`pivots!`](crate::pivots) | the list of what a function divides by |
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
