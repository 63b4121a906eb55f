//! Clamps that a definition repeats, as symbols of their clamps_here.
//!
//! Problem: `l0 - dl*smooth_step(t, t1, t2)` contains its clamped argument twice, and its rates
//!          contain it and its rate several times each.
//! Method:  the clamp is a named formula `s` of the report, and the definition is printed over it:
//!          l = l₀ − dl s² (3 − 2 s), l̇ = −6 dl s (1 − s) ṡ.
//! Limits:  clamps of one definition only; a clamp that occurs once is short where it is.

use super::letters;
use dqdt_algebra::Func2;
use dqdt_mechanics::mechanism::{Formula, Mechanism, NamedFormula};
use std::sync::Arc;

/// Letters for clamps, in the order in which they are tried: none may read like a name of the spec.
const LETTERS: [&str; 6] = ["s", "sigma", "xi", "eta", "chi", "zeta"];

/// A named formula, and the formula by which it is printed.
pub(super) struct PrintedDefinition {
    /// A definition of the spec, or a clamp, whose place is after those of formulas and measures.
    pub named: Arc<NamedFormula>,
    /// Its formula; a repeated clamp is referred to by its name.
    pub formula: Formula,
}

/// Definitions of a report: those of the spec, and the clamps that they repeat. Each depends only
/// on earlier ones.
pub(super) struct PrintedDefinitions(pub Vec<PrintedDefinition>);

impl PrintedDefinitions {
    /// Names the clamps that the definitions of a mechanism repeat. A clamp stands before the first
    /// definition that repeats it.
    pub fn new(m: &Mechanism) -> Self {
        let repeated: Vec<Vec<&Formula>> =
            m.named_formulas.iter().map(|f| repeated_clamps(&f.formula)).collect();
        let is_single =
            repeated.iter().flatten().all(|clamp| Some(clamp) == repeated.iter().flatten().next());
        let letter = LETTERS.into_iter().find(|letter| !letters::letter_clashes(m, letter));
        let mut place = m.named_formulas.len() + m.measures.len();
        let mut clamps: Vec<Arc<NamedFormula>> = Vec::new();
        let mut all = Vec::new();
        for (f, clamps_here) in m.named_formulas.iter().zip(repeated) {
            let clamps_here: Vec<&Formula> =
                clamps_here.into_iter().filter(|x| clamps.iter().all(|c| c.formula != **x)).collect();
            for (i, clamp) in clamps_here.iter().enumerate() {
                let Some(letter) = letter else { break };
                let name = match (is_single, clamps_here.len()) {
                    (true, _) => letter.to_owned(),
                    (false, 1) => format!("{letter}_{}", f.name),
                    (false, _) => format!("{letter}{}_{}", i + 1, f.name),
                };
                if ["", "_dot", "_ddot"].iter().any(|suffix| m.has_symbol(&format!("{name}{suffix}"))) {
                    continue;
                }
                let named = NamedFormula { name, place, unit: String::new(), formula: (*clamp).clone() };
                let (named, formula) = (Arc::new(named), (*clamp).clone());
                clamps.push(Arc::clone(&named));
                all.push(PrintedDefinition { named, formula });
                place += 1;
            }
            all.push(PrintedDefinition {
                named: Arc::clone(f),
                formula: refer_to_clamps(&f.formula, &clamps),
            });
        }
        PrintedDefinitions(all)
    }

    /// The definition or clamp with this place, if there is one.
    pub fn at_place(&self, place: usize) -> Option<&PrintedDefinition> {
        self.0.iter().find(|definition| definition.named.place == place)
    }
}

/// The clamps that a formula contains at least twice, each once.
fn repeated_clamps(f: &Formula) -> Vec<&Formula> {
    let mut all = Vec::new();
    collect_clamps(f, &mut all);
    let mut repeated: Vec<&Formula> = Vec::new();
    for (i, clamp) in all.iter().enumerate() {
        if all[..i].contains(clamp) && !repeated.contains(clamp) {
            repeated.push(clamp);
        }
    }
    repeated
}

/// The argument and the limits of a formula `min(max(x, lo), hi)`.
fn clamp_operands(f: &Formula) -> Option<[&Formula; 3]> {
    let Formula::Func2(Func2::Min, larger, high) = f else { return None };
    let Formula::Func2(Func2::Max, x, low) = &**larger else { return None };
    Some([x, low, high])
}

/// Adds all clamps of a formula whose argument is more than a name; those inside a clamp or inside
/// another definition are omitted.
fn collect_clamps<'f>(f: &'f Formula, out: &mut Vec<&'f Formula>) {
    match clamp_operands(f) {
        Some([x, ..]) if !x.operands().is_empty() => out.push(f),
        _ if matches!(f, Formula::Named(_)) => {}
        _ => f.operands().into_iter().for_each(|operand| collect_clamps(operand, out)),
    }
}

/// The formula with each of these clamps replaced by its name.
fn refer_to_clamps(f: &Formula, clamps: &[Arc<NamedFormula>]) -> Formula {
    f.replace_subformulas(&|part| {
        clamps.iter().find(|clamp| clamp.formula == *part).map(|clamp| Formula::Named(clamp.clone()))
    })
}
