//! The spec as written: the keys of the format, all values with their places, formulas as text, the
//! builder.
//!
//! The stage `read` makes a [`Spec`] from a text; the stage `resolve` resolves names and checks
//! meaning. A spec carries the problems found by reading; `resolve` reports them with its own, so
//! that a user sees all at once. The keys of the format are one table (`keys` and the folders
//! `…_keys`) that drives the reader, the messages and the schema.

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
mod spec_model;
mod suggest;
mod template;
pub(crate) mod type_keys;
mod typed_model;

pub(crate) use constraint_model::*;
pub use formulas::{Element, FORMULAS, Formulas};
pub use item::{Entries, Item};
pub use model::*;
pub use schema::schema;
pub use schema::schema_text;
pub(crate) use spec_model::Broken;
pub use spec_model::Spec;
pub use template::SCHEMA_FILE;
pub use template::template;
pub(crate) use typed_model::*;

pub use joint_keys::joint_words;
pub(crate) use joint_keys::{Closing, Flat, joint_closing};
pub use suggest::{did_you_mean, place_of_foreign_key};
