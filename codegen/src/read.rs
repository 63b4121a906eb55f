//! The stage `read`: parses a file or a text to a [`Spec`](crate::spec::Spec).
//!
//! Every value keeps its span in the text, and all errors are reported together. Templates and
//! repeats are expanded, robots (URDF, MJCF) are converted.

pub use dqdt_import::read::{MAX_BYTES, Opened, Settings, files, open, parse, parse_with, read, read_with};
