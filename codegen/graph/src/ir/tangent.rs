//! Directional derivatives of recorded values, node by node.
//!
//! Problem: `d/dε` of values whose symbols move at given rates; also substitution of values for
//!          symbols.
//! Method:  forward differentiation over the nodes that the values need. A node that does not
//!          depend on the direction has no derivative and records nothing, so the structure of the
//!          graph (a body that a joint does not carry) is kept. The derivative of a rotation by its
//!          angle consists of its own entries, most results are existing nodes.
//! Cost:    a few operations for each node that depends on the direction.
//! Not handled: corners; there the derivative is that of the branch taken.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::graph::Graph;
use super::node::{NodeId, Op};
use super::replay::{mark_needed, replay};
use super::tracer::Tracer;
use super::zero_branches::{has_poles, keep_zero_branches};
use dqdt_algebra::{Jet, Scalar};

/// Recorded values to differentiate along several directions, with the users of each node that they
/// need.
pub struct Tangents<'g> {
    graph: &'g Graph,
    outputs: Vec<NodeId>,
    users: Users,
}

/// For each node, the nodes that have it as an operand, among those that the values need.
struct Users {
    /// Start of each node's list: the users of node `i` are at `first[i]` to `first[i + 1]`.
    first: Vec<u32>,
    users: Vec<NodeId>,
}

impl Users {
    fn new(graph: &Graph, needed: &[bool]) -> Self {
        let ids = || (0..needed.len()).filter(|i| needed[*i]).map(|i| NodeId(i as u32));
        let mut first = vec![0u32; needed.len() + 1];
        for id in ids() {
            graph.node(id).args().iter().for_each(|a| first[a.0 as usize + 1] += 1);
        }
        for i in 0..needed.len() {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut users = vec![NodeId(0); first.last().map_or(0, |n| *n as usize)];
        for id in ids() {
            for a in graph.node(id).args() {
                let place = &mut next[a.0 as usize];
                users[*place as usize] = id;
                *place += 1;
            }
        }
        Users { first, users }
    }

    /// The needed nodes that have this one as an operand.
    fn node_users(&self, id: NodeId) -> &[NodeId] {
        let i = id.0 as usize;
        match (self.first.get(i), self.first.get(i + 1)) {
            (Some(from), Some(to)) => &self.users[*from as usize..*to as usize],
            _ => &[],
        }
    }
}

impl<'g> Tangents<'g> {
    /// Finds the nodes that these values need, and their users, for the differentiation.
    pub fn new(graph: &'g Graph, values: &[Tracer<'g>]) -> Self {
        let outputs: Vec<NodeId> = values.iter().map(|x| x.id(graph)).collect();
        let needed = mark_needed(graph, &outputs);
        Tangents { graph, outputs, users: Users::new(graph, &needed) }
    }

    /// Derivatives of the values along the direction in which each seed, a symbol node, moves at
    /// its rate. `by` is the suffix of the direction in the names of derivatives.
    pub fn derivatives_along(&self, seeds: &[(NodeId, Tracer<'g>)], by: &str) -> Vec<Tracer<'g>> {
        let graph = self.graph;
        let mut rates: FxHashMap<NodeId, Tracer<'g>> = seeds.iter().copied().collect();
        // Operands have smaller ids than their users.
        let mut next: BinaryHeap<Reverse<NodeId>> =
            seeds.iter().flat_map(|(id, _)| self.users.node_users(*id)).copied().map(Reverse).collect();
        let mut last = None;
        while let Some(Reverse(id)) = next.pop() {
            if last.replace(id) == Some(id) {
                continue;
            }
            let node = graph.node(id);
            let arguments = node.args();
            let value = |a: &NodeId| Tracer::new(graph, *a);
            let moved: Vec<Jet<Tracer<'g>>> = arguments
                .iter()
                .map(|a| Jet::new(value(a), rates.get(a).copied().unwrap_or(Tracer::ZERO)))
                .collect();
            let derivative = match (node.op, &moved[..]) {
                (Op::Add, [a, b]) => a.d + b.d,
                (Op::Sub, [a, b]) => a.d - b.d,
                (Op::Neg, [a]) => -a.d,
                (Op::Mul, [a, b]) if arguments[0] == arguments[1] => {
                    let once = a.v * b.d;
                    once + once
                }
                (Op::Mul, [a, b]) => multiply_unless_zero(a.d, b.v) + multiply_unless_zero(a.v, b.d),
                (Op::Div, [a, b]) => (a.d - multiply_unless_zero(value(&id), b.d)) / b.v,
                (Op::Sqrt, [a]) => Tracer::ratio(1, 2) * a.d / value(&id),
                (Op::Sin, [a]) => multiply_unless_zero(a.v.sin_cos().1, a.d),
                (Op::Cos, [a]) => -multiply_unless_zero(a.v.sin_cos().0, a.d),
                (Op::Func(f), [a]) => a.apply_function(f).d,
                (Op::Func2(f), [a, b]) => a.apply_function2(f, *b).d,
                (Op::Select(cmp), [a, b, yes, no]) => Jet::select(cmp, *a, *b, *yes, *no).d,
                (Op::Table(table), [a]) => a.interpolate_table(&graph.table_data(table)).d,
                _ => {
                    graph
                        .invariants()
                        .report_broken("the graph contains an operation that cannot be differentiated");
                    Tracer::ZERO
                }
            };
            let derivative = match (node.op, &moved[..]) {
                (op, [a]) if has_poles(op) => keep_zero_branches(graph, a.d, derivative),
                (Op::Func2(_), [a, b]) if has_poles(node.op) && b.d.is_zero() => {
                    keep_zero_branches(graph, a.d, derivative)
                }
                _ => derivative,
            };
            if derivative.is_zero() {
                continue;
            }
            if let Some(name) = graph.name_of(id) {
                derivative.suggest_name(&|| format!("{name}_by_{by}"));
            }
            rates.insert(id, derivative);
            next.extend(self.users.node_users(id).iter().copied().map(Reverse));
        }
        self.outputs.iter().map(|o| rates.get(o).copied().unwrap_or(Tracer::ZERO)).collect()
    }
}

/// The product of two values; nothing is recorded if one is zero.
fn multiply_unless_zero<'g>(a: Tracer<'g>, b: Tracer<'g>) -> Tracer<'g> {
    if a.is_zero() || b.is_zero() { Tracer::ZERO } else { a * b }
}

/// The same values with other values (`instead`) substituted for some symbols or nodes.
pub fn substitute_symbols<'g>(
    graph: &'g Graph,
    values: &[Tracer<'g>],
    instead: &[(NodeId, Tracer<'g>)],
) -> Vec<Tracer<'g>> {
    let instead: FxHashMap<NodeId, NodeId> = instead.iter().map(|(old, x)| (*old, x.id(graph))).collect();
    let outputs: Vec<NodeId> = values.iter().map(|x| x.id(graph)).collect();
    let new_ids = replay(graph, &outputs, |id, op, arguments: &[NodeId]| match instead.get(&id) {
        Some(other) => *other,
        None if arguments == graph.node(id).args() => id,
        None => {
            let new = graph.operation(op, arguments);
            if let Some(name) = graph.name_of(id) {
                graph.note(new, &|| name.clone());
            }
            new
        }
    });
    new_ids.into_iter().map(|id| Tracer::new(graph, id)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::eval::evaluate;
    use super::super::node::SymbolKind;
    use super::*;
    use dqdt_algebra::{Func, Func2, PiecewiseCubic};

    #[test]
    fn every_operation_has_the_slope_of_its_finite_difference() {
        let g = Graph::new();
        let x = Tracer::new(&g, g.symbol("x", SymbolKind::Coordinate(0)));
        let y = Tracer::new(&g, g.symbol("y", SymbolKind::Coordinate(1)));
        let (s, c) = (x * y).sin_cos();
        let table = PiecewiseCubic::natural_spline(&[0.0, 1.0, 2.0], &[0.0, 2.0, 1.0]);
        let values = [
            x * y + x - y,
            -(x / y),
            (x * x + y).sqrt(),
            s * c,
            x.apply_function(Func::Tanh) * y.apply_function(Func::Exp),
            x.apply_function2(Func2::Atan2, y),
            Tracer::select(dqdt_algebra::Cmp::Lt, x, y, x * x * x, y),
            (x * y).interpolate_table(&table),
            x * x,
            y * y,
        ];
        let tangents = Tangents::new(&g, &values);
        // Along (1, x): the rates may be any values.
        let along = tangents.derivatives_along(&[(x.id(&g), Tracer::ONE), (y.id(&g), x)], "s");
        let ids: Vec<NodeId> = values.iter().chain(&along).map(|v| v.id(&g)).collect();
        let at = |px: f64, py: f64| {
            evaluate(&g, &ids, |kind| if kind == SymbolKind::Coordinate(0) { px } else { py })
        };
        let (px, py, h) = (0.7, 1.3, 1e-6);
        let (before, here, after) = (at(px - h, py - h * px), at(px, py), at(px + h, py + h * px));
        for i in 0..values.len() {
            let expected = (after[i] - before[i]) / (2.0 * h);
            let rate = here[values.len() + i];
            assert!(
                (rate - expected).abs() < 1e-8 * expected.abs().max(1.0),
                "{i}: {rate} against {expected}"
            );
        }
    }

    #[test]
    fn what_a_direction_does_not_move_has_no_derivative_and_a_rotation_is_its_own() {
        let g = Graph::new();
        let q = Tracer::new(&g, g.symbol("q", SymbolKind::Coordinate(0)));
        let r = Tracer::new(&g, g.symbol("r", SymbolKind::Coordinate(1)));
        let (s, c) = q.sin_cos();
        let (a, b) = (c * r + s * r * r, c * r * r - s * r);
        let before = g.len();
        let rates = Tangents::new(&g, &[a, r * r]).derivatives_along(&[(q.id(&g), Tracer::ONE)], "q");
        assert_eq!(rates, [b, Tracer::ZERO]);
        assert!(g.len() <= before + 4, "products that are there are found");
        let put = substitute_symbols(&g, &[a, r * r], &[(r.id(&g), q)]);
        assert_eq!(put, [c * q + s * q * q, q * q]);
    }
}
