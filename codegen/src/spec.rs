//! The spec as written: keys of the format, [`Spec`] with the span of every value, and the builder.
//!
//! [`read`](crate::read) parses a text to a [`Spec`]. Names are not yet resolved and values not yet
//! interpreted. A spec contains the problems found while reading; they are reported together with
//! those of later stages, so that a user sees all at once.

pub use dqdt_import::builder::SpecBuilder;
pub use dqdt_spec::spec::{Entries, Item, Spec, schema, template};
