//! The added pass `exponentials`: fewer calls, the same values.

use dqdt_algebra::Func;
use dqdt_derivation::derive::{Request, derive};
use dqdt_derivation::functions::OUTPUTS;
use dqdt_generate::pipeline;
use dqdt_graph::ir::{Arguments, Machine, NodeId, Op, Program, mark_needed, program_roots};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::Formulation;

use crate::{assert_close, build, pendulum};

fn count_exponentials(program: &Program) -> usize {
    let graph = &program.graph;
    let needed = mark_needed(graph, &program_roots(program));
    (0..needed.len())
        .filter(|i| needed[*i] && graph.node(NodeId(*i as u32)).op == Op::Func(Func::Exp))
        .count()
}

fn outputs(program: &Program) -> Vec<f64> {
    let mut arguments = Arguments::defaults(program);
    arguments.q.iter_mut().for_each(|q| *q += 0.4);
    arguments.v.iter_mut().for_each(|v| *v -= 0.7);
    Machine::new(program, OUTPUTS).expect("requested").call(&arguments).expect("regular").to_vec()
}

#[test]
fn it_joins_exponentials_and_keeps_values() {
    let joint = pendulum("type = \"revolute\"\naxis = \"z\"");
    let spec = build(&format!(
        "{joint}[outputs]\nboth = {{ type = \"formula\", value = \"exp(-pin^2)*exp(-abs(pin)/4)\" }}\n"
    ));
    let request = Request::new(Formalism::Kane, vec![OUTPUTS]);
    let before = derive(&spec, &Formulation::default(), &request);
    let after = pipeline::program(&spec, &request);
    assert_eq!([&before, &after].map(count_exponentials), [2, 1]);
    let [a, b] = [&before, &after].map(outputs);
    assert_close(&a, &b, "with and without the pass");
}
