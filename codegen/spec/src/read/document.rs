//! A TOML text as a tree with a source span for every key and value, in file order.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use dqdt_diagnostics::base::{SourceId, Span, Spanned};

/// A TOML value with its place in the source; a node of the tree that the readers of sections
/// interpret.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TomlItem {
    pub data: Data,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Data {
    Text(String),
    /// A number: its decimal digits as written, without underscores.
    Number(String),
    Flag(bool),
    Array(Vec<TomlItem>),
    Table(TomlTable),
    /// A TOML value that specs do not use: a date, `inf`, `nan`.
    Other(&'static str),
}

/// A TOML table: keys and values, each with its place, in file order.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct TomlTable(pub Vec<(Spanned<String>, TomlItem)>);

impl TomlTable {
    /// The entry with this key: the key with its place, and the value.
    pub fn get(&self, key: &str) -> Option<(&Spanned<String>, &TomlItem)> {
        self.0.iter().find(|(k, _)| k.value == key).map(|(k, v)| (k, v))
    }
}

impl Data {
    /// Name of the type of a TOML value in messages: "a number", "a list".
    pub fn type_name(&self) -> &'static str {
        match self {
            Data::Text(_) => "a string",
            Data::Number(_) => "a number",
            Data::Flag(_) => "a boolean",
            Data::Array(_) => "a list",
            Data::Table(_) => "a table",
            Data::Other(kind) => kind,
        }
    }
}

/// A syntax error in the TOML text, as the TOML parser reports it.
pub(super) struct Syntax {
    pub message: String,
    pub span: Option<Span>,
}

/// Parses a TOML text into a tree with places. The TOML parser rejects nesting deeper than 80
/// levels, so recursion here is bounded.
pub(super) fn parse_toml(text: &str, source: SourceId) -> Result<TomlTable, Vec<Syntax>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return Ok(convert_table(table.get_ref(), source));
    }
    Err(errors
        .into_iter()
        .map(|e| Syntax {
            message: e.message().to_owned(),
            span: e.span().map(|r| Span::new(source, r.start, r.end)),
        })
        .collect())
}

/// The place in the source for a byte range of the TOML parser.
fn toml_span(range: Range<usize>, source: SourceId) -> Span {
    Span::new(source, range.start, range.end)
}

fn convert_table(table: &DeTable<'_>, source: SourceId) -> TomlTable {
    TomlTable(
        table
            .iter()
            .map(|(k, v)| {
                let key = Spanned::with_span(k.get_ref().to_string(), toml_span(k.span(), source));
                (
                    key,
                    TomlItem { data: convert_value(v.get_ref(), source), span: toml_span(v.span(), source) },
                )
            })
            .collect(),
    )
}

fn convert_value(value: &DeValue<'_>, source: SourceId) -> Data {
    match value {
        DeValue::String(s) => Data::Text(s.to_string()),
        DeValue::Integer(i) => match i.radix() {
            10 => Data::Number(i.as_str().to_owned()),
            radix => match i128::from_str_radix(i.as_str(), radix) {
                Ok(n) => Data::Number(n.to_string()),
                Err(_) => Data::Other("an out-of-range number"),
            },
        },
        DeValue::Float(f) if f.as_str().ends_with(|c: char| c.is_ascii_alphabetic()) => {
            Data::Other("a number that is not finite")
        }
        DeValue::Float(f) => Data::Number(f.as_str().to_owned()),
        DeValue::Boolean(b) => Data::Flag(*b),
        DeValue::Datetime(_) => Data::Other("a date or time"),
        DeValue::Array(items) => Data::Array(
            items
                .iter()
                .map(|v| TomlItem {
                    data: convert_value(v.get_ref(), source),
                    span: toml_span(v.span(), source),
                })
                .collect(),
        ),
        DeValue::Table(t) => Data::Table(convert_table(t, source)),
    }
}
