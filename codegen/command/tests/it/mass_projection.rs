//! `assemble --projection mass`: the speeds on the constraints that are nearest in kinetic energy.

use std::path::PathBuf;
use std::process::Command;

use dqdt_derivation::assemble::find_state;
use dqdt_derivation::derive::vector_layout;
use dqdt_diagnostics::base::Random;
use dqdt_generate::pipeline;
use dqdt_graph::ir::Arguments;
use dqdt_mechanics::formalism::{self, Formalism};
use dqdt_motion::simulate::{constraint_manifold, speeds_by_kinetic_energy};

fn spec(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/specs/{name}.toml"))
}

/// The change of speeds is orthogonal, in the metric of the mass matrix, to every motion that the
/// constraints allow; such motions are differences of speeds from the other projection.
#[test]
fn the_change_of_speeds_does_no_work_along_what_is_free() {
    for name in ["four_bar", "slider_crank", "bricard", "rolling_disc", "ball_on_turntable"] {
        let loaded = pipeline::load(&spec(name)).unwrap();
        let m = &loaded.mechanism;
        let program = pipeline::program(
            &loaded,
            &dqdt_derivation::derive::Request::new(Formalism::Kane, dqdt_derivation::functions::defaults()),
        );
        let arguments = Arguments::defaults(&program);
        let slots = vector_layout(m);
        let constraints = constraint_manifold(&loaded, &arguments);
        let mut random = Random::new(7);
        let mut draw = || -> Vec<f64> { slots.v.iter().map(|_| random.next_between(-2.0, 2.0)).collect() };
        let nothing = (vec![false; m.nq()], vec![false; m.nv()]);
        let on = |v: &[f64]| {
            let held = vec![true; m.nq()];
            find_state(&constraints, 0.0, (&arguments.q, v), (&held, &nothing.1)).unwrap().v
        };
        let anything = on(&draw());
        for _ in 0..4 {
            let before = draw();
            let after = speeds_by_kinetic_energy(&loaded, &arguments, &before);
            for row in constraints.constraint_rows(0.0, &arguments.q, &after) {
                assert!(row.velocity.abs() < 1e-10, "{name}: {} {}", row.name, row.velocity);
            }
            let mass = constraints.with_environment(0.0, &arguments.q, &after, |env| {
                formalism::implicit_equations(Formalism::Lagrange, m, env).mass
            });
            let free: Vec<f64> = on(&draw()).iter().zip(&anything).map(|(a, b)| a - b).collect();
            let product = |x: &[f64], y: &[f64]| -> f64 {
                let products = mass.iter().map(|row| row.iter().zip(y).map(|(m, y)| m * y).sum::<f64>());
                x.iter().zip(products).map(|(x, my)| x * my).sum()
            };
            let change: Vec<f64> = after.iter().zip(&before).map(|(a, b)| a - b).collect();
            let size = (product(&change, &change) * product(&free, &free)).sqrt();
            assert!(
                product(&change, &free).abs() <= 1e-9 * size,
                "{name}: {}",
                product(&change, &free) / size
            );
        }
    }
}

/// A double pendulum whose hinge locks: the angular momentum about the pin is conserved.
#[test]
fn a_hinge_that_locks_keeps_the_angular_momentum() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rods.toml");
    let text = r#"name = "rods"
gravity = [0, 0, 0]
[bodies.a]
inertia = [0, 0, 3]
[bodies.b]
inertia = [0, 0, 1]
[joints.pin]
type = "revolute"
axis = "z"
parent = "ground"
child = "a"
coordinates = { names = ["p"] }
[joints.hinge]
type = "revolute"
axis = "z"
parent = "a"
child = "b"
coordinates = { names = ["r"] }
[constraints.lock]
type = "velocity"
formula = "r_dot"
"#;
    std::fs::write(&path, text).unwrap();
    let at = folder.path().join("at.json");
    std::fs::write(&at, r#"{ "v": { "p_dot": 2, "r_dot": 4 } }"#).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_dqdt"))
        .arg("assemble")
        .arg(&path)
        .arg("--at")
        .arg(&at)
        .args(["--projection", "mass", "--format", "json"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let state: serde_json::Value = serde_json::from_str(&text).unwrap();
    // Conservation of angular momentum: 3 · 2 + 1 · (2 + 4) = (3 + 1) ω.
    assert!((state["v"]["p_dot"].as_f64().unwrap() - 3.0).abs() < 1e-12, "{text}");
    assert!(state["v"]["r_dot"].as_f64().unwrap().abs() < 1e-12, "{text}");
}
