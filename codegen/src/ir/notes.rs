//! Labels of values and origins of constants: for the reader of emitted code, without effect on the graph.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::names::identifier;
use super::node::{NodeId, Op};
use crate::algebra::Number;

/// So many characters of a formula are read with pleasure.
const LONGEST: usize = 90;
/// So many names of one constant are kept.
const MOST: usize = 4;

/// What a constant is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConstantNotes {
    /// By what it is of: several where equal numbers meet.
    pub names: Vec<Arc<str>>,
    /// How it is composed of constants that have names.
    pub formula: Option<Arc<str>>,
}

/// The notes of a graph.
#[derive(Debug, Default)]
pub(super) struct Notes {
    values: FxHashMap<NodeId, Arc<str>>,
    constants: FxHashMap<NodeId, ConstantNotes>,
}

/// What the negative of a value is called.
pub fn negative(name: &str) -> String {
    name.strip_prefix("neg_").map_or_else(|| format!("neg_{name}"), str::to_owned)
}

impl Notes {
    pub fn value(&mut self, id: NodeId, name: &dyn Fn() -> String) {
        self.values.entry(id).or_insert_with(|| Arc::from(identifier(&name())));
    }

    pub fn of_value(&self, id: NodeId) -> Option<Arc<str>> {
        self.values.get(&id).cloned()
    }

    pub fn constant(&mut self, id: NodeId, name: &str) {
        let notes = self.constants.entry(id).or_default();
        let name: Arc<str> = Arc::from(identifier(name));
        if notes.names.len() < MOST && !notes.names.contains(&name) {
            notes.names.push(name);
        }
    }

    pub fn of_constant(&self, id: NodeId) -> ConstantNotes {
        self.constants.get(&id).cloned().unwrap_or_default()
    }

    pub fn copy_constant(&mut self, id: NodeId, from: ConstantNotes) {
        if from != ConstantNotes::default() {
            self.constants.entry(id).or_insert(from);
        }
    }

    /// `id` is `a op b`; an operand is its value, and its node where it has one.
    pub fn composed(&mut self, id: NodeId, op: Op, a: (Number, Option<NodeId>), b: (Number, Option<NodeId>)) {
        let sign = match op {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            _ => return,
        };
        if [a.1, b.1].contains(&Some(id)) || self.constants.get(&id).is_some_and(|n| n.formula.is_some()) {
            return;
        }
        let (Some((a, a_named)), Some((b, b_named))) =
            (self.operand(a, op, false), self.operand(b, op, true))
        else {
            return;
        };
        let text = format!("{a} {sign} {b}");
        if (a_named || b_named) && text.len() <= LONGEST {
            self.constants.entry(id).or_default().formula = Some(Arc::from(text));
        }
    }

    /// The text of an operand, and whether it has a name.
    fn operand(&self, (value, id): (Number, Option<NodeId>), op: Op, right: bool) -> Option<(String, bool)> {
        let notes = id.and_then(|id| self.constants.get(&id));
        if let Some(name) = notes.and_then(|n| n.names.first()) {
            return Some((name.to_string(), true));
        }
        if let Some(formula) = notes.and_then(|n| n.formula.as_ref()) {
            let sum = formula.contains(" + ") || formula.contains(" - ");
            let product = formula.contains(" * ") || formula.contains(" / ");
            let brackets = match op {
                Op::Sub => right && sum,
                Op::Mul => sum || right && formula.contains(" / "),
                Op::Div => sum || right && product,
                _ => false,
            };
            return Some((if brackets { format!("({formula})") } else { formula.to_string() }, true));
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
        assert_eq!(g.constant_notes(sum).formula.as_deref(), Some("m_link * l_link * l_link - 2"));
        // Numbers alone tell nothing.
        let plain = g.operation(Op::Add, &[number(5, 1), number(6, 1)]);
        assert_eq!(g.constant_notes(plain), ConstantNotes::default());
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
