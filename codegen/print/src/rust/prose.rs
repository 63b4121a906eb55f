//! Text of comments and documentation in emitted Rust.

use syn::parse_quote;

/// Text for a line comment in emitted code, without control or bidirectional characters.
pub fn single_line_text(text: &str) -> String {
    text.chars().map(|c| if dqdt_diagnostics::base::is_display_control(c) { ' ' } else { c }).collect()
}

/// Text for a doc comment in emitted Rust, with markup escaped except for code in backticks.
pub fn escape_prose(text: &str) -> String {
    let text = single_line_text(text);
    let parts: Vec<&str> = text.split('`').collect();
    let mut out = String::with_capacity(text.len());
    for (i, part) in parts.iter().enumerate() {
        let (code_span, closed) = (i % 2 == 1, i + 1 < parts.len());
        if code_span && closed && !part.trim().is_empty() {
            out.push_str(&inline_code(part));
            continue;
        }
        if code_span {
            out.push_str("\\`");
        }
        escape_markup(part, &mut out);
        if code_span && closed {
            out.push_str("\\`");
        }
    }
    out.trim().to_owned()
}

/// Appends text with its Markdown markup escaped. An underscore inside a word needs no escape.
fn escape_markup(text: &str, out: &mut String) {
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        let inside = before.is_alphanumeric() && letters.peek().is_some_and(|c| c.is_alphanumeric());
        if matches!(c, '[' | ']' | '<' | '>' | '|' | '*' | '\\') || c == '_' && !inside {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
}

/// Text as inline code of a doc comment, without markup inside. Empty text becomes `1`, the unit of
/// pure numbers.
pub fn inline_code(text: &str) -> String {
    let text = single_line_text(text).replace(['`', '|'], " ");
    format!("`{}`", if text.trim().is_empty() { "1" } else { text.trim() })
}

/// Converts lines of documentation to attributes that print as `///` lines.
pub fn doc_attributes(lines: &[String]) -> Vec<syn::Attribute> {
    lines
        .iter()
        .map(|line| {
            let line = if line.is_empty() { String::new() } else { format!(" {line}") };
            parse_quote!(#[doc = #line])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_keeps_code_and_escapes_other_markup() {
        assert_eq!(escape_prose("angle of joint `rail_2`"), "angle of joint `rail_2`");
        assert_eq!(escape_prose("cart_pole of _the_ [lab]"), "cart_pole of \\_the\\_ \\[lab\\]");

        assert_eq!(escape_prose("a ` alone"), "a \\` alone");
        assert_eq!(escape_prose("`a|b`"), "`a b`");
    }
}
