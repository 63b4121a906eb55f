//! Program constraints: the inputs that realise them, and the motion under these inputs.

use std::cell::RefCell;

use dqdt_codegen::pipeline::{self, Request};
use dqdt_codegen::{Formalism, functions, read};
use dqdt_graph::ir::{Arguments, Declaration, Machine, Program};

fn program(text: &str, formalism: Formalism) -> Program {
    let loaded = pipeline::build(&read::parse("arm.toml", text).unwrap(), "arm.toml")
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(loaded.warnings.diagnostics.is_empty(), "{}", loaded.warnings);
    pipeline::program(&loaded, &Request::all(formalism))
}

fn call(p: &Program, kind: &Declaration, a: &Arguments) -> Vec<f64> {
    Machine::new(p, kind).unwrap().call(a).unwrap().to_vec()
}

/// Spec of an arm of two links whose tip must follow a circle.
const ARM: &str = r#"
name = "arm"
gravity = [0, -9.81, 0]
[bodies.upper]
mass = 2
center_of_mass = [0.3, 0, 0]
inertia = [0.1, 0.1, 0.1]
points = { elbow = [0.6, 0, 0] }
[bodies.lower]
mass = 1
center_of_mass = [0.25, 0, 0]
inertia = [0.05, 0.05, 0.05]
points = { tip = [0.5, 0, 0] }
[joints.shoulder]
type = "revolute"
axis = "z"
parent = "ground"
child = "upper"
coordinates = { names = ["a"], start = [0.3] }
[joints.elbow]
type = "revolute"
axis = "z"
parent = { body = "upper", at = "elbow" }
child = "lower"
coordinates = { names = ["b"], start = [1.2] }
[inputs]
M1 = "N*m"
M2 = "N*m"
wind = "N"
[loads.m1]
type = "actuator"
joint = "shoulder"
effort = "M1 - 0.1 [N*m*s]*a_dot"
[loads.m2]
type = "actuator"
joint = "elbow"
effort = "2*M2"
[loads.wind]
type = "force"
body = "lower"
at = "tip"
value = ["wind", 0, 0]
"#;

const PATH: &str = r#"
[constraints.across]
type = "position"
formula = "0.6 [m]*cos(a) + 0.5 [m]*cos(a + b) - 0.6 [m] - 0.1 [m]*cos(3 [rad/s]*t)"
realised_by = ["M1"]
stabilisation = { time_constant = 0.2 }
[constraints.up]
type = "position"
formula = "0.6 [m]*sin(a) + 0.5 [m]*sin(a + b) - 0.4 [m] - 0.1 [m]*sin(3 [rad/s]*t)"
realised_by = ["M2"]
stabilisation = { time_constant = 0.2 }
"#;

#[test]
fn the_inputs_make_the_same_accelerations_in_the_mechanism_itself() {
    for formalism in Formalism::ALL {
        let (driven, plain) = (program(&format!("{ARM}{PATH}"), formalism), program(ARM, formalism));
        let mut a = Arguments::defaults(&driven);
        a.t = 0.4;
        a.v = vec![0.7, -1.1];
        // Given values of computed inputs are ignored; the other input acts.
        a.u = vec![100.0, -50.0, 3.0];
        let dx = call(&driven, functions::DQDT, &a);
        let inputs = call(&driven, functions::PROGRAM_INPUTS, &a);
        assert_eq!(inputs.len(), 2);
        let mut b = Arguments::defaults(&plain);
        (b.t, b.v) = (a.t, a.v.clone());
        b.u = vec![inputs[0], inputs[1], 3.0];
        let expected = call(&plain, functions::DQDT, &b);
        for (x, y) in dx.iter().zip(&expected) {
            assert!((x - y).abs() < 1e-10, "{}: {x} against {y}", formalism.name());
        }
    }
}

fn distance_to_path(t: f64, x: &[f64]) -> f64 {
    let tip = [0.6 * x[0].cos() + 0.5 * (x[0] + x[1]).cos(), 0.6 * x[0].sin() + 0.5 * (x[0] + x[1]).sin()];
    let path = [0.6 + 0.1 * (3.0 * t).cos(), 0.4 + 0.1 * (3.0 * t).sin()];
    (tip[0] - path[0]).hypot(tip[1] - path[1])
}

#[test]
fn a_tip_off_its_path_returns_to_it() {
    let p = program(&format!("{ARM}{PATH}"), Formalism::Kane);
    let start = Arguments::defaults(&p);
    assert!(distance_to_path(0.0, &start.q) > 0.05);
    let machine = RefCell::new((Machine::new(&p, functions::DQDT).unwrap(), start.clone()));
    let times: Vec<f64> = (0..=50).map(|i| f64::from(i) * 0.1).collect();
    let options = dqdt::integrate::Options { rtol: 1e-10, atol: 1e-12, ..Default::default() };
    let (states, _) = dqdt::integrate::integrate_vec(
        |t: f64, x: &[f64], dx: &mut [f64]| {
            let (machine, a) = &mut *machine.borrow_mut();
            a.t = t;
            a.set_state(x);
            dx.copy_from_slice(machine.call(a).unwrap());
            Ok(())
        },
        |_, _| Ok(()),
        0.0,
        &start.state(),
        &times,
        &options,
    )
    .unwrap();
    // Each component of the error d obeys d̈ + 2 ḋ/T + d/T² = 0 and decays like
    // (1 + t/T) exp(−t/T).
    for (t, x) in times.iter().zip(&states) {
        let bound = 2.0 * (1.0 + t / 0.2) * (-t / 0.2).exp();
        assert!(
            distance_to_path(*t, x) < bound + 1e-8,
            "t = {t}: {} against {bound}",
            distance_to_path(*t, x)
        );
    }
    assert!(distance_to_path(5.0, &states[50]) < 1e-8);
}

#[test]
fn a_loop_may_be_driven_by_a_program() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/specs/four_bar.toml"))
            .unwrap();
    let driven = format!(
        "{text}\n[constraints.drive]\ntype = \"velocity\"\nformula = \"psi_dot - 2 [rad/s]*sin(4 [rad/s]*t) - 3 [rad/s]\"\nrealised_by = [\"M\"]\nstabilisation = {{ time_constant = 0.1 }}\n"
    );
    let (driven, plain) = (program(&driven, Formalism::Kane), program(&text, Formalism::Kane));
    let mut a = Arguments::defaults(&driven);
    a.t = 0.3;
    let dx = call(&driven, functions::DQDT, &a);
    let moment = call(&driven, functions::PROGRAM_INPUTS, &a)[0];
    let psi = [a.v[2], dx[5]];
    let t = a.t;
    let wanted = 8.0 * (4.0 * t).cos() - (psi[0] - 2.0 * (4.0 * t).sin() - 3.0) / 0.1;
    assert!((psi[1] - wanted).abs() < 1e-9 * wanted.abs(), "{} against {wanted}", psi[1]);
    let mut b = a.clone();
    b.u = vec![moment];
    let expected = call(&plain, functions::DQDT, &b);
    for (x, y) in dx.iter().zip(&expected) {
        assert!((x - y).abs() < 1e-9 * (1.0 + y.abs()), "{x} against {y}");
    }
    let lambda = [&driven, &plain]
        .map(|p| call(p, functions::MULTIPLIERS, if std::ptr::eq(p, &plain) { &b } else { &a }));
    for (x, y) in lambda[0].iter().zip(&lambda[1]) {
        assert!((x - y).abs() < 1e-9 * (1.0 + y.abs()), "{x} against {y}");
    }
}
