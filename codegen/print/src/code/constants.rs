//! Named constants of an emitted module, for numbers whose digits alone would say too little.
//!
//! A number that the spec gives to a body or joint (`m_link3`), or a combination of such numbers,
//! becomes a constant of the module. Universal small numbers (½, 2) are written where they are
//! used.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::numbers;
use dqdt_graph::ir::{ConstantNotes, Graph, NodeId, Program, Taken, toggle_negative_prefix};
use dqdt_graph::plan::Plan;

/// Maximum length in characters of a constant name that is made of others.
const MAX_NAME: usize = 34;

struct Constant {
    value: f64,
    /// Name of the constant of the emitted module; `None` if the number is emitted as digits.
    item: Option<String>,
    local: String,
    about: Option<String>,
}

/// Named numeric constants of an emitted module, looked up by magnitude.
#[derive(Default)]
pub struct Constants {
    all: Vec<Constant>,
    by_bits: FxHashMap<u64, usize>,
    used_constants: RefCell<BTreeSet<usize>>,
}

/// Name of a numeric constant before the module's constants are named: the word for a universal
/// number, otherwise the name that the spec gives it.
pub fn constant_text(graph: &Graph, plan: &Plan, id: NodeId) -> Option<String> {
    let value = plan.constant_value(id)?;
    if numbers::is_universal(value.abs()) {
        return (value > 0.0).then(|| numbers::number_word(value).map(str::to_owned)).flatten();
    }
    let name = graph.constant_notes(id).names.first().map(|n| n.to_string())?;
    Some(if value < 0.0 { toggle_negative_prefix(&name) } else { name })
}

impl Constants {
    /// Names the numbers that occur in the bodies of a plan, and those of the nodes in `more`.
    /// `part_of` returns the name of a value in which a number is used, for numbers without another
    /// name.
    pub fn new(
        program: &Program,
        plan: &Plan,
        more: impl IntoIterator<Item = NodeId>,
        taken: &mut Taken,
        part_of: impl Fn(NodeId) -> Option<String>,
    ) -> Self {
        let graph = &program.graph;
        let mut ids: BTreeSet<NodeId> = more.into_iter().collect();
        for body in plan.bodies() {
            ids.extend(plan.count_constant_uses(graph, body).into_keys());
        }
        let named_constants = graph.named_constants();
        let mut constants = Constants::default();
        let mut noted: FxHashMap<u64, Vec<ConstantNotes>> = FxHashMap::default();
        for id in &ids {
            if let Some(value) = plan.constant_value(*id) {
                noted.entry(value.abs().to_bits()).or_default().push(graph.constant_notes(*id));
            }
        }
        for id in ids {
            let value = plan.constant_or_nan(graph, id).abs();
            let bits = value.to_bits();
            if value == 0.0 || value == 1.0 || constants.by_bits.contains_key(&bits) {
                continue;
            }
            let notes: &[ConstantNotes] = noted.get(&bits).map_or(&[], Vec::as_slice);
            let constant = name_constant(value, notes, taken, || {
                name_from_two(value, &named_constants).or_else(|| Some(format!("k_{}", part_of(id)?)))
            });
            constants.by_bits.insert(bits, constants.all.len());
            constants.all.push(constant);
        }
        constants
    }

    /// Names of a positive number, or `None` for a number that is not listed. Marks a constant of
    /// the module as used.
    pub fn names_for_number(&self, value: f64) -> Option<ConstantNames<'_>> {
        let index = *self.by_bits.get(&value.to_bits())?;
        let constant = self.all.get(index)?;
        if constant.item.is_some() {
            self.used_constants.borrow_mut().insert(index);
        }
        Some(ConstantNames { item: constant.item.as_deref(), local: &constant.local })
    }

    /// Constants of the emitted module that its functions have used, to print their definitions.
    pub fn used(&self) -> Vec<ModuleConstant<'_>> {
        let used = self.used_constants.borrow();
        used.iter()
            .filter_map(|index| {
                let constant = self.all.get(*index)?;
                let name = constant.item.as_deref()?;
                Some(ModuleConstant { name, value: constant.value, about: constant.about.as_deref() })
            })
            .collect()
    }
}

/// Names of a numeric constant in emitted code: in the module, and in a body.
pub struct ConstantNames<'a> {
    /// Name of the constant of the emitted module; `None` if the number is emitted as digits.
    pub item: Option<&'a str>,
    /// Name of a local variable for the number within an emitted body.
    pub local: &'a str,
}

/// Definition of a named numeric constant of the emitted module.
pub struct ModuleConstant<'a> {
    /// Name of the constant in emitted code.
    pub name: &'a str,
    /// Value of the constant, positive.
    pub value: f64,
    /// Documentation of the constant: the expression of the spec that it comes from, and its other
    /// names.
    pub about: Option<&'a str>,
}

/// Names a numeric constant other than 0 and 1, by its notes or else by `otherwise`.
fn name_constant(
    value: f64,
    notes: &[ConstantNotes],
    taken: &mut Taken,
    otherwise: impl Fn() -> Option<String>,
) -> Constant {
    let mut names: Vec<String> = Vec::new();
    for name in notes.iter().flat_map(|n| &n.names).map(|n| n.to_string()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let formula = notes.iter().find_map(|n| n.formula.as_ref()).map(|f| f.to_string());
    let is_in_digits = numbers::is_universal(value)
        || names.is_empty() && formula.is_none() && numbers::has_few_digits(value);
    if is_in_digits {
        let local = taken.make_unique(&numbers::number_name(value));
        return Constant { value, item: None, local, about: None };
    }
    let name = names
        .first()
        .cloned()
        .or_else(|| formula.as_deref().and_then(name_from_formula))
        .or_else(otherwise)
        .unwrap_or_else(|| numbers::number_name(value));
    // Lower case, whatever the case in the spec, so that the local needs no
    // `allow(non_snake_case)`.
    let local = taken.make_unique(&name.to_lowercase());
    let item = taken.make_unique(&local.to_uppercase());
    let others = names.get(1..).unwrap_or_default().join(", ");
    let about = match (formula, others.is_empty()) {
        (Some(formula), true) => Some(formula),
        (Some(formula), false) => Some(format!("{formula}; also {others}")),
        (None, true) => None,
        (None, false) => Some(format!("also {others}")),
    };
    Constant { value, item: Some(item), local, about }
}

/// Name of a number that simplification passes have computed from two named constants, or as the
/// reciprocal or multiple of one.
fn name_from_two(value: f64, named: &[(f64, Arc<str>)]) -> Option<String> {
    let is_value = |x: f64| (x - value).abs() <= 4.0 * f64::EPSILON * value;
    for (x, name) in named {
        let multiples =
            [(1.0 / x, "inv_"), (2.0 * x, "two_"), (0.5 * x, "half_"), (x * x, "sq_"), (0.5 / x, "inv_two_")];
        if let Some((_, prefix)) = multiples.into_iter().find(|(v, _)| is_value(*v)) {
            return keep_if_short(format!("{prefix}{name}"));
        }
    }
    for (i, (x, first)) in named.iter().enumerate() {
        for (y, second) in &named[i + 1..] {
            let both = [(x * y, "_"), (x + y, "_plus_"), (x / y, "_by_")];
            if let Some((_, between)) = both.into_iter().find(|(v, _)| is_value(*v)) {
                return keep_if_short(format!("{first}{between}{second}"));
            }
            if is_value(y - x) {
                return keep_if_short(format!("{second}_minus_{first}"));
            }
            if is_value(y / x) {
                return keep_if_short(format!("{second}_by_{first}"));
            }
        }
    }
    None
}

fn keep_if_short(name: String) -> Option<String> {
    Some(name).filter(|n| n.len() <= MAX_NAME)
}

/// Name of a constant made of a short formula: `a * b` is `a_b`, `a + b` is `a_plus_b`. `None` if
/// it would be no short identifier.
fn name_from_formula(formula: &str) -> Option<String> {
    let (negated, inner) = match formula.strip_prefix("-(").and_then(|f| f.strip_suffix(')')) {
        Some(inner) => ("neg_", inner),
        None => ("", formula),
    };
    let words = [(" * ", "_"), (" + ", "_plus_"), (" - ", "_minus_"), (" / ", "_by_")];
    let name = words.iter().fold(inner.to_owned(), |name, (sign, word)| name.replace(sign, word));
    let name = format!("{negated}{}", name.replace('.', "p"));
    let starts_with_letter = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_short = name.len() <= MAX_NAME;
    (starts_with_letter && is_short && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
        .then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_two_named_ones_is_called_after_both() {
        let named = [(0.3, "l_arm"), (2.7, "m_arm")].map(|(x, name)| (x, Arc::from(name)));
        let name = |x: f64| name_from_two(x, &named);
        assert_eq!(name(0.3 * 2.7).as_deref(), Some("l_arm_m_arm"));
        assert_eq!(name(1.0 / 2.7).as_deref(), Some("inv_m_arm"));
        assert_eq!(name(2.7 - 0.3).as_deref(), Some("m_arm_minus_l_arm"));
        assert_eq!(name(1.234_567), None);
    }

    #[test]
    fn a_short_formula_is_a_name() {
        assert_eq!(name_from_formula("m_link * l_link").as_deref(), Some("m_link_l_link"));
        assert_eq!(name_from_formula("-(J_a - J_b)").as_deref(), Some("neg_J_a_minus_J_b"));
        assert_eq!(name_from_formula("(a + b) * c"), None);
        assert_eq!(name_from_formula("2 * a"), None);
    }
}
