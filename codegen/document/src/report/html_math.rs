//! MathML that a browser can break.
//!
//! No browser breaks a line inside of a `<math>` element. So a long formula becomes several of them, side by side, and
//! the browser flows them like words: on a phone's width as well as on a desktop's.

/// A top-level element, or the text between two.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Item<'a> {
    source: &'a str,
    /// What it shows, if it is an `<mo>`.
    operator: Option<&'a str>,
}

/// Characters that a fragment shows, as an estimate of its width.
pub fn width(mathml: &str) -> usize {
    let (mut n, mut hidden) = (0, false);
    for c in mathml.chars() {
        match c {
            '<' | '&' => {
                n += usize::from(c == '&');
                hidden = true;
            }
            '>' | ';' if hidden => hidden = false,
            c if !hidden && !c.is_whitespace() => n += 1,
            _ => {}
        }
    }
    n
}

/// Brackets of the text's own size, unless there is something tall in the formula: browsers stretch every bracket by a
/// little, each by another amount.
pub fn calm(mathml: &str) -> String {
    if ["<mfrac", "<mtable", "<mroot", "<msqrt", "<munder"].iter().any(|tall| mathml.contains(tall)) {
        return mathml.to_owned();
    }
    let mut out = mathml.to_owned();
    for (bracket, form) in [('(', "prefix"), ('[', "prefix"), (')', "postfix"), (']', "postfix")] {
        out = out.replace(
            &format!("<mo>{bracket}</mo>"),
            &format!("<mo form=\"{form}\" stretchy=\"false\">{bracket}</mo>"),
        );
    }
    out
}

/// The fragment in parts that may stand on lines of their own, each no wider than `limit` where that is possible.
pub fn parts(mathml: &str, limit: usize) -> Vec<String> {
    let Some(items) = items(mathml, 0) else { return vec![mathml.to_owned()] };
    let mut out = Vec::new();
    split(&items, 0, limit, &mut out);
    out.into_iter().enumerate().map(|(i, part)| if i == 0 { join(&part) } else { continued(&part) }).collect()
}

/// Twice the depth of brackets that are opened.
const DEEPEST: usize = 40;

/// Cuts before the operators of bracket depth `rank / 2`: sums if the rank is even, products if it is odd.
fn split<'a>(items: &[Item<'a>], rank: usize, limit: usize, out: &mut Vec<Vec<Item<'a>>>) {
    let all: usize = items.iter().map(|i| width(i.source)).sum();
    if all <= limit || rank > DEEPEST {
        return out.push(items.to_vec());
    }
    let signs: &[&str] =
        if rank.is_multiple_of(2) { &["+", "-", "−"] } else { &["·", "⋅", "*", "×", "/", "\u{2062}"] };
    let (mut depth, mut start, mut operand) = (0usize, 0, false);
    for (i, item) in items.iter().enumerate() {
        match item.operator {
            Some("(" | "[" | "{") => depth += 1,
            Some(")" | "]" | "}") => depth = depth.saturating_sub(1),
            Some(o) if operand && depth == rank / 2 && i > start && signs.contains(&o) => {
                split(&items[start..i], rank + 1, limit, out);
                start = i;
            }
            _ => {}
        }
        operand = item.operator.is_none_or(|o| matches!(o, ")" | "]" | "}"));
    }
    split(&items[start..], rank + 1, limit, out);
}

fn join(items: &[Item]) -> String {
    items.iter().map(|i| i.source).collect()
}

/// A part that begins with an operator which stands between two operands all the same.
fn continued(items: &[Item]) -> String {
    match items.split_first() {
        // A product goes on without a sign.
        Some((first, rest)) if first.operator == Some("\u{2062}") => join(rest),
        Some((first, rest)) if first.operator.is_some() => {
            let first = first.source.replacen("<mo", r#"<mo form="infix" lspace="0em" rspace="0.25em""#, 1);
            first + &*join(rest)
        }
        _ => join(items),
    }
}

/// The elements of a fragment; rows without attributes are replaced by what they hold. `None` if it is not well formed.
fn items(mathml: &str, nesting: usize) -> Option<Vec<Item<'_>>> {
    let mut out = Vec::new();
    let mut rest = mathml;
    while !rest.is_empty() {
        let source = &rest[..element(rest)?];
        rest = &rest[source.len()..];
        match source.strip_prefix("<mrow>").and_then(|s| s.strip_suffix("</mrow>")) {
            Some(inner) if nesting < 64 => out.extend(items(inner, nesting + 1)?),
            _ => {
                let shown = source.strip_prefix("<mo").and_then(|s| s.strip_suffix("</mo>"));
                let operator = shown.and_then(|s| s.split_once('>')).map(|(_, text)| text.trim());
                out.push(Item { source, operator });
            }
        }
    }
    Some(out)
}

/// Length of the element, or of the text, that a fragment starts with.
fn element(source: &str) -> Option<usize> {
    if !source.starts_with('<') {
        return Some(source.find('<').unwrap_or(source.len()));
    }
    let (mut depth, mut i) = (0usize, 0);
    loop {
        let open = i + source[i..].find('<')?;
        let close = open + source[open..].find('>')?;
        let tag = &source[open..=close];
        if tag.starts_with("</") {
            depth = depth.checked_sub(1)?;
        } else if !tag.ends_with("/>") {
            depth += 1;
        }
        i = close + 1;
        if depth == 0 {
            return Some(i);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_sum_becomes_one_part_a_term() {
        let source = "<mrow><mi>a</mi><mo>+</mo><mrow><mi>b</mi><mo>·</mo><mi>c</mi></mrow><mo>−</mo><mi>d</mi></mrow>";
        assert_eq!(
            parts(source, 4),
            [
                "<mi>a</mi>",
                r#"<mo form="infix" lspace="0em" rspace="0.25em">+</mo><mi>b</mi><mo>·</mo><mi>c</mi>"#,
                r#"<mo form="infix" lspace="0em" rspace="0.25em">−</mo><mi>d</mi>"#
            ]
        );
    }

    #[test]
    fn a_short_formula_stays_whole() {
        assert_eq!(parts("<mi>a</mi><mo>+</mo><mi>b</mi>", 10).len(), 1);
    }

    #[test]
    fn brackets_are_opened_only_if_the_line_asks_for_it() {
        let source =
            "<mi>a</mi><mo>(</mo><mi>b</mi><mo>+</mo><mi>c</mi><mo>)</mo><mo>+</mo><mo>−</mo><mi>d</mi>";
        assert_eq!(parts(source, 6).len(), 2);
        assert_eq!(parts(source, 3).len(), 3);
    }

    #[test]
    fn broken_markup_is_passed_through() {
        for source in ["<mi>a", "</mi>", "<", "a<b", "<mrow></mrow>", ""] {
            let all = parts(source, 1).concat();
            assert!(all == source || source == "<mrow></mrow>", "{source}");
        }
    }
}
