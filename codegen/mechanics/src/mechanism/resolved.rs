//! The result of the stage `resolve`.

use dqdt_diagnostics::base::Spanned;
use dqdt_diagnostics::error::{Diagnostic, Errors};

use super::{ConstraintPlace, Mechanism, Origin, Starts};

/// What a spec means, with what later stages say messages by.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The mechanism.
    pub mechanism: Mechanism,
    /// Hash of the spec; the name of its file is empty until whoever read it sets it.
    pub origin: Origin,
    /// What the spec says of starts.
    pub starts: Starts,
    /// Where each constraint was written.
    pub places: Vec<ConstraintPlace>,
    /// Names of the functions that the spec asks for.
    pub functions: Vec<Spanned<String>>,
    /// Motions that no inertia resists in any pose; without constraints the mass matrix is singular.
    pub massless: Vec<Diagnostic>,
    /// Codes of warnings and notes that are told no more.
    pub accepted: Vec<String>,
    /// Warnings, with the texts that were read; render them with [`Resolved::render`].
    pub warnings: Errors,
}

impl Resolved {
    /// A mechanism that no spec stands behind: its starts are guesses, if they are anything.
    pub fn bare(mechanism: Mechanism) -> Self {
        let starts = Starts::open(mechanism.nq(), mechanism.nv());
        let places = vec![ConstraintPlace::default(); mechanism.constraints.len()];
        let (functions, warnings) = (Vec::new(), Errors::default());
        let (accepted, massless) = (Vec::new(), Vec::new());
        Resolved {
            massless,
            mechanism,
            origin: Origin::default(),
            starts,
            places,
            functions,
            accepted,
            warnings,
        }
    }

    /// The warnings as text for people; empty if there are none.
    pub fn render(&self, color: bool) -> String {
        self.warnings.render(color)
    }
}
