//! What a spec does not say as the file did.

use std::fmt;

use crate::base::{SourceId, Sources, Span, shown};
use crate::error::Diagnostic;

/// An element of the file that the equations of motion do not use.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Ignored {
    /// The tags on the way to it: `link/visual`.
    pub path: String,
    pub span: Span,
}

/// Elements of one kind that the equations of motion do not use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IgnoredKind {
    /// The tags on the way: `link/visual`.
    pub path: String,
    /// The file that was included, if it is not the robot's own.
    pub file: Option<String>,
    /// Lines of the file, in its order.
    pub lines: Vec<usize>,
}

/// Where a note points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The file that was included, if it is not the robot's own.
    pub file: Option<String>,
    pub line: usize,
}

/// What was ignored, snapped, renamed, joined.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub ignored: Vec<IgnoredKind>,
    notes: Vec<(&'static str, String, Option<Span>)>,
    /// What makes no spec.
    pub(crate) problems: Vec<Diagnostic>,
    /// `notes` with their lines, once the sources are known.
    pub lines: Vec<(&'static str, String, Option<Line>)>,
}

impl Report {
    pub(crate) fn snapped(&mut self, text: String, span: Option<Span>) {
        self.notes.push(("snapped", text, span));
    }

    pub(crate) fn renamed(&mut self, text: String, span: Option<Span>) {
        self.notes.push(("renamed", text, span));
    }

    pub(crate) fn problem(&mut self, d: Diagnostic) {
        self.problems.push(d);
    }

    pub(crate) fn said(&mut self, text: String, span: Option<Span>) {
        self.notes.push(("note", text, span));
    }

    pub(crate) fn left_out(&mut self, text: String, span: Option<Span>) {
        self.notes.push(("not used", text, span));
    }

    /// Collects what was ignored, and finds the lines of all.
    pub(crate) fn finish(&mut self, ignored: &[Ignored], sources: &Sources) {
        let starts = |span: Span| -> Line {
            let text = sources.text(span.source);
            let line = text.get(..span.start).map_or(1, |before| before.matches('\n').count() + 1);
            let file =
                (sources.file(span.source) != SourceId(0)).then(|| sources.name(span.source).to_owned());
            Line { file, line }
        };
        for ignored in ignored {
            let Line { file, line } = starts(ignored.span);
            match self.ignored.iter_mut().find(|k| k.path == ignored.path && k.file == file) {
                Some(kind) => kind.lines.push(line),
                None => {
                    self.ignored.push(IgnoredKind { path: ignored.path.clone(), file, lines: vec![line] });
                }
            }
        }
        let notes = std::mem::take(&mut self.notes);
        self.lines = notes.into_iter().map(|(kind, text, span)| (kind, text, span.map(starts))).collect();
    }
}

/// So many notes of one kind, and so many lines of one kind of element, are listed.
const LISTED: usize = 6;

// `{:#}` lists all lines.

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for kind in ["note", "renamed", "snapped", "not used"] {
            let notes: Vec<_> = self.lines.iter().filter(|(k, ..)| *k == kind).collect();
            let most = if f.alternate() { notes.len() } else { LISTED };
            for (_, text, line) in notes.iter().take(most) {
                // Names of the file may hold what steers a terminal.
                let text = shown(text).replace('\n', " ");
                match line {
                    Some(Line { file, line }) => {
                        writeln!(f, "{kind}: {text} ({}line {line})", before(file.as_deref()))?;
                    }
                    None => writeln!(f, "{kind}: {text}")?,
                }
            }
            if notes.len() > most {
                writeln!(f, "{kind}: {} more (`--report FILE` lists all)", notes.len() - most)?;
            }
        }
        for kind in &self.ignored {
            let n = kind.lines.len();
            let most = if f.alternate() { n } else { LISTED };
            let listed: Vec<String> = kind.lines.iter().take(most).map(usize::to_string).collect();
            let more = if n > most { ", …" } else { "" };
            let lines = if n == 1 { "line" } else { "lines" };
            let file = before(kind.file.as_deref());
            writeln!(f, "ignored: {n} {} ({file}{lines} {}{more})", shown(&kind.path), listed.join(", "))?;
        }
        Ok(())
    }
}

/// The name of a file that was included, before its lines.
fn before(file: Option<&str>) -> String {
    file.map_or_else(String::new, |name| format!("{}, ", shown(name)))
}
