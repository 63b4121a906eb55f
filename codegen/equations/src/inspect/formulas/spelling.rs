//! Unicode letters for names in a terminal, chosen so that the text can be read back.
//!
//! Problem: `theta1` and `theta_1` are both θ₁, and a reader of the text could not distinguish
//!          them.
//! Method:  a name stays as in the spec if its letters equal those of another name or contain a
//!          character with another meaning in formulas.

use std::collections::BTreeMap;

use super::closed_math::terminal_name;
use crate::inspect::ambiguous_names::AmbiguousNames;
use crate::symbolic::{Expressions, Function, continues_name};
use dqdt_graph::ir::SymbolKind;
use dqdt_mechanics::mechanism::Mechanism;

/// Text by which each name of a mechanism is printed in a terminal, unique so that a proof can read
/// formulas back.
pub struct Spelling {
    /// Printed text of each name of the mechanism.
    letters: BTreeMap<String, String>,
}

impl Spelling {
    /// Chooses Unicode letters for a set of names, such that different names stay different.
    pub fn new<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut letters: BTreeMap<String, String> = names.map(|n| (n.to_owned(), terminal_name(n))).collect();
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        for (name, text) in &letters {
            *count.entry(text.clone()).or_default() += 1;
            if name != text {
                *count.entry(name.clone()).or_default() += 1;
            }
        }
        for (name, text) in &mut letters {
            let is_readable = text.chars().all(|c| continues_name(c) || matches!(c, '(' | ')'));
            if !is_readable || count.get(text.as_str()).is_some_and(|n| *n > 1) {
                *text = name.clone();
            }
        }
        Spelling { letters }
    }

    /// Chooses the letters for the names in expressions of a mechanism. Function tables keep the
    /// names of the spec, and so does a name that would read like a derivative or an entry of a
    /// constraint row.
    pub fn for_mechanism(expressions: &Expressions, m: &Mechanism) -> Self {
        let mut spelling = Spelling::new(expressions.symbol_names().map(|(name, _)| name));
        let names = AmbiguousNames::new(m);
        for (name, kind) in expressions.symbol_names() {
            let is_in_spec = match kind {
                SymbolKind::Acceleration(_) | SymbolKind::Auxiliary(_) | SymbolKind::Length(_) => false,
                SymbolKind::Named(k) => k % 3 == 0,
                _ => true,
            };
            let plain = name.trim_end_matches('_');
            if is_in_spec && names.is_ambiguous(name) {
                spelling.letters.insert(name.to_owned(), name.to_owned());
            } else if !is_in_spec && plain != name {
                // The mechanism's own name is printed as in the spec, so its letters are free for
                // this symbol.
                let free = terminal_name(plain);
                if !spelling.letters.iter().any(|(n, l)| n != plain && *l == free) {
                    spelling.letters.insert(name.to_owned(), free);
                    spelling.letters.insert(plain.to_owned(), plain.to_owned());
                }
            }
        }
        for (t, name) in expressions.table_names().enumerate() {
            let table = Function::Table(t as u32);
            let name = if name.is_empty() { table.name() } else { name.to_owned() };
            spelling.letters.insert(table.name_map_key(), name);
        }
        spelling
    }

    /// Printed names of the function tables of these expressions, in their order.
    pub fn table_names(&self, expressions: &Expressions) -> Vec<String> {
        let tables = 0..expressions.table_names().count();
        tables.map(|t| self.printed_name(&Function::Table(t as u32).name_map_key())).collect()
    }

    /// The text by which a name is printed in a terminal.
    pub fn printed_name(&self, name: &str) -> String {
        self.letters.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_the_same_letters_stay_as_they_were_written() {
        let s = Spelling::new(["theta1", "theta_1", "phi_dot", "sat(tau1)"].into_iter());
        let letters = ["theta1", "theta_1", "phi_dot", "sat(tau1)", "new"].map(|n| s.printed_name(n));
        assert_eq!(letters, ["theta1", "theta_1", "φ\u{307}", "sat(τ₁)", "new"]);
    }
}
