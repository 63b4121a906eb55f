//! Clamps that a definition repeats, as symbols of their own.
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

/// Definitions of a report: those of the spec, over the clamps that they repeat.
pub(super) struct ClampedDefinitions {
    /// Clamps in the order of the definitions that contain them, with places after those of
    /// formulas and measures.
    pub clamps: Vec<Arc<NamedFormula>>,
    /// Formulas of all definitions of the spec, in their order; a repeated clamp is referred to by
    /// its name.
    pub formulas: Vec<Formula>,
}

impl ClampedDefinitions {
    /// Names the clamps that the definitions of a mechanism repeat.
    pub fn new(m: &Mechanism) -> Self {
        let mut clamps: Vec<Formula> = Vec::new();
        for f in &m.named_formulas {
            let mut all = Vec::new();
            collect_clamps(&f.formula, &mut all);
            for (i, clamp) in all.iter().enumerate() {
                if all[..i].contains(clamp) && !clamps.contains(clamp) {
                    clamps.push((*clamp).clone());
                }
            }
        }
        let first_place = m.named_formulas.len() + m.measures.len();
        let several = clamps.len() > 1;
        let clamps: Vec<_> = (clamps.into_iter().enumerate())
            .map(|(i, formula)| {
                let name = if several { format!("s_{}", i + 1) } else { "s".to_owned() };
                let name = letters::unused_name(m, name);
                Arc::new(NamedFormula { name, place: first_place + i, unit: String::new(), formula })
            })
            .collect();
        let formulas = m.named_formulas.iter().map(|f| refer_to_clamps(&f.formula, &clamps)).collect();
        ClampedDefinitions { clamps, formulas }
    }

    /// The clamp with this place, if there is one.
    pub fn clamp_at(&self, place: usize) -> Option<&Arc<NamedFormula>> {
        self.clamps.iter().find(|clamp| clamp.place == place)
    }
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
