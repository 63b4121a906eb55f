//! Running text with formulas and code.
//!
//! Problem: `θ̇₁` in a sentence, a caption or a table should look as in a formula.
//! Method:  a text is a sequence of plain pieces, names as code, and mathematics. Each printer
//!          formats them for its target. In a text built from a string, words between backticks are
//!          code.

use std::ops::Add;

use super::{Math, escape, html_math};

/// Running text of a report, with formulas and code.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Prose(Vec<Inline>);

#[derive(Clone, PartialEq, Debug)]
enum Inline {
    Text(String),
    /// A name as the spec has it, or other code; printed in a typewriter font.
    Code(String),
    Math(Math),
}

impl Prose {
    /// Returns `true` if the text has no characters.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|piece| matches!(piece, Inline::Text(text) if text.is_empty()))
    }

    /// Joins texts of a report with a separator between them.
    pub fn join_texts(items: impl IntoIterator<Item = impl Into<Prose>>, between: &str) -> Self {
        let mut out = Prose::default();
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                out = out + between;
            }
            out = out + item;
        }
        out
    }

    /// The text with a capital first letter, if it begins with a word. A symbol, or a name followed
    /// by a colon, stays as it is.
    #[must_use]
    pub fn capitalise_first(mut self) -> Self {
        if let Some(Inline::Text(text)) = self.0.first_mut() {
            let word = text.split(' ').next().unwrap_or_default();
            if word.ends_with(':') || (word.chars().count() == 1 && word != "a") {
                return self;
            }
            let mut letters = text.chars();
            if let Some(first) = letters.next() {
                *text = format!("{}{}", first.to_ascii_uppercase(), letters.as_str());
            }
        }
        self
    }

    /// Formats the text for one line of a terminal.
    pub fn text(&self) -> String {
        (self.0.iter())
            .map(|piece| match piece {
                Inline::Text(text) => escape::terminal_line(text),
                Inline::Code(name) => format!("`{}`", escape::terminal_line(name)),
                Inline::Math(math) => math.text(),
            })
            .collect()
    }

    /// Formats the text for LaTeX, outside math mode.
    pub fn latex(&self) -> String {
        (self.0.iter())
            .map(|piece| match piece {
                Inline::Text(text) => escape::escape_latex(text),
                Inline::Code(name) => format!(r"\texttt{{{}}}", escape::escape_latex(name)),
                Inline::Math(math) => format!("${}$", math.latex_with_commands()),
            })
            .collect()
    }

    /// Formats the text for HTML.
    pub fn html(&self) -> String {
        (self.0.iter())
            .map(|piece| match piece {
                Inline::Text(text) => escape::escape_xml(text),
                Inline::Code(name) => format!("<code>{}</code>", escape::escape_xml(name)),
                Inline::Math(math) => {
                    format!("<math>{}</math>", html_math::fix_bracket_size(&math.mathml()))
                }
            })
            .collect()
    }

    /// Applies `f` to all formulas of the text.
    #[must_use]
    pub(super) fn map_formulas(self, f: &dyn Fn(Math) -> Math) -> Self {
        let piece = |piece| match piece {
            Inline::Math(math) => Inline::Math(math.map_subformulas(f)),
            other => other,
        };
        Prose(self.0.into_iter().map(piece).collect())
    }

    /// The mathematical formulas in the text.
    pub(super) fn formulas(&self) -> impl Iterator<Item = &Math> {
        self.0.iter().filter_map(|piece| if let Inline::Math(math) = piece { Some(math) } else { None })
    }
}

impl From<&str> for Prose {
    fn from(text: &str) -> Self {
        let parts: Vec<&str> = text.split('`').collect();
        // An unpaired backtick is a plain character.
        if parts.len().is_multiple_of(2) {
            return Prose(vec![Inline::Text(text.to_owned())]);
        }
        let pieces = parts.iter().enumerate().map(|(i, part)| match i % 2 {
            0 => Inline::Text((*part).to_owned()),
            _ => Inline::Code((*part).to_owned()),
        });
        Prose(pieces.filter(|p| !matches!(p, Inline::Text(text) if text.is_empty())).collect())
    }
}

impl From<String> for Prose {
    fn from(text: String) -> Self {
        Prose::from(text.as_str())
    }
}

impl From<Math> for Prose {
    fn from(math: Math) -> Self {
        Prose(vec![Inline::Math(math)])
    }
}

impl<T: Into<Prose>> Add<T> for Prose {
    type Output = Prose;

    fn add(mut self, next: T) -> Prose {
        self.0.extend(next.into().0);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_formulas_are_set_as_the_target_sets_them() {
        let prose = Prose::from("angle of joint `the_arm`, ") + Math::identifier("theta1_dot") + " < 2";
        assert_eq!(prose.text(), "angle of joint `the_arm`, θ\u{307}₁ < 2");
        assert!(prose.latex().contains(r"\texttt{the\_arm}"), "{}", prose.latex());
        let page = prose.html();
        assert!(page.contains("<code>the_arm</code>") && page.contains("<mover") && page.contains("&lt; 2"));
    }

    #[test]
    fn a_backtick_without_a_partner_is_a_character() {
        assert_eq!(Prose::from("a ` b").html(), "a ` b");
        assert_eq!(Prose::from("").html(), "");
        assert!(Prose::from("").is_empty() && !Prose::from("`x`").is_empty());
    }

    #[test]
    fn the_first_word_gets_a_large_letter() {
        assert_eq!(Prose::from("mass `m`").capitalise_first().text(), "Mass `m`");
        assert_eq!((Prose::from(Math::identifier("x")) + " a").capitalise_first().text(), "x a");
        for text in ["rod: angular velocity", "d of body 1"] {
            assert_eq!(Prose::from(text).capitalise_first().text(), text);
        }
    }
}
