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

#[cfg(test)]
mod tests {
    use crate::ir::count;
    use dqdt_derivation::functions;
    use dqdt_generate::pipeline::{self, Request};
    use dqdt_mechanics::formalism::Formalism;
    use dqdt_spec::read;

    #[test]
    fn a_difference_is_computed_once_whichever_way_round_it_is_asked_for() {
        let text = r#"
name = "x"
[bodies.disc]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joints.j]
type = "planar"
parent = "ground"
child = "disc"
coordinates = { names = ["x", "y", "phi"] }
[states]
a = { rate = 0, start = 1 }
b = { rate = 0, start = 1 }
c = { rate = 0, start = 1 }
[outputs]
f = "(a - b) * c"
g = "(b - a) * x"
h = "-(c - x)"
"#;
        let loaded = pipeline::build(&read::parse("x.toml", text).unwrap(), "x.toml").unwrap();
        let request = Request::new(Formalism::Kane, vec![functions::OUTPUTS]);
        let program = pipeline::program(&loaded, &request);
        let operations = count(&program, &program.functions[0]).call;
        assert_eq!((operations.multiplications, operations.additions), (2, 2));
        assert_eq!(operations.negations, 1);
    }
}
