//! JSON values with their places in the text.

use std::fmt;

use dqdt_diagnostics::base::{SourceId, Span, Spanned};
use dqdt_diagnostics::error::Diagnostic;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Maximum nesting depth that is read; deeper values are [`JsonData::Deep`].
const DEEPEST: usize = 4;

/// Numbers that are not finite, as Python's module `json` writes them, although JSON has none.
const NON_FINITE: [&str; 2] = ["NaN", "Infinity"];

/// A JSON value with its place in the text.
pub(super) struct JsonNode {
    pub data: JsonData,
    pub span: Span,
}

/// Content of a JSON value.
pub(super) enum JsonData {
    Null,
    Flag,
    /// A number; infinite if a double cannot hold it.
    Number(f64),
    Text(String),
    List(Vec<JsonNode>),
    /// Keys and values, in file order; keys may repeat.
    Object(Vec<(Spanned<String>, JsonNode)>),
    /// A list or an object that is nested too deeply to be of use.
    Deep,
}

/// Name of the type in messages: `a number`, `a list`.
impl fmt::Display for JsonData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            JsonData::Null => "null",
            JsonData::Flag => "true or false",
            JsonData::Number(_) => "a number",
            JsonData::Text(_) => "a text",
            JsonData::List(_) => "a list",
            JsonData::Object(_) => "an object",
            JsonData::Deep => "a nested list or object",
        })
    }
}

/// Parses a JSON text. Numbers that are not finite are added to `problems` and read as zeros.
///
/// # Errors
/// If the text is not JSON.
pub(super) fn read_json(
    text: &str,
    source: SourceId,
    problems: &mut Vec<Diagnostic>,
) -> Result<JsonNode, Box<Diagnostic>> {
    let (finite, places) = replace_non_finite(text, source);
    for place in places {
        let word = text.get(place.start..place.end).unwrap_or_default();
        let d = Diagnostic::error("not-finite", format!("`{word}` is not a finite number"));
        problems.push(d.at(Some(place), "here").help("write a finite number, without quotes"));
    }
    let tree = TextTree { text: &finite, source };
    let root = serde_json::from_str::<&RawValue>(&finite).and_then(|raw| tree.read_node(raw, DEEPEST));
    root.map_err(|e| {
        let start = byte_offset(text, e.line(), e.column());
        let end = text.get(start..).and_then(|t| t.chars().next()).map_or(start, |c| start + c.len_utf8());
        // The message ends with the place, which the diagnostic shows itself.
        let message = e.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        let d = Diagnostic::error("json-syntax", format!("invalid JSON: {message}"));
        Box::new(d.at(Some(Span::new(source, start, end)), "here").help(
            "write keys and names in double quotes, commas between entries and none after the last one",
        ))
    })
}

/// Replaces numbers that are not finite by zeros of the same length; also returns their places.
fn replace_non_finite(text: &str, source: SourceId) -> (String, Vec<Span>) {
    let mut out = String::with_capacity(text.len());
    let mut places = Vec::new();
    let (mut is_in_string, mut is_escaped) = (false, false);
    while let Some(rest) = text.get(out.len()..).filter(|rest| !rest.is_empty()) {
        let word = NON_FINITE.into_iter().find(|word| !is_in_string && rest.starts_with(word));
        if let Some(word) = word {
            places.push(Span::new(source, out.len(), out.len() + word.len()));
            out.push('0');
            out.extend(std::iter::repeat_n(' ', word.len() - 1));
            continue;
        }
        let Some(c) = rest.chars().next() else { break };
        (is_in_string, is_escaped) = match c {
            _ if is_escaped => (is_in_string, false),
            '\\' => (is_in_string, is_in_string),
            '"' => (!is_in_string, false),
            _ => (is_in_string, false),
        };
        out.push(c);
    }
    (out, places)
}

/// Byte offset of a place that the JSON parser reports: a line and a byte in it, both from one.
fn byte_offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut at = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The text whose parts are read.
struct TextTree<'t> {
    text: &'t str,
    source: SourceId,
}

impl TextTree<'_> {
    /// Place of a part of the text.
    fn span_of(&self, part: &str) -> Span {
        let start = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        Span::new(self.source, start, start + part.len())
    }

    /// Reads a value with at most `levels` levels of lists and objects.
    fn read_node(&self, raw: &RawValue, levels: usize) -> serde_json::Result<JsonNode> {
        let part = raw.get();
        let data = match part.as_bytes().first() {
            Some(b'[' | b'{') if levels == 0 => JsonData::Deep,
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(part)?;
                let items = items.into_iter().map(|item| self.read_node(item, levels - 1));
                JsonData::List(items.collect::<serde_json::Result<_>>()?)
            }
            Some(b'{') => {
                let entries = serde_json::Deserializer::from_str(part).deserialize_map(EntryVisitor)?;
                let entries = entries.into_iter().map(|(key, value)| {
                    let name: String = serde_json::from_str(key.get())?;
                    let value = self.read_node(value, levels - 1)?;
                    Ok((Spanned::with_span(name, self.span_of(key.get())), value))
                });
                JsonData::Object(entries.collect::<serde_json::Result<_>>()?)
            }
            Some(b'"') => JsonData::Text(serde_json::from_str(part)?),
            Some(b't' | b'f') => JsonData::Flag,
            Some(b'n') => JsonData::Null,
            _ => JsonData::Number(part.parse().unwrap_or(f64::NAN)),
        };
        Ok(JsonNode { data, span: self.span_of(part) })
    }
}

/// Visitor that keeps the entries of an object as texts.
struct EntryVisitor;

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = Vec<(&'de RawValue, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            all.push(entry);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_places() {
        let text = "{\"é\": [1.5,\n -2e3], \"b\\n\": \"x\"}";
        let Ok(JsonNode { data: JsonData::Object(entries), span }) =
            read_json(text, SourceId(0), &mut Vec::new())
        else {
            panic!("no object")
        };
        assert_eq!((span.start, span.end), (0, text.len()));
        let JsonData::List(items) = &entries[0].1.data else { panic!("no list") };
        assert_eq!(&text[items[1].span.start..items[1].span.end], "-2e3");
        assert!(matches!(items[1].data, JsonData::Number(x) if x == -2e3));
        let key = entries[1].0.span.unwrap();
        assert_eq!((&text[key.start..key.end], entries[1].0.value.as_str()), ("\"b\\n\"", "b\n"));
    }

    #[test]
    fn numbers_that_are_not_finite_are_all_found_outside_texts() {
        let text = "{\"NaN\": [NaN, -Infinity, \"a\\\"NaN\"]}";
        let mut problems = Vec::new();
        assert!(read_json(text, SourceId(0), &mut problems).is_ok());
        let places: Vec<_> = problems.iter().map(|d| d.primary.as_ref().unwrap().span.start).collect();
        assert_eq!(places, [9, 15]);
    }

    #[test]
    fn a_syntax_error_has_its_place_and_deep_lists_end() {
        let e = read_json("{\"a\": 1,\n  b: 2}", SourceId(0), &mut Vec::new()).err().unwrap();
        assert_eq!(e.primary.unwrap().span.start, 11, "{}", e.message);
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(read_json(&deep, SourceId(0), &mut Vec::new()).is_ok());
        for empty in ["", "  ", "[", "\u{feff}{}"] {
            assert!(read_json(empty, SourceId(0), &mut Vec::new()).is_err(), "{empty}");
        }
    }
}
