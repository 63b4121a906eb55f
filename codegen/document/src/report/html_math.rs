//! Splits MathML into parts between which a browser can break lines.
//!
//! No browser breaks a line inside a `<math>` element. So a long formula becomes several elements
//! next to each other, which the browser arranges like words, on a phone as well as on a desktop.

/// Top-level element of a MathML fragment, or the text between two, as a unit for line breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct MathElement<'a> {
    source: &'a str,
    /// Operator that the element shows, if it is an `<mo>`: a possible line break.
    operator: Option<&'a str>,
}

/// Number of visible characters of a MathML fragment, as an estimate of its printed width.
pub fn visible_width(mathml: &str) -> usize {
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

/// Fixes brackets to the size of the text unless the formula has a tall element: browsers stretch
/// every bracket slightly, each by another amount.
pub fn fix_bracket_size(mathml: &str) -> String {
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

/// Piece of a formula in HTML: a word that is never broken, or a group of pieces that stay on one
/// line where they fit.
#[derive(Clone, Debug, PartialEq)]
pub enum LinePart {
    /// MathML of a piece without its `<math>` element.
    Word(String),
    /// Pieces of a product, or of the content of brackets.
    Group(Vec<LinePart>),
}

impl LinePart {
    /// Width of the widest unbreakable word of the piece, in characters.
    pub fn widest_word(&self) -> usize {
        match self {
            LinePart::Word(word) => visible_width(word),
            LinePart::Group(parts) => parts.iter().map(LinePart::widest_word).max().unwrap_or(0),
        }
    }

    /// Inserts a sign (MathML) before the first word of the piece.
    fn insert_leading_sign(&mut self, sign: &str) {
        match self {
            LinePart::Word(word) => word.insert_str(0, sign),
            LinePart::Group(parts) => {
                parts.iter_mut().take(1).for_each(|part| part.insert_leading_sign(sign))
            }
        }
    }

    fn write_html(&self, out: &mut String) {
        match self {
            LinePart::Word(word) => {
                out.push_str("<math>");
                out.push_str(word);
                out.push_str("</math>");
            }
            LinePart::Group(parts) => {
                out.push_str("<span class=\"part\">");
                write_pieces(parts, out);
                out.push_str("</span>");
            }
        }
    }
}

/// Writes pieces of a formula as HTML, separated by blanks where the browser may break the line.
pub fn write_pieces(parts: &[LinePart], out: &mut String) {
    for part in parts {
        part.write_html(out);
        out.push(' ');
    }
}

/// Splits a MathML fragment into pieces that may be on separate lines, with words no wider than
/// `limit` characters where possible. `sign` precedes the first piece.
pub fn split_formula(mathml: &str, limit: usize, sign: &str) -> Vec<LinePart> {
    let Some(items) = top_level_elements(mathml, 0) else {
        return vec![LinePart::Word(format!("{sign}{mathml}"))];
    };
    let mut out = split_at_operators(&items, (0, true), limit);
    if let Some(first) = out.first_mut() {
        first.insert_leading_sign(sign);
    }
    out
}

/// Maximum rank of the recursion that splits a formula: twice the maximum depth of brackets that
/// are split.
const MAX_RANK: usize = 40;

/// Splits the elements before the operators of bracket depth `rank / 2`: of sums if the rank is
/// even, of products if it is odd. `begins` is `true` if the items are the beginning of the
/// formula.
fn split_at_operators(
    items: &[MathElement<'_>],
    (rank, begins): (usize, bool),
    limit: usize,
) -> Vec<LinePart> {
    if items_width(items) <= limit || rank > MAX_RANK {
        return vec![LinePart::Word(if begins { join_elements(items) } else { join_continued(items) })];
    }
    let signs: &[&str] =
        if rank.is_multiple_of(2) { &["+", "-", "−"] } else { &["·", "⋅", "*", "×", "/", "\u{2062}"] };
    let (mut depth, mut start, mut operand) = (0usize, 0, false);
    let mut cuts: Vec<std::ops::Range<usize>> = Vec::new();
    // Factors of a product are joined as long as they fit into one word.
    let product = !rank.is_multiple_of(2);
    let mut cut = |range: std::ops::Range<usize>| match cuts.last_mut() {
        Some(last) if product && items_width(&items[last.start..range.end]) <= limit => last.end = range.end,
        _ => cuts.push(range),
    };
    for (i, item) in items.iter().enumerate() {
        match item.operator {
            Some("(" | "[" | "{") => depth += 1,
            Some(")" | "]" | "}") => depth = depth.saturating_sub(1),
            Some(o) if operand && depth == rank / 2 && i > start && signs.contains(&o) => {
                cut(start..i);
                start = i;
            }
            _ => {}
        }
        operand = item.operator.is_none_or(|o| matches!(o, ")" | "]" | "}"));
    }
    cut(start..items.len());
    let alone = cuts.len() == 1;
    let mut out = Vec::new();
    for cut in cuts {
        let begins = begins && cut.start == 0;
        let mut inner = split_at_operators(&items[cut], (rank + 1, begins), limit);
        match inner.len() {
            1 => out.append(&mut inner),
            _ if alone => out.append(&mut inner),
            _ => out.push(LinePart::Group(inner)),
        }
    }
    out
}

fn items_width(items: &[MathElement<'_>]) -> usize {
    items.iter().map(|i| visible_width(i.source)).sum()
}

fn join_elements(items: &[MathElement]) -> String {
    items.iter().map(|i| i.source).collect()
}

/// MathML of a part that begins with a binary operator, marked as infix although no operand
/// precedes it in its element.
fn join_continued(items: &[MathElement]) -> String {
    match items.split_first() {
        // A continued product has no sign.
        Some((first, rest)) if first.operator == Some("\u{2062}") => join_elements(rest),
        Some((first, rest)) if first.operator.is_some() => {
            let first = first.source.replacen("<mo", r#"<mo form="infix" lspace="0em" rspace="0.25em""#, 1);
            first + &*join_elements(rest)
        }
        _ => join_elements(items),
    }
}

/// Top-level elements of a MathML fragment. Rows without attributes are replaced by their content.
/// `None` if the fragment is not well formed.
fn top_level_elements(mathml: &str, nesting: usize) -> Option<Vec<MathElement<'_>>> {
    let mut out = Vec::new();
    let mut rest = mathml;
    while !rest.is_empty() {
        let source = &rest[..first_element_length(rest)?];
        rest = &rest[source.len()..];
        match source.strip_prefix("<mrow>").and_then(|s| s.strip_suffix("</mrow>")) {
            Some(inner) if nesting < 64 => out.extend(top_level_elements(inner, nesting + 1)?),
            _ => {
                let shown = source.strip_prefix("<mo").and_then(|s| s.strip_suffix("</mo>"));
                let operator = shown.and_then(|s| s.split_once('>')).map(|(_, text)| text.trim());
                out.push(MathElement { source, operator });
            }
        }
    }
    Some(out)
}

/// Length in bytes of the element, or of the text, at the start of a MathML fragment. `None` if it
/// is not well formed.
fn first_element_length(source: &str) -> Option<usize> {
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

    fn words(source: &str, limit: usize) -> Vec<String> {
        fn all(part: &LinePart, out: &mut Vec<String>) {
            match part {
                LinePart::Word(word) => out.push(word.clone()),
                LinePart::Group(parts) => parts.iter().for_each(|part| all(part, out)),
            }
        }
        let mut out = Vec::new();
        split_formula(source, limit, "").iter().for_each(|part| all(part, &mut out));
        out
    }

    #[test]
    fn a_product_and_a_bracket_stay_on_a_line_where_they_fit() {
        let source =
            "<mi>a</mi><mo>+</mo><mi>b</mi><mo>·</mo><mo>(</mo><mi>c</mi><mo>+</mo><mi>d</mi><mo>)</mo>";
        let all = split_formula(source, 3, "<mo>=</mo>");
        let [LinePart::Word(first), LinePart::Group(product)] = &all[..] else { panic!("{all:?}") };
        assert_eq!(first, "<mo>=</mo><mi>a</mi>");
        assert!(
            matches!(&product[..], [LinePart::Word(_), LinePart::Group(bracket)] if bracket.len() == 2),
            "{product:?}"
        );
        let mut html = String::new();
        write_pieces(&all, &mut html);
        assert_eq!(html.matches("<span class=\"part\">").count(), 2);
        assert_eq!(html.matches("<math>").count(), 4);
    }

    #[test]
    fn a_long_sum_becomes_one_part_a_term() {
        let source = "<mrow><mi>a</mi><mo>+</mo><mrow><mi>b</mi><mo>·</mo><mi>c</mi></mrow><mo>−</mo><mi>d</mi></mrow>";
        assert_eq!(
            words(source, 4),
            [
                "<mi>a</mi>",
                r#"<mo form="infix" lspace="0em" rspace="0.25em">+</mo><mi>b</mi><mo>·</mo><mi>c</mi>"#,
                r#"<mo form="infix" lspace="0em" rspace="0.25em">−</mo><mi>d</mi>"#
            ]
        );
    }

    #[test]
    fn a_short_formula_stays_whole() {
        assert_eq!(words("<mi>a</mi><mo>+</mo><mi>b</mi>", 10).len(), 1);
    }

    #[test]
    fn brackets_are_opened_only_if_the_line_asks_for_it() {
        let source =
            "<mi>a</mi><mo>(</mo><mi>b</mi><mo>+</mo><mi>c</mi><mo>)</mo><mo>+</mo><mo>−</mo><mi>d</mi>";
        assert_eq!(words(source, 6).len(), 2);
        assert_eq!(words(source, 3).len(), 3);
    }

    #[test]
    fn broken_markup_is_passed_through() {
        for source in ["<mi>a", "</mi>", "<", "a<b", "<mrow></mrow>", ""] {
            let all = words(source, 1).concat();
            assert!(all == source || source == "<mrow></mrow>", "{source}");
        }
    }
}
