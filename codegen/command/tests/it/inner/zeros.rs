//! Removal of zero entries from outputs, and their restoration.

use dqdt_codegen::read;
use dqdt_derivation::derive::{Request, derive};
use dqdt_derivation::functions;
use dqdt_generate::pipeline;
use dqdt_graph::ir::{NodeId, Program};
use dqdt_graph::simplify::zeros::{remove_zero_entries, restore_zero_entries};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::Formulation;

/// Program of `n` independent bodies on sliders.
fn sliding_bodies(n: usize) -> Program {
    let text = format!(
        r#"
            name = "slides"
            [repeat]
            n = {n}
            i = "1 to n"
            [bodies]
            "b{{i}}" = {{ mass = 1 }}
            [joints]
            "j{{i}}" = {{ type = "prismatic", axis = "x", parent = "ground", child = "b{{i}}", coordinates = {{ names = ["x{{i}}"] }} }}
            "#
    );
    let loaded = pipeline::build(&read::parse("slides.toml", text.as_str()).unwrap(), "slides.toml").unwrap();
    let request = Request::new(Formalism::Kane, vec![functions::MASS_MATRIX, functions::DQDT]);
    derive(&loaded, &Formulation::default(), &request)
}

#[test]
fn independent_bodies_have_as_many_entries_as_bodies_and_all_come_back() {
    let mut program = sliding_bodies(40);
    let whole: Vec<Vec<NodeId>> = outputs(&program);
    let zeros = remove_zero_entries(&mut program);
    let entries: usize = outputs(&program).iter().map(Vec::len).sum();
    // M and the speeds remain; all accelerations are zero.
    assert_eq!(entries, 40 + 40);
    restore_zero_entries(&mut program, &zeros);
    assert_eq!(outputs(&program), whole);
    // The graph grows linearly with the number of bodies.
    let (once, twice) = (sliding_bodies(40).graph.len(), sliding_bodies(80).graph.len());
    assert!(twice <= 2 * once, "{once} {twice}");
}

fn outputs(program: &Program) -> Vec<Vec<NodeId>> {
    program.functions.iter().flat_map(|f| &f.outputs).map(|o| o.nodes.clone()).collect()
}
