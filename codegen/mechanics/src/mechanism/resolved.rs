//! The result of the stage `resolve`.

use dqdt_diagnostics::base::Spanned;
use dqdt_diagnostics::error::{Diagnostic, Errors};

use super::{ConstraintPlace, Mechanism, Origin, Starts};

/// Result of the stage `resolve`: the mechanism that a spec defines, with the data that later
/// stages need for messages.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The mechanism, with names resolved to indices.
    pub mechanism: Mechanism,
    /// File name and hash of the spec. The file name is empty until the reader of the file sets it.
    pub origin: Origin,
    /// Start values of coordinates and speeds as the spec gives them, before assembly.
    pub starts: Starts,
    /// Source spans of each constraint, for messages about it.
    pub places: Vec<ConstraintPlace>,
    /// Names of the functions to emit, as the spec lists them.
    pub functions: Vec<Spanned<String>>,
    /// Diagnostics of motions that no inertia resists in any pose. Without constraints they make
    /// the mass matrix singular.
    pub massless: Vec<Diagnostic>,
    /// Codes of warnings and notes that the spec accepts, so they are not shown.
    pub accepted: Vec<String>,
    /// Warnings, with the source texts; render them with [`Resolved::render_warnings`].
    pub warnings: Errors,
}

impl Resolved {
    /// A mechanism built without a spec. Assembly may choose all its start values.
    pub fn without_spec(mechanism: Mechanism) -> Self {
        let starts = Starts::all_open(mechanism.nq(), mechanism.nv());
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

    /// The warnings as text for the user; empty if there are none.
    pub fn render_warnings(&self, color: bool) -> String {
        self.warnings.render(color)
    }
}
