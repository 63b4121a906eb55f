//! Tables of time series, read from CSV files.
//!
//! Problem: named columns over a column `t`, in files written by people and by other programs.
//! Method:  the first row names the columns. The separator is the comma, semicolon or tab that the
//!          first row contains. Empty lines and lines that begin with `#` are skipped. Messages
//!          name line and column.

use std::path::Path;

use crate::spec::Law;
use dqdt_diagnostics::base::{SourceId, Sources, Span, read_file_at_most};
use dqdt_diagnostics::error::Diagnostic;

/// Maximum size in bytes of a CSV file with a time series.
const MOST: u64 = 100_000_000;

/// A table of columns over time, read from a CSV file; the source of input laws along a motion.
pub struct Series {
    column_names: Vec<String>,
    /// Values of the table by column, then by row.
    values: Vec<Vec<f64>>,
    time: usize,
    /// Place in the CSV file of the first row, which names the columns.
    pub head: Span,
}

impl Series {
    /// Names of the columns of the table except `t`.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.column_names.iter().map(String::as_str).filter(|n| *n != "t")
    }

    /// Values of the named column; `t` is no such column.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let i = self.column_names.iter().position(|n| n == name && n != "t")?;
        Some(&self.values[i])
    }

    /// Times of the rows \[s\]: values of the column `t`.
    pub fn times(&self) -> &[f64] {
        &self.values[self.time]
    }

    /// Input law through `values`, which are in the unit of the input, at the times of the table.
    /// `held`: each value is constant until the next time, otherwise interpolated linearly.
    pub fn input_law(&self, values: &[f64], place: Span, held: bool) -> Law {
        Law::Table { t: self.values[self.time].clone(), values: values.to_vec(), held, place }
    }
}

type SeriesError = Box<Diagnostic>;

/// Reads a CSV file with columns over time. `option_span`: the place of the option that names it.
///
/// # Errors
/// The first problem found.
pub(super) fn read_csv(sources: &mut Sources, path: &Path, option_span: Span) -> Result<Series, SeriesError> {
    let shown = path.display().to_string();
    let unreadable = |why: String| -> SeriesError {
        let text = format!("cannot read {shown}: {why}");
        let help = "check the path, which is relative to the working directory";
        Box::new(
            Diagnostic::error("unreadable-file", text).at(Some(option_span), "requested here").help(help),
        )
    };
    let size = std::fs::metadata(path).map_err(|e| unreadable(e.to_string()))?.len();
    if size > MOST {
        return Err(unreadable(format!("the file is longer than {MOST} bytes")));
    }
    let bytes = read_file_at_most(path, MOST as usize).map_err(|e| unreadable(e.to_string()))?;
    let bytes = bytes.ok_or_else(|| unreadable(format!("the file is longer than {MOST} bytes")))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable("the file is not UTF-8 text".to_owned()))?;
    let source = sources.add(shown, text.as_str());
    parse_csv(&text, source, option_span)
}

/// Lines of a CSV text that are neither empty nor comments, each with its byte offset.
pub fn content_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        let line = if start == 0 { line.strip_prefix('\u{feff}').unwrap_or(line) } else { line };
        let start =
            if start == 0 { text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len() } else { start };
        let said = !line.trim().is_empty() && !line.trim_start().starts_with('#');
        said.then_some((start, line))
    })
}

/// Places to which errors of a table point: its text, and the option that names the file.
#[derive(Clone, Copy)]
struct TablePlace {
    source: SourceId,
    option_span: Span,
}

impl TablePlace {
    fn error(&self, code: &'static str, message: &str, place: Span, label: &str, help: &str) -> SeriesError {
        let d = Diagnostic::error(code, message).at(Some(place), label);
        Box::new(d.also(Some(self.option_span), "requested here").help(help))
    }

    /// Index of the column of times; every column must have a name of its own.
    fn find_time_column(&self, names: &[String], head: Span) -> Result<usize, SeriesError> {
        let Some(time) = names.iter().position(|n| n == "t") else {
            let help = "write the column names in the first row, with t for the time in seconds: t,force";
            // The file may be anything, even a secret, so the message quotes none of its content.
            let d = Diagnostic::error("unknown-name", "the table has no column `t`");
            return Err(Box::new(d.at(Some(self.option_span), "requested here").help(help)));
        };
        if let Some(twice) = names.iter().enumerate().find(|(i, n)| names[..*i].contains(n)) {
            let message = format!("two columns of the table are named `{}`", twice.1);
            return Err(self.error("duplicate", &message, head, "column names", "rename one of the columns"));
        }
        Ok(time)
    }

    /// Appends a row of the table, which starts at the byte `start`, to the columns. Times must
    /// increase.
    fn append_row(
        &self,
        (start, line): (usize, &str),
        separator: char,
        values: &mut [Vec<f64>],
        time: usize,
    ) -> Result<(), SeriesError> {
        let source = self.source;
        let row: Vec<(usize, &str)> = split_fields(line, separator).collect();
        if row.len() != values.len() {
            let place = Span::new(source, start, start + line.len());
            let message =
                format!("a row has {} fields, but the table has {} columns", row.len(), values.len());
            let help = "write one number for each column";
            return Err(self.error("wrong-count", &message, place, "this row", help));
        }
        for ((at, field), column) in row.iter().zip(values.iter_mut()) {
            let place = Span::new(source, start + at, start + at + field.len());
            let Some(x) = field.parse::<f64>().ok().filter(|x| x.is_finite()) else {
                let message = format!("`{field}` is not a finite number");
                let help = "write numbers as 0.25 or 2.5e-1, without units";
                return Err(self.error("bad-number", &message, place, "here", help));
            };
            column.push(x);
        }
        if let [.., before, now] = values[time][..]
            && before >= now
        {
            let (at, field) = row[time];
            let place = Span::new(source, start + at, start + at + field.len());
            let message = format!("the time {now} is not later than the previous time {before}");
            return Err(self.error(
                "table-order",
                &message,
                place,
                "not later than the time in the previous row",
                "sort the rows by t, and remove rows with equal times",
            ));
        }
        Ok(())
    }
}

/// Parses a CSV text: a row of column names, then rows of numbers.
fn parse_csv(text: &str, source: SourceId, option_span: Span) -> Result<Series, SeriesError> {
    let places = TablePlace { source, option_span };
    let mut lines = content_lines(text);
    let Some((start, first)) = lines.next() else {
        let place = Span::new(source, 0, 0);
        return Err(places.error(
            "empty-file",
            "the table is empty",
            place,
            "no row",
            "write the column names in the first row: t,force",
        ));
    };
    let separator = [';', '\t', ','].into_iter().find(|c| first.contains(*c)).unwrap_or(',');
    let names: Vec<String> =
        split_fields(first, separator).map(|(_, f)| f.trim_matches('"').trim().to_owned()).collect();
    let head = Span::new(source, start, start + first.len());
    let time = places.find_time_column(&names, head)?;
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    for line in lines {
        places.append_row(line, separator, &mut values, time)?;
    }
    if values[time].len() < 2 {
        return Err(places.error(
            "wrong-count",
            "the table has fewer than two rows",
            head,
            "this is the header of the table",
            "write at least two rows; for a constant, use `--input NAME=VALUE`",
        ));
    }
    Ok(Series { column_names: names, values, time, head })
}

/// The fields of a line of a CSV file without surrounding blanks, each with its byte offset in the
/// line.
pub fn split_fields(line: &str, separator: char) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    line.split(separator).map(move |field| {
        let start = at + field.len() - field.trim_start().len();
        at += field.len() + separator.len_utf8();
        (start, field.trim())
    })
}
