//! Differences the right way round.
//!
//! Problem: folding keeps `a − b` and `b − a` as one node and its negation, whichever was asked for first. Where only the negation
//!          is used it would be computed besides.
//! Method:  `−(a − b)`, with no other use of `a − b`, is `b − a`.
//! Order:   the last pass: folding would undo it, and what `constants` has done.
//! Cost:    O(n).

use super::constants::uses;
use crate::ir::{NodeId, Op, Program, all_roots, needed, rebuild};

/// Writes negated differences that nothing else uses as differences.
pub fn opposites(program: &Program) -> Program {
    let graph = &program.graph;
    let uses = uses(program, &needed(graph, &all_roots(program)));
    let swapped = |x: NodeId| {
        let node = graph.node(x);
        (node.op == Op::Sub && uses[x.0 as usize] == 1 && !graph.has_label(x)).then_some(node)
    };
    rebuild(program, |b, _, node, map| {
        let args: Vec<NodeId> = node.args().iter().map(|a| map(*a)).collect();
        Some(match (node.op, node.args()) {
            (Op::Const(_) | Op::Symbol(_) | Op::Table(_), _) => b.copy(graph, node, &args),
            (Op::Neg, [x]) => match swapped(*x) {
                Some(difference) => {
                    let [x, y] = [0, 1].map(|i| map(difference.args()[i]));
                    b.graph.raw(Op::Sub, &[y, x])
                }
                None => b.graph.raw(Op::Neg, &args),
            },
            (op, _) => b.graph.raw(op, &args),
        })
    })
}
