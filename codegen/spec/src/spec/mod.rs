//! The spec as written: keys of the format, a spec with the place of every value, formulas as text, the builder.
//!
//! `read` makes a [`Spec`] of a text. Names are not resolved here and nothing has a meaning yet: that is `resolve`. A spec
//! carries the problems that reading found; `resolve` reports them together with its own, so that a user sees all at once.
//! The keys of the format are one table (`keys` and the folders `…_keys`) that drives reader, messages
//! and schema.

pub mod constraint_keys;
mod constraint_model;
pub mod event_keys;
mod event_model;
pub mod formula;
mod formulas;
pub mod item;
pub mod joint_keys;
pub mod key;
pub mod keys;
pub mod load_keys;
mod load_model;
mod model;
pub mod output_keys;
mod schema;
mod suggest;
mod template;
mod whole;

pub(crate) use constraint_model::*;
pub(crate) use event_model::*;
pub use formulas::{Element, FORMULAS, Formulas};
pub use item::{Entries, Item};
pub(crate) use load_model::*;
pub use model::*;
pub use schema::schema;
pub use schema::schema_text;
pub use template::SCHEMA_FILE;
pub use template::template;
pub(crate) use whole::Broken;
pub use whole::Spec;

pub use constraint_keys::constraint_kinds;
pub use joint_keys::joint_words;
pub(crate) use joint_keys::{Closing, Flat, joint_closing};
pub use load_keys::load_kinds;
pub use output_keys::output_kinds;
pub use suggest::did_you_mean;
