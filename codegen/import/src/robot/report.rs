//! Differences between a spec and the robot file from which it was imported.

use std::fmt;

use super::relevance::{Loss, Relevance, matches_path};
use dqdt_diagnostics::base::{SourceId, Sources, Span, sanitise};
use dqdt_diagnostics::error::Diagnostic;

/// Elements of one kind in a robot file that the equations of motion do not use, as a line of the
/// report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IgnoredKind {
    /// Path of tags of the elements: `link/visual`.
    pub path: String,
    pub relevance: Relevance,
    /// Name of the included file with the elements, if it is not the main file.
    pub file: Option<String>,
    /// Line numbers of the elements in the file, ascending.
    pub lines: Vec<usize>,
}

impl IgnoredKind {
    /// True if the elements have no effect on the mechanics.
    fn is_harmless(&self) -> bool {
        matches!(self.relevance, Relevance::Harmless | Relevance::Used)
    }
}

/// Changes by snapping to right angles that are smaller than this are regarded as rounding \[rad\].
const ROUNDING: f64 = 1e-9;

/// Changes by snapping that are smaller than this are regarded as truncation, such as 1.5708 for a
/// right angle \[rad\].
const CUT_OFF: f64 = 2e-5;

/// Place that a note of the report refers to: a line of the robot file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportLine {
    /// Name of the included file with the line, if it is not the main file.
    pub file: Option<String>,
    pub line: usize,
}

/// Report of an import: parts not used, angles snapped to right angles, names changed.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Kinds of elements of the robot file that the equations of motion do not use.
    pub ignored: Vec<IgnoredKind>,
    notes: Vec<(&'static str, String, Option<Span>)>,
    /// Snapped numbers that changed by less than [`ROUNDING`]; the report lists them after the
    /// other notes.
    rounded: Vec<(&'static str, String, Option<Span>)>,
    /// Places of snapped numbers that changed by more than [`CUT_OFF`]; a message counts them.
    snapped: Vec<Option<Span>>,
    losses: Vec<Loss>,
    /// Errors found while the spec was written; they make the import fail.
    pub(crate) problems: Vec<Diagnostic>,
    /// Warnings of the import: for idealised parts, and for structural parts that the user
    /// accepted.
    pub(crate) warnings: Vec<Diagnostic>,
    /// Names of the structural parts that the user accepted as lost.
    pub accepted: Vec<String>,
    /// The notes of the report, each with its kind (`renamed`, `snapped`, …), text and line; set
    /// when the report is completed.
    pub lines: Vec<(&'static str, String, Option<ReportLine>)>,
}

impl Report {
    /// Records a number that was snapped to a right angle. `by`: its change \[rad, m, or component
    /// of a direction\].
    pub(crate) fn record_snapping(&mut self, text: String, span: Option<Span>, by: f64) {
        if by > CUT_OFF {
            self.snapped.push(span);
        }
        let notes = if by < ROUNDING { &mut self.rounded } else { &mut self.notes };
        notes.push(("snapped", text, span));
    }

    pub(crate) fn record_renaming(&mut self, text: String, span: Option<Span>) {
        self.notes.push(("renamed", text, span));
    }

    pub(crate) fn add_problem(&mut self, d: Diagnostic) {
        self.problems.push(d);
    }

    pub(crate) fn add_note(&mut self, text: String, span: Option<Span>) {
        self.notes.push(("note", text, span));
    }

    /// Records a part that the spec does not represent. `text` describes it, if the path is not
    /// sufficient.
    pub(crate) fn record_loss(
        &mut self,
        relevance: Relevance,
        path: impl Into<String>,
        text: Option<String>,
        span: Span,
    ) {
        self.losses.push(Loss { path: path.into(), relevance, text, span });
    }

    /// Completes the report: groups the losses by class, determines line numbers, rejects
    /// structural parts that are not accepted.
    pub(crate) fn finish_report(&mut self, name: &str, accept: &[String], sources: &Sources) {
        let line_of = |span: Span| -> ReportLine {
            let text = sources.text(span.source);
            let line = text.get(..span.start).map_or(1, |before| before.matches('\n').count() + 1);
            let file =
                (sources.file(span.source) != SourceId(0)).then(|| sources.name(span.source).to_owned());
            ReportLine { file, line }
        };
        let losses = std::mem::take(&mut self.losses);
        self.report_losses(name, accept, &losses);
        self.warnings.extend(self.snapping_note(name));
        for loss in losses {
            if let Some(text) = loss.text {
                let kind = relevance_label(loss.relevance);
                self.notes.push((kind, text, Some(loss.span)));
                continue;
            }
            let ReportLine { file, line } = line_of(loss.span);
            let mut kinds = self.ignored.iter_mut();
            match kinds.find(|k| k.path == loss.path && k.file == file && k.relevance == loss.relevance) {
                Some(kind) => kind.lines.push(line),
                None => {
                    let lines = vec![line];
                    self.ignored.push(IgnoredKind {
                        path: loss.path,
                        relevance: loss.relevance,
                        file,
                        lines,
                    });
                }
            }
        }
        let mut notes = std::mem::take(&mut self.notes);
        notes.append(&mut self.rounded);
        self.lines = notes.into_iter().map(|(kind, text, span)| (kind, text, span.map(line_of))).collect();
    }

    /// One message for all angles and axes that snapping changed by more than truncation.
    fn snapping_note(&self, name: &str) -> Option<Diagnostic> {
        let first = *self.snapped.first()?;
        let angles = match self.snapped.len() {
            1 => "1 angle or axis".to_owned(),
            n => format!("{n} angles and axes"),
        };
        let message = format!("{angles} of `{}` snapped to the nearest right angles", sanitise(name));
        let help = "list the snapped values with `dqdt import`, or keep the original values with `--snap 0`; in a spec based \
                    on the file, `snap = 0` keeps them and `accept = [\"robot-snapped\"]` suppresses this note";
        Some(Diagnostic::note("robot-snapped", message).at(first, "first snapped angle or axis").help(help))
    }

    /// Adds the error about a structural part, or a warning if its loss is accepted.
    fn report_structural_loss(&mut self, loss: &Loss, count: usize, accept: &[String]) {
        let path = sanitise(&loss.path);
        let subject = match &loss.text {
            Some(text) => sanitise(text).replace('\n', " "),
            None => {
                let noun = if loss.path.contains('@') { "attribute" } else { "element" };
                format!("the {noun} `{path}`")
            }
        };
        let more = if count > 1 { format!(" ({count} times)") } else { String::new() };
        let message = format!("{subject} is not supported{more} and may change the equations");
        match accept.iter().find(|a| matches_path(a, &loss.path)) {
            Some(accepted) => {
                let d = Diagnostic::warning("robot-accepted", message);
                let d = d
                    .at(Some(loss.span), format!("dropped, because `accept` lists `{}`", sanitise(accepted)));
                self.warnings.push(d);
                if !self.accepted.contains(accepted) {
                    self.accepted.push(accepted.clone());
                }
            }
            None => {
                let d = Diagnostic::error("robot-structural", message).at(Some(loss.span), "here");
                self.problems.push(d.help(format!(
                    "remove this part, model its effect in a spec based on this file, or accept its loss with --accept {path} (in a spec: accept = [\"{path}\"])"
                )));
            }
        }
    }

    /// Adds the messages about losses: errors for structural parts, one warning for all idealised
    /// parts.
    fn report_losses(&mut self, name: &str, accept: &[String], losses: &[Loss]) {
        let mut groups: Vec<(&str, usize)> = Vec::new();
        let mut first = None;
        let mut kinds: Vec<(&Loss, usize)> = Vec::new();
        for loss in losses {
            match loss.relevance {
                Relevance::Idealised(group) => {
                    first = first.or(Some(loss.span));
                    match groups.iter_mut().find(|(g, _)| *g == group) {
                        Some((_, count)) => *count += 1,
                        None => groups.push((group, 1)),
                    }
                }
                Relevance::Structural => {
                    match kinds.iter_mut().find(|(l, _)| l.path == loss.path && l.text == loss.text) {
                        Some((_, count)) => *count += 1,
                        None => kinds.push((loss, 1)),
                    }
                }
                Relevance::Used | Relevance::Harmless => {}
            }
        }
        for (loss, count) in kinds {
            self.report_structural_loss(loss, count, accept);
        }
        if let Some(span) = first {
            let list: Vec<String> =
                groups.iter().map(|(group, count)| format!("{group} ({count})")).collect();
            let d = Diagnostic::warning(
                "robot-idealised",
                format!(
                    "`{}` has features that its equations do not include: {}",
                    sanitise(name),
                    list.join(", ")
                ),
            );
            let help = "these features are dropped; `dqdt import` lists them with line numbers, and `accept = [\"robot-idealised\"]` in a spec suppresses this warning";
            self.warnings.push(d.at(Some(span), "first feature that is dropped").help(help));
        }
    }
}

/// Word at the start of a line of the report: not used, idealised or accepted.
fn relevance_label(relevance: Relevance) -> &'static str {
    match relevance {
        Relevance::Used | Relevance::Harmless => "not used",
        Relevance::Idealised(_) => "idealised",
        Relevance::Structural => "accepted",
    }
}

/// Maximum number of notes of a kind, and of line numbers of a kind of element, that the short
/// report lists.
const LISTED: usize = 6;

// The alternate form `{:#}` lists everything.

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for kind in ["note", "renamed", "snapped", "not used", "idealised", "accepted"] {
            let notes: Vec<_> = self.lines.iter().filter(|(k, ..)| *k == kind).collect();
            let most = if f.alternate() { notes.len() } else { LISTED };
            for (_, text, line) in notes.iter().take(most) {
                // Names in the file may contain terminal control characters.
                let text = sanitise(text).replace('\n', " ");
                match line {
                    Some(ReportLine { file, line }) => {
                        writeln!(f, "{kind}: {text} ({}line {line})", file_prefix(file.as_deref()))?;
                    }
                    None => writeln!(f, "{kind}: {text}")?,
                }
            }
            if notes.len() > most {
                writeln!(f, "{kind}: {} more (use `--report FILE` to list all)", notes.len() - most)?;
            }
        }
        let all = f.alternate();
        for kind in self.ignored.iter().filter(|k| all || !k.is_harmless()) {
            let n = kind.lines.len();
            let most = if f.alternate() { n } else { LISTED };
            let listed: Vec<String> = kind.lines.iter().take(most).map(usize::to_string).collect();
            let more = if n > most { ", …" } else { "" };
            let lines = if n == 1 { "line" } else { "lines" };
            let (file, label) = (file_prefix(kind.file.as_deref()), relevance_label(kind.relevance));
            writeln!(f, "{label}: {n} {} ({file}{lines} {}{more})", sanitise(&kind.path), listed.join(", "))?;
        }
        let harmless: Vec<_> = self.ignored.iter().filter(|k| k.is_harmless()).collect();
        if !harmless.is_empty() && !f.alternate() {
            let all: usize = harmless.iter().map(|k| k.lines.len()).sum();
            let listed = harmless.iter().take(LISTED);
            let listed: Vec<String> =
                listed.map(|k| format!("{} {}", k.lines.len(), sanitise(&k.path))).collect();
            let more = if harmless.len() > LISTED { ", …" } else { "" };
            writeln!(
                f,
                "not used: {all} parts without effect on the mechanics ({}{more})",
                listed.join(", ")
            )?;
        }
        Ok(())
    }
}

/// Prefix of line numbers in the report: the name of the included file.
fn file_prefix(file: Option<&str>) -> String {
    file.map_or_else(String::new, |name| format!("{}, ", sanitise(name)))
}
