//! The spec as written: keys of the format, a spec with the place of every value, formulas as text, the builder.
//!
//! `read` makes a [`Spec`] of a text. Names are not resolved here and nothing has a meaning yet: that is `resolve`. A spec
//! carries the problems that reading found; `resolve` reports them together with its own, so that a user sees all at once.
//! The keys of the format are one table (`keys` and the folders `…_keys`) that drives reader,
//! messages and schema.

pub mod constraint_keys;
mod constraint_model;
pub mod event_keys;
pub mod formula;
mod formulas;
pub mod item;
pub mod joint_keys;
pub mod key;
pub mod keys;
pub mod load_keys;
mod model;
pub mod output_keys;
mod schema;
mod suggest;
mod template;
pub(crate) mod type_keys;
mod typed_model;
mod whole;

pub(crate) use constraint_model::*;
pub use formulas::{Element, FORMULAS, Formulas};
pub use item::{Entries, Item};
pub use model::*;
pub use schema::schema;
pub use schema::schema_text;
pub use template::SCHEMA_FILE;
pub use template::template;
pub(crate) use typed_model::*;
pub(crate) use whole::Broken;
pub use whole::Spec;

pub use joint_keys::joint_words;
pub(crate) use joint_keys::{Closing, Flat, joint_closing};
pub use suggest::did_you_mean;
