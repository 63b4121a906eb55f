//! Machine code compiled in this process computes the bits of emitted Rust, in both precisions.

use crate::compiled::{self, Module, ShownValues};
use crate::emitted_calls::{functions_with_outputs, rust_calls, rust_module, sample_points};
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{self, FormalismChoice, Request};
use dqdt_graph::ir::{Arguments, NodeId, Program, Tape};
use dqdt_native::{NativeCode, NativeScalar, VECTORS};
use dqdt_samples::tier;
use dqdt_tests::root;

/// Compares every function of a program at every point with the values that the emitted module
/// printed. A function that returned an error there has no values.
pub fn assert_bits_of_machine_code<T: NativeScalar + Into<f64>>(
    program: &Program,
    points: &[Arguments],
    rust: &ShownValues,
) {
    let name = &program.name;
    let mut compared = 0;
    for f in functions_with_outputs(program) {
        let outputs = f.results().into_iter().flat_map(|(_, outputs)| outputs);
        let nodes: Vec<NodeId> = outputs.flat_map(|o| o.nodes.iter().copied()).collect();
        let code = NativeCode::<T>::compile(&Tape::new(&program.graph, &nodes)).unwrap();
        for (i, point) in points.iter().enumerate() {
            let what = format!("{}@{i}", f.declaration.name);
            let emitted = &rust[&(name.clone(), what.clone())];
            if emitted[0] != 0.0 {
                continue;
            }
            let actual = call_machine_code(&code, point, nodes.len());
            compared += 1;
            for (k, (x, y)) in actual.iter().zip(&emitted[1..]).enumerate() {
                let is_same = x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
                assert!(is_same, "{what} of {name}, number {k}: {x:?} by machine code, {y:?} in Rust");
            }
        }
    }
    assert!(compared > 0, "every function of {name} returned an error at every point");
}

/// Values of a compiled function at a point, as doubles.
fn call_machine_code<T: NativeScalar + Into<f64>>(
    code: &NativeCode<T>,
    point: &Arguments,
    count: usize,
) -> Vec<f64> {
    let vectors: [Vec<T>; VECTORS] = point.vectors().map(|v| v.iter().map(|x| T::from_f64(*x)).collect());
    let slices: [&[T]; VECTORS] = std::array::from_fn(|i| &vectors[i][..]);
    let mut result = vec![T::ZERO; count];
    code.call(&slices, &code.model(&vectors[1]), &mut result);
    result.into_iter().map(Into::into).collect()
}

/// A robot with its default functions, at sample points.
fn robot(name: &str) -> (Program, Vec<Arguments>) {
    let loaded = pipeline::load(&root(&format!("tests/data/robots/{name}.toml"))).unwrap();
    let functions = functions::defaults();
    let formalism = pipeline::choose(&loaded, FormalismChoice::BySize, &functions).unwrap();
    let program: Program = pipeline::program(&loaded, &Request::new(formalism, functions));
    let points = sample_points(&program);
    (program, points)
}

#[test]
fn machine_code_of_robots_has_the_bits_of_emitted_rust() {
    let robots = ["sph_rev", "ur5", "panda", "chain5", "solo12", "anymal", "hyq", "talos"];
    let cases: Vec<(Program, Vec<Arguments>)> =
        robots.iter().take(tier::cases_by_tier(1, robots.len())).map(|name| robot(name)).collect();
    for scalar in ["f64", "f32"] {
        let modules: Vec<Module> = (cases.iter())
            .map(|(program, points)| Module {
                name: program.name.clone(),
                source: rust_module(program, false),
                calls: rust_calls(program, points, scalar),
            })
            .collect();
        let rust = compiled::run_with(&format!("native-bits-{scalar}"), &modules, "");
        for (program, points) in &cases {
            match scalar {
                "f64" => assert_bits_of_machine_code::<f64>(program, points, &rust),
                _ => assert_bits_of_machine_code::<f32>(program, points, &rust),
            }
        }
    }
}
