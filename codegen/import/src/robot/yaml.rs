//! YAML documents as texts, lists and tables with source spans.

use std::fmt;

use saphyr_parser::{Event, Parser};

use dqdt_diagnostics::base::{SourceId, Span};
use dqdt_diagnostics::error::Diagnostic;

/// Maximum nesting depth of a YAML document; more than side files of robots need.
const DEEPEST: usize = 16;

/// A YAML value with its place in the source; used for the side file of a URDF.
#[derive(Clone, Debug)]
pub(crate) struct YamlNode {
    pub data: Data,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Data {
    /// A YAML scalar as text, without quotes.
    Text(String),
    List(Vec<YamlNode>),
    /// A YAML mapping: pairs of keys and values, in file order.
    Table(Vec<(YamlNode, YamlNode)>),
}

/// Name of the YAML type in messages: "a text", "a list", "a table".
impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Data::Text(_) => "a text",
            Data::List(_) => "a list",
            Data::Table(_) => "a table",
        })
    }
}

impl YamlNode {
    pub fn as_text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A YAML list or table whose end the parser has not reached yet.
struct Open {
    items: Vec<YamlNode>,
    is_table: bool,
    start: usize,
}

/// Parses a YAML document into a tree of values; `None` if it is empty.
pub(crate) fn read_yaml(text: &str, source: SourceId) -> Result<Option<YamlNode>, Box<Diagnostic>> {
    // The parser counts characters; spans count bytes.
    let offsets: Vec<usize> = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
    let byte = |character: usize| offsets.get(character).copied().unwrap_or(text.len());
    let mut open: Vec<Open> = Vec::new();
    let mut root: Option<YamlNode> = None;
    let refuse = |start: usize, end: usize, message: &str, help: &str| {
        let place = Span::new(source, start, end);
        Box::new(Diagnostic::error("yaml-syntax", message).at(Some(place), "here").help(help))
    };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|e| {
            let at = byte(e.marker().index());
            let end = text.get(at..).and_then(|t| t.chars().next()).map_or(at, |c| at + c.len_utf8());
            refuse(
                at,
                end,
                &format!("invalid YAML: {}", e.info()),
                "write entries as `key: value` and lists as [a, b]",
            )
        })?;
        let (start, end) = (byte(span.start.index()), byte(span.end.index()));
        let done = match event {
            Event::Scalar(value, ..) => {
                YamlNode { data: Data::Text(value.into_owned()), span: Span::new(source, start, end) }
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if open.len() == DEEPEST {
                    let message = format!("values are nested more than {DEEPEST} levels deep");
                    return Err(refuse(
                        start,
                        end,
                        &message,
                        "reduce the nesting of values: no closure file needs that many levels",
                    ));
                }
                open.push(Open {
                    items: Vec::new(),
                    is_table: matches!(event, Event::MappingStart(..)),
                    start,
                });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(Open { items, is_table, start }) = open.pop() else { continue };
                let data = if is_table { Data::Table(key_value_pairs(items)) } else { Data::List(items) };
                YamlNode { data, span: Span::new(source, start, end.max(start)) }
            }
            Event::Alias(_) => {
                return Err(refuse(
                    start,
                    end,
                    "a reference `*name` is not supported",
                    "write the value itself instead of the reference",
                ));
            }
            Event::DocumentStart(_) if root.is_some() => {
                return Err(refuse(
                    start,
                    end,
                    "the YAML file contains a second document",
                    "keep only one YAML document in the file",
                ));
            }
            _ => continue,
        };
        match open.last_mut() {
            Some(parent) => parent.items.push(done),
            None => root = Some(done),
        }
    }
    Ok(root)
}

/// Pairs of keys and values of a table, from the list in which the parser alternates them.
fn key_value_pairs(items: Vec<YamlNode>) -> Vec<(YamlNode, YamlNode)> {
    let mut pairs = Vec::new();
    let mut items = items.into_iter();
    while let (Some(key), Some(value)) = (items.next(), items.next()) {
        pairs.push((key, value));
    }
    pairs
}
