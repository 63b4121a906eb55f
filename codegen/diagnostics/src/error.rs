//! Diagnostics: all errors, warnings and notes of a run, each with a code, source spans and help.

use std::fmt;

use crate::base::InternalError;
pub use crate::base::{SourceId, Sources, Span};

/// Severity of a message, from an error, which stops the run, to a note.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// The message stops the run before equations are derived.
    Error,
    /// The message reports a problem that does not stop the run.
    Warning,
    /// The message is for information only; shown by commands, not by build scripts.
    Note,
}

/// A place in a source text with the label that a rendered message shows there.
#[derive(Clone, PartialEq, Debug)]
pub struct SpanLabel {
    /// The place in the source that the label points at.
    pub span: Span,
    /// The label shown below the place, such as `not a parameter`.
    pub text: String,
}

/// One message to the user: an error, a warning or a note, with places and remedies.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnostic {
    /// Stable short name of the message, such as `unknown-key`.
    pub code: &'static str,
    /// Severity of the message: error, warning or note.
    pub severity: Severity,
    /// The problem, in one line: the title of the rendered message.
    pub message: String,
    /// The place of the problem; `None` for specs built by a program.
    pub primary: Option<SpanLabel>,
    /// The place of the problem in a text that messages must not quote, such as a file that is no
    /// spec; never rendered.
    #[doc(hidden)]
    pub unquoted: Option<Span>,
    /// Related places, such as an earlier definition of the same name.
    pub secondary: Vec<SpanLabel>,
    /// Remedies, one line each, shown as help under the message.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// Creates an error; `at`, `also` and `help` add to it.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            primary: None,
            unquoted: None,
            secondary: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Creates a warning; `at`, `also` and `help` add to it.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    /// Creates a note; `at`, `also` and `help` add to it.
    pub fn note(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Note, ..Diagnostic::error(code, message) }
    }

    /// Sets the place of the problem and its label; no place is set if `span` is `None`.
    pub fn at(mut self, span: Option<Span>, text: impl Into<String>) -> Self {
        self.primary = span.map(|span| SpanLabel { span, text: text.into() });
        self
    }

    /// Adds a related place, such as an earlier definition of the same name, and its label.
    pub fn also(mut self, span: Option<Span>, text: impl Into<String>) -> Self {
        self.secondary.extend(span.map(|span| SpanLabel { span, text: text.into() }));
        self
    }

    /// Adds a remedy, shown as a `help:` line under the message.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }
}

/// The messages of a failed run, with the source texts that their spans point into. `Display`
/// renders all of them.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    /// The source texts (spec files and copies by repeats) that the spans of the messages point
    /// into.
    pub sources: Sources,
    /// Errors, warnings and notes, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Errors {
    /// Number of errors among the messages; warnings and notes are not counted.
    pub fn count(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// Appends the messages of another run, with their source texts, and adapts their spans. Used
    /// where several specs are read.
    pub fn merge(&mut self, other: Errors) {
        let map = self.sources.append(other.sources);
        let moved = |label: SpanLabel| SpanLabel { span: map(label.span), ..label };
        self.diagnostics.extend(other.diagnostics.into_iter().map(|d| Diagnostic {
            primary: d.primary.map(moved),
            unquoted: d.unquoted.map(&map),
            secondary: d.secondary.into_iter().map(moved).collect(),
            ..d
        }));
    }

    /// File, line and column of a message; `None` if it has no place.
    #[doc(hidden)]
    pub fn place(&self, d: &Diagnostic) -> Option<Place<'_>> {
        let span = d.primary.as_ref().map(|label| label.span).or(d.unquoted)?;
        let (line, column) = render::line_and_column(self.sources.text(span.source), Some(span.start));
        Some(Place { file: self.sources.name(span.source), line, column })
    }

    /// Renders all messages as text for a terminal or a log; `color` adds ANSI colours.
    pub fn render(&self, color: bool) -> String {
        render::render_diagnostics(&self.sources, &self.diagnostics, color)
    }
}

/// Place of a message in a source text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(hidden)]
pub struct Place<'s> {
    /// Name of the file.
    pub file: &'s str,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Errors {}

#[doc(hidden)]
impl From<InternalError> for Errors {
    fn from(error: InternalError) -> Self {
        let d = Diagnostic::error("internal-error", error.to_string()).help(format!(
            "this is a bug in the generator, not an error in the spec: report it with this message and the spec at {}/issues",
            env!("CARGO_PKG_REPOSITORY")
        ));
        Errors { diagnostics: vec![d], ..Errors::default() }
    }
}

mod render;
