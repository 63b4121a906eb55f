//! Numbers that products share.

use dqdt_codegen::read;
use dqdt_derivation::functions;
use dqdt_generate::pipeline::{self, Request};
use dqdt_graph::ir::count;
use dqdt_mechanics::formalism::Formalism;

#[test]
fn a_number_that_products_share_is_multiplied_once() {
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
f = "3*a*b"
g = "3*a*c"
h = "3*a + b"
"#;
    let loaded = pipeline::build(&read::parse("x.toml", text).unwrap(), "x.toml").unwrap();
    let request = Request::new(Formalism::Kane, vec![functions::OUTPUTS]);
    let program = pipeline::program(&loaded, &request);
    assert_eq!(count(&program, &program.functions[0]).call.multiplications, 3);
}
