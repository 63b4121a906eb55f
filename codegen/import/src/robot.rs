//! What the readers of robots share.
//!
//! Problem: URDF and MJCF become specs in the same way: names mended, rounded right angles made exact, bodies joined, all that is
//!          not used listed.
//! Method:  `decimal` (numbers as they were written), `turn` (poses and axes), `inertia` (parts of a body together), `names`,
//!          `options`, `class` (the part that names of a file have in the mechanics), `prefixes` (names with a prefix that is not
//!          declared), `report`, `syntax` (messages about a text that is no XML), `format` (which format a file has).
//! Frames:  a pose maps components in a frame to components in the frame that it is written in.

pub(crate) mod class;
pub(crate) mod decimal;
pub(crate) mod inertia;
pub(crate) mod names;
pub(crate) mod prefixes;
pub(crate) mod report;
pub(crate) mod syntax;
pub(crate) mod turn;
pub(crate) mod yaml;

pub use dqdt_spec::read::robots::{Base, Options, SNAP, format};
pub use report::Report;

/// A robot as a spec.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The text of the spec (TOML).
    pub spec: String,
    /// Differences between the spec and the file.
    pub report: Report,
    /// Warnings with the texts that they point into: idealised parts, structural ones that were accepted.
    pub warnings: dqdt_diagnostics::error::Errors,
}

impl Imported {
    /// The spec with its report, unless a part of the file makes none.
    pub(crate) fn new(
        name: &str,
        spec: String,
        mut report: Report,
        accept: &[String],
        sources: dqdt_diagnostics::base::Sources,
    ) -> Result<Self, dqdt_diagnostics::error::Errors> {
        report.finish(name, accept, &sources);
        let mut problems = std::mem::take(&mut report.problems);
        if !problems.is_empty() {
            problems.sort_by_key(|d| sources.position(d.primary.as_ref().map(|p| p.span)));
            return Err(dqdt_diagnostics::error::Errors { sources, diagnostics: problems });
        }
        let diagnostics = std::mem::take(&mut report.warnings);
        Ok(Imported { spec, report, warnings: dqdt_diagnostics::error::Errors { sources, diagnostics } })
    }
}
