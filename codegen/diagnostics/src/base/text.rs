//! Sanitising of spec texts for messages, and stems of names.

/// True for invisible characters that change how a text is displayed: control characters,
/// bidirectional marks and overrides, line and paragraph separators. They could move the cursor of
/// a terminal or reverse the text of a page.
pub fn is_display_control(c: char) -> bool {
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

/// Short form of the name of a speed for use in composed names: `phi` for `phi_dot` if `phi` is a
/// coordinate and not also a speed; else the name itself.
pub fn speed_stem(
    speed: &str,
    is_coordinate: impl FnOnce(&str) -> bool,
    is_speed: impl FnOnce(&str) -> bool,
) -> &str {
    speed.strip_suffix("_dot").filter(|s| is_coordinate(s)).filter(|s| !is_speed(s)).unwrap_or(speed)
}

/// Maximum number of characters that a message shows of a text in backquotes, such as a name.
const QUOTED: usize = 80;
/// Maximum number of characters that a message shows of one line.
const LINE: usize = 1000;

/// Sanitises the text of a message: control characters (see [`is_display_control`]) become `�`,
/// long names and long lines are cut with `…`.
pub fn sanitise(text: &str) -> String {
    let clean: String =
        text.chars().map(|c| if is_display_control(c) && c != '\n' { '\u{fffd}' } else { c }).collect();
    let quoted: Vec<String> = clean
        .split('`')
        .enumerate()
        .map(|(i, part)| if i % 2 == 1 { truncate_text(part, QUOTED) } else { part.to_owned() })
        .collect();
    quoted.join("`").split('\n').map(|line| truncate_text(line, LINE)).collect::<Vec<_>>().join("\n")
}

/// Cuts a text longer than `limit` characters and appends `…` and its length.
fn truncate_text(text: &str, limit: usize) -> String {
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
        assert_eq!(sanitise("a `b\u{1b}[2J` \u{202e}c"), "a `b\u{fffd}[2J` \u{fffd}c");
        let long = "x".repeat(450_000);
        let text = sanitise(&format!("`{long}` is given twice\nsecond line"));
        assert!(text.len() < 200, "{text}");
        assert!(text.contains("… (450000 characters)` is given twice\nsecond line"), "{text}");
        assert!(sanitise(&long).len() < 1100);
        assert_eq!(sanitise("`é` is fine"), "`é` is fine");
    }
}
