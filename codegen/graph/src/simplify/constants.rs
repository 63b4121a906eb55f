//! Multiplies constants back into factors that several products share.
//!
//! Problem: folding moves constants to the front, `x (c y) = c (x y)`, so that equal products
//!          become one node. If several products have c and x in common, each then multiplies by
//!          both: `c (x y)`, `c (x z)` take four products, `(c x) y`, `(c x) z` three, and one less
//!          where `c x` exists anyway.
//! Method:  greedy: of all pairs of a constant and a factor, take the one that most products have,
//!          and repeat. Only products whose inner products have no other user qualify.
//! Order:   after the folding passes, with `mirrors` and `opposites`; folding would undo it.
//! Cost:    O(n log n) in the number of pairs.

use std::collections::BTreeMap;

use crate::ir::{Group, NodeId, Op, Program, dependency_groups, mark_needed, program_roots, rebuild};

/// Maximum number of factors of a product that are considered for absorbing its constant.
const FACTORS: usize = 4;

/// A product of a constant and factors, whose inner products have no other user.
struct ScaledProduct {
    number: NodeId,
    factors: Vec<NodeId>,
}

/// Number of uses of each node, as an operand or a result.
pub(super) fn count_uses(program: &Program, needed: &[bool]) -> Vec<u32> {
    let mut uses = vec![0; needed.len()];
    for root in program_roots(program) {
        uses[root.0 as usize] += 1;
    }
    for index in (0..needed.len()).filter(|i| needed[*i]) {
        for a in program.graph.node(NodeId(index as u32)).args() {
            uses[a.0 as usize] += 1;
        }
    }
    uses
}

/// Finds the products with a constant in front, and the pairs of a constant and a value that are
/// products already.
fn find_scaled_products(
    program: &Program,
) -> (BTreeMap<NodeId, ScaledProduct>, BTreeMap<(NodeId, NodeId), u32>) {
    let graph = &program.graph;
    let needed = mark_needed(graph, &program_roots(program));
    let (uses, groups) = (count_uses(program, &needed), dependency_groups(graph));
    let (mut scaled, mut there) = (BTreeMap::new(), BTreeMap::new());
    for index in (0..needed.len()).filter(|i| needed[*i] && groups[*i] > Group::Parameter) {
        let id = NodeId(index as u32);
        let node = graph.node(id);
        let (Op::Mul, &[number, rest]) = (node.op, node.args()) else { continue };
        if graph.constant(number).is_none() {
            continue;
        }
        let (mut factors, mut open) = (Vec::new(), vec![rest]);
        while let Some(id) = open.pop() {
            let inner = graph.node(id);
            let only_here = inner.op == Op::Mul && uses[id.0 as usize] == 1 && !graph.has_label(id);
            if only_here && factors.len() + open.len() < FACTORS {
                open.extend(inner.args().iter().rev());
            } else {
                factors.push(id);
            }
        }
        if factors.len() < 2 {
            there.insert((number, rest), 1);
        } else if factors.iter().all(|f| groups[f.0 as usize] > Group::Parameter) {
            scaled.insert(id, ScaledProduct { number, factors });
        }
    }
    (scaled, there)
}

/// Chooses for each product the factor that absorbs the constant, so that most products share a
/// pair.
fn choose_absorbing_factors(
    mut scaled: BTreeMap<NodeId, ScaledProduct>,
    there: &BTreeMap<(NodeId, NodeId), u32>,
) -> BTreeMap<NodeId, (ScaledProduct, NodeId)> {
    let mut extracted = BTreeMap::new();
    let mut having: BTreeMap<(NodeId, NodeId), Vec<NodeId>> = BTreeMap::new();
    for (id, s) in &scaled {
        let mut factors = s.factors.clone();
        factors.sort_unstable();
        factors.dedup();
        for f in factors {
            having.entry((s.number, f)).or_default().push(*id);
        }
    }
    let worth =
        |pair: &(NodeId, NodeId), all: &Vec<NodeId>| all.len() as u32 + there.get(pair).copied().unwrap_or(0);
    // Highest count first; among equals the lowest ids.
    let mut order: BTreeMap<(std::cmp::Reverse<u32>, (NodeId, NodeId)), ()> =
        having.iter().map(|(pair, all)| ((std::cmp::Reverse(worth(pair, all)), *pair), ())).collect();
    while let Some(((std::cmp::Reverse(said), pair), ())) = order.pop_first() {
        let Some(all) = having.get_mut(&pair) else { continue };
        all.retain(|id| scaled.contains_key(id));
        let now = worth(&pair, all);
        if now < 2 || all.is_empty() {
            continue;
        }
        if now < said {
            order.insert((std::cmp::Reverse(now), pair), ());
            continue;
        }
        for id in having.remove(&pair).unwrap_or_default() {
            if let Some(s) = scaled.remove(&id) {
                extracted.insert(id, (s, pair.1));
            }
        }
    }
    extracted
}

/// The pass: multiplies constants into the factors that products share.
pub fn absorb_constants(program: &Program) -> Program {
    let (scaled, there) = find_scaled_products(program);
    let extracted = choose_absorbing_factors(scaled, &there);
    rebuild(program, |b, id, node, map| {
        if let Some((s, factor)) = extracted.get(&id) {
            let mut factors = s.factors.clone();
            match factors.iter().position(|f| f == factor) {
                Some(at) => {
                    factors.remove(at);
                }
                None => b
                    .graph
                    .invariants()
                    .report_broken("the factor that should absorb a constant is not in the product"),
            }
            let first = b.graph.operation(Op::Mul, &[map(s.number), map(*factor)]);
            let rest = factors.iter().map(|f| map(*f)).reduce(|x, y| b.record_product(x, y));
            return Some(
                rest.map_or(first, |rest| b.graph.raw(Op::Mul, &[first.min(rest), first.max(rest)])),
            );
        }
        let args: Vec<NodeId> = node.args().iter().map(|a| map(*a)).collect();
        Some(match (node.op, &args[..]) {
            // Without folding, so that products of earlier passes stay as they are.
            (Op::Mul, &[x, y]) => b.graph.raw(Op::Mul, &[x, y]),
            _ => b.copy_operation(&program.graph, node, &args),
        })
    })
}
