//! Parsing of a template text into literal parts, indices `{i-1}` and sums `sum{k}(…)`.

use std::ops::Range;

use super::index::{self, Index};

/// A part of a template text: literal text, an index in braces, or a sum.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum TextPiece {
    Literal(String),
    /// An index expression in braces, and its byte range in the text.
    Index(Index, Range<usize>),
    /// Sum of the pieces over all values of the named index, and its byte range in the text.
    Sum(String, Vec<TextPiece>, Range<usize>),
}

/// A syntax error in a template text: message, and the byte range that it is about.
pub(super) type PieceError = (String, Range<usize>);

/// Maximum nesting depth of sums `sum{k}(…)` in a template text.
const MAX_SUMS: usize = 8;

/// Splits a template text into literal parts, indices `{i-1}` and sums.
pub(super) fn parse_template_text(text: &str) -> Result<Vec<TextPiece>, PieceError> {
    parse_pieces(text, 0, 0)
}

fn parse_pieces(text: &str, offset: usize, depth: usize) -> Result<Vec<TextPiece>, PieceError> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find(['{', '}']).map(|i| at + i) {
        let here = |range: Range<usize>| offset + range.start..offset + range.end;
        let close = text[open..].find('}').map(|i| open + i);
        let (Some(close), true) = (close, text[open..].starts_with('{')) else {
            return Err(("unmatched brace".to_owned(), here(open..open + 1)));
        };
        let inner = &text[open + 1..close];
        let before = &text[at..open];
        let sum = before
            .strip_suffix("sum")
            .filter(|b| !b.ends_with(is_name_character) && text[close + 1..].starts_with('('));
        if let Some(before) = sum {
            if depth == MAX_SUMS {
                return Err(("sums are nested too deeply".to_owned(), here(open..close)));
            }
            let body = close + 2;
            let end = body
                + find_closing_parenthesis(&text[body..]).ok_or_else(|| {
                    ("this sum has no closing parenthesis".to_owned(), here(open..close + 2))
                })?;
            let name = inner.trim();
            if name.is_empty() || !name.chars().all(is_name_character) {
                return Err(("a sum must have the form `sum{k}(m{k})`".to_owned(), here(open..close + 1)));
            }
            push_literal(&mut out, before);
            let terms = parse_pieces(&text[body..end], offset + body, depth + 1)?;
            out.push(TextPiece::Sum(name.to_owned(), terms, here(open - 3..end + 1)));
            at = end + 1;
        } else {
            push_literal(&mut out, before);
            let index = index::parse_index(inner).map_err(|e| (e, here(open..close + 1)))?;
            out.push(TextPiece::Index(index, here(open..close + 1)));
            at = close + 1;
        }
    }
    push_literal(&mut out, &text[at..]);
    Ok(out)
}

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn push_literal(out: &mut Vec<TextPiece>, text: &str) {
    if !text.is_empty() {
        out.push(TextPiece::Literal(text.to_owned()));
    }
}

/// Byte offset of the parenthesis that closes the one opened before the text.
fn find_closing_parenthesis(text: &str) -> Option<usize> {
    let mut open = 0usize;
    text.char_indices().find_map(|(i, c)| match c {
        '(' => {
            open += 1;
            None
        }
        ')' if open == 0 => Some(i),
        ')' => {
            open -= 1;
            None
        }
        _ => None,
    })
}

/// Names in the indices of a template text that are not bound by a sum, each once, in order.
pub(super) fn free_names(pieces: &[TextPiece]) -> Vec<&str> {
    let mut out = Vec::new();
    collect_free_names(pieces, &mut Vec::new(), &mut out);
    out
}

fn collect_free_names<'p>(pieces: &'p [TextPiece], bound: &mut Vec<&'p str>, out: &mut Vec<&'p str>) {
    for piece in pieces {
        match piece {
            TextPiece::Literal(_) => {}
            TextPiece::Index(index, _) => {
                let mut names = Vec::new();
                index.collect_names(&mut names);
                for n in names {
                    if !bound.contains(&n) && !out.contains(&n) {
                        out.push(n);
                    }
                }
            }
            TextPiece::Sum(name, inner, _) => {
                bound.push(name);
                collect_free_names(inner, bound, out);
                bound.pop();
            }
        }
    }
}

/// Skeleton of an indexed name: `rod{}` for `rod{i-1}`. `None` if the template text is no indexed
/// name.
pub(super) fn name_skeleton(pieces: &[TextPiece]) -> Option<String> {
    let mut out = String::new();
    let mut indices = 0;
    for piece in pieces {
        match piece {
            TextPiece::Literal(t) if t.chars().all(is_name_character) => out.push_str(t),
            TextPiece::Index(..) => {
                out.push_str("{}");
                indices += 1;
            }
            _ => return None,
        }
    }
    (indices > 0 && !out.starts_with("{}")).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_taken_apart() {
        let all = parse_template_text("m{i} + sum{k}(m{k}*(l{i} + 1)) - checksum{i}(2)").unwrap();
        assert_eq!(free_names(&all), ["i"]);
        assert_eq!(all.len(), 7);
        assert_eq!(name_skeleton(&parse_template_text("rod{i-1}_{j}").unwrap()).as_deref(), Some("rod{}_{}"));
        for text in ["rod", "a + b{i}", "{i}", "sum{k}(m{k})"] {
            assert_eq!(name_skeleton(&parse_template_text(text).unwrap()), None, "{text}");
        }
    }

    #[test]
    fn broken_texts_name_the_place() {
        for (text, range) in [
            ("m{i", 1..2),
            ("m}", 1..2),
            ("a{1.5}", 1..6),
            ("sum{k}(m{k}", 3..7),
            ("sum{k+1}(1)", 3..8),
            ("é{é}", 2..6),
        ] {
            assert_eq!(parse_template_text(text).unwrap_err().1, range, "{text}");
        }
        let deep = format!("{}{}", "sum{k}(".repeat(10_000), ")".repeat(10_000));
        assert!(parse_template_text(&deep).is_err());
    }
}
