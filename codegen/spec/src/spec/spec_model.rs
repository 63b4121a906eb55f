//! The data model of a whole spec.

use sha2::{Digest, Sha256};

use super::constraint_model::Constraint;
use super::model::{Body, Definition, Input, Joint, Name, Parameter, Point, Shape, State, Table, Value};
use super::typed_model::{Event, Load, Output};
use dqdt_diagnostics::base::Sources;
use dqdt_diagnostics::error::{Diagnostic, Errors, Severity};

/// A spec as written by its author. Lists are in file order.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Spec {
    /// The source texts of the spec, its template and options, into which the places of messages
    /// point.
    pub sources: Sources,
    pub(crate) name: Name,
    pub description: String,
    pub(crate) gravity: Option<[Value; 3]>,
    pub parameters: Vec<Parameter>,
    pub(crate) tables: Vec<Table>,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) ground: (Vec<Point>, Vec<Shape>),
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub inputs: Vec<Input>,
    pub(crate) states: Vec<State>,
    pub(crate) loads: Vec<Load>,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) driven: Vec<Name>,
    pub(crate) functions: Vec<Name>,
    /// Codes of warnings to suppress, and names of parts of robots that may be dropped.
    pub(crate) accept: Vec<Name>,
    pub(crate) events: Vec<Event>,
    pub(crate) outputs: Vec<Output>,
    /// Names and values of the sizes that `[repeat]` defines.
    pub sizes: Vec<(String, i64)>,
    /// Names and values of the sizes that the settings of the reader override.
    pub(crate) overridden_sizes: Vec<(String, i64)>,
    /// Errors and warnings from reading. `resolve::resolve` rejects a spec that has errors, and
    /// reports them again.
    pub(crate) problems: Vec<Diagnostic>,
    /// Parts that could not be read; consequences of their absence are not reported.
    pub(crate) broken: Broken,
    /// Names of parameters in formulas of axes, which reading has already evaluated; they count as
    /// used.
    pub(crate) axis_names: Vec<String>,
}

/// Parts missing from a [`Spec`] because they could not be read.
#[derive(Clone, Default, Debug)]
pub(crate) struct Broken {
    /// True if a whole section is missing, so that no name can be checked.
    pub sections: bool,
    /// True if a joint is missing, so that names of coordinates and speeds cannot be checked.
    pub joints: bool,
    /// Names of other entries that could not be read, such as bodies.
    pub names: Vec<String>,
}

impl Spec {
    /// SHA-256 of the source texts (the spec and its template, if any) and the overridden sizes, in
    /// hexadecimal. Emitted files contain it.
    pub fn hash(&self) -> String {
        let mut hash = Sha256::new();
        for (_, text) in self.sources.files() {
            hash.update(text.as_bytes());
        }
        for (name, value) in &self.overridden_sizes {
            hash.update(format!("\n{name} = {value}").as_bytes());
        }
        hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
    }

    /// The text of the spec; for a spec built in Rust, the TOML text generated for it.
    pub fn text(&self) -> &str {
        self.sources.text(dqdt_diagnostics::base::SourceId(0))
    }

    /// Names and values of the sizes that `[repeat]` defines.
    pub fn sizes(&self) -> &[(String, i64)] {
        &self.sizes
    }

    /// Fails if reading the spec found an error.
    ///
    /// # Errors
    /// All problems found by reading, including warnings.
    pub fn check(&self) -> Result<(), Errors> {
        let failed = self.problems.iter().any(|d| d.severity == Severity::Error);
        if failed {
            Err(Errors { sources: self.sources.clone(), diagnostics: self.problems.clone() })
        } else {
            Ok(())
        }
    }
}
