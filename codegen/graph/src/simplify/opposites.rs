//! Replaces negated differences by the opposite difference.
//!
//! Problem: folding keeps `a − b` and `b − a` as one node and its negation, depending on which was
//!          recorded first. If only the negation is used, it would cost an extra operation.
//! Method:  `−(a − b)` becomes `b − a` if `a − b` has no other use.
//! Order:   the last pass; folding would undo it and `constants`.
//! Cost:    O(n).

use super::constants::count_uses;
use crate::ir::{NodeId, Op, Program, mark_needed, program_roots, rebuild};

/// The pass: writes `−(a − b)` as `b − a` where nothing else uses `a − b`.
pub fn reverse_negated_differences(program: &Program) -> Program {
    let graph = &program.graph;
    let uses = count_uses(program, &mark_needed(graph, &program_roots(program)));
    rebuild(program, |b, _, node, map| {
        let args: Vec<NodeId> = node.args().iter().map(|a| map(*a)).collect();
        Some(match (node.op, node.args()) {
            (Op::Const(_) | Op::Symbol(_) | Op::Table(_), _) => b.copy_operation(graph, node, &args),
            (Op::Neg, [x]) => {
                let inner = graph.node(*x);
                if inner.op == Op::Sub && uses[x.0 as usize] == 1 && !graph.has_label(*x) {
                    let [x, y] = [0, 1].map(|i| map(inner.args()[i]));
                    b.graph.raw(Op::Sub, &[y, x])
                } else {
                    b.graph.raw(Op::Neg, &args)
                }
            }
            (op, _) => b.graph.raw(op, &args),
        })
    })
}
