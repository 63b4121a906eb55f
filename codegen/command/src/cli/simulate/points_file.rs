//! Points of a sweep from a file: CSV, or JSON lines.
//!
//! Problem: a file with many rows, written by people and by programs; a wrong row must not cost a
//!          night of computing.
//! Method:  all errors are reported at once, each with line and column. The separator of CSV is the
//!          comma, semicolon or tab that the header contains.

use std::path::Path;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use dqdt_diagnostics::base::{SourceId, Sources, Span, read_text_file_at_most};
use dqdt_diagnostics::error::{Diagnostic, Errors};
use dqdt_motion::sweep::{PointColumn, PointSweep, Points};
use dqdt_spec::read::{content_lines, split_fields};

use crate::cli::source::Failure;

/// Maximum length of a file of points in bytes.
const LONGEST: usize = 2 << 30;

/// Maximum number of messages about one file; the number of the others is told.
const MOST_MESSAGES: usize = 100;

/// Reads the points of a sweep.
///
/// # Errors
/// If the file cannot be read, and all faults of its content.
pub(super) fn read_points(path: &Path, sweep: &PointSweep) -> Result<Points, Failure> {
    let text =
        read_text_file_at_most(path, LONGEST).map_err(|e| Failure::from_file_error("read", path, e))?;
    let mut sources = Sources::default();
    let source = sources.add(path.display().to_string(), text.as_str());
    let mut reader =
        PointsReader { sweep, source, columns: Vec::new(), values: Vec::new(), problems: Vec::new() };
    match content_lines(&text).next() {
        None => reader.report_empty(),
        Some((_, first)) if first.trim_start().starts_with('{') => reader.read_json_lines(&text),
        Some(_) => reader.read_csv(&text),
    }
    let PointsReader { columns, values, mut problems, .. } = reader;
    if problems.is_empty() {
        return Ok(Points::new(columns, values));
    }
    let more = problems.len().saturating_sub(MOST_MESSAGES);
    problems.truncate(MOST_MESSAGES);
    if more > 0 {
        problems.push(Diagnostic::error("wrong-count", format!("{more} more errors in this file")));
    }
    Err(Failure::Spec(Errors { diagnostics: problems, sources }))
}

/// Reader of a file, with the points and problems so far.
struct PointsReader<'s> {
    sweep: &'s PointSweep,
    source: SourceId,
    columns: Vec<PointColumn>,
    values: Vec<f64>,
    problems: Vec<Diagnostic>,
}

impl PointsReader<'_> {
    fn report(&mut self, code: &'static str, message: String, span: Span, help: &str) {
        self.problems.push(Diagnostic::error(code, message).at(Some(span), "here").help(help));
    }

    fn report_empty(&mut self) {
        let help = "write the names of parameters, start values or inputs in the first line, and a line of numbers \
                    for each point";
        self.report("wrong-count", "the file has no points".to_owned(), Span::new(self.source, 0, 0), help);
    }

    /// Reads a name; names that are unknown or repeated are reported.
    fn read_name(&mut self, name: &str, span: Span) {
        if self.columns.iter().any(|c| c.name() == name) {
            let message = format!("`{name}` occurs twice");
            return self.report("duplicate", message, span, "keep one of the two");
        }
        match PointColumn::find(self.sweep.mechanism(), self.sweep.program(), name) {
            Ok(column) => self.columns.push(column),
            Err(fault) => self.report("unknown-name", fault.message, span, &fault.help),
        }
    }

    fn read_csv(&mut self, text: &str) {
        let mut lines = content_lines(text);
        let Some((start, first)) = lines.next() else { return self.report_empty() };
        let separator = [';', '\t', ','].into_iter().find(|c| first.contains(*c)).unwrap_or(',');
        let mut count = 0;
        for (at, field) in split_fields(first, separator) {
            let span = Span::new(self.source, start + at, start + at + field.len());
            self.read_name(field.trim_matches('"').trim(), span);
            count += 1;
        }
        let mut is_empty = true;
        for (start, line) in lines {
            is_empty = false;
            let fields: Vec<(usize, &str)> = split_fields(line, separator).collect();
            if fields.len() != count {
                let message = format!("this row has {} fields, but the header has {count}", fields.len());
                let span = Span::new(self.source, start, start + line.len());
                self.report("wrong-count", message, span, "write one number for each name of the header");
                continue;
            }
            for (at, field) in fields {
                match field.parse::<f64>().ok().filter(|x| x.is_finite()) {
                    Some(x) => self.values.push(x),
                    None => {
                        let span = Span::new(self.source, start + at, start + at + field.len());
                        self.report_number(field, span);
                    }
                }
            }
        }
        if is_empty {
            self.report_empty();
        }
    }

    fn report_number(&mut self, text: &str, span: Span) {
        let help = "write numbers as 0.25 or 2.5e-1, in SI units and without units";
        self.report("wrong-type", format!("`{text}` is not a finite number"), span, help);
    }

    fn read_json_lines(&mut self, text: &str) {
        let mut names: Option<Vec<String>> = None;
        for (start, line) in content_lines(text) {
            let entries = match serde_json::from_str::<JsonEntries>(line) {
                Ok(JsonEntries(entries)) => entries,
                Err(e) => {
                    let at = start + line.len().min(e.column().saturating_sub(1));
                    let span = Span::new(self.source, at, at);
                    let help = "write an object of names and numbers in each line: {\"theta\": 0.1}";
                    // The place is that of the message.
                    let reason = e.to_string();
                    let reason = reason.split(" at line ").next().unwrap_or_default();
                    self.report("wrong-type", format!("this line is no JSON object: {reason}"), span, help);
                    continue;
                }
            };
            let place = |name: &str| {
                let quoted = format!("\"{name}\"");
                let (at, length) = line.find(&quoted).map_or((0, line.len()), |at| (at, quoted.len()));
                Span::new(self.source, start + at, start + at + length)
            };
            let spans: Vec<Span> = entries.iter().map(|(name, _)| place(name)).collect();
            if names.is_none() {
                for ((name, _), span) in entries.iter().zip(&spans) {
                    self.read_name(name, *span);
                }
                names = Some(entries.iter().map(|(name, _)| name.clone()).collect());
            }
            let expected = names.as_deref().unwrap_or_default();
            let mut row = vec![None; expected.len()];
            for ((name, value), span) in entries.iter().zip(spans) {
                let Some(i) = expected.iter().position(|n| n == name) else {
                    let message = format!("`{name}` is not in the first line of the file");
                    self.report("wrong-count", message, span, "use the same names in each line");
                    continue;
                };
                match value.as_f64().filter(|x| x.is_finite()) {
                    Some(_) if row[i].is_some() => {
                        let message = format!("`{name}` occurs twice");
                        self.report("duplicate", message, span, "keep one of the two");
                    }
                    Some(x) => row[i] = Some(x),
                    None => {
                        row[i] = Some(f64::NAN);
                        self.report_number(&value.to_string(), span);
                    }
                }
            }
            let missing: Vec<&str> =
                expected.iter().zip(&row).filter(|(_, x)| x.is_none()).map(|(name, _)| &**name).collect();
            if !missing.is_empty() {
                let message = format!("this line has no value of {}", missing.join(", "));
                let span = Span::new(self.source, start, start + line.len());
                self.report("wrong-count", message, span, "use the same names in each line");
            }
            self.values.extend(row.into_iter().flatten());
        }
    }
}

/// Entries of a JSON object in their order, with repeated names.
struct JsonEntries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for JsonEntries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = JsonEntries;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object of names and numbers")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<JsonEntries, A::Error> {
        let mut all = Vec::new();
        while let Some(entry) = entries.next_entry::<String, Value>()? {
            all.push(entry);
        }
        Ok(JsonEntries(all))
    }
}
