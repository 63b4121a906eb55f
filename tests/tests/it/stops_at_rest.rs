//! Motions that come to rest at stops, against reference motions that do not use dqdt
//! (`tests/stops/README.md`).

use dqdt_codegen::simulate::{Motion, SignalGroup, Simulated, SimulationRequest, Span, Values, simulate};
use dqdt_codegen::{pipeline, read};
use dqdt_tests::root;
use serde_json::Value;

/// Difference of states and forces that is accepted, relative to `max(1, |value|)`.
const STATES: f64 = 1e-6;
/// Difference of times of impacts and of rests that is accepted \[s\].
const TIMES: f64 = 1e-6;
/// Time between two rows of the motions \[s\]; the times of the references are multiples of it.
const ROW: f64 = 1e-3;

fn reference(name: &str) -> Value {
    let text = std::fs::read_to_string(root("tests/data/stops").join(name).with_extension("json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn number(v: &Value) -> f64 {
    v.as_f64().unwrap_or_else(|| panic!("no number: {v}"))
}

fn list(v: &Value) -> &[Value] {
    v.as_array().unwrap_or_else(|| panic!("no list: {v}"))
}

fn text(v: &Value) -> &str {
    v.as_str().unwrap_or_else(|| panic!("no text: {v}"))
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs().max(1.0)
}

/// Motion of the spec of a reference, with its parameters and until its end.
fn motion_of(reference: &Value) -> Simulated {
    let path = root("tests/data/stops").join(text(&reference["spec"]));
    let loaded = pipeline::load(&path).unwrap_or_else(|e| panic!("{e}"));
    let parameters = reference["parameters"].as_object().unwrap();
    let request = SimulationRequest {
        span: Span { step: ROW, rtol: 1e-10, atol: 1e-10, ..Span::until(number(&reference["t_end"])) },
        values: Values {
            p: parameters.iter().map(|(name, value)| (name.clone(), number(value))).collect(),
            ..Values::default()
        },
        ..SimulationRequest::default()
    };
    let simulated = simulate(&loaded, &request).unwrap_or_else(|e| panic!("{e}"));
    assert!(simulated.motion.stopped.is_none(), "{}: {:?}", path.display(), simulated.motion.stopped);
    let end = simulated.motion.times.last().copied();
    assert!(end.is_some_and(|t| (t - request.span.t_end).abs() < 1e-9), "{}: {end:?}", path.display());
    simulated
}

/// Index of the row of a motion at a time.
fn row_at(motion: &Motion, t: f64) -> usize {
    let row = motion.times.iter().position(|row| (row - t).abs() < 1e-9);
    row.unwrap_or_else(|| panic!("no row at {t}"))
}

/// Times of the impacts of one event.
fn times_of(motion: &Motion, event: &str) -> Vec<f64> {
    motion.events.iter().filter(|(name, _)| name == event).map(|(_, t)| *t).collect()
}

/// Compares states and forces with those of the rows of a reference.
fn compare_rows(name: &str, reference: &Value, simulated: &Simulated, tolerance: f64) {
    let layout = &simulated.layout;
    let names: Vec<&str> = layout.q.iter().chain(&layout.v).map(|slot| slot.name.as_str()).collect();
    let expected: Vec<&str> = list(&reference["state"]).iter().map(text).collect();
    assert_eq!(names, expected, "{name}");
    let events: Vec<&str> = layout.events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(events, list(&reference["events"]).iter().map(text).collect::<Vec<_>>(), "{name}");
    let motion = &simulated.motion;
    assert_eq!(motion.stop_forces.len(), motion.times.len(), "{name}");
    for row in list(&reference["rows"]) {
        let t = number(&row["t"]);
        let k = row_at(motion, t);
        for ((component, x), entry) in motion.states[k].iter().zip(list(&row["x"])).zip(&names) {
            let expected = number(x);
            assert!(
                close(*component, expected, tolerance),
                "{name}: {entry} at {t} s: {component}, {expected}"
            );
        }
        let forces = &motion.stop_forces[k].forces;
        assert_eq!(forces.len(), events.len(), "{name}");
        for ((force, expected), event) in forces.iter().zip(list(&row["forces"])).zip(&events) {
            // A force that is not determined is `null` in the reference.
            if let Some(expected) = expected.as_f64() {
                assert!(close(*force, expected, tolerance), "{name}: {event} at {t} s: {force}, {expected}");
            }
        }
    }
}

/// Compares impacts of each event with those of a reference.
fn compare_impacts(name: &str, reference: &Value, motion: &Motion, tolerance: f64) {
    for event in list(&reference["events"]).iter().map(text) {
        let impacts = list(&reference["impacts"]).iter().filter(|impact| text(&impact[0]) == event);
        let expected: Vec<f64> = impacts.map(|impact| number(&impact[1])).collect();
        let times = times_of(motion, event);
        assert_eq!(times.len(), expected.len(), "{name}: {event}: {times:?}, {expected:?}");
        for (t, expected) in times.iter().zip(&expected) {
            assert!((t - expected).abs() < tolerance, "{name}: {event}: {t}, {expected}");
        }
    }
}

/// Checks that the motion has an impact at each instant of the reference. Of stops that are hit
/// at one instant it need not list all, and it may have impacts that the reference does not list,
/// because they are slow.
fn compare_instants(name: &str, reference: &Value, motion: &Motion, tolerance: f64) {
    let impacts = list(&reference["impacts"]);
    for t in impacts.iter().map(|impact| number(&impact[1])) {
        let together = impacts.iter().filter(|impact| (number(&impact[1]) - t).abs() < tolerance);
        let events: Vec<&str> = together.map(|impact| text(&impact[0])).collect();
        let happens = motion
            .events
            .iter()
            .any(|(event, at)| (at - t).abs() < tolerance && events.contains(&event.as_str()));
        assert!(happens, "{name}: none of {events:?} at {t} s: {:?}", motion.events);
    }
}

/// Compares rests with those of a reference.
fn compare_rests(name: &str, reference: &Value, motion: &Motion, tolerance: f64) {
    // The reference does not list shorter ones.
    let rests =
        motion.rests.iter().filter(|(_, rest)| rest.until.is_none_or(|until| until - rest.from > 5e-3));
    let rests: Vec<_> = rests.collect();
    let expected = list(&reference["rests"]);
    assert_eq!(rests.len(), expected.len(), "{name}: {rests:?}");
    for rest in expected {
        let (event, from) = (text(&rest[0]), number(&rest[1]));
        let same = rests.iter().find(|(name, r)| name == event && (r.from - from).abs() < tolerance);
        let Some((_, same)) = same else { panic!("{name}: no rest of {event} from {from} s: {rests:?}") };
        let until = rest[2].as_f64();
        let ends_alike = match (until, same.until) {
            (Some(expected), Some(t)) => (t - expected).abs() < tolerance,
            (expected, t) => expected.is_none() && t.is_none(),
        };
        assert!(ends_alike, "{name}: {event} from {from} s rests until {:?}, not {until:?}", same.until);
        // `null` if the force is determined for a part of the rest only.
        if let Some(determined) = rest[3].as_bool() {
            assert_eq!(same.determined, determined, "{name}: {event} from {from} s");
        }
    }
}

/// Checks that T + V − W is constant and that impacts take the energy that the reference loses.
fn check_energy(name: &str, reference: &Value, simulated: &Simulated) {
    let motion = &simulated.motion;
    let energy = &simulated.signals.energy;
    let peak = energy.iter().fold(1.0f64, |peak, [kinetic, _]| peak.max(*kinetic));
    let balance = |k: usize| energy[k][0] + energy[k][1] - motion.work[k];
    for (k, t) in motion.times.iter().enumerate() {
        let error = balance(k) - balance(0);
        assert!(error.abs() < 1e-6 * peak, "{name}: T + V - W changes by {error} at {t} s");
    }
    let lost = number(&reference["energy_lost"]);
    assert!(close(motion.taken, lost, 1e-5), "{name}: {} J are lost, not {lost} J", motion.taken);
}

/// Comparison of the impacts of a motion: its reference's name, the reference, the motion, and the
/// accepted difference of times.
type CompareImpacts = fn(&str, &Value, &Motion, f64);

/// Compares a motion with the reference of that name.
fn compare(name: &str, states: f64, times: f64, impacts: CompareImpacts) -> Simulated {
    let reference = reference(name);
    let simulated = motion_of(&reference);
    impacts(name, &reference, &simulated.motion, times);
    compare_rests(name, &reference, &simulated.motion, times);
    compare_rows(name, &reference, &simulated, states);
    check_energy(name, &reference, &simulated);
    simulated
}

/// A ball dropped from 1 m reaches the floor at t₁ = √(2 h/g), then after flights of
/// 2 t₁ eᵏ, until its approach speed √(2 g h) eⁿ⁻¹ is below 1 mm/s.
#[test]
fn a_ball_bounces_at_the_times_of_the_closed_form_and_rests() {
    for (name, e) in [("ball", 0.5f64), ("ball_08", 0.8)] {
        let simulated = compare(name, 1e-9, 1e-9, compare_impacts);
        let motion = &simulated.motion;
        let (first, speed) = ((2.0f64 / 9.81).sqrt(), (2.0f64 * 9.81).sqrt());
        let (mut t, mut approach, mut expected) = (first, speed, vec![first]);
        while approach >= 1e-3 {
            approach *= e;
            t += 2.0 * approach / 9.81;
            expected.push(t);
        }
        let times = times_of(motion, "floor");
        assert_eq!(times.len(), expected.len(), "{name}: {times:?}");
        for (a, b) in times.iter().zip(&expected) {
            assert!((a - b).abs() < 1e-9, "{name}: {a}, {b}");
        }
        assert_eq!(motion.rests.len(), 1, "{name}: {:?}", motion.rests);
        assert!((motion.rests[0].1.from - t).abs() < 1e-9 && motion.rests[0].1.until.is_none(), "{name}");
        let end = motion.times.len() - 1;
        assert!(close(motion.stop_forces[end].forces[0], 2.0 * 9.81, 1e-9), "{name}: the floor carries m g");
        let total: Vec<f64> = simulated.signals.energy.iter().map(|e| e[0] + e[1]).collect();
        let rises = total.windows(2).any(|pair| pair[1] > pair[0] + 1e-9);
        assert!(!rises, "{name}: the energy rises");
        assert!(total[end].abs() < 1e-9, "{name}: all energy is lost");
    }
}

/// The block leaves a stop where the force through it, `bias + F sin(w t) − k x`, vanishes.
#[test]
fn a_block_rests_at_both_stops_and_leaves_them_where_the_force_vanishes() {
    let simulated = compare("block", STATES, TIMES, compare_impacts);
    for (event, rest) in &simulated.motion.rests {
        let Some(until) = rest.until else { panic!("{rest:?}") };
        let x = if event == "right" { 0.1 } else { -0.1 };
        let force = 0.5 + 12.0 * (2.5 * until).sin() - 20.0 * x;
        assert!(force.abs() < 1e-6, "{rest:?}: {force} N");
    }
}

/// The stop carries the slider of a closed loop, and lets it go where the moment reverses.
#[test]
fn a_slider_crank_rests_at_its_stop_until_the_moment_reverses() {
    let simulated = compare("slider_crank", STATES, TIMES, compare_impacts);
    let until = simulated.motion.rests.first().and_then(|(_, rest)| rest.until);
    assert!(until.is_some_and(|t| (t - 1.5).abs() < 1e-9), "{until:?}");
}

#[test]
fn a_cylinder_holds_its_boom_at_both_ends_of_the_stroke() {
    compare("boom", STATES, TIMES, compare_impacts);
}

/// Four legs hit at one instant and share a force that is not determined; then the table tips
/// about two of them and falls back.
#[test]
fn a_table_lands_on_four_legs_and_tips_about_two() {
    let simulated = compare("table", STATES, TIMES, compare_impacts);
    let motion = &simulated.motion;
    for (t, row) in motion.times.iter().zip(&motion.stop_forces) {
        let forces = &row.forces;
        assert!(forces.iter().all(|f| *f >= -1e-6), "a leg pulls at {t} s: {forces:?}");
        // However the legs share it, they carry the weight of table and block.
        if (0.1..1.0).contains(t) || *t > 2.0 {
            let sum: f64 = forces.iter().sum();
            assert!(close(sum, 16.0 * 9.81, 1e-6), "the legs carry {sum} N at {t} s");
        }
    }
}

/// The table falls at an angle: its legs hit one after the other, at last in plastic impacts that
/// follow each other at ever shorter intervals. At 0.0578 s a leg that rests leaves the ground,
/// because another leg hits it.
#[test]
fn a_tilted_table_comes_to_rest_on_four_legs() {
    compare("table_tilted", STATES, TIMES, compare_instants);
}

/// By the law of impacts, a ball that hits two touching balls of its mass leaves with −1/3 of its
/// speed, and they with 2/3.
#[test]
fn a_ball_hits_two_that_touch() {
    let reference = reference("balls");
    let simulated = motion_of(&reference);
    compare_rows("balls", &reference, &simulated, 1e-9);
    check_energy("balls", &reference, &simulated);
    let hits = times_of(&simulated.motion, "ab");
    assert!(hits.len() == 1 && (hits[0] - 0.5).abs() < 1e-9, "{:?}", simulated.motion.events);
    let speeds = &simulated.motion.states[simulated.motion.states.len() - 1][3..];
    for (speed, expected) in speeds.iter().zip([-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]) {
        assert!((speed - expected).abs() < 1e-9, "{speeds:?}");
    }
}

/// The hopper stands from the start, jumps at every push, and lands without a bounce.
#[test]
fn a_hopper_stands_jumps_and_lands() {
    compare("hopper", STATES, TIMES, compare_impacts);
}

/// A beam of 200 kg and 4 m, hinged at one end, that lies level on a stop.
const BEAM: &str = r#"
name = "beam"
gravity = [0, 0, -10]
[bodies.beam]
mass = 200
center_of_mass = [2, 0, 0]
inertia = [0, 300, 300]
points = { far = [3.2, 0, 0] }
[joints.hinge]
type = "revolute"
axis = "y"
parent = "ground"
child = "beam"
coordinates = { names = ["phi"], start = ["-20 deg"] }
[outputs]
fall = { type = "acceleration", body = "beam", at = "far" }
"#;

const PAD: &str = r#"
[events.rest]
type = "impact"
body = "beam"
at = "far"
plane = "ground"
normal = "z"
restitution = 0.1
"#;

const JOINT_STOP: &str = r#"
[events.rest]
type = "joint_stop"
joint = "hinge"
side = "upper"
at = 0
restitution = 0.1
"#;

/// By statics the pad carries m g 2/3.2 and the hinge the rest; the stop in the joint carries the
/// moment m g 2 m, which the hinge transmits together with the whole weight.
#[test]
fn reactions_and_accelerations_at_rest_are_those_of_statics() {
    let cases = [(PAD, 1250.0, 750.0, 0.0), (JOINT_STOP, 4000.0, 2000.0, -4000.0)];
    for (stop, force, hinge, moment) in cases {
        let parsed = read::parse("beam.toml", format!("{BEAM}{stop}")).unwrap_or_else(|e| panic!("{e}"));
        let loaded = pipeline::build(&parsed, "beam.toml").unwrap_or_else(|e| panic!("{e}"));
        let request =
            SimulationRequest { with: vec![SignalGroup::Reactions], ..SimulationRequest::until(4.0) };
        let simulated = simulate(&loaded, &request).unwrap_or_else(|e| panic!("{e}"));
        let last = |name: &str| {
            let column = simulated.signals.columns.iter().find(|c| c.name == name);
            let column = column.unwrap_or_else(|| panic!("{name}: {:?}", simulated.signals.columns));
            *column.values.last().unwrap()
        };
        let expected = [
            ("reaction_rest", force),
            ("reaction_hinge_fx", 0.0),
            ("reaction_hinge_fz", hinge),
            ("reaction_hinge_my", moment),
            ("fall_x", 0.0),
            ("fall_z", 0.0),
        ];
        for (name, value) in expected {
            assert!((last(name) - value).abs() < 1e-6, "{name}: {}, not {value}", last(name));
        }
    }
}
