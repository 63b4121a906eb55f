//! Reassociation of sums and products: parameters together, then coordinates, then the rest.
//!
//! Problem: in m · s · l · c the product m · l depends on parameters only, yet it is computed at
//!          each call.
//! Method:  factors and terms are sorted by what they depend on (constants, parameters, pose,
//!          motion, inputs); the constant joins the parameters. Quotients by parameters become
//!          products with a reciprocal that is computed once; several quotients by one value share
//!          its reciprocal.
//! Cost:    O(n log n).

use super::cluster::{Clusters, SignedTerm};
use crate::ir::{GraphBuilder, Group, NodeId, Op, Program, rebuild};
use dqdt_algebra::Number;

/// Records a product with its factors in the order of dependency: constants and parameters first,
/// then one subproduct per group.
pub(super) fn record_product_by_group(b: &mut GraphBuilder, factors: &[NodeId]) -> NodeId {
    let mut sorted: Vec<(Group, NodeId)> =
        factors.iter().map(|f| (b.dependency_group(*f).max(Group::Parameter), *f)).collect();
    sorted.sort();
    let mut all: Option<NodeId> = None;
    for chunk in sorted.chunk_by(|x, y| x.0 == y.0) {
        let part = chunk.iter().skip(1).fold(chunk[0].1, |before, (_, f)| b.record_product(before, *f));
        all = Some(all.map_or(part, |before| b.record_product(before, part)));
    }
    all.unwrap_or_else(|| b.graph.number(Number::ONE))
}

/// A term of a sum: its sign, `true` for negative, and its node.
type Signed = (bool, NodeId);

/// The sum of two signed nodes, recorded without negations where possible.
fn add_signed(b: &GraphBuilder, x: Signed, y: Signed) -> Signed {
    match (x, y) {
        ((n, x), (m, y)) if n == m => (n, b.graph.operation(Op::Add, &[x, y])),
        ((true, x), (_, y)) => (false, b.graph.operation(Op::Sub, &[y, x])),
        ((_, x), (_, y)) => (false, b.graph.operation(Op::Sub, &[x, y])),
    }
}

/// Records a sum with its terms in the order of dependency, stable within a group.
pub(super) fn record_sum_by_group(b: &mut GraphBuilder, terms: &[Signed]) -> NodeId {
    let mut sorted: Vec<(Group, Signed)> = terms.iter().map(|t| (b.dependency_group(t.1), *t)).collect();
    sorted.sort_by_key(|t| t.0);
    let all = sorted.into_iter().map(|t| t.1).reduce(|before, t| add_signed(b, before, t));
    match all {
        Some((true, id)) => b.graph.operation(Op::Neg, &[id]),
        Some((false, id)) => id,
        None => b.graph.number(Number::ZERO),
    }
}

/// Splits the sign off a factor, so that −½ x and ½ y have ½ in common.
fn split_sign(b: &GraphBuilder, id: NodeId) -> (bool, NodeId) {
    let node = b.graph.node(id);
    match (node.op, node.args()) {
        (Op::Neg, [x]) => (true, *x),
        (Op::Const(n), _) if n.to_f64() < 0.0 => match n.checked_neg() {
            Some(n) => (true, b.graph.number(n)),
            None => (false, id),
        },
        _ => (false, id),
    }
}

/// Rebuilds a program, with `build` recording each cluster (a sum of products without other users)
/// from its terms.
pub(super) fn rebuild_clusters(
    program: &Program,
    mut build: impl FnMut(&mut GraphBuilder, Vec<SignedTerm>) -> NodeId,
) -> Program {
    let clusters = Clusters::new(program);
    let graph = &program.graph;
    rebuild(program, |b, id, node, map| {
        if clusters.inside(id) {
            return None;
        }
        if matches!(node.op, Op::Add | Op::Sub | Op::Neg | Op::Mul) {
            let mut terms = clusters.cluster_terms(graph, id);
            for t in &mut terms {
                for f in &mut t.factors {
                    let (negative, positive) = split_sign(b, map(*f));
                    t.negative ^= negative;
                    *f = positive;
                }
            }
            return Some(build(b, terms));
        }
        let args: Vec<NodeId> = node.args().iter().map(|a| map(*a)).collect();
        if let (Op::Div, &[a, d]) = (node.op, &args[..]) {
            let (ga, gd) = (b.dependency_group(a), b.dependency_group(d));
            let once = gd == Group::Parameter && ga > Group::Parameter;
            if once || gd > Group::Constant && clusters.divisions(node.args()[1]) > 1 {
                let reciprocal = b.record_reciprocal(d);
                return Some(b.record_product(a, reciprocal));
            }
        }
        Some(b.copy_operation(graph, node, &args))
    })
}

/// The pass: reassociates every product and sum so that values of one dependency group are computed
/// together.
pub fn regroup_by_dependency(program: &Program) -> Program {
    rebuild_clusters(program, |b, terms| {
        let terms: Vec<(bool, NodeId)> =
            terms.iter().map(|t| (t.negative, record_product_by_group(b, &t.factors))).collect();
        record_sum_by_group(b, &terms)
    })
}
