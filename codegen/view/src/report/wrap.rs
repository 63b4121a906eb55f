//! Breaks long lines: text between words, formulas at their operators.
//!
//! A formula is a row of pieces. A break before a piece has a rank, and a lower rank is a better
//! place: outer brackets before inner ones, and a sum within brackets before the product of which
//! they are a factor, where a bracket would begin a line.

use std::ops::Range;

/// Piece of a formula within which no line is broken, for text and LaTeX.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct FormulaPiece {
    pub text: String,
    pub width: usize,
    /// Rank of a line break before the piece, lower is better; `None` if no break is allowed.
    pub before: Option<usize>,
}

impl FormulaPiece {
    /// The piece with a worse rank of the line break before it.
    fn with_next_rank(self) -> Self {
        FormulaPiece { before: self.before.map(|rank| rank + 1), ..self }
    }
}

/// Ranges of the pieces on each line of a formula. The first line may be `first` wide, the others
/// `rest`. A piece that is wider than a line gets a line alone.
pub(super) fn choose_lines(pieces: &[FormulaPiece], first: usize, rest: usize) -> Vec<Range<usize>> {
    let (mut out, mut start, mut limit) = (Vec::new(), 0, first);
    while start < pieces.len() {
        let mut width = 0;
        let mut best: Option<(usize, usize)> = None;
        let mut end = pieces.len();
        for (i, piece) in pieces.iter().enumerate().skip(start) {
            if let Some(rank) = piece.before.filter(|_| i > start) {
                // A break that leaves a line almost empty is bad, whatever its rank.
                let rank = if width * 3 < limit { usize::MAX } else { rank };
                if best.is_none_or(|(_, b)| rank <= b) {
                    best = Some((i, rank));
                }
            }
            width += piece.width;
            if width > limit
                && let Some((i, _)) = best
            {
                end = i;
                break;
            }
        }
        out.push(start..end);
        (start, limit) = (end, rest);
    }
    out
}

/// Width of a text in columns of a terminal; wide characters count two.
pub(super) fn terminal_width(text: &str) -> usize {
    text.chars().map(character_width).sum()
}

fn character_width(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xff00..=0xff60 => 2,
        0x1f300..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// Splits text into lines of at most `limit` terminal columns. A longer word is cut.
pub(super) fn wrap_words(text: &str, limit: usize) -> Vec<String> {
    let limit = limit.max(1);
    let (mut out, mut line, mut used) = (Vec::new(), String::new(), 0);
    for word in text.split_whitespace() {
        let w = terminal_width(word);
        if used > 0 && used + 1 + w > limit {
            out.push(std::mem::take(&mut line));
            used = 0;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        for c in word.chars() {
            if used + character_width(c) > limit && used > 0 {
                out.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(c);
            used += character_width(c);
        }
    }
    if used > 0 || out.is_empty() {
        out.push(line);
    }
    out
}

/// Splits a formula in plain text into pieces between which lines can be broken at operators.
pub(super) fn split_formula_text(formula: &str) -> Vec<FormulaPiece> {
    let chars: Vec<char> = formula.chars().collect();
    let (mut out, mut text, mut depth, mut before) = (Vec::new(), String::new(), 0usize, None);
    for (i, &c) in chars.iter().enumerate() {
        let previous = i.checked_sub(1).map(|j| chars[j]);
        let next = chars.get(i + 1).copied();
        let spaced = previous == Some(' ') && next == Some(' ');
        let rank = match c {
            '+' | '-' | '−' if spaced => Some(2 * depth),
            '*' | '·' | '/' if spaced => Some(2 * depth + 3),
            '*' | '·' => Some(2 * depth + 3),
            _ if previous == Some(' ')
                && c != ' '
                && !matches!(c, '*' | '/' | '=')
                && !follows_operator(&chars, i) =>
            {
                Some(2 * depth + 3)
            }
            _ => None,
        };
        if rank.is_some() && !text.trim().is_empty() {
            out.push(FormulaPiece { width: terminal_width(&text), text: std::mem::take(&mut text), before });
            before = rank;
        }
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        text.push(c);
    }
    if !text.is_empty() {
        out.push(FormulaPiece { width: terminal_width(&text), text, before });
    }
    out
}

/// Returns `true` if the space before character `i` follows an operator, which stays with its right
/// operand.
fn follows_operator(chars: &[char], i: usize) -> bool {
    i >= 2 && matches!(chars[i - 2], '+' | '-' | '−' | '*' | '·' | '/' | '=')
}

/// Lines of a formula in plain text, at most `limit` columns wide. The first starts at column
/// `column`, the others at `indent`.
pub(super) fn wrap_formula(text: &str, column: usize, indent: usize, limit: usize) -> Vec<String> {
    pieces_in_lines(&split_formula_text(text), column, indent, limit)
}

/// Lines of the equation `left = right` in plain text, preferably broken at the equals sign.
pub(super) fn wrap_relation(
    left: &str,
    right: &str,
    column: usize,
    indent: usize,
    limit: usize,
) -> Vec<String> {
    pieces_in_lines(
        &join_sides(split_formula_text(left), split_formula_text(right), " = ", 3),
        column,
        indent,
        limit,
    )
}

/// Pieces of both sides of an equation in one row. The right side begins with `sign`, where a break
/// is best.
pub(super) fn join_sides(
    left: Vec<FormulaPiece>,
    right: Vec<FormulaPiece>,
    sign: &str,
    width: usize,
) -> Vec<FormulaPiece> {
    // All ranks of the sides are worse than that of the sign.
    let mut right = right.into_iter().map(FormulaPiece::with_next_rank);
    let first = right.next().map(|p| FormulaPiece {
        text: format!("{sign}{}", p.text),
        width: p.width + width,
        before: Some(0),
    });
    left.into_iter().map(FormulaPiece::with_next_rank).chain(first).chain(right).collect()
}

fn pieces_in_lines(pieces: &[FormulaPiece], column: usize, indent: usize, limit: usize) -> Vec<String> {
    let room = |used: usize| limit.saturating_sub(used).max(20);
    choose_lines(pieces, room(column), room(indent))
        .into_iter()
        .map(|range| pieces[range].iter().map(|p| p.text.as_str()).collect::<String>().trim().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_break_before_operators_outermost_first() {
        let got = wrap_formula("a*b*(ccc + ddd) + e*(fff + ggg*hhh) - sin(x)*y", 0, 0, 24);
        assert_eq!(got, ["a*b*(ccc + ddd)", "+ e*(fff + ggg*hhh)", "- sin(x)*y"]);
    }

    #[test]
    fn a_relation_breaks_at_its_sign_first() {
        assert_eq!(wrap_relation("a + b", "c", 0, 0, 40), ["a + b = c"]);
        assert_eq!(
            wrap_relation("aaaa + bbbb", "cccc*ddd + eeee", 0, 0, 24),
            ["aaaa + bbbb", "= cccc*ddd + eeee"]
        );
    }

    #[test]
    fn an_unbreakable_formula_is_kept_whole() {
        let long = "x".repeat(200);
        assert_eq!(wrap_formula(&long, 0, 4, 40), [long]);
        assert!(wrap_formula("", 0, 0, 10).is_empty());
    }

    #[test]
    fn nothing_of_a_formula_is_lost() {
        let source = "l₁^2*(m₁ + 4*m₂)/4 - 1e-5*x + cos(θ₁ - θ₂)*(a + b)*c d e";
        let all: String = wrap_formula(source, 3, 4, 24).join("").replace(' ', "");
        assert_eq!(all, source.replace(' ', ""));
    }

    #[test]
    fn dots_above_and_wide_characters_are_measured_as_a_terminal_shows_them() {
        assert_eq!(terminal_width("α\u{307}₄"), 2);
        assert_eq!(terminal_width("中"), 2);
        assert_eq!(wrap_words("中中中", 4), ["中中", "中"]);
        assert_eq!(wrap_words("", 4), [""]);
    }
}
