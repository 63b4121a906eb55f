//! Lines of a results file: number of the point, status, message, results.

use std::fmt::{self, Write as _};

/// Outcome of the simulation of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointStatus {
    /// The motion reached its end.
    Ok,
    /// The motion stopped before its end time.
    Stopped,
    /// There is no motion.
    Failed,
}

impl PointStatus {
    /// All statuses.
    pub const ALL: [PointStatus; 3] = [PointStatus::Ok, PointStatus::Stopped, PointStatus::Failed];

    /// Word of the status in a results file.
    pub fn word(self) -> &'static str {
        match self {
            PointStatus::Ok => "ok",
            PointStatus::Stopped => "stopped",
            PointStatus::Failed => "failed",
        }
    }
}

impl fmt::Display for PointStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Names of the columns before the results.
pub(super) const FIRST_COLUMNS: [&str; 3] = ["point", "status", "message"];

/// Results of a point.
#[derive(Clone, PartialEq, Debug)]
pub struct PointResult {
    /// Outcome of the simulation.
    pub status: PointStatus,
    /// Reason if the status is not `ok`, or a note on a moved start, in one line.
    pub message: String,
    /// Values of the columns; NaN where there is no result.
    pub values: Vec<f64>,
}

impl PointResult {
    /// Result of a point without a motion.
    pub(super) fn failed(message: &str, columns: usize) -> Self {
        PointResult {
            status: PointStatus::Failed,
            message: join_lines(message),
            values: vec![f64::NAN; columns],
        }
    }

    /// Line of the point of this number, with the line break.
    pub fn line(&self, number: usize) -> String {
        let mut line = format!("{number},{},", self.status);
        if !self.message.is_empty() {
            line.push('"');
            line.push_str(&self.message.replace('"', "\"\""));
            line.push('"');
        }
        for x in &self.values {
            line.push(',');
            push_csv_number(&mut line, *x);
        }
        line.push('\n');
        line
    }
}

/// A text in one line.
pub(super) fn join_lines(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Appends the shortest text that parses to the same number to a CSV row, with an exponent if it
/// would have many zeros.
pub fn push_csv_number(text: &mut String, x: f64) {
    let outcome = match x.abs() {
        size if size != 0.0 && size.is_finite() && !(1e-5..1e15).contains(&size) => write!(text, "{x:e}"),
        _ => write!(text, "{x}"),
    };
    // Writing to a `String` cannot fail.
    debug_assert!(outcome.is_ok());
}

/// A line of a results file.
#[derive(Clone, PartialEq, Debug)]
pub struct ParsedRow {
    /// Number of the point.
    pub number: usize,
    /// Its results.
    pub result: PointResult,
}

/// Reads a line of a results file, without its line break; `None` if it is not a whole line with
/// this number of results.
pub fn parse_row(line: &str, results: usize) -> Option<ParsedRow> {
    let (number, rest) = line.split_once(',')?;
    let (word, rest) = rest.split_once(',')?;
    let status = PointStatus::ALL.into_iter().find(|s| s.word() == word)?;
    let (message, rest) = match rest.strip_prefix('"') {
        None => (String::new(), rest),
        Some(quoted) => split_quoted(quoted)?,
    };
    // Each result follows a comma.
    let mut fields = rest.split(',');
    if !fields.next()?.is_empty() {
        return None;
    }
    let values: Vec<f64> = fields.map(|field| field.parse().ok()).collect::<Option<_>>()?;
    if values.len() != results {
        return None;
    }
    Some(ParsedRow { number: number.parse().ok()?, result: PointResult { status, message, values } })
}

/// Text up to the closing quotation mark, and the rest after it; doubled marks are single ones.
fn split_quoted(text: &str) -> Option<(String, &str)> {
    let (mut message, mut rest) = (String::new(), text);
    loop {
        let (part, after) = rest.split_once('"')?;
        message.push_str(part);
        match after.strip_prefix('"') {
            Some(next) => {
                message.push('"');
                rest = next;
            }
            None => return Some((message, after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(all: &[f64]) -> Vec<u64> {
        all.iter().map(|x| x.to_bits()).collect()
    }

    #[test]
    fn a_line_reads_as_it_was_written() {
        let values = vec![0.1 + 0.2, -0.0, 1e-300, f64::NAN, f64::NEG_INFINITY, 12_345_678.9];
        for message in ["", "stops at t = 1 s, \"here\"", "\""] {
            let result = PointResult {
                status: PointStatus::Stopped,
                message: message.to_owned(),
                values: values.clone(),
            };
            let line = result.line(17);
            let line = line.strip_suffix('\n').unwrap();
            let row = parse_row(line, values.len()).unwrap();
            assert_eq!(
                (row.number, row.result.status, &*row.result.message),
                (17, PointStatus::Stopped, message)
            );
            assert_eq!(bits(&row.result.values), bits(&values));
            // No part of a line is taken for a line, except where only digits of the last number
            // are missing: that is why a line counts only with its line break.
            let last = line.rfind(',').unwrap();
            assert!((0..=last).all(|end| parse_row(&line[..end], values.len()).is_none()));
        }
    }
}
