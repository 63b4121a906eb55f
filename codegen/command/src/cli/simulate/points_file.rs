//! Points of a sweep from a file: CSV, or JSON lines.
//!
//! Problem: a file with many rows, written by people and by programs; a wrong row must not cost a
//!          night of computing.
//! Method:  all errors are reported at once, each with line and column. The separator of CSV is the
//!          comma, semicolon or tab that the header contains.

use std::path::Path;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};

use dqdt_diagnostics::base::{SourceId, Sources, Span, read_text_at_most, read_text_file_at_most};
use dqdt_diagnostics::error::{Diagnostic, Errors};
use dqdt_motion::sweep::{PointColumn, PointSweep, Points};
use dqdt_spec::read::{content_lines, split_fields};

use crate::cli::source::Failure;
use crate::cli::state_file::STANDARD_INPUT;

/// Maximum length of a file of points in bytes.
const LONGEST: usize = 2 << 30;

/// Maximum number of messages about one file; the number of the others is told.
const MOST_MESSAGES: usize = 100;

/// Reads the points of a sweep; `-` is standard input.
///
/// # Errors
/// If the file cannot be read, and all faults of its content.
pub(super) fn read_points(path: &Path, sweep: &PointSweep) -> Result<Points, Failure> {
    let (path, read) = match path.as_os_str() == "-" {
        true => (Path::new(STANDARD_INPUT), read_text_at_most(std::io::stdin().lock(), LONGEST)),
        false => (path, read_text_file_at_most(path, LONGEST)),
    };
    let text = read.map_err(|e| Failure::from_file_error("read", path, e))?;
    let mut sources = Sources::default();
    let source = sources.add(path.display().to_string(), text.as_str());
    let mut reader =
        PointsReader { sweep, source, columns: Vec::new(), values: Vec::new(), problems: Vec::new() };
    match content_lines(&text).next() {
        None => reader.report_empty(),
        Some((_, first)) if first.trim_start().starts_with('{') => reader.read_json_lines(&text),
        Some((start, first)) if first.trim_start().starts_with('[') => {
            let place = Span::new(source, start, start + first.len());
            let help = "write one object in each line, without brackets around them and commas between them: \
                        {\"theta\": 0.1}";
            reader.report("wrong-type", "a JSON list is no list of points".to_owned(), place, help);
        }
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
        let source = self.source;
        let mut names: Option<Vec<String>> = None;
        for (start, line) in content_lines(text) {
            let keys = match serde_json::from_str::<JsonKeys>(line) {
                Ok(JsonKeys(keys)) => keys,
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
                Span::new(source, start + at, start + at + length)
            };
            if names.is_none() {
                let mut distinct: Vec<String> = Vec::new();
                for name in &keys {
                    if !distinct.contains(name) {
                        self.read_name(name, place(name));
                        distinct.push(name.clone());
                    }
                }
                names = Some(distinct);
            }
            let expected = names.as_deref().unwrap_or_default();
            let mut row = vec![None; expected.len()];
            for (name, (from, to)) in keys.iter().zip(value_places(line)) {
                let span = place(name);
                let Some(i) = expected.iter().position(|n| n == name) else {
                    let message = format!("`{name}` is not in the first line of the file");
                    self.report("wrong-count", message, span, "use the same names in each line");
                    continue;
                };
                // Numbers of `serde_json` may differ from their text in the last bit.
                let text = line.get(from..to).unwrap_or_default();
                match text.parse::<f64>().ok().filter(|x| x.is_finite()) {
                    Some(_) if row[i].is_some() => {
                        let message = format!("`{name}` occurs twice");
                        self.report("duplicate", message, span, "keep one of the two");
                    }
                    Some(x) => row[i] = Some(x),
                    None => {
                        row[i] = Some(f64::NAN);
                        self.report_number(text, Span::new(self.source, start + from, start + to));
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
        if names.is_some_and(|names| names.is_empty()) {
            self.report_empty();
        }
    }
}

/// Places of the values in the text of a valid JSON object, in their order.
fn value_places(line: &str) -> Vec<(usize, usize)> {
    let (mut places, mut depth, mut start) = (Vec::new(), 0_usize, None);
    let (mut is_text, mut is_escaped) = (false, false);
    for (at, c) in line.char_indices() {
        if is_text {
            is_text = is_escaped || c != '"';
            is_escaped = c == '\\' && !is_escaped;
            continue;
        }
        match c {
            '"' => is_text = true,
            ':' if depth == 1 => start = Some(at + 1),
            ',' | '}' if depth == 1 => places.extend(start.take().map(|start| trim_place(line, start, at))),
            _ => {}
        }
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    places
}

/// A place in a line, without surrounding blanks.
fn trim_place(line: &str, start: usize, end: usize) -> (usize, usize) {
    let text = line.get(start..end).unwrap_or_default();
    (end - text.trim_start().len(), start + text.trim_end().len())
}

/// Keys of a JSON object in their order, also repeated ones.
struct JsonKeys(Vec<String>);

impl<'de> Deserialize<'de> for JsonKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(KeysVisitor)
    }
}

struct KeysVisitor;

impl<'de> Visitor<'de> for KeysVisitor {
    type Value = JsonKeys;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object of names and numbers")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<JsonKeys, A::Error> {
        let mut keys = Vec::new();
        while let Some((key, IgnoredAny)) = entries.next_entry::<String, IgnoredAny>()? {
            keys.push(key);
        }
        Ok(JsonKeys(keys))
    }
}
