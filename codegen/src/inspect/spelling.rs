//! The letters of names in a terminal, such that they are read back.
//!
//! Problem: `theta1` and `theta_1` are both θ₁, and a reader of the text could not tell them apart.
//! Method:  names whose letters coincide, or hold a sign that a formula has for something else, stay as the spec wrote them.

use std::collections::BTreeMap;

use super::closed_math::letter;
use super::letters::has_false_dots;
use crate::ir::SymbolKind;
use crate::symbolic::{Expressions, Function, is_of_name};

/// What each name is written as.
pub struct Spelling {
    letters: BTreeMap<String, String>,
}

impl Spelling {
    /// The letters of these names.
    pub fn new<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut letters: BTreeMap<String, String> = names.map(|n| (n.to_owned(), letter(n))).collect();
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        for (name, text) in &letters {
            *count.entry(text.clone()).or_default() += 1;
            if name != text {
                *count.entry(name.clone()).or_default() += 1;
            }
        }
        let readable = |text: &str| text.chars().all(|c| is_of_name(c) || matches!(c, '(' | ')'));
        for (name, text) in &mut letters {
            if !readable(text) || count.get(text.as_str()).is_some_and(|n| *n > 1) {
                *text = name.clone();
            }
        }
        Spelling { letters }
    }

    /// The letters of what these expressions speak of. Tables are called as in the spec.
    pub fn of(expressions: &Expressions) -> Self {
        let mut spelling = Spelling::new(expressions.symbol_names().map(|(name, _)| name));
        for (name, kind) in expressions.symbol_names() {
            let moves = matches!(kind, SymbolKind::Speed(_) | SymbolKind::Acceleration(_));
            let plain = name.trim_end_matches('_');
            if !moves && has_false_dots(name) {
                spelling.letters.insert(name.to_owned(), name.to_owned());
            } else if matches!(kind, SymbolKind::Acceleration(_)) && plain != name {
                // The other one is a name that stays as it is.
                let own = letter(plain);
                if has_false_dots(plain) && !spelling.letters.iter().any(|(n, l)| n != plain && *l == own) {
                    spelling.letters.insert(name.to_owned(), own);
                }
            }
        }
        for (t, name) in expressions.table_names().enumerate().filter(|(_, name)| !name.is_empty()) {
            spelling.letters.insert(Function::Table(t as u32).name(), name.to_owned());
        }
        spelling
    }

    /// What the tables of these expressions are written as, in their order.
    pub fn tables(&self, expressions: &Expressions) -> Vec<String> {
        let name = |t: usize| self.letter(&Function::Table(t as u32).name());
        (0..expressions.table_names().count()).map(name).collect()
    }

    /// What a name is written as.
    pub fn letter(&self, name: &str) -> String {
        self.letters.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_the_same_letters_stay_as_they_were_written() {
        let s = Spelling::new(["theta1", "theta_1", "phi_dot", "sat(tau1)"].into_iter());
        let of = ["theta1", "theta_1", "phi_dot", "sat(tau1)", "new"].map(|n| s.letter(n));
        assert_eq!(of, ["theta1", "theta_1", "φ\u{307}", "sat(τ₁)", "new"]);
    }
}
