//! Openings, words and widths of comments.

use crate::{Finding, Rule};

/// First words that no paragraph of a comment may have.
const OPENINGS: [&str; 10] =
    ["What", "Whether", "Of", "Those", "Who", "Whom", "Whose", "Whoever", "How", "As"];

/// Words and phrases to strike.
const STRIKE: [&str; 6] = ["whoever", "nobody", "likewise", "thereby", "so many", "at hand"];

/// Greatest width of a line of a comment, in characters.
const WIDTH: usize = 100;

/// A line of a comment: its marker and its text.
fn comment(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let marker = ["///", "//!", "//"].into_iter().find(|m| line.starts_with(m))?;
    Some((marker, line[marker.len()..].trim()))
}

/// Findings in the comments of one file. Code blocks of doc comments are code.
pub fn findings(file: &str, text: &str) -> Vec<Finding> {
    let mut all = Vec::new();
    let mut before: Option<(&str, &str)> = None;
    let mut in_code = false;
    for (i, line) in text.lines().enumerate() {
        let Some((marker, words)) = comment(line) else {
            (before, in_code) = (None, false);
            continue;
        };
        let fence = words.starts_with("```");
        in_code ^= fence;
        if !in_code && !fence {
            let mut push = |rule| {
                all.push(Finding { rule, file: file.to_owned(), line: i + 1, text: words.to_owned() });
            };
            let opens =
                before.is_none_or(|(m, text)| m != marker || text.is_empty() || text.starts_with("# "));
            if opens && opening(words) {
                push(Rule::Opening);
            }
            if STRIKE.iter().any(|word| has_word(&words.to_lowercase(), word)) {
                push(Rule::Strike);
            }
            if line.chars().count() > WIDTH {
                push(Rule::Width);
            }
        }
        before = Some((marker, words));
    }
    all
}

fn opening(words: &str) -> bool {
    let first = words.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    OPENINGS.contains(&first) || words.starts_with("So many")
}

fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(i, _)| {
        !text[..i].ends_with(char::is_alphanumeric)
            && !text[i + word.len()..].starts_with(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::findings;
    use crate::Rule;

    fn rules(text: &str) -> Vec<Rule> {
        findings("a.rs", text).into_iter().map(|f| f.rule).collect()
    }

    #[test]
    fn paragraphs_have_openings_and_other_lines_have_none() {
        assert_eq!(rules("/// What it is.\nfn f() {}"), [Rule::Opening]);
        assert_eq!(rules("/// A thing.\n/// What follows.\nfn f() {}"), []);
        assert_eq!(rules("/// A thing.\n///\n/// As it stands.\nfn f() {}"), [Rule::Opening]);
        assert_eq!(rules("/// Whatever is there.\nfn f() {}"), []);
        assert_eq!(rules("/// # Errors\n/// Those of `f`.\nfn f() {}"), [Rule::Opening]);
        assert_eq!(rules("/// ```\n/// // What\n/// ```\nfn f() {}"), []);
    }

    #[test]
    fn words_to_strike_are_whole_words() {
        assert_eq!(rules("// Nobody reads it."), [Rule::Strike]);
        assert_eq!(rules("// An anybody."), []);
    }

    #[test]
    fn a_comment_of_101_columns_is_wide() {
        let line = format!("// {}", "x".repeat(98));
        assert_eq!(rules(&line), [Rule::Width]);
        assert_eq!(rules(&line[..100]), []);
    }
}
