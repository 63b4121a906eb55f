//! Differences and their opposites.

use dqdt_codegen::read;
use dqdt_derivation::functions;
use dqdt_generate::pipeline::{self, Request};
use dqdt_graph::ir::count;
use dqdt_mechanics::formalism::Formalism;

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
