//! Formats C text: comments, strings, line breaks.

/// Maximum width of a line of emitted C in columns.
const WIDTH: usize = 110;

/// Returns `true` for characters that change the direction of writing, with which emitted C could
/// look different from its meaning.
fn is_direction_control(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn without_control_characters(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || is_direction_control(c) { ' ' } else { c }).collect()
}

/// Text for a one-line C comment, without line breaks and without a backslash at its end, which
/// would continue the comment.
pub fn one_line_comment_text(text: &str) -> String {
    // Two question marks may begin a trigraph, and one trigraph is a backslash.
    let text = without_control_characters(text).replace("??", "? ?").replace("??", "? ?");
    text.trim_end_matches(['\\', ' ']).to_owned()
}

/// C string literal. Non-ASCII characters become the escaped bytes of their UTF-8.
pub fn string_literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in without_control_characters(text).trim_end().chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            // An escape, because `??` begins a trigraph.
            '?' => out.push_str("\\?"),
            c if c.is_ascii() => out.push(c),
            c => {
                let mut bytes = [0; 4];
                // An octal escape ends after three digits, whatever follows.
                c.encode_utf8(&mut bytes).bytes().for_each(|b| out.push_str(&format!("\\{b:03o}")));
            }
        }
    }
    out + "\""
}

/// C comment of `//` lines with this indentation, wrapped at the maximum line width.
pub fn line_comment(text: &str, indent: usize) -> String {
    let (margin, width) = (" ".repeat(indent), WIDTH.saturating_sub(indent + 3));
    let mut out = String::new();
    for paragraph in text.split("\n\n") {
        if !out.is_empty() {
            out.push_str(&format!("{margin}//\n"));
        }
        let mut line = String::new();
        for word in one_line_comment_text(&paragraph.replace('\n', " ")).split_whitespace() {
            if !line.is_empty() && line.chars().count() + word.chars().count() >= width {
                out.push_str(&format!("{margin}// {line}\n"));
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        out.push_str(&format!("{margin}// {}\n", one_line_comment_text(&line)));
    }
    out
}

/// C statement with this indentation. A long one is broken before an operator or after a comma.
pub fn statement_line(text: &str, indent: usize) -> String {
    let margin = " ".repeat(indent);
    let mut out = format!("{margin}{text}\n");
    if out.len() <= WIDTH + 1 {
        return out;
    }
    out.clear();
    let (mut rest, mut margin) = (text, margin);
    loop {
        let room = WIDTH.saturating_sub(margin.len());
        let end = if rest.len() <= room { None } else { find_line_break(rest, room) };
        let Some(end) = end else {
            out.push_str(&format!("{margin}{rest}\n"));
            return out;
        };
        out.push_str(&format!("{margin}{}\n", rest[..end].trim_end()));
        rest = rest[end..].trim_start();
        margin = " ".repeat(indent + 4);
    }
}

/// Best place for a line break in a C statement within `room` columns: before an operator of the
/// outermost sum, otherwise before any operator.
fn find_line_break(text: &str, room: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0i32;
    let mut best: Option<(i32, usize)> = None;
    for (i, window) in bytes.windows(3).enumerate().take(room) {
        match window[0] {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth -= 1,
            _ => {}
        }
        let sum = matches!(window, b" + " | b" - ");
        let product = matches!(window, b" * " | b" / " | b" = ");
        let after = window[0] == b',' && window[1] == b' ';
        let at = if after { i + 1 } else { i };
        let rank = depth * 2 + i32::from(product);
        // Avoid a short first line.
        if (sum || product || after) && i > room / 3 && best.is_none_or(|(r, _)| rank <= r) {
            best = Some((rank, at));
        }
    }
    best.map(|b| b.1)
}

#[cfg(test)]
mod tests {
    use super::{line_comment, statement_line, string_literal};

    #[test]
    fn strings_hold_what_the_text_holds() {
        assert_eq!(string_literal("a \"b\" \\ ??= 1°2"), "\"a \\\"b\\\" \\\\ \\?\\?= 1\\302\\2602\"");
        assert_eq!(string_literal("a\nb\\"), "\"a b\\\\\"");
    }

    #[test]
    fn a_comment_does_not_take_the_next_line() {
        assert_eq!(line_comment("mass \\", 4), "    // mass\n");
        assert_eq!(line_comment("a\nb", 0), "// a b\n");
        assert_eq!(line_comment("which???/", 0), "// which? ? ?/\n");
        assert_eq!(line_comment("a\u{202e}b", 0), "// a b\n");
    }

    #[test]
    fn long_statements_break_before_a_sum() {
        let term = "alpha * beta * gamma";
        let text = format!("const double x = {};", [term; 8].join(" + "));
        let broken = statement_line(&text, 4);
        assert!(broken.lines().all(|l| l.len() <= 110), "{broken}");
        assert!(broken.lines().skip(1).all(|l| l.starts_with("        + alpha")), "{broken}");
        assert_eq!(
            broken.split_whitespace().collect::<Vec<_>>(),
            text.split_whitespace().collect::<Vec<_>>()
        );
    }
}
