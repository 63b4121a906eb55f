//! Switches of a graph: operations whose formula changes where an argument changes sign.
//!
//! Problem: two formulas that agree on one side of a limit, a knot or a condition can differ on the
//!          other, so numerical comparisons need points on both sides of each.
//! Method:  comparisons, `min`, `max`, `abs`, `sign` and each knot of a table give an argument as a
//!          node of the same graph. A switch is active at a point if its value reaches an output
//!          through the branches taken there.
//! Not handled: a factor of zero does not make a switch inactive; branch cuts of `atan2`.

use std::collections::{BTreeMap, BTreeSet};

use super::eval::evaluate_operation;
use super::graph::Graph;
use super::node::{NodeId, Op, SymbolKind};
use super::replay::mark_needed;
use dqdt_algebra::{Func, Func2, Number};

/// An argument of a comparison, minimum, absolute value or table, whose sign decides which formula
/// holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Switch {
    /// Operations whose formula depends on the sign.
    pub operations: Vec<NodeId>,
    /// The argument whose sign decides: the formula of the operations changes at its zero.
    pub argument: NodeId,
    /// True if equality to zero is a separate case, as in the comparison of a selection.
    pub compares: bool,
    /// Symbols that the argument depends on, sorted.
    pub symbols: Vec<SymbolKind>,
}

/// All switches that the outputs depend on. Their arguments are recorded in the graph if they are
/// not there.
pub fn find_switches(graph: &Graph, outputs: &[NodeId]) -> Vec<Switch> {
    let needed = mark_needed(graph, outputs);
    let mut arguments: BTreeMap<NodeId, (Vec<NodeId>, bool)> = BTreeMap::new();
    for index in (0..needed.len()).filter(|i| needed[*i]) {
        let id = NodeId(index as u32);
        let node = graph.node(id);
        let compares = matches!(node.op, Op::Select(_));
        for argument in switch_arguments(graph, node.op, node.args()) {
            if graph.constant(argument).is_none() {
                let entry = arguments.entry(argument).or_default();
                entry.0.push(id);
                entry.1 |= compares;
            }
        }
    }
    arguments
        .into_iter()
        .map(|(argument, (operations, compares))| {
            let symbols = needed_symbols(graph, argument);
            Switch { operations, argument, compares, symbols }
        })
        .filter(|s| !s.symbols.is_empty())
        .collect()
}

/// The values on whose signs the formula of an operation depends.
fn switch_arguments(graph: &Graph, op: Op, args: &[NodeId]) -> Vec<NodeId> {
    match (op, args) {
        (Op::Select(_), [a, b, ..]) | (Op::Func2(Func2::Min | Func2::Max), [a, b]) => {
            vec![graph.operation(Op::Sub, &[*a, *b])]
        }
        (Op::Func(Func::Abs | Func::Sign), [a]) => vec![*a],
        (Op::Table(t), [a]) => {
            let table = graph.table_data(t);
            table
                .knots
                .iter()
                .map(|x| graph.operation(Op::Sub, &[*a, graph.number(Number::float(*x))]))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The symbols that a node depends on, sorted.
fn needed_symbols(graph: &Graph, root: NodeId) -> Vec<SymbolKind> {
    let needed = mark_needed(graph, &[root]);
    let symbols: BTreeSet<SymbolKind> = (0..needed.len())
        .filter(|i| needed[*i])
        .filter_map(|i| match graph.node(NodeId(i as u32)).op {
            Op::Symbol(s) => Some(graph.symbol_info(s).kind),
            _ => None,
        })
        .collect();
    symbols.into_iter().collect()
}

/// Values at one point of all nodes that some outputs need, by node.
pub struct Snapshot {
    values: Vec<f64>,
}

impl Snapshot {
    /// Evaluates all nodes that the outputs need at one point; `leaf` returns the values of
    /// symbols.
    pub fn new(graph: &Graph, outputs: &[NodeId], leaf: impl Fn(SymbolKind) -> f64) -> Self {
        let needed = mark_needed(graph, outputs);
        let mut values = vec![f64::NAN; needed.len()];
        for index in (0..needed.len()).filter(|i| needed[*i]) {
            let node = graph.node(NodeId(index as u32));
            let mut args = [0.0; 4];
            for (to, from) in args.iter_mut().zip(node.args()) {
                *to = values[from.0 as usize];
            }
            values[index] = evaluate_operation(graph, node.op, &args[..node.args().len()], &leaf);
        }
        Snapshot { values }
    }

    /// The largest magnitude of all values of nodes, ignoring NaN.
    pub fn largest_magnitude(&self) -> f64 {
        self.values.iter().fold(0.0, |largest, x| x.abs().max(largest))
    }

    /// The value of a node; NaN if no output needs it.
    pub fn node_value(&self, id: NodeId) -> f64 {
        self.values.get(id.0 as usize).copied().unwrap_or(f64::NAN)
    }

    /// For each node, true if it reaches a finite output through the branches taken at the point.
    pub fn mark_active(&self, graph: &Graph, outputs: &[NodeId]) -> Vec<bool> {
        let mut active = vec![false; self.values.len()];
        for o in outputs.iter().filter(|o| self.node_value(**o).is_finite()) {
            active[o.0 as usize] = true;
        }
        for index in (0..active.len()).rev().filter(|i| *i < self.values.len()) {
            if !active[index] {
                continue;
            }
            let node = graph.node(NodeId(index as u32));
            let args = node.args();
            let skipped = match (node.op, args) {
                (Op::Select(cmp), [a, b, ..]) => {
                    let first = cmp.select(self.node_value(*a), self.node_value(*b), 1.0, 0.0) == 1.0;
                    Some(if first { 3 } else { 2 })
                }
                _ => None,
            };
            for (place, a) in args.iter().enumerate() {
                if Some(place) != skipped {
                    active[a.0 as usize] = true;
                }
            }
        }
        active
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Tracer;
    use dqdt_algebra::Scalar;

    #[test]
    fn each_limit_condition_and_magnitude_is_a_switch() {
        let g = Graph::new();
        let x = Tracer::new(&g, g.symbol("x", SymbolKind::Coordinate(0)));
        let three = Tracer::number(&g, Number::integer(3));
        let clamped = x.apply_function2(Func2::Max, -three).apply_function2(Func2::Min, three);
        let selected =
            Tracer::select(dqdt_algebra::Cmp::Lt, x, three, clamped, (x * x).apply_function(Func::Abs));
        let all = find_switches(&g, &[selected.id(&g)]);
        let at = |s: &Switch, value: f64| Snapshot::new(&g, &[s.argument], |_| value).node_value(s.argument);
        // x + 3, max(x, −3) − 3, x − 3, x²
        assert_eq!(all.len(), 4, "{all:?}");
        assert_eq!(all.iter().filter(|s| s.compares).count(), 1);
        assert!(all.iter().any(|s| at(s, -3.0) == 0.0));
        assert!(all.iter().any(|s| s.compares && at(s, 3.0) == 0.0));
    }

    #[test]
    fn a_branch_that_is_not_taken_is_not_active() {
        let g = Graph::new();
        let x = Tracer::new(&g, g.symbol("x", SymbolKind::Coordinate(0)));
        let inner = x.apply_function(Func::Abs);
        let selected = Tracer::select(dqdt_algebra::Cmp::Lt, x, Tracer::ONE, inner, Tracer::ZERO);
        let outputs = [selected.id(&g)];
        let active = |value: f64| {
            let snapshot = Snapshot::new(&g, &outputs, |_| value);
            snapshot.mark_active(&g, &outputs)[inner.id(&g).0 as usize]
        };
        assert!(active(0.5) && !active(2.0));
    }
}
