//! What a spec does not say as the file did.

use std::fmt;

use super::robot::Robot;
use crate::base::{Sources, Span, shown};
use crate::error::Diagnostic;

/// Elements of one kind that the equations of motion do not use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IgnoredKind {
    /// The tags on the way: `link/visual`.
    pub path: String,
    /// Lines of the file, in its order.
    pub lines: Vec<usize>,
}

/// What was ignored, snapped, renamed, joined.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub ignored: Vec<IgnoredKind>,
    notes: Vec<(&'static str, String, Option<Span>)>,
    /// What makes no spec.
    pub(super) problems: Vec<Diagnostic>,
    /// `notes` with their lines, once the sources are known.
    pub lines: Vec<(&'static str, String, Option<usize>)>,
}

impl Report {
    pub(super) fn snapped(&mut self, text: String, span: Option<Span>) {
        self.notes.push(("snapped", text, span));
    }

    pub(super) fn renamed(&mut self, text: String, span: Option<Span>) {
        self.notes.push(("renamed", text, span));
    }

    pub(super) fn problem(&mut self, d: Diagnostic) {
        self.problems.push(d);
    }

    pub(super) fn said(&mut self, text: String, span: Option<Span>) {
        self.notes.push(("note", text, span));
    }

    pub(super) fn left_out(&mut self, text: String, span: Option<Span>) {
        self.notes.push(("not used", text, span));
    }

    /// Collects what was ignored, and finds the lines of all.
    pub(super) fn finish(&mut self, robot: &Robot, sources: &Sources) {
        let starts = |span: Span| -> usize {
            let text = sources.text(span.source);
            text.get(..span.start).map_or(1, |before| before.matches('\n').count() + 1)
        };
        for ignored in &robot.ignored {
            let line = starts(ignored.span);
            match self.ignored.iter_mut().find(|k| k.path == ignored.path) {
                Some(kind) => kind.lines.push(line),
                None => self.ignored.push(IgnoredKind { path: ignored.path.clone(), lines: vec![line] }),
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
                    Some(line) => writeln!(f, "{kind}: {text} (line {line})")?,
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
            writeln!(f, "ignored: {n} {} ({lines} {}{more})", shown(&kind.path), listed.join(", "))?;
        }
        Ok(())
    }
}
