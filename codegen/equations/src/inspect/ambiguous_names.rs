//! Names in a report that would otherwise look like other names or matrices.
//!
//! Problem: `phi1` and `phi_1` are both φ₁, a parameter `x_ddot` is no acceleration ẍ, `gamma_pin`
//!          reads like the entry of γ of a row `pin`, and a mass M like the mass matrix.
//! Method:  such names are printed as in the spec throughout a report. Matrices and vectors with
//!          such letters are bold in a terminal too, and a note says so in the section where the
//!          first of them occurs.

use std::collections::BTreeMap;

use super::letters::{acceleration_name, greek_name, letter_clashes};
use dqdt_derivation::symbols::formula_name;
use dqdt_document::report::{Block, Math, Name, Prose, Report, Spacing, bold_letters};
use dqdt_mechanics::mechanism::Mechanism;

/// Names of a mechanism that are printed as in the spec, since their typeset form would be
/// ambiguous.
pub(super) struct AmbiguousNames<'m> {
    /// Mechanism whose names are compared.
    m: &'m Mechanism,
    /// Every symbol that a report may show, accelerations included; true if its dots mean a
    /// derivative.
    symbols: BTreeMap<String, bool>,
    /// Number of symbols by their typeset form (LaTeX).
    typeset_counts: BTreeMap<String, usize>,
}

impl<'m> AmbiguousNames<'m> {
    pub fn new(m: &'m Mechanism) -> Self {
        let names = (m.coordinates.iter().map(|x| &x.name))
            .chain(m.states.iter().map(|x| &x.name))
            .chain(m.inputs.iter().map(|x| &x.name))
            .chain(m.parameters.iter().map(|x| &x.name));
        let mut symbols: BTreeMap<String, bool> = names.map(|name| (name.clone(), false)).collect();
        for speed in &m.speeds {
            symbols.insert(speed.name.clone(), true);
            symbols.entry(acceleration_name(&speed.name)).or_insert(true);
        }
        for f in &m.named_formulas {
            symbols.insert(f.name.clone(), false);
            for order in [1, 2] {
                symbols.entry(formula_name(m, f, order)).or_insert(true);
            }
        }
        let mut typeset_counts: BTreeMap<String, usize> = BTreeMap::new();
        for (name, derivative) in &symbols {
            if *derivative || !has_dots(name) {
                *typeset_counts.entry(Math::identifier(name).latex()).or_default() += 1;
            }
        }
        AmbiguousNames { m, symbols, typeset_counts }
    }

    /// True if the typeset form of a name of the mechanism could be confused with another symbol.
    pub fn is_ambiguous(&self, name: &str) -> bool {
        self.symbols.get(name).is_some_and(|derivative| {
            let is_shared = self.typeset_counts.get(&Math::identifier(name).latex()).is_some_and(|n| *n > 1);
            is_shared || (!derivative && has_dots(name)) || reads_like_an_entry(self.m, name)
        })
    }

    /// The form in which to print a name that must not be typeset; `None` for all other names.
    fn untypeset_form(&self, name: &Name) -> Option<Math> {
        let source = name.source();
        // An acceleration or multiplier that would share its name with the mechanism got an
        // underscore, `x_ddot_`; it is typeset without.
        let plain = source.trim_end_matches('_');
        if plain != source && !self.symbols.contains_key(source) && self.symbols.contains_key(plain) {
            return Some(Math::identifier(plain));
        }
        self.is_ambiguous(source).then(|| {
            let parts = [Math::Spacing(Spacing::Apart), Math::words(source), Math::Spacing(Spacing::Apart)];
            Math::TerminalName(source.to_owned(), Box::new(Math::row(parts)))
        })
    }
}

/// True if the typeset name has dots above its letter, as `x_dot` has.
fn has_dots(name: &str) -> bool {
    Name::parse(name).dots > 0
}

/// True if a name of the mechanism reads like an entry of its constraints (`gamma_pin`,
/// `lambda_pin_fx`) or like the length of a load (`ell_rope`).
fn reads_like_an_entry(m: &Mechanism, name: &str) -> bool {
    const LETTERS: [&str; 7] = ["Phi", "Psi", "gamma", "a0", "alpha", "beta", "lambda"];
    let rest = LETTERS.iter().find_map(|l| name.strip_prefix(l)?.strip_prefix('_'));
    name.strip_prefix("ell_").is_some_and(|rest| m.loads.iter().any(|l| rest == l.name))
        || rest.is_some_and(|rest| m.constraints.iter().any(|c| is_constraint_entry(rest, &c.name)))
}

/// True for the name of a constraint, also with a suffix for one of its rows.
fn is_constraint_entry(rest: &str, constraint: &str) -> bool {
    rest.strip_prefix(constraint).is_some_and(|suffix| suffix.is_empty() || suffix.starts_with('_'))
}

/// A letter of a matrix or vector as a symbol of the mechanism.
fn scalar_symbol(letter: &str) -> Math {
    Math::identifier(letter.chars().next().and_then(greek_name).unwrap_or(letter))
}

/// The report with ambiguous names printed as in the spec and clashing matrix letters in bold, with
/// a note about these letters.
pub(super) fn disambiguate_report(report: Report, m: &Mechanism) -> Report {
    let names = AmbiguousNames::new(m);
    let (mut report, letters, first) =
        report.disambiguate_letters(&|letter| letter_clashes(m, letter), &|name| names.untypeset_form(name));
    if let Some(section) = first.and_then(|at| report.sections.get_mut(at)) {
        let is =
            if letters.len() == 1 { "denotes a matrix or vector" } else { "denote matrices and vectors" };
        let bold = letters.iter().map(|l| Math::TerminalName(bold_letters(l), Box::new(Math::bold(l))));
        let text = Prose::join_texts(bold, ", ")
            + format!(" in bold {is}; in regular type, names such as ")
            + Prose::join_texts(letters.iter().map(|l| scalar_symbol(l)), ", ")
            + " are those of this mechanism.";
        section.blocks.push(Block::Note(text));
    }
    report
}
