//! The input matrix: `M v̇ + bias = B u` at the accelerations of the state derivative.

use std::path::Path;

use dqdt_codegen::pipeline::{self, Request};
use dqdt_codegen::{Formalism, functions};
use dqdt_graph::ir::{Arguments, Declaration, Machine};

#[test]
fn the_equations_of_motion_hold_with_the_input_matrix() {
    for name in ["cart_pole", "swing", "panda_arm", "furuta_pendulum"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/specs/{name}.toml"));
        let loaded = pipeline::load(&path).unwrap();
        let functions = functions::defaults_and(&[functions::INPUT_MATRIX]);
        let program = pipeline::program(&loaded, &Request::new(Formalism::Kane, functions));
        let mut a = Arguments::defaults(&program);
        for (i, x) in a.q.iter_mut().chain(&mut a.v).enumerate() {
            *x += 0.7 * (1.3 * i as f64 + 0.4).sin();
        }
        // All inputs within their limits.
        a.u.iter_mut().enumerate().for_each(|(i, u)| *u = 0.1 - 0.04 * i as f64);
        let call = |f: &Declaration| Machine::new(&program, f).unwrap().call(&a).unwrap().to_vec();
        let (nq, nv, nu) = (a.q.len(), a.v.len(), a.u.len());
        let acceleration = call(functions::DQDT)[nq..nq + nv].to_vec();
        let (mass, bias) = (call(functions::MASS_MATRIX), call(functions::BIAS));
        let b = call(functions::INPUT_MATRIX);
        assert_eq!(b.len(), nv * nu, "{name}");
        assert!(b.iter().any(|x| *x != 0.0), "{name}: no input does anything");
        for i in 0..nv {
            let left: f64 = (0..nv).map(|j| mass[i * nv + j] * acceleration[j]).sum::<f64>() + bias[i];
            let right: f64 = (0..nu).map(|k| b[i * nu + k] * a.u[k]).sum();
            let scale = 1.0 + bias[i].abs();
            assert!((left - right).abs() < 1e-10 * scale, "{name}, row {i}: {left} against {right}");
        }
    }
}

#[test]
fn a_model_has_the_traits_that_its_functions_suffice_for() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/four_bar.toml");
    let loaded = pipeline::load(&path).unwrap();
    let text = |functions| {
        pipeline::rust(&pipeline::program(&loaded, &Request::new(Formalism::Kane, functions))).unwrap()
    };
    let traits = ["    System(", "    InverseDynamics(", "    Actuated(", "    ConstrainedDynamics("];
    let has = |text: &str| traits.map(|t| text.contains(t));
    let more = [functions::INPUT_MATRIX, functions::INVERSE_DYNAMICS_CONSTRAINED];
    assert_eq!(has(&text(functions::defaults_and(&more))), [true; 4]);
    assert_eq!(has(&text(functions::defaults())), [true, true, false, false]);
    assert_eq!(has(&text(vec![functions::DQDT])), [true, false, false, false]);
    // Each trait requires its own function only.
    assert_eq!(has(&text(vec![functions::INVERSE_DYNAMICS])), [false, true, false, false]);
    assert_eq!(has(&text(more.to_vec())), [false, false, true, true]);
}
