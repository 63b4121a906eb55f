//! Compiled mechanisms with events, simulated by the integrator.

use dqdt::HybridSystem;
use dqdt::integrate::{Method, Options, integrate_events};

const TIGHT: Options = Options {
    method: Method::Dop853,
    rtol: 1e-12,
    atol: 1e-12,
    max_steps: 1_000_000,
    longest_step: f64::INFINITY,
    rest_speed: 1e-3,
};

/// Time that a pendulum needs from rest at `start` to `end`: ∫ dθ / θ̇ with θ = start − (start −
/// end) s², by Simpson's rule.
fn fall(start: f64, end: f64, factor: f64) -> f64 {
    let n = 20_000;
    let value = |s: f64| {
        let theta = start - (start - end) * s * s;
        let speed = (2.0 * factor * (theta.cos() - start.cos())).sqrt();
        // The limit of the quotient at rest.
        if s == 0.0 {
            2.0 * (start - end) / (2.0 * factor * start.sin() * (start - end)).sqrt()
        } else {
            2.0 * (start - end) * s / speed
        }
    };
    let h = 1.0 / f64::from(n);
    let inner: f64 = (1..n).map(|i| value(f64::from(i) * h) * if i % 2 == 1 { 4.0 } else { 2.0 }).sum();
    (value(0.0) + inner + value(1.0)) * h / 3.0
}

#[test]
fn a_pendulum_bounces_off_a_wall_when_and_as_it_must() {
    use dqdt_generated::bouncing_pendulum::{Energy, Events, Model, NX, START};
    let model = Model::default();
    let run = integrate_events(&model, 0.0, &START, &[5.5], |_, _| [], &TIGHT).unwrap();
    assert!(run.ended && run.t.is_empty() && run.events.len() == 5);
    // The ball of radius 0.1 m at 1 m hits the wall at −0.3 m where sin θ = −0.2;
    // J = m l² + 0.4 m r².
    let hit = -(0.2f64.asin());
    let first = fall(std::f64::consts::FRAC_PI_3, hit, 9.81 / 1.004);
    assert!((run.events[0].t - first).abs() < 1e-9, "{} {first}", run.events[0].t);
    for bounce in &run.events[..4] {
        assert!((bounce.before[0] - hit).abs() < 1e-11 && bounce.before[1] < 0.0);
        assert!((bounce.after[1] + 0.8 * bounce.before[1]).abs() < 1e-12);
        let mut values = Events::default();
        model.events(bounce.t, &bounce.before, &[], &mut values);
        let gap = values.bounce;
        assert!((0.0..1e-11).contains(&gap), "{gap}");
    }
    // Energy is constant between two bounces.
    let total = |x: &[f64; NX]| {
        let mut e = Energy::default();
        model.energy(0.0, x, &mut e);
        e.kinetic + e.potential
    };
    for pair in run.events.windows(2) {
        assert!((total(&pair[0].after) - total(&pair[1].before)).abs() < 1e-10);
    }
    assert!((run.events[4].t - 5.0).abs() < 1e-12);
}

#[test]
fn a_stop_takes_energy_and_a_brake_grips() {
    use dqdt_generated::stopped_pendulum::{Model, NX, START};
    let model = Model::default();
    let run = integrate_events(&model, 0.0, &START, &[6.0], |_, _| [], &TIGHT).unwrap();
    let [stop, grip] = &run.events[..] else { panic!("{:?}", run.events) };
    assert_eq!((stop.event, grip.event), (0, 1));
    let first = fall(70.0f64.to_radians(), -20.0f64.to_radians(), 1.5 * 9.81 / 0.8);
    assert!((stop.t - first).abs() < 1e-9, "{} {first}", stop.t);
    assert!((stop.after[1] + 0.6 * stop.before[1]).abs() < 1e-12);
    assert_eq!((grip.before[2], grip.after[2]), (0.0, 1.0));
    // The brake has damped the swing.
    assert!(run.x[0][1].abs() < 1e-2 && run.x[0][2] == 1.0);
    let mut dx = [0.0; NX];
    model.dqdt(0.0, &run.x[0], &[], &mut dx).unwrap();
    assert_eq!(<Model<f64> as HybridSystem<f64, NX, 0, 2>>::RULES.len(), 2);
}

/// Rest of a compiled model on its stop: when it begins, the force at the end and the last state,
/// by the integrator of the runtime and by the simulator.
macro_rules! assert_rests_as_simulated {
    ($module:ident { $($parameter:ident: $value:expr),+ }, $force:expr) => {{
        use dqdt_codegen::simulate::{SimulationRequest, Span, Values, simulate};
        use dqdt_generated::$module::{Model, Params, START};
        let name = stringify!($module);
        let model = Model::new(Params { $($parameter: $value,)+ ..Params::default() });
        let times: Vec<f64> = (0..=40).map(|k| 0.1 * f64::from(k)).collect();
        let run = integrate_events(&model, 0.0, &START, &times, |_, _| [], &TIGHT).unwrap();
        let loaded = dqdt_codegen::pipeline::load(&dqdt_tests::root(&format!("examples/specs/{name}.toml")));
        let request = SimulationRequest {
            span: Span { step: 0.1, rtol: 1e-12, atol: 1e-12, ..Span::until(4.0) },
            values: Values { p: vec![$((stringify!($parameter).to_owned(), $value)),+], ..Values::default() },
            ..SimulationRequest::default()
        };
        let simulated = simulate(&loaded.unwrap(), &request).unwrap().motion;
        let ([rest], [(_, other)]) = (&run.rests[..], &simulated.rests[..]) else {
            panic!("{name}: {:?} {:?}", run.rests, simulated.rests)
        };
        assert!((rest.from - other.from).abs() < 1e-9 && rest.until.is_none(), "{name}: {rest:?} {other:?}");
        assert_eq!(run.events.len(), simulated.events.len(), "{name}");
        for (a, b) in run.x.last().unwrap().iter().zip(simulated.states.last().unwrap()) {
            assert!((a - b).abs() < 1e-9, "{name}: {a} {b}");
        }
        for forces in [run.stop_forces.last().unwrap(), simulated.stop_forces.last().unwrap()] {
            let force = forces.forces[0];
            assert!((force - $force).abs() < 1e-9, "{name}: {force}, not {}", $force);
        }
    }};
}

#[test]
fn compiled_models_come_to_rest_on_stops_as_simulated_ones_do() {
    let angle = 20.0f64.to_radians();
    // The stop carries the moment of the weight: m g l/2 sin θ.
    assert_rests_as_simulated!(stopped_pendulum { stop: -angle }, 9.81 * 0.4 * angle.sin());
    // The wall carries the force along it: m g tan θ, where l sin θ = wall + r.
    let lean = 0.4f64.asin();
    assert_rests_as_simulated!(bouncing_pendulum { wall: 0.3, e: 0.2 }, 0.5 * 9.81 * lean.tan());
}
