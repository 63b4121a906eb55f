//! Messages about a text, with places as an editor counts them.

use dqdt_diagnostics::error::{Diagnostic, Errors, Severity};
use serde::Serialize;

/// A message about the text of a mechanism.
#[derive(Serialize)]
pub struct Message {
    severity: &'static str,
    code: &'static str,
    message: String,
    help: String,
    /// Name of the file of the place; `None` without a place.
    file: Option<String>,
    /// Line of the place, from 1.
    line: Option<usize>,
    /// Column of the place in characters, from 1.
    column: Option<usize>,
    /// Offset of the place in UTF-16 code units; `None` if it is not in the text that was loaded.
    from: Option<usize>,
    /// Offset of its end.
    to: Option<usize>,
    /// Label of the place; empty without one.
    label: String,
}

/// Number of UTF-16 code units before a byte offset.
fn utf16_offset(text: &str, byte: usize) -> usize {
    text.get(..byte).unwrap_or(text).encode_utf16().count()
}

/// All messages, with offsets into the text of the file `name`.
pub fn describe_messages(errors: &Errors, name: &str) -> Vec<Message> {
    errors.diagnostics.iter().map(|d| describe_message(errors, d, name)).collect()
}

fn describe_message(errors: &Errors, d: &Diagnostic, name: &str) -> Message {
    let place = errors.place(d);
    let span = d.primary.as_ref().map(|label| label.span).or(d.unquoted);
    let here = span.filter(|span| errors.sources.name(span.source) == name);
    let offset = |byte: usize| here.map(|span| utf16_offset(errors.sources.text(span.source), byte));
    Message {
        severity: match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        code: d.code,
        message: d.message.clone(),
        help: d.help.join("\n"),
        file: place.map(|p| p.file.to_owned()),
        line: place.map(|p| p.line),
        column: place.map(|p| p.column),
        from: here.and_then(|span| offset(span.start)),
        to: here.and_then(|span| offset(span.end)),
        label: d.primary.as_ref().map(|label| label.text.clone()).unwrap_or_default(),
    }
}
