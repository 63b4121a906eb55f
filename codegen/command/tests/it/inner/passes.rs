//! Operations saved by the simplification passes `constants`, `mirrors` and `opposites`.

use dqdt_codegen::read;
use dqdt_derivation::functions;
use dqdt_generate::pipeline::{self, Request};
use dqdt_graph::ir::{Operations, count};
use dqdt_mechanics::formalism::Formalism;

/// Operation count of the outputs `f`, `g` and `h`, given as formulas of the states `a`, `b`, `c`
/// and the coordinates `x`, `y`, `phi`.
fn operations([f, g, h]: [&str; 3]) -> Operations {
    let text = format!(
        r#"
name = "x"
[bodies.disc]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joints.j]
type = "planar"
parent = "ground"
child = "disc"
coordinates = {{ names = ["x", "y", "phi"] }}
[states]
a = {{ rate = 0, start = 1 }}
b = {{ rate = 0, start = 1 }}
c = {{ rate = 0, start = 1 }}
[outputs]
f = "{f}"
g = "{g}"
h = "{h}"
"#
    );
    let loaded = pipeline::build(&read::parse("x.toml", text).unwrap(), "x.toml").unwrap();
    let request = Request::new(Formalism::Kane, vec![functions::OUTPUTS]);
    let program = pipeline::program(&loaded, &request);
    count(&program, &program.functions[0]).call
}

#[test]
fn a_number_that_products_share_is_multiplied_once() {
    assert_eq!(operations(["3*a*b", "3*a*c", "3*a + b"]).multiplications, 3);
}

#[test]
fn values_that_differ_by_their_sign_are_computed_once() {
    let counts = operations(["(3*a*b + c*x) * y", "(-3*a*b - c*x) * phi", "sin(-3*a*b) + a"]);
    assert_eq!((counts.multiplications, counts.additions), (5, 2));
}

#[test]
fn a_difference_is_computed_once_whichever_way_round_it_is_asked_for() {
    let counts = operations(["(a - b) * c", "(b - a) * x", "-(c - x)"]);
    assert_eq!((counts.multiplications, counts.additions, counts.negations), (2, 2, 1));
}
