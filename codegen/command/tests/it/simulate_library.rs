//! The library simulates without the command: values by name in, a motion out, as from the command.
use crate::files::example_path;

use dqdt_codegen::simulate::{
    NoStart, SignalGroup, SimulateError, SimulationRequest, Span, SpanError, Stop, Values, simulate,
};
use dqdt_codegen::{Formalism, pipeline};

fn values(all: &[(&str, f64)]) -> Vec<(String, f64)> {
    all.iter().map(|(name, x)| ((*name).to_owned(), *x)).collect()
}

#[test]
fn the_motion_is_that_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let (at, csv) = (folder.path().join("at.json"), folder.path().join("m.csv"));
    // The crank speed is given; the other coordinates and speeds depend on it.
    std::fs::write(&at, r#"{"v": {"phi_dot": 1.5}, "p": {"m2": 0.7}}"#).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dqdt"));
    command.arg("simulate").arg(example_path("four_bar")).args(["--t-end", "0.4", "--step", "0.1"]);
    let output = command.args(["--with", "multipliers", "--at"]).arg(&at).arg("--csv").arg(&csv).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&csv).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<f64>> = lines.map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();

    let loaded = pipeline::load(&example_path("four_bar")).unwrap_or_else(|e| panic!("{e}"));
    let request = SimulationRequest {
        span: Span { step: 0.1, ..Span::until(0.4) },
        values: Values { v: values(&[("phi_dot", 1.5)]), p: values(&[("m2", 0.7)]), ..Values::default() },
        with: vec![SignalGroup::Multipliers],
        ..SimulationRequest::default()
    };
    let simulation = simulate(&loaded, &request).unwrap_or_else(|e| panic!("{e}"));
    assert!(simulation.motion.stopped.is_none() && simulation.formalism == Formalism::Kane);
    assert_eq!((simulation.motion.times.len(), rows.len()), (5, 5));
    let n = simulation.motion.states[0].len();
    let kept =
        simulation.layout.q.len() + simulation.layout.v.iter().position(|s| s.name == "phi_dot").unwrap();
    assert_eq!(simulation.motion.states[0][kept], 1.5, "a speed that is given is kept");
    for (k, row) in rows.iter().enumerate() {
        assert_eq!((row[0], &row[1..=n]), (simulation.motion.times[k], &simulation.motion.states[k][..]));
        assert_eq!(row[n + 1..=n + 2], simulation.signals.energy[k]);
        assert_eq!(row[n + 3], simulation.motion.work[k]);
        for signal in &simulation.signals.columns {
            let column = names.iter().position(|name| *name == signal.name).unwrap();
            assert_eq!(row[column], signal.values[k], "{}", signal.name);
        }
    }
    assert!(simulation.signals.columns.iter().any(|s| s.group == SignalGroup::Multipliers));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let loaded = pipeline::load(&example_path("cart_pole")).unwrap_or_else(|e| panic!("{e}"));
    let refused = |request: SimulationRequest| simulate(&loaded, &request).unwrap_err();
    let unknown = Values { p: values(&[("m_poel", 1.0)]), ..Values::default() };
    let error = refused(SimulationRequest { values: unknown, ..SimulationRequest::until(1.0) });
    assert!(matches!(&error, SimulateError::Start(NoStart::Unknown { group: "p", .. })), "{error}");
    assert!(error.to_string().contains("m_pole"), "{error}");
    let error = refused(SimulationRequest::until(-1.0));
    assert!(matches!(error, SimulateError::Span(SpanError::NotPositive { name: "t_end", .. })), "{error}");
    let error = refused(SimulationRequest {
        span: Span { step: 1e-9, ..Span::until(1.0) },
        ..SimulationRequest::default()
    });
    assert!(matches!(error, SimulateError::Span(SpanError::TooManyRows)), "{error}");

    let loaded = pipeline::load(&example_path("four_bar")).unwrap_or_else(|e| panic!("{e}"));
    // No coupler is that long.
    let far = Values { p: values(&[("a", 1e3)]), ..Values::default() };
    let error =
        simulate(&loaded, &SimulationRequest { values: far, ..SimulationRequest::until(0.1) }).unwrap_err();
    assert!(matches!(error, SimulateError::Start(_)), "{error}");
}

#[test]
fn a_motion_that_cannot_go_on_keeps_what_was_reached() {
    let text = r#"
name = "ball"
gravity = [0, 0, -9.81]
[bodies.ball]
mass = 2
inertia = [0, 0, 0]
[joints.slide]
type = "prismatic"
axis = "z"
parent = "ground"
child = "ball"
coordinates = { names = ["h"], start = ["1 m"] }
[states.height]
rate = "-side"
start = 1
[states.side]
rate = 0
start = 1
[events.floor]
type = "switch"
when = "height"
direction = "both"
set = { side = "-side" }
"#;
    let spec = dqdt_codegen::read::parse("ball.toml", text).unwrap();
    let loaded = pipeline::build(&spec, "ball.toml").unwrap_or_else(|e| panic!("{e}"));
    let simulation = simulate(&loaded, &SimulationRequest::until(10.0)).unwrap_or_else(|e| panic!("{e}"));
    // From 1 s on the switch drives its own function back to zero.
    let Some(Stop::At { t, reason }) = &simulation.motion.stopped else {
        panic!("{:?}", simulation.motion.stopped)
    };
    assert!(
        (t - 1.0).abs() < 1e-9 && reason.contains("`floor` occurs at ever shorter intervals"),
        "{t}: {reason}"
    );
    assert!(
        simulation.motion.times.last().is_some_and(|last| *last > 0.99) && simulation.motion.events.len() > 5
    );
}

#[test]
fn a_mechanism_without_its_spec_moves_alike() {
    let loaded = pipeline::load(&example_path("four_bar")).unwrap_or_else(|e| panic!("{e}"));
    let bare = pipeline::Assembled::without_spec(loaded.mechanism.clone(), loaded.partition.clone());
    // With given values, the start is reassembled by the roles of all start values.
    for v in [values(&[]), values(&[("phi_dot", 1.5)])] {
        let request = SimulationRequest {
            span: Span { step: 0.1, ..Span::until(0.2) },
            values: Values { v, ..Values::default() },
            ..SimulationRequest::default()
        };
        let motion = |l| simulate(l, &request).unwrap_or_else(|e| panic!("{e}")).motion;
        let (with, without) = (motion(&loaded), motion(&bare));
        assert_eq!(with.states.len(), 3);
        for (a, b) in with.states.iter().flatten().zip(without.states.iter().flatten()) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }
}
