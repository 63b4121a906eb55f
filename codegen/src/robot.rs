//! What the readers of robots share.
//!
//! Problem: URDF and MJCF become specs in the same way: names mended, rounded right angles made exact, bodies joined, all that is
//!          not used listed.
//! Method:  `decimal` (numbers as they were written), `turn` (poses and axes), `inertia` (parts of a body together), `names`,
//!          `options`, `prefixes` (names with a prefix that is not declared), `report`, `syntax` (what is said of a text that is no XML), `format` (which format a file has).
//! Frames:  a pose maps components in a frame to components in the frame that it is written in.

pub(crate) mod decimal;
pub(crate) mod format;
pub(crate) mod inertia;
pub(crate) mod names;
pub(crate) mod options;
pub(crate) mod prefixes;
pub(crate) mod report;
pub(crate) mod syntax;
pub(crate) mod turn;
#[cfg(feature = "cli")]
pub(crate) mod yaml;

pub use options::{Base, Options, SNAP};
pub use report::Report;

/// A robot as a spec.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The text of the spec (TOML).
    pub spec: String,
    /// What the spec does not say as the file did.
    pub report: Report,
}
