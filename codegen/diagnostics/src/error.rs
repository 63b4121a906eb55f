//! All errors of a run at once, each with code, span, second labels and help.

use std::fmt;

use crate::base::InternalError;
pub use crate::base::{SourceId, Sources, Span};

/// Whether a message stops the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// No equations are derived.
    Error,
    /// Derivation goes on.
    Warning,
    /// Nothing is wrong; shown by commands, not by build scripts.
    Note,
}

/// A place in a text and what is to be said of it.
#[derive(Clone, PartialEq, Debug)]
pub struct SpanLabel {
    /// Where.
    pub span: Span,
    /// What.
    pub text: String,
}

/// One message.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnostic {
    /// Stable short name such as `unknown-key`.
    pub code: &'static str,
    /// Error, warning or note.
    pub severity: Severity,
    /// One line: what is wrong.
    pub message: String,
    /// The place itself; `None` for specs that no file holds.
    pub primary: Option<SpanLabel>,
    /// Related places.
    pub secondary: Vec<SpanLabel>,
    /// What to do.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error without a place.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            primary: None,
            secondary: Vec::new(),
            help: Vec::new(),
        }
    }

    /// A warning without a place.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    /// A note without a place.
    pub fn note(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Note, ..Diagnostic::error(code, message) }
    }

    /// Names the place.
    pub fn at(mut self, span: Option<Span>, text: impl Into<String>) -> Self {
        self.primary = span.map(|span| SpanLabel { span, text: text.into() });
        self
    }

    /// Names a related place.
    pub fn also(mut self, span: Option<Span>, text: impl Into<String>) -> Self {
        self.secondary.extend(span.map(|span| SpanLabel { span, text: text.into() }));
        self
    }

    /// Says what to do.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }
}

/// The messages of a run that failed, with the texts that they point into. Displays all of them, rendered.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    /// The texts.
    pub sources: Sources,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Errors {
    /// Number of errors, warnings not counted.
    pub fn count(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// Takes over the messages of another run, with their texts.
    pub fn merge(&mut self, other: Errors) {
        let map = self.sources.append(other.sources);
        let moved = |label: SpanLabel| SpanLabel { span: map(label.span), ..label };
        self.diagnostics.extend(other.diagnostics.into_iter().map(|d| Diagnostic {
            primary: d.primary.map(moved),
            secondary: d.secondary.into_iter().map(moved).collect(),
            ..d
        }));
    }

    /// All messages as text for people; `color` for a terminal that shows colours.
    pub fn render(&self, color: bool) -> String {
        render::render(&self.sources, &self.diagnostics, color)
    }
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
            "this is a fault of the generator, not of the spec: send this message and the spec to {}/issues",
            env!("CARGO_PKG_REPOSITORY")
        ));
        Errors { diagnostics: vec![d], ..Errors::default() }
    }
}

mod render;
