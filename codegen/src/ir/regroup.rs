//! Reassociation: what is known earlier is computed together.
//!
//! Problem: in m · s · l · c the product m · l depends on parameters only, yet is computed at each call.
//! Method:  factors and terms are ordered by what they depend on (numbers, parameters, pose, motion, inputs); the
//!          constant joins the parameters. Quotients by parameters become products with a reciprocal that is computed
//!          once; several quotients by one value share its reciprocal.
//! Cost:    O(n log n).

use super::cluster::{Clusters, Term};
use super::depend::Group;
use super::graph::{NodeId, Op};
use super::program::Program;
use super::rebuild::{Builder, rebuild};

/// A product in the order of dependency.
pub(super) fn product(b: &mut Builder, factors: &[NodeId]) -> NodeId {
    let mut sorted: Vec<(Group, NodeId)> = factors.iter().map(|f| (b.group(*f), *f)).collect();
    sorted.sort();
    let mut early: Option<NodeId> = None;
    let mut late: Option<NodeId> = None;
    for (group, f) in sorted {
        let side = if group <= Group::Parameter { &mut early } else { &mut late };
        *side = Some(match *side {
            Some(before) => b.mul(before, f),
            None => f,
        });
    }
    match (early, late) {
        (Some(a), Some(c)) => b.mul(a, c),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => b.graph.number(crate::algebra::Number::ONE),
    }
}

/// A sum in the order of dependency; the order of equals is kept.
pub(super) fn sum(b: &mut Builder, terms: &[(bool, NodeId)]) -> NodeId {
    let mut sorted: Vec<(Group, bool, NodeId)> =
        terms.iter().map(|(n, id)| (b.group(*id), *n, *id)).collect();
    sorted.sort_by_key(|t| t.0);
    let mut all: Option<(bool, NodeId)> = None;
    for (_, negative, id) in sorted {
        all = Some(match all {
            None => (negative, id),
            Some((n, before)) if n == negative => (n, b.graph.operation(Op::Add, &[before, id])),
            Some((true, before)) => (false, b.graph.operation(Op::Sub, &[id, before])),
            Some((_, before)) => (false, b.graph.operation(Op::Sub, &[before, id])),
        });
    }
    match all {
        Some((true, id)) => b.graph.operation(Op::Neg, &[id]),
        Some((false, id)) => id,
        None => b.graph.number(crate::algebra::Number::ZERO),
    }
}

/// Rebuilds each sum of products with `build`.
pub(super) fn each_cluster(
    program: &Program,
    mut build: impl FnMut(&mut Builder, Vec<Term>) -> NodeId,
) -> Program {
    let clusters = Clusters::new(program);
    let graph = &program.graph;
    rebuild(program, |b, id, node, map| {
        if clusters.inside(id) {
            return None;
        }
        if matches!(node.op, Op::Add | Op::Sub | Op::Neg | Op::Mul) {
            let mut terms = clusters.terms(graph, id);
            for f in terms.iter_mut().flat_map(|t| &mut t.factors) {
                *f = map(*f);
            }
            return Some(build(b, terms));
        }
        let args: Vec<NodeId> = node.args().iter().map(|a| map(*a)).collect();
        if let (Op::Div, &[a, d]) = (node.op, &args[..]) {
            let (ga, gd) = (b.group(a), b.group(d));
            let once = gd == Group::Parameter && ga > Group::Parameter;
            if once || gd > Group::Constant && clusters.divisions(node.args()[1]) > 1 {
                let reciprocal = b.reciprocal(d);
                return Some(b.mul(a, reciprocal));
            }
        }
        Some(b.copy(graph, node, &args))
    })
}

/// Reassociates every product and sum.
pub fn regroup(program: &Program) -> Program {
    each_cluster(program, |b, terms| {
        let terms: Vec<(bool, NodeId)> = terms.iter().map(|t| (t.negative, product(b, &t.factors))).collect();
        sum(b, &terms)
    })
}
