//! Products of exponentials: `exp(a) exp(b)` becomes `exp(a + b)`, which saves a call.

use crate::ir::{Graph, NodeId, Op, Program, rebuild};
use dqdt_algebra::Func;

/// Replaces products of two exponentials by one exponential of a sum.
pub fn exponentials(program: &Program) -> Program {
    rebuild(program, |b, _, node, map| {
        let args: Vec<NodeId> = node.args().iter().map(|a| map(*a)).collect();
        if let (Op::Mul, &[x, y]) = (node.op, &args[..])
            && let (Some(x), Some(y)) = (exponent(&b.graph, x), exponent(&b.graph, y))
        {
            let sum = b.graph.operation(Op::Add, &[x, y]);
            return Some(b.graph.operation(Op::Func(Func::Exp), &[sum]));
        }
        Some(b.copy_operation(&program.graph, node, &args))
    })
}

fn exponent(graph: &Graph, id: NodeId) -> Option<NodeId> {
    let node = graph.node(id);
    (node.op == Op::Func(Func::Exp)).then(|| node.args()[0])
}
