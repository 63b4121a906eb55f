//! The stage `read`: a file or a text becomes a [`Spec`](crate::spec::Spec).
//!
//! Every value keeps its place in the text, and all that is wrong is told at once. Templates, repeats and robots are written out.

pub use dqdt_import::read::{MAX_BYTES, Opened, Settings, files, open, parse, parse_with, read, read_with};
