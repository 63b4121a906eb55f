//! Emitted code in single precision, against doubles at the same numbers: results are right or
//! `Singular`, and well-conditioned mechanisms are never singular.

use std::fmt::Write as _;

use crate::compiled::Module;
use dqdt_codegen::Formalism;
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_diagnostics::base::Random;
use dqdt_tests::root;

/// Distances of the crank from alignment with the ground hinges, in rad.
const FROM_FLAT: [f64; 7] = [1e-1, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

fn spec(name: &str, changes: &[(&str, &str)]) -> Assembled {
    let mut text = std::fs::read_to_string(root("tests/data").join(format!("{name}.toml"))).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{name}.toml"));
    std::fs::write(&path, text).unwrap();
    pipeline::load(&path).unwrap_or_else(|e| panic!("{e}"))
}

/// A module that shows the success flag and the state derivative at each state, in doubles and in
/// singles; the numbers are exact in both.
fn module(name: &str, loaded: &Assembled, formalism: Formalism, states: &[Vec<f64>], u: &[f64]) -> Module {
    let mut loaded = loaded.clone();
    loaded.mechanism.name = format!("{name}_{}", formalism.name());
    let program = pipeline::program(&loaded, &Request::new(formalism, vec![functions::DQDT]));
    let mut calls = String::new();
    for (i, x) in states.iter().enumerate() {
        let x: Vec<f64> = x.iter().map(|x| f64::from(*x as f32)).collect();
        for (scalar, what) in [("f64", "double"), ("f32", "single")] {
            let list = |x: &[f64]| x.iter().map(|x| format!("{x:?}_{scalar},")).collect::<String>();
            let _ = writeln!(
                calls,
                "let mut dx = [{scalar}::NAN; m::NX];\n\
                 let found = m::dqdt(&m::Model::<{scalar}>::default(), 0.0, &[{}], &[{}], &mut dx);\n\
                 let mut values = vec![f64::from(u8::from(found.is_ok()))];\n\
                 values.extend(dx.iter().map(|x| x as &dyn Into64).map(|x| x.value()));\n\
                 show(\"{what}_{i}\", &values);",
                list(&x),
                list(u)
            );
        }
    }
    calls.insert_str(
        0,
        "trait Into64 { fn value(&self) -> f64; }\n\
         impl Into64 for f32 { fn value(&self) -> f64 { f64::from(*self) } }\n\
         impl Into64 for f64 { fn value(&self) -> f64 { *self } }\n",
    );
    Module { name: loaded.mechanism.name, source: pipeline::rust(&program).unwrap(), calls }
}

/// Random states with entries in ±1; quaternions are not normalised.
fn random_states(n: usize, count: usize) -> Vec<Vec<f64>> {
    let mut random = Random::new(5);
    (0..count).map(|_| (0..n).map(|_| random.next_signed()).collect()).collect()
}

/// States of a parallelogram near alignment of its hinges, moving at 3 rad/s.
fn flat_states() -> Vec<Vec<f64>> {
    FROM_FLAT
        .iter()
        .map(|d| {
            let phi = f64::from((std::f64::consts::PI - d) as f32);
            vec![phi, -phi, phi, 3.0, -3.0, 3.0]
        })
        .collect()
}

/// Accelerations of the parallelogram, from the energy of bodies that all move on circles.
fn parallelogram(phi: f64) -> [f64; 3] {
    let (g, a, m1, m2) = (9.81, 0.1, 0.5, 1.0);
    let inertia = 2.0 * m1 * a * a / 3.0 + m2 * a * a;
    let acceleration = -(m1 + m2) * g * a * phi.cos() / inertia;
    [acceleration, -acceleration, acceleration]
}

#[test]
fn singles_are_right_or_singular_and_healthy_mechanisms_are_never_singular() {
    let light = spec("cart_with_motor", &[]);
    let lightest =
        spec("cart_with_motor", &[("value = 1000", "value = 1e6"), ("value = 1e-4", "value = 1e-7")]);
    let humanoid = spec("humanoid", &[]);
    let linkage = spec("parallelogram", &[]);
    let of_humanoid = random_states(humanoid.mechanism.nq() + humanoid.mechanism.nv(), 4);
    let cart = vec![vec![0.1, 0.2, 0.3, 0.4]];
    let (flat, no_moment) = (flat_states(), vec![0.0; linkage.mechanism.inputs.len()]);
    let modules: Vec<Module> = Formalism::ALL
        .into_iter()
        .flat_map(|f| {
            [
                module("light", &light, f, &cart, &[2.0, 3.0]),
                module("lightest", &lightest, f, &cart, &[2.0, 3.0]),
                module("humanoid", &humanoid, f, &of_humanoid, &[]),
                module("parallelogram", &linkage, f, &flat, &no_moment),
            ]
        })
        .collect();
    let results = crate::compiled::run("single-precision", &modules);
    let result_of = |name: &str, f: Formalism, what: &str, i: usize| -> (bool, Vec<f64>) {
        let values = &results[&(format!("{name}_{}", f.name()), format!("{what}_{i}"))];
        (values[0] == 1.0, values[1..].to_vec())
    };
    for f in Formalism::ALL {
        for what in ["double", "single"] {
            for (name, inertias) in [("light", [1e3, 1e-4]), ("lightest", [1e6, 1e-7])] {
                let (regular, dx) = result_of(name, f, what, 0);
                assert!(regular, "{name} by {}, {what}", f.name());
                for (a, expected) in dx[2..].iter().zip([2.0 / inertias[0], 3.0 / inertias[1]]) {
                    let error = (a - expected).abs() / expected;
                    assert!(error < 2e-7, "{name} by {}, {what}: {a} against {expected}", f.name());
                }
            }
        }
        for i in 0..of_humanoid.len() {
            let (right, exact) = result_of("humanoid", Formalism::Kane, "double", i);
            let (regular, dx) = result_of("humanoid", f, "single", i);
            let error = crate::compiled::relative(&dx, &exact);
            println!("humanoid by {}: {error:.1e}", f.name());
            assert!(right && regular && error < 1e-4, "humanoid by {}, state {i}: {error:e}", f.name());
        }
        for (i, x) in flat.iter().enumerate() {
            let exact = parallelogram(x[0]);
            for (what, limit) in [("double", 1e-6), ("single", 1e-3)] {
                let (regular, dx) = result_of("parallelogram", f, what, i);
                let error = crate::compiled::relative(&dx[3..], &exact);
                println!("parallelogram by {}, {what}, {:e}: {regular} {error:.1e}", f.name(), FROM_FLAT[i]);
                assert!(
                    !regular || error < limit,
                    "by {} at {:e}, {what}: {error:e}",
                    f.name(),
                    FROM_FLAT[i]
                );
                let must = if what == "double" { 1e-6 } else { 1e-3 };
                assert!(
                    regular || FROM_FLAT[i] < must,
                    "by {} at {:e}, {what}: singular",
                    f.name(),
                    FROM_FLAT[i]
                );
            }
        }
    }
}
