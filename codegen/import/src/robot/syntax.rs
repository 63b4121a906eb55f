//! Message about an XML syntax error.

use dqdt_diagnostics::base::{SourceId, Span};
use dqdt_diagnostics::error::Diagnostic;

/// The diagnostic for an XML syntax error, at its place. `code` is that of the format; `name` and
/// `text` are those of the file.
pub(crate) fn syntax_error(
    code: &'static str,
    error: &roxmltree::Error,
    (name, text): (&str, &str),
    source: SourceId,
) -> Diagnostic {
    let at = error.pos();
    let start: usize = text.split_inclusive('\n').take(at.row.saturating_sub(1) as usize).map(str::len).sum();
    let line = text.get(start..).and_then(|t| t.lines().next()).unwrap_or("");
    let column = line.char_indices().nth(at.col.saturating_sub(1) as usize).map_or(line.len(), |(i, _)| i);
    let end = line[column..].chars().next().map_or(0, char::len_utf8);
    let place = Span::new(source, start + column, start + column + end);
    // A file without a root element of a robot may be anything, even a secret, so it is not quoted.
    let place = ["<robot", "<mujoco"].iter().any(|r| text.contains(r)).then_some(place);
    let message = error.to_string();
    // The position at the end of the text is redundant with the span.
    let message = message.rsplit_once(" at ").map_or(message.as_str(), |(text, _)| text).to_owned();
    let message = match place {
        Some(_) => message,
        None => format!("{message} at line {}, column {} of `{name}`", at.row, at.col),
    };
    if matches!(error, roxmltree::Error::DtdDetected) {
        return Diagnostic::error(code, "the file contains a DOCTYPE")
            .at(place, "here")
            .help("replace the entities that the DOCTYPE declares with their text, and remove the DOCTYPE");
    }
    Diagnostic::error(code, format!("invalid XML: {message}"))
        .at(place, "here")
        .help("close each element: <a> with </a>, or write <a/>")
}
