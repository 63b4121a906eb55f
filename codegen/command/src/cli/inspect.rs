//! `dqdt inspect`: a report of the mechanism and its derived equations.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::source::{Failure, SpecSource, formalism_parser, load_source};
use super::words::{FormWord, PartWord};
use super::{family, inspect_watch, output};
use dqdt_derivation::derive::size;
use dqdt_derivation::functions;
use dqdt_document::report::Report;
use dqdt_equations::inspect::{self, Form, Part, View};
use dqdt_families::indexed::find_formulas;
use dqdt_generate::inertia;
use dqdt_generate::pipeline::FormalismChoice;
use dqdt_view::{figure, report, scene};

#[derive(Args)]
pub(super) struct Inspect {
    #[command(flatten)]
    source: SpecSource,
    /// Format of the report; by default that of the extension of the output (.html, .tex), else
    /// text
    #[arg(long, value_enum)]
    format: Option<ReportFormat>,
    /// Output file; standard output by default
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Formalism that derives the equations shown; by default kane, and for the form `recursive`
    /// alone that of `emit`
    #[arg(long, value_parser = formalism_parser())]
    formalism: Option<FormalismChoice>,
    /// Print formulas with indices, valid for any value of this size of the spec's [repeat]
    #[arg(long, value_name = "SIZE", conflicts_with = "formalism")]
    family: Option<String>,
    /// Print the base inertial parameters instead: the combinations of masses, first moments and
    /// inertias that efforts determine
    #[arg(long, conflicts_with_all = ["formalism", "family"])]
    base_parameters: bool,
    /// Forms of the equations of motion, one or several; by default those that suit the mechanism
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORMS", conflicts_with_all = ["family", "base_parameters"])]
    form: Vec<FormWord>,
    /// Print only these parts of the report
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAMES", conflicts_with_all = ["family", "base_parameters"])]
    sections: Vec<PartWord>,
    /// Write the page again whenever the spec changes, until Ctrl-C; a browser that shows it
    /// follows
    #[arg(long, requires = "output")]
    pub(super) watch: bool,
    /// Line width of the text format, in columns; by default that of the terminal, else 100
    #[arg(long)]
    width: Option<usize>,
    /// Colours in the text format
    #[arg(long, value_enum, default_value = "auto")]
    color: Color,
    /// Also write the references of the formalism as BibTeX
    #[arg(long, value_name = "FILE", conflicts_with_all = ["family", "base_parameters"])]
    bib: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl Color {
    /// Chooses plain or coloured text for a report to this file; `None` is standard output.
    fn choose_text_colours(self, output: Option<&Path>) -> report::Ink {
        // NO_COLOR counts if it is set and not empty: https://no-color.org.
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty())
            || std::env::var_os("TERM").is_some_and(|t| t == "dumb");
        match self {
            Color::Always => report::Ink::Colors,
            Color::Auto if output.is_none() && !no_color && std::io::stdout().is_terminal() => {
                report::Ink::Colors
            }
            _ => report::Ink::Plain,
        }
    }
}

/// Maximum line width of `dqdt inspect` in columns, also on wider terminals, for readability.
const WIDEST: usize = 140;

/// Line width of the text report in columns: the option, else the width of the terminal, else 100.
fn line_width(requested: Option<usize>, output: Option<&Path>) -> usize {
    requested
        .or_else(|| {
            let width = output.is_none().then(dqdt_stdio::terminal_width).flatten();
            width.map(|w| usize::from(w).min(WIDEST))
        })
        .unwrap_or(100)
        .clamp(40, 400)
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// For a terminal
    Text,
    /// A LaTeX article
    Latex,
    /// A self-contained HTML page
    Html,
}

/// File extensions of formats that `dqdt inspect` does not support. Any other extension gets the
/// text format.
const OTHER_FORMATS: [&str; 12] =
    ["pdf", "json", "svg", "png", "jpg", "jpeg", "docx", "odt", "ps", "eps", "xml", "ipynb"];

impl ReportFormat {
    /// Report format that the extension of the output file implies; text by default.
    fn from_extension(output: Option<&Path>) -> ReportFormat {
        let ending = output.and_then(Path::extension).unwrap_or_default().to_ascii_lowercase();
        match ending.to_str() {
            Some("html" | "htm") => ReportFormat::Html,
            Some("tex") => ReportFormat::Latex,
            _ => ReportFormat::Text,
        }
    }
}

impl Inspect {
    /// Checks that the extension of the output file is not that of an unsupported format.
    fn check_output_extension(&self) -> Result<(), Failure> {
        let ending =
            self.output.as_deref().and_then(Path::extension).unwrap_or_default().to_ascii_lowercase();
        let ending = ending.to_string_lossy();
        if self.format.is_none() && OTHER_FORMATS.contains(&&*ending) {
            let message = format!(
                "{} output is not supported: use FILE.tex for LaTeX, or FILE.html for a page that a browser \
                 can print; with `--format`, any file name is allowed",
                ending.to_uppercase()
            );
            return Err(Failure::Option { option: "--output", message });
        }
        Ok(())
    }

    /// The report of the mechanism and its equations, and the file of cited publications.
    fn build_mechanism_report(&self, format: ReportFormat) -> Result<Report, Failure> {
        let loaded = load_source(&self.source)?;
        super::start::print_start_note(&loaded);
        let sketch =
            (format != ReportFormat::Text).then(|| figure::sketch(&scene::start_scene(&loaded.mechanism)));
        let (_, undefined) = inertia::split_defined_functions(&loaded, &functions::defaults());
        if !undefined.is_empty() {
            dqdt_diagnostics::tell!(
                "note: a motion of the mechanism has no inertia, so accelerations are not shown"
            );
        }
        let view = View {
            parts: self.sections.iter().copied().map(Part::from).collect(),
            forms: self.form.iter().copied().map(Form::from).collect(),
        };
        if let Some(file) = &self.bib {
            let formalism =
                inspect::shown_formalism(&loaded, self.formalism, &view).map_err(Failure::Spec)?;
            let sources = inspect::cited_publications(&loaded.mechanism, formalism);
            output::write_or_print(Some(file), &inspect::bibtex_text(&sources))?;
        }
        inspect::standard_report(&loaded, self.formalism, sketch, &view).map_err(Failure::Spec)
    }

    /// The report that the options select.
    fn build_report(&self, format: ReportFormat) -> Result<Report, Failure> {
        match &self.family {
            Some(size) => {
                let (first, members) = family::load_family_members(&self.source, size)?;
                let answers = find_formulas(&members);
                let proof = super::prove::family_verdict(&answers, &members);
                let name = first.mechanism.name.replace('_', " ");
                Ok(inspect::family_report(&name, size, &answers, &proof))
            }
            None if self.base_parameters => {
                let loaded = load_source(&self.source)?;
                size::check_base_parameters(&loaded.mechanism).map_err(Failure::Spec)?;
                Ok(inspect::base_parameters_report(&loaded))
            }
            None => self.build_mechanism_report(format),
        }
    }

    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let format = self.format.unwrap_or_else(|| ReportFormat::from_extension(self.output.as_deref()));
        self.check_output_extension()?;
        let files = [("--output", self.output.as_deref()), ("--bib", self.bib.as_deref())];
        output::check_distinct_files(&self.source, &[], &files)?;
        let is_complete = self.sections.is_empty() && self.family.is_none() && !self.base_parameters;
        if let Some(output) = self.output.as_deref().filter(|_| self.watch) {
            if format != ReportFormat::Html {
                let message = "only a page can be watched: write `-o FILE.html`".to_owned();
                return Err(Failure::Option { option: "--watch", message });
            }
            return inspect_watch::watch(&self.source, output, || self.build_report(format));
        }
        let document = self.build_report(format)?;
        let text = match format {
            ReportFormat::Text => {
                let output = self.output.as_deref();
                report::print_terminal(
                    &document,
                    line_width(self.width, output),
                    self.color.choose_text_colours(output),
                )
            }
            ReportFormat::Latex => report::print_latex(&document),
            ReportFormat::Html => report::print_html(&document),
        };
        output::write_or_print(self.output.as_deref(), &text)?;
        // The beginning of a long report has scrolled out of the terminal.
        if is_complete && self.output.is_none() && std::io::stdout().is_terminal() {
            dqdt_diagnostics::tell!(
                "note: the complete report has {} lines; use `--sections equations` to print only the \
                 equations",
                text.lines().count()
            );
        }
        Ok(ExitCode::SUCCESS)
    }
}
