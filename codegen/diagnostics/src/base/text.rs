//! Characters of a spec that must not reach a reader as they are.

/// True for characters that are not seen but change what is: control characters, marks and overrides of direction,
/// separators of lines and paragraphs. In a terminal they move the cursor, in a page they turn the text around.
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{ad}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2060}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
        )
}

/// A speed in names that are put together: `phi` for `phi_dot` where that cannot be mistaken, that is where `phi` is a
/// coordinate and no speed.
pub fn speed_stem(
    speed: &str,
    is_coordinate: impl FnOnce(&str) -> bool,
    is_speed: impl FnOnce(&str) -> bool,
) -> &str {
    speed.strip_suffix("_dot").filter(|s| is_coordinate(s)).filter(|s| !is_speed(s)).unwrap_or(speed)
}

/// Longest text in backquotes that a message shows.
const QUOTED: usize = 80;
/// Longest line that a message shows.
const LINE: usize = 1000;

/// A text for one line of a message: characters that steer as `�`, long names and long lines cut with `…`.
pub fn shown(text: &str) -> String {
    let clean: String = text.chars().map(|c| if steers(c) && c != '\n' { '\u{fffd}' } else { c }).collect();
    let quoted: Vec<String> = clean
        .split('`')
        .enumerate()
        .map(|(i, part)| if i % 2 == 1 { cut(part, QUOTED) } else { part.to_owned() })
        .collect();
    quoted.join("`").split('\n').map(|line| cut(line, LINE)).collect::<Vec<_>>().join("\n")
}

fn cut(text: &str, limit: usize) -> String {
    let n = text.chars().count();
    if n <= limit {
        return text.to_owned();
    }
    let kept: String = text.chars().take(limit * 3 / 4).collect();
    format!("{kept}… ({n} characters)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_shows_neither_what_steers_nor_a_whole_long_name() {
        assert_eq!(shown("a `b\u{1b}[2J` \u{202e}c"), "a `b\u{fffd}[2J` \u{fffd}c");
        let long = "x".repeat(450_000);
        let text = shown(&format!("`{long}` is given twice\nsecond line"));
        assert!(text.len() < 200, "{text}");
        assert!(text.contains("… (450000 characters)` is given twice\nsecond line"), "{text}");
        assert!(shown(&long).len() < 1100);
        assert_eq!(shown("`é` is fine"), "`é` is fine");
    }
}
