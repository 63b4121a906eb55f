//! From the text of a spec to keys and values, with messages for texts that are no spec.

use std::path::Path;

use super::document;
use super::file_source::{FileSource, MAX_BYTES};
use super::robots::Robot;
use super::robots::format::detect_format;
use crate::spec::key::TableShape;
use crate::spec::keys;
use dqdt_diagnostics::base::{SourceId, Sources, Span};
use dqdt_diagnostics::error::{Diagnostic, Errors};

pub(super) fn file_too_long_error(name: &str) -> Diagnostic {
    Diagnostic::error("file-too-long", format!("`{name}` is larger than {} MiB", MAX_BYTES >> 20)).help(
        "a spec file cannot be this large; build very large mechanisms in Rust with `spec::SpecBuilder`",
    )
}

/// Kind of a TOML text (a spec, a file of formulas), with the messages for a text of another kind.
pub(super) struct TextKind {
    /// The keys at the top level of a text of this kind.
    pub keys: &'static TableShape,
    pub code: &'static str,
    pub is_not: &'static str,
    pub has_not: &'static str,
    pub help: &'static str,
}

/// Kind of the text of a spec, as opposed to a file of formulas.
pub(super) static SPEC: TextKind = TextKind {
    keys: &keys::SPEC,
    code: "not-a-spec",
    is_not: "neither a spec nor a robot file",
    has_not: "none of the keys that a spec can have",
    help: "give the path of a spec (`dqdt new NAME` writes one to start from), a URDF file or an MJCF file",
};

/// Adds a text to the sources of messages and parses its keys and values.
pub(super) fn add_and_parse_source(
    sources: &mut Sources,
    name: &str,
    bytes: Vec<u8>,
    kind: &TextKind,
) -> Result<(document::TomlTable, SourceId), Errors> {
    if bytes.len() > MAX_BYTES {
        return Err(Errors { sources: sources.clone(), diagnostics: vec![file_too_long_error(name)] });
    }
    let text = decode_utf8(name, bytes, kind)?;
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        let d = Diagnostic::error("empty-spec", format!("`{name}` is empty"))
            .help("`dqdt new NAME` writes a commented spec to start from");
        return Err(Errors { sources: sources.clone(), diagnostics: vec![d] });
    }
    let id = sources.add(name, text.as_str());
    match parse_toml_as_kind(&text, id, name, kind) {
        Ok(table) => Ok((table, id)),
        Err(diagnostics) => Err(Errors { sources: sources.clone(), diagnostics }),
    }
}

/// Reads a robot description from this source; see [`read_robot_file`](super::read_robot_file).
pub(super) fn read_robot_file(path: &Path, name: &str, files: &FileSource) -> Result<Robot, Errors> {
    let text = decode_utf8(name, read_file_bytes(path, name, files)?, &SPEC)?;
    Ok(Robot { format: detect_format(path, &text), text })
}

/// The bytes of a spec or robot file, with errors for a missing or too long one.
pub(super) fn read_file_bytes(path: &Path, name: &str, files: &FileSource) -> Result<Vec<u8>, Errors> {
    let bytes = files.read_within_limit(path).map_err(|e: std::io::Error| {
        errors_without_sources(
            Diagnostic::error("unreadable-file", format!("cannot read `{name}`: {e}"))
                .help("check the path, which is relative to the working directory"),
        )
    })?;
    bytes.ok_or_else(|| errors_without_sources(file_too_long_error(name)))
}

fn errors_without_sources(d: Diagnostic) -> Errors {
    Errors { sources: Sources::new(), diagnostics: vec![d] }
}

/// Decodes the bytes of a file as UTF-8, with an error that shows the place of an invalid byte.
fn decode_utf8(name: &str, bytes: Vec<u8>, kind: &TextKind) -> Result<String, Errors> {
    String::from_utf8(bytes)
        .map_err(|e| not_utf8_error(name, e.utf8_error().valid_up_to(), &e.into_bytes(), kind))
}

/// Parses the keys and values of a text. A text of another kind is never quoted in a message, since
/// it may be a secret, such as a file of credentials.
pub(super) fn parse_toml_as_kind(
    text: &str,
    id: SourceId,
    name: &str,
    kind: &TextKind,
) -> Result<document::TomlTable, Vec<Diagnostic>> {
    match document::parse_toml(text, id) {
        Ok(table) if !table.0.iter().any(|(key, _)| kind.keys.key(&key.value).is_some()) => {
            Err(vec![wrong_kind_error(name, text, kind, None)])
        }
        Err(syntax) if !looks_like_kind(kind, text) => {
            Err(vec![wrong_kind_error(name, text, kind, syntax.first())])
        }
        read => read.map_err(|syntax| toml_syntax_errors(text, syntax)),
    }
}

/// True if some line of a text begins like a key or a header of this kind of text, so that it may
/// be quoted in messages.
fn looks_like_kind(kind: &TextKind, text: &str) -> bool {
    let mut in_table = false;
    text.trim_start_matches('\u{feff}').lines().any(|line| {
        let line = line.trim_start();
        let is_header = line.starts_with('[');
        let word = line.trim_start_matches('[').trim_start();
        let end = word.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let word = &word[..end.unwrap_or(word.len())];
        let after = line.trim_start_matches('[').trim_start()[word.len()..].trim_start();
        let follows = if is_header { after.starts_with([']', '.']) } else { after.starts_with(['=', '.']) };
        let known = (is_header || !in_table) && follows && kind.keys.key(word).is_some();
        in_table |= is_header;
        known
    })
}

/// True if a text contains the root element of a robot description.
fn looks_like_robot(text: &str) -> bool {
    ["<robot", "<mujoco"].iter().any(|root| text.contains(root))
}

fn wrong_kind_error(
    name: &str,
    text: &str,
    kind: &TextKind,
    syntax: Option<&document::Syntax>,
) -> Diagnostic {
    let span = syntax.and_then(|s| s.span);
    let place = span.and_then(|s| text.get(..s.start)).map(|before| {
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        format!("line {line}, column {column} is not valid TOML")
    });
    let why = place.unwrap_or_else(|| format!("it has {}", kind.has_not));
    let d = Diagnostic::error(kind.code, format!("`{name}` is {}: {why}", kind.is_not))
        .help(format!("{}; this message does not show the content of the file", kind.help));
    Diagnostic { unquoted: span, ..d }
}

fn not_utf8_error(name: &str, valid: usize, bytes: &[u8], kind: &TextKind) -> Errors {
    let mut sources = Sources::new();
    let text = String::from_utf8_lossy(bytes).into_owned();
    let id = sources.add(name, text);
    // Up to the first invalid byte the lossy text equals the original, so offsets agree.
    let end = valid + char::REPLACEMENT_CHARACTER.len_utf8();
    let text = sources.text(id);
    let is_ours = looks_like_kind(kind, text) || looks_like_robot(text);
    let d = Diagnostic::error("not-utf8", format!("`{name}` is not UTF-8 text"));
    let d = match is_ours {
        true => d.at(Some(Span::new(id, valid, end)), format!("byte {} is not valid UTF-8", valid + 1)),
        false => Diagnostic::error(
            "not-utf8",
            format!("`{name}` is not UTF-8 text: byte {} is invalid", valid + 1),
        ),
    };
    let d = d.help("save the file as UTF-8; if it is in another format, convert it first");
    Errors { sources, diagnostics: vec![d] }
}

/// Messages for the TOML syntax errors in the order of the text, without consequences of an earlier
/// one.
fn toml_syntax_errors(text: &str, mut errors: Vec<document::Syntax>) -> Vec<Diagnostic> {
    errors.sort_by_key(|e| e.span.map_or(0, |s| s.start));
    errors.dedup_by_key(|e| e.span.map(|s| s.start));

    // The keys of a repeated table are all duplicates too; only the table is reported.
    let mut in_repeated = None;
    errors.retain(|e| {
        let Some(span) = e.span.filter(|_| e.message.contains("duplicate key")) else { return true };
        if line_at_offset(text, span.start).trim_start().starts_with('[') {
            let end = text.get(span.end..).and_then(|t| t.find("\n[")).map_or(text.len(), |i| span.end + i);
            in_repeated = Some(end);
            return true;
        }
        in_repeated.is_none_or(|end| span.start > end)
    });
    errors.into_iter().map(|e| toml_syntax_error(text, e)).collect()
}

/// The line of a text that contains a byte offset, to quote it in a message.
fn line_at_offset(text: &str, offset: usize) -> &str {
    let start = text.get(..offset).and_then(|t| t.rfind('\n')).map_or(0, |i| i + 1);
    text.get(start..).and_then(|t| t.lines().next()).unwrap_or("")
}

fn toml_syntax_error(text: &str, error: document::Syntax) -> Diagnostic {
    let duplicate = error.message.contains("duplicate key");
    let Some(span) = error.span else {
        return Diagnostic::error("toml-syntax", format!("invalid TOML: {}", error.message));
    };
    if duplicate {
        let word = text.get(span.start..span.end).unwrap_or("this key");
        return Diagnostic::error("duplicate", format!("`{word}` is defined twice"))
            .at(Some(span), "again here")
            .also(find_earlier_duplicate(text, span), "first here")
            .help("rename or remove one of the two");
    }
    if error.message.contains("must be quoted") {
        let word = text.get(span.start..span.end).unwrap_or("").trim();
        let d = if word.is_empty() {
            Diagnostic::error("toml-syntax", "a key has no value").at(Some(span), "expected a value")
        } else {
            Diagnostic::error("toml-syntax", "text is not in quotes")
                .at(Some(span), "expected quotes around this")
        };
        return d.help("write each line as `key = value`, with text and formulas in quotes: mass = \"2*m\"");
    }
    let d = Diagnostic::error("toml-syntax", format!("invalid TOML: {}", error.message))
        .at(Some(span), "the text is invalid from here on");
    if error.message.contains("recursion") {
        d.help("reduce the nesting: a spec needs only a few levels of tables")
    } else if error.message.contains("string") || error.message.contains("quote") {
        d.help("write text and formulas in quotes: mass = \"2*m\"")
    } else {
        d.help("write each line as `key = value` or `[header]`, with text and formulas in quotes")
    }
}

/// Place of the earlier line that has the same table header or key as the line of `span`, for the
/// message about a duplicate.
fn find_earlier_duplicate(text: &str, span: Span) -> Option<Span> {
    let line_start = text.get(..span.start)?.rfind('\n').map_or(0, |i| i + 1);
    let line = text.get(line_start..)?.lines().next()?.trim();
    let is_header = line.starts_with('[');
    let key = line.split('=').next()?.trim();
    let mut earlier = None;
    let mut start = 0;
    for candidate in text.get(..line_start)?.split_inclusive('\n') {
        let c = candidate.trim();
        if !is_header && c.starts_with('[') {
            // Keys are compared within one table only.
            earlier = None;
        } else if (is_header && c == line) || (!is_header && c.split('=').next()?.trim() == key) {
            let indent = candidate.len() - candidate.trim_start().len();
            let length = if is_header { c.len() } else { key.len() };
            earlier = earlier.or(Some(Span::new(span.source, start + indent, start + indent + length)));
        }
        start += candidate.len();
    }
    earlier
}
