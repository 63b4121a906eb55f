//! Splits a LaTeX formula where a line may be broken.
//!
//! Widths are estimates in units of about half an em: one for each letter and digit, less for
//! indices, and the wider part for a fraction. Delimiters that grow (`\left`, `\right`) cannot be
//! separated, so a broken formula gets delimiters of fixed size.

use super::wrap::FormulaPiece;
use dqdt_document::report::Name;

/// Splits LaTeX into tokens: a command, a group in braces, an environment, or a single character.
fn split_tokens(latex: &str) -> Vec<&str> {
    let (mut out, mut rest) = (Vec::new(), latex);
    while let Some(c) = rest.chars().next() {
        let end = match c {
            '\\' if rest.starts_with(r"\begin{") => environment_length(rest),
            '\\' => {
                let letters = rest[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
                match letters {
                    0 => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                    n => 1 + n,
                }
            }
            '{' => group_length(rest),
            c => c.len_utf8(),
        };
        let (token, tail) = rest.split_at(end);
        out.push(token);
        rest = tail;
    }
    out
}

/// Length in bytes of the LaTeX group in braces at the start of `text`; the whole length if it is
/// not closed.
fn group_length(text: &str) -> usize {
    let (mut depth, mut escaped) = (0usize, false);
    for (i, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return i + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

fn environment_length(text: &str) -> usize {
    let (mut depth, mut i) = (0usize, 0);
    while let Some(j) = text[i..].find('\\').map(|j| i + j) {
        let rest = &text[j..];
        if rest.starts_with(r"\begin{") {
            depth += 1;
        } else if rest.starts_with(r"\end{") {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return rest.find('}').map_or(text.len(), |k| j + k + 1);
            }
        }
        i = j + 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
    }
    text.len()
}

/// LaTeX commands of functions, such as `\sin`, whose width is that of their name.
const NAMED: [&str; 11] = [
    r"\sin", r"\cos", r"\tan", r"\arcsin", r"\arccos", r"\arctan", r"\sinh", r"\cosh", r"\exp", r"\log",
    r"\max",
];

/// Estimated width of a LaTeX formula in tenths of a unit (about half an em).
fn width_in_tenths(latex: &str, nesting: usize) -> usize {
    if nesting > 40 {
        return 10 * latex.len();
    }
    let tokens = split_tokens(latex);
    let (mut sum, mut i) = (0, 0);
    while let Some(&token) = tokens.get(i) {
        let argument =
            |k: usize| tokens.get(i + k).map_or(0, |t| width_in_tenths(strip_braces(t), nesting + 1));
        let (w, used) = match token {
            r"\frac" | r"\dfrac" | r"\tfrac" => (argument(1).max(argument(2)) + 4, 3),
            r"\sqrt" => (argument(1) + 14, 2),
            // A command for a name is as wide as the name.
            r"\sym" => {
                let name = tokens.get(i + 1).map_or("", |t| strip_braces(t));
                (width_in_tenths(&Name::parse(name).latex(), nesting + 1), 2)
            }
            r"\matr" | r"\text" | r"\mathrm" | r"\mathit" | r"\mathbf" | r"\dot" | r"\ddot" | r"\bar"
            | r"\hat" | r"\vec" | r"\operatorname" => (argument(1), 2),
            "_" | "^" => (argument(1) * 8 / 10, 2),
            r"\left" | r"\right" | r"\bigl" | r"\bigr" | r"\!" | r"\displaystyle" | "&" => (0, 1),
            r"\," | r"\;" | r"\:" | " " => (if token == " " { 0 } else { 4 }, 1),
            "+" | "-" | "=" | r"\cdot" | r"\times" => (26, 1),
            "(" | ")" | "[" | "]" => (9, 1),
            "," | "." | "|" | "/" => (7, 1),
            "m" | "w" | "M" | "W" | r"\omega" => (18, 1),
            r"\phi" | r"\psi" | r"\theta" => (13, 1),
            "J" | "I" | "i" | "j" | "l" | "t" => (9, 1),
            t if NAMED.contains(&t) => (10 * (t.len() - 1), 1),
            t if t.starts_with(r"\begin{") => (4 * t.len(), 1),
            t if t.starts_with('{') => (width_in_tenths(strip_braces(t), nesting + 1), 1),
            t if t.starts_with('\\') => (13, 1),
            _ => (11, 1),
        };
        sum += w;
        i += used;
    }
    sum
}

fn strip_braces(token: &str) -> &str {
    token.strip_prefix('{').and_then(|t| t.strip_suffix('}')).unwrap_or(token)
}

/// Estimated width of a LaTeX formula in units of about half an em; a line of an article has about
/// 88.
pub(super) fn latex_width(latex: &str) -> usize {
    width_in_tenths(latex, 0).div_ceil(10)
}

/// Splits a LaTeX formula into pieces between which a line may be broken, with delimiters of fixed
/// size.
pub(super) fn split_latex(latex: &str) -> Vec<FormulaPiece> {
    let tokens = split_tokens(latex);
    let (mut out, mut text, mut depth, mut before) = (Vec::new(), String::new(), 0usize, None);
    let mut previous = "";
    let mut i = 0;
    while i < tokens.len() {
        let token = tokens[i];
        let operand =
            !matches!(previous, "" | "(" | "[" | "," | "=" | "+" | "-" | r"\cdot" | r"\left" | r"\bigl");
        let rank = match token {
            "+" | "-" if operand => Some(2 * depth),
            r"\cdot" | r"\times" | r"\," if operand => Some(2 * depth + 1),
            _ => None,
        };
        if rank.is_some() && !text.is_empty() {
            out.push(FormulaPiece { width: latex_width(&text), text: std::mem::take(&mut text), before });
            before = rank;
        }
        match token {
            "(" | "[" | r"\{" => depth += 1,
            ")" | "]" | r"\}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        match token {
            r"\left" => text.push_str(r"\bigl"),
            r"\right" => text.push_str(r"\bigr"),
            _ => text.push_str(token),
        }
        if token != " " {
            previous = token;
        }
        i += 1;
        // The arguments of a command or an index stay with it.
        let arguments = match token {
            r"\frac" | r"\dfrac" | r"\tfrac" => 2,
            r"\sym" | r"\matr" | "_" | "^" | r"\left" | r"\right" | r"\bigl" | r"\bigr" => 1,
            _ => 0,
        };
        for _ in 0..arguments {
            if let Some(&argument) = tokens.get(i) {
                match argument {
                    "(" | "[" => depth += 1,
                    ")" | "]" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                text.push_str(argument);
                previous = if matches!(argument, "(" | "[") { "(" } else { "}" };
                i += 1;
            }
        }
    }
    if !text.is_empty() {
        out.push(FormulaPiece { width: latex_width(&text), text, before });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_environments_are_never_cut() {
        let source =
            r"a_{b+c} + \frac{d - e}{f} \left( g - h \right) \begin{pmatrix} 1 + 2 & 3 \end{pmatrix}";
        let got = split_latex(source);
        let text: Vec<&str> = got.iter().map(|p| p.text.as_str()).collect();
        assert_eq!(text.len(), 3, "{text:?}");
        assert_eq!(text[1], r"+ \frac{d - e}{f} \bigl( g ");
        assert_eq!(got[2].before, Some(2));
    }

    #[test]
    fn signs_of_a_factor_are_no_place_for_a_break() {
        assert_eq!(split_latex(r"-a").len(), 1);
        assert_eq!(split_latex(r"b \cdot (-a)").len(), 2);
    }

    #[test]
    fn broken_markup_is_passed_through() {
        for source in ["{a", r"\", r"\begin{x", r"\frac", "a}", r"\left", "_", r"\frac{é"] {
            let all: String = split_latex(source).iter().map(|p| p.text.as_str()).collect();
            assert_eq!(all.replace("big", "").len(), source.replace("left", "l").len());
        }
    }

    #[test]
    fn a_fraction_is_as_wide_as_its_wider_half() {
        assert!(latex_width(r"\frac{a+b+c}{d}") < latex_width("a+b+c") + 2);
        assert_eq!(latex_width(r"\sin"), 3);
    }
}
