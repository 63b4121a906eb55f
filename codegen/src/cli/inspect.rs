//! `dqdt inspect`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::source::{Failure, FormalismName, Source, load};
use super::{family, output};
use crate::formalism::Formalism;
use crate::functions;
use crate::indexed::formulas;
use crate::inspect::{self, Form, Part, View};
use crate::print::{figure, report};
use crate::scene;

#[derive(Args)]
pub(super) struct Inspect {
    #[command(flatten)]
    source: Source,
    /// How the report is printed
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Where to write; standard output if absent
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Formalism that derives the equations shown; if absent kane, and for the form `recursive` alone that of `emit`
    #[arg(long, value_enum)]
    formalism: Option<FormalismName>,
    /// Formulas in the indices for any value of this size of the spec's [repeat]
    #[arg(long, value_name = "SIZE", conflicts_with = "formalism")]
    family: Option<String>,
    /// The base inertial parameters instead: the combinations of masses, first moments and inertias that efforts show
    #[arg(long, conflicts_with_all = ["formalism", "family"])]
    base_parameters: bool,
    /// How the equations of motion are written, one form or several; what suits the mechanism if absent
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORMS", conflicts_with_all = ["family", "base_parameters"])]
    form: Vec<Form>,
    /// Parts of the report, alone
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAMES", conflicts_with_all = ["family", "base_parameters"])]
    sections: Vec<Part>,
    /// Columns of the text format
    #[arg(long, default_value_t = 100)]
    width: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a terminal
    Text,
    /// A LaTeX article
    Latex,
    /// One self-contained page
    Html,
}

impl Inspect {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        output::apart(&self.source, &[], &[("--output", self.output.as_deref())])?;
        let document = match &self.family {
            Some(size) => {
                let (first, members) = family::members(&self.source, size)?;
                let answers = formulas(&members);
                let proof = super::symbolic::prove_formulas(&answers, &members);
                inspect::family(&first.mechanism.name.replace('_', " "), size, &answers, &proof)
            }
            None if self.base_parameters => inspect::base_parameters(&load(&self.source)?),
            None => {
                let loaded = load(&self.source)?;
                super::start::tell_start(&loaded);
                let sketch =
                    (self.format == Format::Html).then(|| figure::sketch(&scene::initial(&loaded.mechanism)));
                let emitted = self.form == [Form::Recursive];
                let name =
                    self.formalism.or_else(|| (!emitted).then_some(FormalismName::Given(Formalism::Kane)));
                let formalism = FormalismName::choose(name, &loaded, &functions::defaults())?;
                let mut closed = super::symbolic::closed_forms(&loaded.mechanism);
                let mut view = View { parts: self.sections, ..View::of(&loaded.mechanism) };
                if !self.form.is_empty() {
                    view.forms = self.form;
                }
                inspect::report(&loaded, formalism, &mut closed, sketch, &view)
            }
        };
        let text = match self.format {
            Format::Text => report::text(&document, self.width.clamp(40, 400)),
            Format::Latex => report::latex(&document),
            Format::Html => report::html(&document),
        };
        output::product(self.output.as_deref(), &text)?;
        Ok(ExitCode::SUCCESS)
    }
}
