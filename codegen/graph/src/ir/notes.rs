//! Notes: suggested names of values and origins of constants, for readers of emitted code. They do
//! not affect operations.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::to_identifier;
use super::node::{NodeId, Op};
use dqdt_algebra::Number;

/// Maximum number of characters of a formula that explains a constant in emitted code.
const LONGEST: usize = 90;
/// Maximum number of names kept for one constant that several quantities share.
const MOST: usize = 4;

/// Names and origin of the magnitude of a constant: `-2.5` and `2.5` share the notes of `2.5`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConstantNotes {
    /// Names by the quantities that have this value; several where different quantities are equal.
    pub names: Vec<Arc<str>>,
    /// Formula by which folding composed the constant from constants with names, such as `m*l`.
    pub formula: Option<Arc<str>>,
}

/// The notes of a graph: suggested names of values, and names and origins of constants.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    values: FxHashMap<NodeId, Arc<str>>,
    /// Notes of constants, by magnitude.
    constants: FxHashMap<Number, ConstantNotes>,
    /// Magnitudes without names, because quantities of several kinds have them.
    set_nameless: FxHashSet<Number>,
}

/// The name of the negative of a value: adds or removes the prefix `neg_`.
pub fn toggle_negative_prefix(name: &str) -> String {
    name.strip_prefix("neg_").map_or_else(|| format!("neg_{name}"), str::to_owned)
}

/// The magnitude of a number, and true if the number is negative.
fn magnitude_and_sign(n: Number) -> (Number, bool) {
    (n.magnitude(), n.magnitude() != n)
}

impl Notes {
    /// Suggests a name for a value; the first one is kept.
    pub fn note_value(&mut self, id: NodeId, name: &dyn Fn() -> String) {
        self.values.entry(id).or_insert_with(|| Arc::from(to_identifier(&name())));
    }

    /// Adds a note whose name is an identifier already.
    pub fn note_identifier(&mut self, id: NodeId, name: Arc<str>) {
        self.values.entry(id).or_insert(name);
    }

    /// The name that a note suggests for a value.
    pub fn value_name(&self, id: NodeId) -> Option<Arc<str>> {
        self.values.get(&id).cloned()
    }

    /// Sets the magnitudes that get no names, because quantities of several kinds have them.
    pub fn nameless(&mut self, magnitudes: FxHashSet<Number>) {
        self.set_nameless = magnitudes;
    }

    /// Suggests a name for a constant, by its magnitude; several are kept.
    pub fn note_constant(&mut self, n: Number, name: &str) {
        let (positive, turned) = magnitude_and_sign(n);
        if self.set_nameless.contains(&positive) {
            return;
        }
        let notes = self.constants.entry(positive).or_default();
        let name = to_identifier(name);
        let name: Arc<str> = Arc::from(if turned { toggle_negative_prefix(&name) } else { name });
        if notes.names.len() < MOST && !notes.names.contains(&name) {
            notes.names.push(name);
        }
    }

    /// The notes of the magnitude of a constant.
    pub fn constant_notes(&self, n: Number) -> ConstantNotes {
        self.constants.get(&magnitude_and_sign(n).0).cloned().unwrap_or_default()
    }

    /// All magnitudes of constants with a name, in increasing order, each with its first name.
    pub fn named_constants(&self) -> Vec<(f64, Arc<str>)> {
        let named =
            self.constants.iter().filter_map(|(n, c)| Some((n.to_f64(), Arc::clone(c.names.first()?))));
        let mut all: Vec<_> = named.collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        all
    }

    /// Copies the notes of constants (names and formulas) of another graph.
    pub fn copy_constants(&mut self, from: &Notes) {
        self.constants.clone_from(&from.constants);
        self.set_nameless.clone_from(&from.set_nameless);
    }

    /// Records the formula `a op b` for `result`, if it is short and at least one operand has a
    /// name.
    pub fn record_composition(&mut self, result: Number, op: Op, a: Number, b: Number) {
        let sign = match op {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            _ => return,
        };
        if result.is_zero() {
            return;
        }
        let (positive, turned) = magnitude_and_sign(result);
        let known = self.constants.get(&positive).is_some_and(|n| n.formula.is_some())
            || self.set_nameless.contains(&positive);
        if [a, b].map(|n| magnitude_and_sign(n).0).contains(&positive) || known {
            return;
        }
        let (Some((a, a_named)), Some((b, b_named))) =
            (self.operand_text(a, op, false), self.operand_text(b, op, true))
        else {
            return;
        };
        let text = format!("{a} {sign} {b}");
        let text = if turned { format!("-({text})") } else { text };
        if (a_named || b_named) && text.len() <= LONGEST {
            self.constants.entry(positive).or_default().formula = Some(Arc::from(text));
        }
    }

    /// The text of an operand, and true if it has a name or formula; none for a long number.
    fn operand_text(&self, value: Number, op: Op, right: bool) -> Option<(String, bool)> {
        let (positive, turned) = magnitude_and_sign(value);
        let notes = self.constants.get(&positive);
        if let Some(name) = notes.and_then(|n| n.names.first()) {
            return Some((if turned { toggle_negative_prefix(name) } else { name.to_string() }, true));
        }
        if let Some(formula) = notes.and_then(|n| n.formula.as_ref()) {
            let sum =
                formula.contains(" + ") || formula.contains(" - ") || turned || formula.starts_with('-');
            let product = formula.contains(" * ") || formula.contains(" / ");
            let brackets = match op {
                Op::Sub => right && sum,
                Op::Mul => sum || right && formula.contains(" / "),
                Op::Div => sum || right && product,
                _ => turned,
            };
            let minus = if turned { "-" } else { "" };
            return Some((if brackets { format!("{minus}({formula})") } else { formula.to_string() }, true));
        }
        let digits = value.to_f64().to_string();
        (digits.len() <= 8).then_some((digits, false))
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::Graph;
    use super::*;

    #[test]
    fn a_constant_knows_how_it_came_about() {
        let g = Graph::new();
        let number = |n: i64, d: i64| g.number(Number::ratio(n, d).unwrap());
        let (m, l) = (number(27, 10), number(3, 10));
        g.note(m, &|| "m_link".to_owned());
        g.note(l, &|| "l_link".to_owned());
        let product = g.operation(Op::Mul, &[m, l]);
        let inertia = g.operation(Op::Mul, &[product, l]);
        let sum = g.operation(Op::Sub, &[inertia, number(2, 1)]);
        // The sum is negative; its notes are those of its magnitude.
        assert_eq!(g.constant_notes(sum).formula.as_deref(), Some("-(m_link * l_link * l_link - 2)"));
        let less = g.operation(Op::Sub, &[number(2, 1), m]);
        assert_eq!(g.constant_notes(less).formula.as_deref(), Some("-(2 - m_link)"));
        let more = g.operation(Op::Add, &[product, number(2, 1)]);
        assert_eq!(g.constant_notes(more).formula.as_deref(), Some("m_link * l_link + 2"));
        // Plain numbers give no formula.
        let plain = g.operation(Op::Add, &[number(5, 1), number(6, 1)]);
        assert_eq!(g.constant_notes(plain), ConstantNotes::default());
    }

    #[test]
    fn a_constant_and_its_opposite_have_one_name() {
        let g = Graph::new();
        let opposite = g.number(Number::ratio(-31, 10).unwrap());
        g.note(opposite, &|| "J_link_xy".to_owned());
        let positive = g.number(Number::ratio(31, 10).unwrap());
        let names = g.constant_notes(positive).names;
        assert_eq!(names.iter().map(|n| &**n).collect::<Vec<_>>(), ["neg_J_link_xy"]);
        assert_eq!(g.constant_notes(opposite).names, names);
    }

    #[test]
    fn a_note_gives_the_argument_of_a_negation_its_name_too() {
        let g = Graph::new();
        let x = g.symbol("x", super::super::node::SymbolKind::Coordinate(0));
        let y = g.symbol("y", super::super::node::SymbolKind::Coordinate(1));
        let sum = g.operation(Op::Add, &[x, y]);
        let opposite = g.operation(Op::Neg, &[sum]);
        g.note(opposite, &|| "f_x".to_owned());
        assert_eq!(g.note_of(sum).as_deref(), Some("neg_f_x"));
        g.note(opposite, &|| "other".to_owned());
        assert_eq!(g.note_of(opposite).as_deref(), Some("f_x"));
    }
}
