//! TOML text into a [`Spec`].
//!
//! Reading goes on after an error, so that all errors of a file come at once. What cannot be read is left out, or
//! stands as a broken value, and the spec remembers that something is missing.

mod bodies;
mod constant;
mod constraints;
mod events;
mod fields;
#[cfg(feature = "symbolica")]
mod formulas;
mod joints;
mod loads;
mod parameters;
mod values;

use std::path::{Path, PathBuf};

use super::keys;
use super::whole::{Broken, Spec};
use crate::base::{SourceId, Sources, Span, Spanned};
use crate::error::{Diagnostic, Errors};
use fields::{Fields, Reader};
#[cfg(feature = "symbolica")]
pub(super) use formulas::formulas;

use super::{document, repeat, settings::Settings};

/// The longest text that is read, in bytes.
pub const MAX_BYTES: usize = 4 << 20;

/// Reads a spec file.
///
/// # Errors
/// If there is no such file, or it is too long, not UTF-8, empty, or not TOML. Other errors are carried by the spec
/// and reported by `resolve::resolve`.
pub fn read(path: impl AsRef<Path>) -> Result<Spec, Errors> {
    read_with(path, &Settings::default())
}

/// Reads a spec file, with sizes of its repeats.
///
/// # Errors
/// As for [`read`], and if there is no such size.
pub fn read_with(path: impl AsRef<Path>, settings: &Settings) -> Result<Spec, Errors> {
    open(path).read(settings)
}

/// The files that a spec is read from: itself and its template.
pub fn files(path: impl AsRef<Path>) -> Vec<PathBuf> {
    open(path).files()
}

/// A spec file whose text was read and parsed, once, and not understood yet.
#[derive(Debug)]
pub struct Opened {
    path: PathBuf,
    sources: Sources,
    table: Result<document::Table, Errors>,
}

/// Opens a spec file. What is wrong with it is said by [`Opened::read`].
pub fn open(path: impl AsRef<Path>) -> Opened {
    let path = path.as_ref().to_owned();
    let name = path.display().to_string();
    let fail = |d: Diagnostic| Err(Errors { sources: Sources::new(), diagnostics: vec![d] });
    let mut sources = Sources::new();
    let too_long = std::fs::metadata(&path).is_ok_and(|m| m.len() > MAX_BYTES as u64);
    let table = if too_long {
        fail(length_error(&name))
    } else {
        match std::fs::read(&path) {
            Ok(bytes) => prepare(&mut sources, &name, bytes).map(|(table, _)| table),
            Err(e) => fail(
                Diagnostic::error("unreadable-file", format!("cannot read `{name}`: {e}"))
                    .help("check the path; it is relative to the directory that the command runs in"),
            ),
        }
    };
    Opened { path, sources, table }
}

impl Opened {
    /// The path that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text of the file; empty if it could not be read.
    pub fn text(&self) -> &str {
        self.sources.files().next().map_or("", |(_, text)| text)
    }

    /// The file, and the template that it names.
    pub fn files(&self) -> Vec<PathBuf> {
        let template = self.table.as_ref().ok().and_then(|table| repeat::template_of(&self.path, table));
        std::iter::once(self.path.clone()).chain(template).collect()
    }

    /// Reads it, with sizes of its repeats.
    ///
    /// # Errors
    /// As for [`read_with`].
    pub fn read(self, settings: &Settings) -> Result<Spec, Errors> {
        let settings = &Settings { folder: Some(repeat::folder_of(&self.path)), ..settings.clone() };
        whole_spec(self.sources, self.table?, settings)
    }
}

fn length_error(name: &str) -> Diagnostic {
    Diagnostic::error("file-too-long", format!("`{name}` is longer than {} MiB", MAX_BYTES >> 20))
        .help("a spec describes one mechanism; build very large ones in Rust with `spec::SpecBuilder`")
}

/// Reads the text of a spec; `name` is shown in messages.
///
/// # Errors
/// As for [`read`].
pub fn parse(name: &str, text: impl Into<Vec<u8>>) -> Result<Spec, Errors> {
    parse_with(name, text, &Settings::default())
}

/// Reads the text of a spec, with sizes of its repeats.
///
/// # Errors
/// As for [`read_with`].
pub fn parse_with(name: &str, text: impl Into<Vec<u8>>, settings: &Settings) -> Result<Spec, Errors> {
    let mut sources = Sources::new();
    let (table, _) = prepare(&mut sources, name, text.into())?;
    whole_spec(sources, table, settings)
}

/// What the keys and values of a spec say, its repeats written out.
fn whole_spec(mut sources: Sources, table: document::Table, settings: &Settings) -> Result<Spec, Errors> {
    let expanded = repeat::expand(table, &mut sources, settings, toml);
    let mut expanded = match expanded {
        Ok(expanded) => expanded,
        Err(mut diagnostics) => {
            diagnostics.sort_by_key(|d| sources.position(d.primary.as_ref().map(|p| p.span)));
            return Err(Errors { sources, diagnostics });
        }
    };
    let mut reader = Reader::new(&sources);
    let mut spec = whole(&mut reader, &expanded.table);
    spec.problems = reader.problems;
    spec.problems.append(&mut expanded.problems);
    spec.problems.sort_by_key(|d| sources.position(d.primary.as_ref().map(|p| p.span)));
    spec.broken.names.append(&mut reader.broken);
    spec.broken.names.append(&mut expanded.missing);
    spec.sources = sources;
    spec.sizes = expanded.sizes;
    spec.given = settings.sizes.clone();
    Ok(spec)
}

/// Adds a text to the sources and reads its keys and values.
fn prepare(sources: &mut Sources, name: &str, bytes: Vec<u8>) -> Result<(document::Table, SourceId), Errors> {
    let fail = |sources: &Sources, diagnostics| Errors { sources: sources.clone(), diagnostics };
    if bytes.len() > MAX_BYTES {
        return Err(fail(sources, vec![length_error(name)]));
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => return Err(not_utf8(name, e.utf8_error().valid_up_to(), &e.into_bytes())),
    };
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        let d = Diagnostic::error("empty-spec", format!("`{name}` is empty"))
            .help("`dqdt new NAME` writes a commented spec to start from");
        return Err(fail(sources, vec![d]));
    }
    let id = sources.add(name, text.as_str());
    toml(&text, id).map(|table| (table, id)).map_err(|d| fail(sources, d))
}

/// The keys and values of a text.
fn toml(text: &str, id: SourceId) -> Result<document::Table, Vec<Diagnostic>> {
    document::read(text, id).map_err(|syntax| syntax_errors(text, syntax))
}

fn not_utf8(name: &str, valid: usize, bytes: &[u8]) -> Errors {
    let mut sources = Sources::new();
    let text = String::from_utf8_lossy(bytes).into_owned();
    let id = sources.add(name, text);
    // Up to the first bad byte the two texts are equal.
    let end = valid + char::REPLACEMENT_CHARACTER.len_utf8();
    let d = Diagnostic::error("not-utf8", format!("`{name}` is not UTF-8 text"))
        .at(Some(Span::new(id, valid, end)), format!("byte {} is not UTF-8", valid + 1))
        .help("save the file as UTF-8; a mechanism in another format has to be converted first");
    Errors { sources, diagnostics: vec![d] }
}

/// The messages in the order of the text, without those that only repeat another.
fn syntax_errors(text: &str, mut errors: Vec<document::Syntax>) -> Vec<Diagnostic> {
    errors.sort_by_key(|e| e.span.map_or(0, |s| s.start));
    errors.dedup_by_key(|e| e.span.map(|s| s.start));
    let line = |start: usize| {
        let start = text.get(..start).and_then(|t| t.rfind('\n')).map_or(0, |i| i + 1);
        text.get(start..).and_then(|t| t.lines().next()).unwrap_or("")
    };
    // The keys of a table that is there twice are all there twice.
    let mut in_repeated = None;
    errors.retain(|e| {
        let Some(span) = e.span.filter(|_| e.message.contains("duplicate key")) else { return true };
        if line(span.start).trim_start().starts_with('[') {
            let end = text.get(span.end..).and_then(|t| t.find("\n[")).map_or(text.len(), |i| span.end + i);
            in_repeated = Some(end);
            return true;
        }
        in_repeated.is_none_or(|end| span.start > end)
    });
    errors.into_iter().map(|e| syntax_error(text, e)).collect()
}

fn syntax_error(text: &str, error: document::Syntax) -> Diagnostic {
    let duplicate = error.message.contains("duplicate key");
    let Some(span) = error.span else {
        return Diagnostic::error("toml-syntax", format!("not a TOML text: {}", error.message));
    };
    if duplicate {
        let word = text.get(span.start..span.end).unwrap_or("this key");
        return Diagnostic::error("duplicate", format!("`{word}` is given twice"))
            .at(Some(span), "again here")
            .also(first_of(text, span), "first here")
            .help("a name stands for one thing: rename or remove one of them");
    }
    if error.message.contains("must be quoted") {
        let word = text.get(span.start..span.end).unwrap_or("").trim();
        let d = if word.is_empty() {
            Diagnostic::error("toml-syntax", "a key has no value").at(Some(span), "expected a value")
        } else {
            Diagnostic::error("toml-syntax", "text has no quotes")
                .at(Some(span), "expected quotes around this")
        };
        return d.help("each line is `key = value`; text and formulas stand in quotes: mass = \"2*m\"");
    }
    let d = Diagnostic::error("toml-syntax", format!("not a TOML text: {}", error.message))
        .at(Some(span), "TOML cannot be read here");
    if error.message.contains("recursion") {
        d.help("a spec needs no more than a few levels of nesting")
    } else if error.message.contains("string") || error.message.contains("quote") {
        d.help("text and formulas stand in quotes: mass = \"2*m\"")
    } else {
        d.help("each line is `key = value` or a `[header]`; text and formulas stand in quotes")
    }
}

/// The earlier line with the same header or key as the line of `span`.
fn first_of(text: &str, span: Span) -> Option<Span> {
    let line_start = text.get(..span.start)?.rfind('\n').map_or(0, |i| i + 1);
    let line = text.get(line_start..)?.lines().next()?.trim();
    let is_header = line.starts_with('[');
    let key = line.split('=').next()?.trim();
    let mut found = None;
    let mut start = 0;
    for candidate in text.get(..line_start)?.split_inclusive('\n') {
        let c = candidate.trim();
        if !is_header && c.starts_with('[') {
            // Keys are those of one table.
            found = None;
        } else if (is_header && c == line) || (!is_header && c.split('=').next()?.trim() == key) {
            let indent = candidate.len() - candidate.trim_start().len();
            let length = if is_header { c.len() } else { key.len() };
            found = found.or(Some(Span::new(span.source, start + indent, start + indent + length)));
        }
        start += candidate.len();
    }
    found
}

fn whole(reader: &mut Reader<'_>, table: &document::Table) -> Spec {
    let start = Span::new(SourceId(0), 0, 0);
    let top = Fields::new(table, start, "the spec".to_owned(), &keys::SPEC);
    reader.check_keys(&top, &keys::SPEC, None);
    let sections = reader.problems.iter().any(|d| d.code == "unknown-key");
    let parameters = parameters::parameters(reader, &top);
    reader.constants = constant::constants(&parameters);
    let mut spec = Spec {
        sources: Sources::new(),
        name: reader.entry_name(&top).unwrap_or_else(|| Spanned::bare("unnamed".to_owned())),
        description: reader.text(&top, "description"),
        gravity: reader.triple(&top, "gravity"),
        parameters,
        tables: parameters::tables(reader, &top),
        definitions: parameters::definitions(reader, &top),
        ground_points: bodies::ground(reader, &top),
        bodies: bodies::bodies(reader, &top),
        joints: Vec::new(),
        inputs: parameters::inputs(reader, &top),
        states: parameters::states(reader, &top),
        loads: loads::loads(reader, &top),
        constraints: constraints::constraints(reader, &top),
        events: events::events(reader, &top),
        outputs: loads::outputs(reader, &top),
        sizes: Vec::new(),
        given: Vec::new(),
        problems: Vec::new(),
        axis_names: Vec::new(),
        broken: Broken { sections, joints: false, names: Vec::new() },
    };
    let joints = joints::joints(reader, &top);
    spec.broken.joints = joints.len() < top.count("joints");
    spec.joints = joints;
    spec.axis_names = std::mem::take(&mut reader.axis_names);
    spec.broken.sections |= reader.lost_section;
    spec
}
