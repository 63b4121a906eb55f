//! The spec as written: the TOML format and the builder, formulas as text, every value with its place.
//!
//! Names are not resolved here and nothing has a meaning yet: that is `resolve::resolve`. A [`Spec`] carries the
//! problems that reading found; `build` reports them together with its own, so that a user sees all at once.
//! The keys of the format are one table (`keys`, `joint_keys`, `load_keys`, `constraint_keys`, `event_keys`) that drives reader,
//! messages and schema.

mod builder;
mod constraint_keys;
mod constraint_model;
mod document;
mod event_keys;
mod event_model;
pub(crate) mod formula;
#[cfg(feature = "symbolica")]
mod formulas;
mod item;
mod joint_keys;
mod key;
mod keys;
mod load_keys;
mod load_model;
mod model;
mod read;
mod repeat;
mod schema;
mod settings;
mod suggest;
mod template;
mod whole;

pub use builder::SpecBuilder;
pub(crate) use constraint_model::*;
pub(crate) use event_model::*;
#[cfg(feature = "symbolica")]
pub(crate) use formulas::{Element, Formulas, parse_formulas};
pub use item::{Entries, Item};
pub(crate) use load_model::*;
pub(crate) use model::*;
pub use read::{MAX_BYTES, Opened, files, open, parse, parse_with, read, read_with};
pub use schema::schema;
pub use settings::Settings;
pub use template::template;
pub use whole::Spec;

#[cfg(test)]
pub(crate) use constraint_keys::constraint_kinds;
#[cfg(test)]
pub(crate) use joint_keys::joint_words;
pub(crate) use joint_keys::{Closing, Flat, joint_closing};
pub(crate) use suggest::did_you_mean;
