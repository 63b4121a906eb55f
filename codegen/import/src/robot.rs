//! Code shared by the readers of URDF and MJCF.
//!
//! Problem: both formats are converted to specs in the same way: names are made valid, rounded
//!          right angles exact, fixed bodies are merged, and everything unused is listed.
//! Method:  `decimal` (numbers as written), `turn` (poses and axes), `inertia` (combined inertia of
//!          parts), `names`, `options`, `relevance` (of names for the mechanics),
//!          `prefixes` (names with undeclared prefixes), `report`, `syntax` (messages about XML
//!          errors), `format` (detection of the format).
//! Frames:  a pose maps components in a frame to components in its parent frame.

pub(crate) mod decimal;
pub(crate) mod inertia;
pub(crate) mod names;
pub(crate) mod prefixes;
pub(crate) mod relevance;
pub(crate) mod report;
pub(crate) mod syntax;
pub(crate) mod turn;
pub(crate) mod yaml;

pub use dqdt_spec::read::robots::{Base, Options, SNAP, format};
pub use report::Report;

/// Result of an import: a robot converted to a spec, with the report of differences.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Text of the spec (TOML).
    pub spec: String,
    /// Report of the differences between the spec and the robot file.
    pub report: Report,
    /// Warnings with the texts that their spans point into: idealised parts, and structural parts
    /// that were accepted.
    pub warnings: dqdt_diagnostics::error::Errors,
}

impl Imported {
    /// Completes the report and returns the spec, or all errors if some part cannot be converted.
    pub(crate) fn new(
        name: &str,
        spec: String,
        mut report: Report,
        accept: &[String],
        sources: dqdt_diagnostics::base::Sources,
    ) -> Result<Self, dqdt_diagnostics::error::Errors> {
        report.finish_report(name, accept, &sources);
        let mut problems = std::mem::take(&mut report.problems);
        if !problems.is_empty() {
            problems.sort_by_key(|d| sources.position(d.primary.as_ref().map(|p| p.span)));
            return Err(dqdt_diagnostics::error::Errors { sources, diagnostics: problems });
        }
        let diagnostics = std::mem::take(&mut report.warnings);
        Ok(Imported { spec, report, warnings: dqdt_diagnostics::error::Errors { sources, diagnostics } })
    }
}
