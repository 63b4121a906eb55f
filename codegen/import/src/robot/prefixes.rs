//! Names with a prefix that no `xmlns` declares, which urdfdom, Pinocchio and MuJoCo accept.
//!
//! Problem: `<sensor:camera>` without `xmlns:sensor` is common, and an XML parser with namespaces
//!          rejects the whole file.
//! Method:  the colon of such a name is replaced by a point, which has the same length, so spans
//!          stay valid. The full name is read from the original text.

use std::borrow::Cow;
use std::collections::BTreeSet;

use roxmltree::{Document, Error, Node};

/// The text of a robot file with undeclared XML prefixes joined to their names by points
/// (`sensor.camera`); byte offsets do not change.
pub(crate) fn join_undeclared_prefixes(text: &str) -> Cow<'_, str> {
    let mut undeclared: BTreeSet<String> = BTreeSet::new();
    let mut joined = Cow::Borrowed(text);
    loop {
        match Document::parse(&joined) {
            Err(Error::UnknownNamespace(prefix, _)) if undeclared.insert(prefix.clone()) => {
                joined = Cow::Owned(join_prefixes(text, &undeclared));
            }
            _ => return joined,
        }
    }
}

/// Name of an XML element with its prefix, as written in the file.
pub(crate) fn element_name<'t>(node: Node<'_, '_>, text: &'t str) -> &'t str {
    xml_name_at(text, node.range().start + 1)
}

/// Name of an XML attribute with its prefix, as written in the file.
pub(crate) fn attribute_name<'t>(attribute: &roxmltree::Attribute<'_, '_>, text: &'t str) -> &'t str {
    xml_name_at(text, attribute.range().start)
}

/// The XML name that begins at a byte of the text.
fn xml_name_at(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or("");
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '/' | '>' | '=')).unwrap_or(rest.len());
    rest.get(..end).unwrap_or("")
}

/// The text with the colon after each of the undeclared prefixes replaced by a point, in names of
/// elements and attributes.
fn join_prefixes(text: &str, prefixes: &BTreeSet<String>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| rest.find('<')).map(|i| at + i) {
        let rest = text.get(open..).unwrap_or("");
        let literal = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")];
        at = match literal.iter().find(|(start, _)| rest.starts_with(start)) {
            Some((start, end)) => {
                let length = rest.get(start.len()..).and_then(|r| r.find(end));
                length.map_or(text.len(), |i| open + start.len() + i + end.len())
            }
            None => join_prefixes_in_tag(text, open + 1, prefixes, &mut bytes),
        };
    }
    // One ASCII byte replaces another, so the text remains UTF-8.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Joins the prefixed names of the XML tag that starts at a byte. Returns the byte after the tag.
fn join_prefixes_in_tag(text: &str, start: usize, prefixes: &BTreeSet<String>, bytes: &mut [u8]) -> usize {
    let mut quote = None;
    let mut name = start;
    for (i, c) in text.get(start..).unwrap_or("").char_indices().map(|(i, c)| (start + i, c)) {
        match (quote, c) {
            (Some(q), _) if c == q => {
                quote = None;
                name = i + 1;
            }
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '>') => return i + 1,
            (None, ':') if text.get(name..i).is_some_and(|prefix| prefixes.contains(prefix)) => {
                bytes[i] = b'.';
            }
            (None, '/' | '=') => name = i + 1,
            (None, c) if c.is_whitespace() => name = i + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{element_name, join_undeclared_prefixes};
    use roxmltree::Document;

    #[test]
    fn undeclared_prefixes_are_joined_without_moving_a_place() {
        let text = "<?a b:c?><r xmlns:d='u'><!-- <a:b> --><a:b c:d=\"a:b\" e='1'><![CDATA[<a:b>]]>a:b</a:b><d:e/></r>";
        let joined = join_undeclared_prefixes(text);
        let expected = "<?a b:c?><r xmlns:d='u'><!-- <a:b> --><a.b c.d=\"a:b\" e='1'><![CDATA[<a:b>]]>a:b</a.b><d:e/></r>";
        assert_eq!(joined, expected);
        let document = Document::parse(&joined).expect("it is XML now");
        let names: Vec<&str> =
            document.descendants().filter(|n| n.is_element()).map(|n| element_name(n, text)).collect();
        assert_eq!(names, ["r", "a:b", "d:e"]);
    }

    #[test]
    fn a_prefix_that_is_declared_elsewhere_is_joined_too_where_it_is_not() {
        let joined = join_undeclared_prefixes("<r><b xmlns:a='u'><a:c/></b><a:d/></r>");
        assert!(Document::parse(&joined).is_ok(), "{joined}");
    }

    #[test]
    fn texts_that_are_no_xml_stay_as_they_are() {
        for text in ["<r", "<r><a:b</r>", "<r a:b=", "<!--", "<a:é:ü x='", "<a:b></c:d>"] {
            assert_eq!(join_undeclared_prefixes(text).len(), text.len(), "{text}");
        }
    }
}
