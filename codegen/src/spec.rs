//! The spec as written: keys of the format, a spec with the place of every value, the builder.
//!
//! [`read`](crate::read) makes a [`Spec`] of a text. Names are not resolved here and nothing has a meaning yet. A spec carries the
//! problems that reading found; they are reported together with those of building it, so that a user sees all at once.

pub use dqdt_import::builder::SpecBuilder;
pub use dqdt_spec::spec::{Entries, Item, Spec, schema, template};
