//! Differences between a spec and the file of the robot.

use std::fmt;

use super::class::{Class, Loss, names};
use dqdt_diagnostics::base::{SourceId, Sources, Span, shown};
use dqdt_diagnostics::error::Diagnostic;

/// Elements of one kind that the equations of motion do not use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IgnoredKind {
    /// The tags on the way: `link/visual`.
    pub path: String,
    pub class: Class,
    /// The file that was included, if it is not the robot's own.
    pub file: Option<String>,
    /// Lines of the file, in its order.
    pub lines: Vec<usize>,
}

/// A smaller change of a number is rounding.
const ROUNDING: f64 = 1e-9;

/// 1.5708 for a right angle: the file means the exact one.
const CUT_OFF: f64 = 2e-5;

/// Where a note points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The file that was included, if it is not the robot's own.
    pub file: Option<String>,
    pub line: usize,
}

/// Parts that were ignored, angles that were snapped, names that were changed.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What the equations do not use.
    pub ignored: Vec<IgnoredKind>,
    notes: Vec<(&'static str, String, Option<Span>)>,
    /// Numbers that changed by less than [`ROUNDING`]: listed after those that change the geometry.
    rounded: Vec<(&'static str, String, Option<Span>)>,
    /// Places of numbers that snapping changed by more than [`CUT_OFF`].
    snapped: Vec<Option<Span>>,
    losses: Vec<Loss>,
    /// Errors that were found while the spec was written.
    pub(crate) problems: Vec<Diagnostic>,
    /// Idealised parts, and structural ones that the user accepted.
    pub(crate) warnings: Vec<Diagnostic>,
    /// Names by which structural parts were accepted.
    pub accepted: Vec<String>,
    /// `notes` with their lines, once the sources are known.
    pub lines: Vec<(&'static str, String, Option<Line>)>,
}

impl Report {
    /// Notes a number that was made exact, and its change \[rad, m, or an entry of a direction\].
    pub(crate) fn snapped(&mut self, text: String, span: Option<Span>, by: f64) {
        if by > CUT_OFF {
            self.snapped.push(span);
        }
        let notes = if by < ROUNDING { &mut self.rounded } else { &mut self.notes };
        notes.push(("snapped", text, span));
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

    /// Notes a part that the equations do not have; a sentence where the path does not say what it is.
    pub(crate) fn lose(&mut self, class: Class, path: impl Into<String>, text: Option<String>, span: Span) {
        self.losses.push(Loss { path: path.into(), class, text, span });
    }

    /// Groups the losses by their class, finds all lines, and refuses structural parts that are not accepted.
    pub(crate) fn finish(&mut self, name: &str, accept: &[String], sources: &Sources) {
        let starts = |span: Span| -> Line {
            let text = sources.text(span.source);
            let line = text.get(..span.start).map_or(1, |before| before.matches('\n').count() + 1);
            let file =
                (sources.file(span.source) != SourceId(0)).then(|| sources.name(span.source).to_owned());
            Line { file, line }
        };
        let losses = std::mem::take(&mut self.losses);
        self.judge(name, accept, &losses);
        self.warnings.extend(self.snap_note(name));
        for loss in losses {
            if let Some(text) = loss.text {
                let kind = word(loss.class);
                self.notes.push((kind, text, Some(loss.span)));
                continue;
            }
            let Line { file, line } = starts(loss.span);
            let same = |k: &&mut IgnoredKind| k.path == loss.path && k.file == file && k.class == loss.class;
            match self.ignored.iter_mut().find(same) {
                Some(kind) => kind.lines.push(line),
                None => {
                    let lines = vec![line];
                    self.ignored.push(IgnoredKind { path: loss.path, class: loss.class, file, lines });
                }
            }
        }
        let mut notes = std::mem::take(&mut self.notes);
        notes.append(&mut self.rounded);
        self.lines = notes.into_iter().map(|(kind, text, span)| (kind, text, span.map(starts))).collect();
    }

    /// One note for all angles and axes that were snapped by more than digits that were cut off.
    fn snap_note(&self, name: &str) -> Option<Diagnostic> {
        let first = *self.snapped.first()?;
        let angles = match self.snapped.len() {
            1 => "1 angle or axis".to_owned(),
            n => format!("{n} angles and axes"),
        };
        let message = format!("{angles} of `{}` nearly at right angles: snapped to them", shown(name));
        let help = "`dqdt import` lists each, and `--snap 0` keeps the numbers; in a spec over the file, \
                    `snap = 0` keeps them and `accept = [\"robot-snapped\"]` ends this note";
        Some(Diagnostic::note("robot-snapped", message).at(first, "the first one").help(help))
    }

    /// Messages about the losses: errors for structural parts, one warning for all that are idealised.
    fn judge(&mut self, name: &str, accept: &[String], losses: &[Loss]) {
        let mut groups: Vec<(&str, usize)> = Vec::new();
        let mut first = None;
        let mut kinds: Vec<(&Loss, usize)> = Vec::new();
        for loss in losses {
            match loss.class {
                Class::Idealised(group) => {
                    first = first.or(Some(loss.span));
                    match groups.iter_mut().find(|(g, _)| *g == group) {
                        Some((_, count)) => *count += 1,
                        None => groups.push((group, 1)),
                    }
                }
                Class::Structural => {
                    match kinds.iter_mut().find(|(l, _)| l.path == loss.path && l.text == loss.text) {
                        Some((_, count)) => *count += 1,
                        None => kinds.push((loss, 1)),
                    }
                }
                Class::Used | Class::Harmless => {}
            }
        }
        for (loss, count) in kinds {
            let path = shown(&loss.path);
            let subject = match &loss.text {
                Some(text) => shown(text).replace('\n', " "),
                None => {
                    let noun = if loss.path.contains('@') { "attribute" } else { "element" };
                    format!("the {noun} `{path}`")
                }
            };
            let more = if count > 1 { format!(" ({count} times)") } else { String::new() };
            let message = format!("{subject} is not read{more}, and may change the equations");
            match accept.iter().find(|a| names(a, &loss.path)) {
                Some(accepted) => {
                    let d = Diagnostic::warning("robot-accepted", message);
                    let d = d.at(Some(loss.span), format!("left out: `{}` is accepted", shown(accepted)));
                    self.warnings.push(d);
                    if !self.accepted.contains(accepted) {
                        self.accepted.push(accepted.clone());
                    }
                }
                None => {
                    let d = Diagnostic::error("robot-structural", message).at(Some(loss.span), "here");
                    self.problems.push(d.help(format!(
                        "remove it, write what it does into a spec over this file, or leave it out: --accept {path} (in a spec: accept = [\"{path}\"])"
                    )));
                }
            }
        }
        if let Some(span) = first {
            let list: Vec<String> =
                groups.iter().map(|(group, count)| format!("{group} ({count})")).collect();
            let d = Diagnostic::warning(
                "robot-idealised",
                format!("`{}` has more than its equations: {}", shown(name), list.join(", ")),
            );
            let help = "they are left out; `dqdt import` lists each with its line, `accept = [\"robot-idealised\"]` in a spec ends this warning";
            self.warnings.push(d.at(Some(span), "the first one").help(help));
        }
    }
}

/// The word before a line of the report.
fn word(class: Class) -> &'static str {
    match class {
        Class::Used | Class::Harmless => "not used",
        Class::Idealised(_) => "idealised",
        Class::Structural => "accepted",
    }
}

/// Number of notes of a kind, and of lines of a kind of element, that are listed.
const LISTED: usize = 6;

// `{:#}` lists all lines.

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for kind in ["note", "renamed", "snapped", "not used", "idealised", "accepted"] {
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
        let harmless = |kind: &&IgnoredKind| matches!(kind.class, Class::Harmless | Class::Used);
        let all = f.alternate();
        for kind in self.ignored.iter().filter(|k| all || !harmless(k)) {
            let n = kind.lines.len();
            let most = if f.alternate() { n } else { LISTED };
            let listed: Vec<String> = kind.lines.iter().take(most).map(usize::to_string).collect();
            let more = if n > most { ", …" } else { "" };
            let lines = if n == 1 { "line" } else { "lines" };
            let (file, word) = (before(kind.file.as_deref()), word(kind.class));
            writeln!(f, "{word}: {n} {} ({file}{lines} {}{more})", shown(&kind.path), listed.join(", "))?;
        }
        let harmless: Vec<_> = self.ignored.iter().filter(harmless).collect();
        if !harmless.is_empty() && !f.alternate() {
            let all: usize = harmless.iter().map(|k| k.lines.len()).sum();
            let listed = harmless.iter().take(LISTED);
            let listed: Vec<String> =
                listed.map(|k| format!("{} {}", k.lines.len(), shown(&k.path))).collect();
            let more = if harmless.len() > LISTED { ", …" } else { "" };
            writeln!(f, "not used: {all} without a part in the mechanics ({}{more})", listed.join(", "))?;
        }
        Ok(())
    }
}

/// The name of a file that was included, before its lines.
fn before(file: Option<&str>) -> String {
    file.map_or_else(String::new, |name| format!("{}, ", shown(name)))
}
