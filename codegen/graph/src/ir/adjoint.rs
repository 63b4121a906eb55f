//! Gradient of one recorded value by several symbols: reverse differentiation, node by node.
//!
//! Problem: all derivatives of a scalar, at the cost of a few evaluations of it.
//! Method:  the nodes are visited from the value back to its operands; each passes its adjoint, the
//!          derivative of the value by the node, on to its operands. Nodes that depend on none of
//!          the symbols have no adjoint and record nothing.
//! Cost:    about three operations for each operation that depends on a symbol.
//!
//! Not handled: corners; there the derivative is that of the branch taken.

use rustc_hash::FxHashSet;

use super::graph::Graph;
use super::node::{Node, NodeId, Op};
use super::replay::mark_needed;
use super::tracer::Tracer;
use super::zero_branches::{has_poles, keep_zero_branches};
use dqdt_algebra::{Cmp, Jet, Scalar};

/// Derivatives of `value` by these nodes, which are symbols or other leaves of the differentiation:
/// the gradient of a scalar.
pub fn gradient<'g>(graph: &'g Graph, value: Tracer<'g>, by: &[NodeId]) -> Vec<Tracer<'g>> {
    let root = value.id(graph);
    let leaves: FxHashSet<NodeId> = by.iter().copied().collect();
    let moved = mark_dependent(graph, root, &leaves);
    let mut adjoints: Vec<Tracer<'g>> = vec![Tracer::ZERO; moved.len()];
    if let Some(adjoint) = adjoints.last_mut() {
        *adjoint = Tracer::ONE;
    }
    for index in (0..moved.len()).rev().filter(|i| moved[*i]) {
        let (id, adjoint) = (NodeId(index as u32), adjoints[index]);
        if adjoint.is_zero() || leaves.contains(&id) {
            continue;
        }
        let node = graph.node(id);
        for (k, operand) in node.args().iter().enumerate() {
            let place = operand.0 as usize;
            if moved[place] {
                let mut share = operand_adjoint(graph, id, node, k, adjoint);
                if has_poles(node.op) {
                    share = keep_zero_branches(graph, adjoint, share);
                }
                adjoints[place] = if adjoints[place].is_zero() { share } else { adjoints[place] + share };
            }
        }
    }
    by.iter().map(|id| adjoints.get(id.0 as usize).copied().unwrap_or(Tracer::ZERO)).collect()
}

/// True for each node that `root` needs and that depends on one of the leaves; the list ends at
/// `root`.
fn mark_dependent(graph: &Graph, root: NodeId, leaves: &FxHashSet<NodeId>) -> Vec<bool> {
    let mut moved = mark_needed(graph, &[root]);
    for index in 0..moved.len() {
        let id = NodeId(index as u32);
        moved[index] = moved[index]
            && (leaves.contains(&id) || graph.node(id).args().iter().any(|a| moved[a.0 as usize]));
    }
    moved
}

/// The adjoint that a node with this adjoint passes on to its operand number `k`.
fn operand_adjoint<'g>(
    graph: &'g Graph,
    id: NodeId,
    node: Node,
    k: usize,
    adjoint: Tracer<'g>,
) -> Tracer<'g> {
    let arguments: Vec<Tracer<'g>> = node.args().iter().map(|a| Tracer::new(graph, *a)).collect();
    // Jets of the operands, of which number `k` moves at unit rate.
    let jet = |i: usize| Jet::new(arguments[i], if i == k { Tracer::ONE } else { Tracer::ZERO });
    let scaled = |slope: Tracer<'g>| if slope.is_zero() { Tracer::ZERO } else { adjoint * slope };
    match (node.op, &arguments[..]) {
        (Op::Add, _) => adjoint,
        (Op::Sub, _) => {
            if k == 0 {
                adjoint
            } else {
                -adjoint
            }
        }
        (Op::Neg, _) => -adjoint,
        (Op::Mul, [a, b]) => adjoint * if k == 0 { *b } else { *a },
        (Op::Div, [_, b]) if k == 0 => adjoint / *b,
        (Op::Div, [_, b]) => -(adjoint / *b * Tracer::new(graph, id)),
        (Op::Sqrt, _) => Tracer::ratio(1, 2) * adjoint / Tracer::new(graph, id),
        (Op::Sin, [a]) => adjoint * a.sin_cos().1,
        (Op::Cos, [a]) => -(adjoint * a.sin_cos().0),
        (Op::Func(f), [_]) => scaled(jet(0).apply_function(f).d),
        (Op::Func2(f), [_, _]) => scaled(jet(0).apply_function2(f, jet(1)).d),
        (Op::Select(_), _) if k < 2 => Tracer::ZERO,
        (Op::Select(cmp), [a, b, ..]) => select_branch(cmp, *a, *b, k == 2, adjoint),
        (Op::Table(table), [_]) => scaled(jet(0).interpolate_table(&graph.table_data(table)).d),
        _ => {
            graph.invariants().report_broken("the graph contains an operation that cannot be differentiated");
            Tracer::ZERO
        }
    }
}

/// The adjoint of one branch of a selection: that of the selection while the branch is taken, else
/// zero.
fn select_branch<'g>(
    cmp: Cmp,
    a: Tracer<'g>,
    b: Tracer<'g>,
    is_first: bool,
    adjoint: Tracer<'g>,
) -> Tracer<'g> {
    let (yes, no) = if is_first { (adjoint, Tracer::ZERO) } else { (Tracer::ZERO, adjoint) };
    Tracer::select(cmp, a, b, yes, no)
}

#[cfg(test)]
mod tests {
    use super::super::eval::evaluate;
    use super::super::node::SymbolKind;
    use super::super::tangent::Tangents;
    use super::*;
    use dqdt_algebra::{Func, Func2, PiecewiseCubic};

    #[test]
    fn the_gradient_of_every_operation_is_that_of_tangents() {
        let g = Graph::new();
        let x = Tracer::new(&g, g.symbol("x", SymbolKind::Coordinate(0)));
        let y = Tracer::new(&g, g.symbol("y", SymbolKind::Coordinate(1)));
        let z = Tracer::new(&g, g.symbol("z", SymbolKind::Coordinate(2)));
        let (s, c) = (x * y).sin_cos();
        let table = PiecewiseCubic::natural_spline(&[0.0, 1.0, 2.0], &[0.0, 2.0, 1.0]);
        let values = [
            x * y + x - y,
            -(x / y),
            (x * x + y).sqrt(),
            s * c,
            x.apply_function(Func::Tanh) * y.apply_function(Func::Exp),
            x.apply_function2(Func2::Atan2, y),
            Tracer::select(Cmp::Lt, x, y, x * x * x, y),
            Tracer::select(Cmp::Lt, y, x, x * x * x, y),
            (x * y).interpolate_table(&table),
            x * x,
        ];
        let by = [x.id(&g), y.id(&g), z.id(&g)];
        for value in values {
            let reverse = gradient(&g, value, &by);
            let forward: Vec<Tracer<'_>> = by
                .iter()
                .map(|id| Tangents::new(&g, &[value]).derivatives_along(&[(*id, Tracer::ONE)], "s")[0])
                .collect();
            let ids: Vec<NodeId> = reverse.iter().chain(&forward).map(|v| v.id(&g)).collect();
            let all = evaluate(&g, &ids, |kind| if kind == SymbolKind::Coordinate(0) { 0.7 } else { 1.3 });
            for k in 0..3 {
                assert!((all[k] - all[3 + k]).abs() < 1e-14, "{value:?} by {k}: {all:?}");
            }
            assert_eq!(all[2], 0.0);
        }
    }
}
