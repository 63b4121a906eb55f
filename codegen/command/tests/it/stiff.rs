//! Stiff motions: the implicit method against the explicit one.

use std::fmt::Write as _;
use std::path::Path;

use dqdt_codegen::simulate::{Method, Motion, SimulationRequest, Span, simulate};
use dqdt_codegen::{pipeline, read};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

fn motion(text: &str, t_end: f64, tolerance: f64, method: Method) -> Motion {
    let spec = read::parse("spec.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let loaded = pipeline::build(&spec, "spec.toml").unwrap_or_else(|e| panic!("{e}"));
    let default = Span::until(t_end);
    let span = Span { step: t_end / 4.0, rtol: tolerance, atol: tolerance, method, ..default };
    let simulation = simulate(&loaded, &SimulationRequest { span, ..SimulationRequest::default() }).unwrap();
    if let Some(stop) = simulation.motion.stopped {
        panic!("{stop}");
    }
    simulation.motion
}

/// Largest difference of the states of two simulated motions.
fn difference(a: &Motion, b: &Motion) -> f64 {
    assert_eq!(a.times, b.times);
    let all = a.states.iter().flatten().zip(b.states.iter().flatten());
    all.fold(0.0, |worst, (a, b)| worst.max((a - b).abs()))
}

/// Checks that the implicit method takes ten times fewer steps without a larger error.
fn assert_ten_times_fewer_steps(text: &str, t_end: f64) {
    let truth = motion(text, t_end, 1e-11, Method::Dop853);
    let explicit = motion(text, t_end, 1e-8, Method::Dop853);
    let implicit = motion(text, t_end, 1e-8, Method::Radau);
    let errors = [&explicit, &implicit].map(|m| difference(m, &truth));
    assert!(errors[1] <= errors[0].max(1e-9) && errors[1] < 1e-7, "{errors:?}");
    assert!(10 * implicit.steps < explicit.steps, "{} {}", implicit.steps, explicit.steps);
    let work = (implicit.work.last().unwrap() - truth.work.last().unwrap()).abs();
    assert!(work < 1e-6, "{work}");
}

#[test]
fn a_governor_with_stiff_links_takes_ten_times_fewer_implicit_steps() {
    let text = std::fs::read_to_string(root().join("tests/data/stiff/governor.toml")).unwrap();
    assert_ten_times_fewer_steps(&text, 10.0);
}

#[test]
fn a_panda_with_steep_friction_at_the_wrist_takes_ten_times_fewer_implicit_steps() {
    let mut text = std::fs::read_to_string(root().join("tests/data/robots/panda.toml")).unwrap();
    for i in 1..=7 {
        let steep = if i == 7 { "coulomb = 0.3\ntransition = \"1e-3 rad/s\"\n" } else { "" };
        write!(text, "\n[loads.rubbing_{i}]\ntype = \"friction\"\njoint = \"j{i}\"\nviscous = 5\n{steep}")
            .unwrap();
    }
    assert_ten_times_fewer_steps(&text, 2.0);
}

#[test]
fn both_methods_agree_through_events_on_constraints_and_with_quaternions() {
    for (name, t_end) in [
        ("bouncing_pendulum", 2.0),
        ("four_bar", 1.0),
        ("rolling_disc", 1.0),
        ("quadrotor", 1.0),
        ("slider_crank", 1.0),
        ("gyroscope", 0.5),
        ("stopped_pendulum", 2.0),
    ] {
        let text = std::fs::read_to_string(root().join(format!("examples/specs/{name}.toml"))).unwrap();
        let explicit = motion(&text, t_end, 1e-10, Method::Dop853);
        let implicit = motion(&text, t_end, 1e-9, Method::Radau);
        assert_eq!(explicit.events.len(), implicit.events.len(), "{name}");
        for (a, b) in explicit.events.iter().zip(&implicit.events) {
            assert!(a.0 == b.0 && (a.1 - b.1).abs() < 1e-6, "{name}: {a:?} {b:?}");
        }
        let last = [&explicit, &implicit].map(|m| m.states.last().unwrap());
        let scale = last[0].iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for (a, b) in last[0].iter().zip(last[1]) {
            assert!((a - b).abs() < 1e-6 * scale, "{name}: {a} {b}");
        }
        assert!(implicit.jacobians > 0);
    }
}
