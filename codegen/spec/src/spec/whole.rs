//! A whole spec.

use sha2::{Digest, Sha256};

use super::constraint_model::Constraint;
use super::model::{Body, Definition, Input, Joint, Name, Parameter, Point, Shape, State, Table, Value};
use super::typed_model::{Event, Load, Output};
use dqdt_diagnostics::base::Sources;
use dqdt_diagnostics::error::{Diagnostic, Errors, Severity};

/// A spec as its author wrote it. Lists are in file order.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Spec {
    /// The text, for messages.
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
    /// Codes of warnings that are told no more.
    pub(crate) accept: Vec<Name>,
    pub(crate) events: Vec<Event>,
    pub(crate) outputs: Vec<Output>,
    /// The sizes of `[repeat]`, with the values that they had.
    pub sizes: Vec<(String, i64)>,
    /// Sizes that were given to the reader.
    pub(crate) given: Vec<(String, i64)>,
    /// Errors and warnings that reading found. `resolve::resolve` refuses a spec with errors and repeats them.
    pub(crate) problems: Vec<Diagnostic>,
    /// What could not be read; messages about the rest make allowance for it.
    pub(crate) broken: Broken,
    /// Names in the formulas of axes, whose values are numbers already.
    pub(crate) axis_names: Vec<String>,
}

/// What is missing from a [`Spec`] because it could not be read.
#[derive(Clone, Default, Debug)]
pub(crate) struct Broken {
    /// A whole section: nothing can be said about names.
    pub sections: bool,
    /// A joint: nothing can be said about the names of coordinates and speeds.
    pub joints: bool,
    /// Names of other entries.
    pub names: Vec<String>,
}

impl Spec {
    /// SHA-256 of the text, in hexadecimal; with a template, of both texts. Sizes given to the reader count too.
    pub fn hash(&self) -> String {
        let mut hash = Sha256::new();
        for (_, text) in self.sources.files() {
            hash.update(text.as_bytes());
        }
        for (name, value) in &self.given {
            hash.update(format!("\n{name} = {value}").as_bytes());
        }
        hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
    }

    /// The text that was read; for a built spec the text that was written for it.
    pub fn text(&self) -> &str {
        self.sources.text(dqdt_diagnostics::base::SourceId(0))
    }

    /// The sizes of `[repeat]`, with the values that they had.
    pub fn sizes(&self) -> &[(String, i64)] {
        &self.sizes
    }

    /// The problems that reading found, if one of them is an error.
    ///
    /// # Errors
    /// All problems, warnings included.
    pub fn check(&self) -> Result<(), Errors> {
        let failed = self.problems.iter().any(|d| d.severity == Severity::Error);
        if failed {
            Err(Errors { sources: self.sources.clone(), diagnostics: self.problems.clone() })
        } else {
            Ok(())
        }
    }
}
