//! Start values: given values are kept or refused, free values are computed, moved
//! guesses are reported.

use std::f64::consts::TAU;
use std::path::PathBuf;

use dqdt_codegen::error::Severity;
use dqdt_codegen::pipeline::{self, Assembled};
use dqdt_codegen::{Formalism, functions, read};
use dqdt_derivation::assemble::Manifold;
use dqdt_derivation::derive::{Request, vector_layout};
use dqdt_mechanics::mechanism::StartRole;

fn text(path: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(path).unwrap()
}

/// A spec text with replacements; each replaced part must occur.
fn changed_spec(path: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text(path), |all, (from, to)| {
        assert!(all.contains(from), "{path} has no {from}");
        all.replace(from, to)
    })
}

fn load(text: &str) -> Assembled {
    try_load(text).unwrap_or_else(|e| panic!("{e}"))
}

fn try_load(text: &str) -> Result<Assembled, String> {
    let spec = read::parse("spec.toml", text).map_err(|e| e.to_string())?;
    pipeline::build(&spec, "spec.toml").map_err(|e| e.to_string())
}

/// The error message of a spec that must be refused.
fn build_error(text: &str) -> String {
    match try_load(text) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(e) => e,
    }
}

/// Start value of a coordinate or speed in emitted code.
fn start_value(l: &Assembled, name: &str) -> f64 {
    let slots = vector_layout(&l.mechanism);
    let slot = slots.q.iter().chain(&slots.v).find(|s| s.name == name);
    slot.unwrap_or_else(|| panic!("no {name}")).value
}

fn slot_values(s: &[dqdt_graph::ir::Slot]) -> Vec<f64> {
    s.iter().map(|s| s.value).collect::<Vec<_>>()
}

/// Checks that every constraint row holds at the start.
fn assert_on_constraints(l: &Assembled) {
    let slots = vector_layout(&l.mechanism);
    let (q, v) = (slot_values(&slots.q), slot_values(&slots.v));
    let manifold = Manifold::with_default_parameters(&l.mechanism);
    for row in manifold.constraint_rows(0.0, &q, &v) {
        let size = 1.0 + v.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        assert!(row.position.unwrap_or(0.0).abs() < 1e-12, "{} {:?}", row.name, row.position);
        assert!(row.velocity.abs() < 1e-12 * size, "{} {}", row.name, row.velocity);
    }
}

fn assert_near(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() < 1e-10 * (1.0 + b.abs()), "{what}: {a} against {b}");
}

#[test]
fn the_start_in_emitted_code_is_the_assembled_one() {
    let l = load(&changed_spec(FOUR_BAR, &[("atan2(3, 4) - 90 deg", "-1")]));
    let request = Request::new(Formalism::Kane, vec![functions::DQDT]);
    let code = pipeline::rust(&pipeline::program(&l, &request)).unwrap();
    let from = code.find("::dqdt::variables!").unwrap();
    let block = &code[from..from + code[from..].find("inputs {").unwrap()];
    let block = block.replace("::core::f64::consts::FRAC_PI_2", "1.5707963267948966");
    // Index and name, unit, start value, description.
    let values: Vec<f64> = block.lines().filter_map(|l| l.split(", ").nth(2)?.trim().parse().ok()).collect();
    let angle = 3f64.atan2(4.0) - std::f64::consts::FRAC_PI_2;
    let expected = [std::f64::consts::FRAC_PI_2, angle, std::f64::consts::FRAC_PI_2, 10.0, -10.0, 2.5];
    assert_eq!(values.len(), expected.len(), "{block}");
    values.iter().zip(expected).for_each(|(a, b)| assert_near(*a, b, &block));
}

const DISC: &str = "examples/specs/rolling_disc.toml";
const DISC_START: &str = r#"start = ["0.2*8 [m/s]", 0, 0, 0, "8 [rad/s]", 0]"#;
const FOUR_BAR: &str = "examples/specs/four_bar.toml";
const ROCKER: &str = r#"coordinates = { names = ["psi"], start = ["90 deg"] }"#;

#[test]
fn the_body_rates_of_a_disc_are_kept_and_its_centre_follows() {
    let ways = [
        "start = { wx = 0.2, wy = 0.5, wz = 4 }",
        r#"start = [0, 0, 0, 0.2, 0.5, 4], free = ["vz", "vx", "vy"]"#,
        r#"start = { vy = 7, wx = 0.2, wy = 0.5, wz = 4 }, free = ["vy"]"#,
    ];
    for way in ways {
        let l = load(&changed_spec(DISC, &[(DISC_START, way)]));
        assert_eq!(["wx", "wy", "wz"].map(|n| start_value(&l, n)), [0.2, 0.5, 4.0], "{way}");
        // v = ω × r e_z of the disc: 0.2 m (0.5 e_x − 0.2 e_y), with e_y tilted by 0.1 rad.
        assert_near(start_value(&l, "vx"), 0.2 * 0.5, way);
        assert_near(start_value(&l, "vy"), -0.2 * 0.2 * 0.1f64.cos(), way);
        assert_near(start_value(&l, "vz"), -0.2 * 0.2 * 0.1f64.sin(), way);
        assert_on_constraints(&l);
    }
}

#[test]
fn speeds_that_contradict_each_other_are_refused_with_values_and_difference() {
    let e = build_error(&changed_spec(DISC, &[(DISC_START, "start = [0, 0, 0, 0.2, 0.5, 4]")]));
    assert_eq!(e.matches("error[contradicting-speeds]").count(), 3, "{e}");
    assert!(e.contains("`vx` = 0 m/s and `wy` = 0.5 rad/s contradict each other"), "{e}");
    assert!(
        e.contains("the other start speeds require 0.1 m/s; the specified value differs by -0.1 m/s"),
        "{e}"
    );
    assert!(e.contains("spec.toml:23:") && e.contains("free = [\"vx\"]"), "{e}");
}

#[test]
fn the_crank_of_a_four_bar_runs_at_the_speed_given_and_zero_is_given_too() {
    // Upright crank and rocker: horizontal velocities 0.1·10 = 0.4 ψ̇; the coupler does not rotate.
    let guess = r#"coordinates = { names = ["psi"], start = ["90 deg"] }
speeds = { names = ["psi_dot"], start = [0], free = true }"#;
    let l = load(&changed_spec(FOUR_BAR, &[(ROCKER, guess)]));
    assert_eq!(start_value(&l, "phi_dot"), 10.0);
    assert_near(start_value(&l, "psi_dot"), 2.5, "rocker");
    assert_near(start_value(&l, "beta_dot"), -10.0, "coupler against crank");
    assert_on_constraints(&l);
    let e = build_error(&changed_spec(FOUR_BAR, &[(ROCKER, &guess.replace(", free = true", ""))]));
    assert!(e.contains("`psi_dot` = 0 rad/s") && e.contains("`phi_dot` = 10 rad/s"), "{e}");
}

fn four_bar_with_rocker_speed(speed: &str) -> String {
    let with = format!("{ROCKER}\nspeeds = {{ names = [\"psi_dot\"], start = [\"{speed}\"] }}");
    changed_spec(FOUR_BAR, &[(ROCKER, &with)])
}

#[test]
fn two_cranks_of_a_four_bar_with_other_speeds_are_refused_and_with_the_right_ones_kept() {
    assert_eq!(start_value(&load(&four_bar_with_rocker_speed("2.5")), "psi_dot"), 2.5);
    let e = build_error(&four_bar_with_rocker_speed("3"));
    let message = e.contains("`phi_dot` = 10 rad/s and `psi_dot` = 3 rad/s contradict each other")
        || e.contains("`psi_dot` = 3 rad/s and `phi_dot` = 10 rad/s contradict each other");
    assert!(message, "{e}");
    // The elimination decides which of the two is called dependent; both are right.
    assert!(
        e.contains("require 12 rad/s; the specified value differs by -2 rad/s")
            || e.contains("require 2.5 rad/s; the specified value differs by 0.5 rad/s"),
        "{e}"
    );
}

#[test]
fn a_held_pose_that_does_not_close_is_refused_with_both_angles() {
    let e = build_error(&changed_spec(
        FOUR_BAR,
        &[(ROCKER, r#"coordinates = { names = ["psi"], start = ["60 deg"], hold = true }"#)],
    ));
    assert!(e.contains("error[contradicting-coordinates]"), "{e}");
    assert!(e.contains("`phi` = 1.57079633 rad") && e.contains("`psi` = 1.04719755 rad"), "{e}");
    assert!(
        e.contains("if no coordinates are held, a nearby pose that satisfies the constraints is `phi` = "),
        "{e}"
    );
}

#[test]
fn a_guess_that_moves_is_no_warning_and_is_remembered() {
    let l = load(&changed_spec(FOUR_BAR, &[("atan2(3, 4) - 90 deg", "-1")]));
    assert!(l.warnings.diagnostics.is_empty(), "{}", l.warnings);
    let guess = &l.starts.coordinates[1];
    assert_eq!((guess.role, guess.value), (StartRole::Guess, -1.0));
    assert_near(start_value(&l, "beta"), 3f64.atan2(4.0) - std::f64::consts::FRAC_PI_2, "coupler");
    assert_eq!(l.starts.coordinates[0].role, StartRole::Kept);
    assert_eq!(l.starts.speeds[1].role, StartRole::Open);
}

/// A bicycle: a frame on two thin wheels, and a fork whose axis leans back.
const BICYCLE: &str = r#"
name = "bicycle"
gravity = [0, 0, -9.81]

[bodies.frame]
mass = 80
center_of_mass = [0.4, 0, 0.5]
inertia = [9, 11, 3]
[bodies.rear]
mass = 2
inertia = [0.06, 0.12, 0.06]
[bodies.fork]
mass = 4
inertia = [0.06, 0.06, 0.01]
[bodies.front]
mass = 3
inertia = [0.14, 0.28, 0.14]

[joints.base]
type = "free"
parent = "ground"
child = "frame"
coordinates = { sequence = "zxy", names = ["x", "y", "z", "heading", "roll", "pitch"], start = [0, 0, 0.3, 0.2, 0.15, 0.02], hold = ["x", "y", "heading", "roll"] }
speeds = { kind = "rates", names = ["vx", "vy", "vz", "heading_rate", "roll_rate", "pitch_rate"], start = { roll_rate = 0.1 } }
[joints.hub]
type = "revolute"
axis = "y"
parent = "frame"
child = "rear"
coordinates = { names = ["turn"] }
speeds = { names = ["turn_rate"], start = [-15] }
[joints.head]
type = "revolute"
axis = [-3, 0, 4]
parent = { body = "frame", at = [0.9, 0, 0.1] }
child = "fork"
coordinates = { names = ["steer"], start = ["10 deg"], hold = ["steer"] }
speeds = { names = ["steer_rate"], start = [0.5] }
[joints.axle]
type = "revolute"
axis = "y"
parent = { body = "fork", at = [0.1, 0, -0.05] }
child = "front"
coordinates = { names = ["front_turn"] }
speeds = { names = ["front_rate"] }

[constraints.rear_contact]
type = "rolling_disc"
to = "rear"
radius = 0.3
axis = "y"
[constraints.front_contact]
type = "rolling_disc"
to = "front"
radius = 0.35
axis = "y"
"#;

type V = [f64; 3];

fn turned(axis: V, angle: f64, v: V) -> V {
    let n = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    let a = axis.map(|x| x / n);
    let dot = a.iter().zip(v).map(|(a, v)| a * v).sum::<f64>();
    let cross = [a[1] * v[2] - a[2] * v[1], a[2] * v[0] - a[0] * v[2], a[0] * v[1] - a[1] * v[0]];
    std::array::from_fn(|i| v[i] * angle.cos() + cross[i] * angle.sin() + a[i] * dot * (1.0 - angle.cos()))
}

/// Height of the centre of a thin wheel with its rim on the ground.
fn wheel_height(axle: V, radius: f64) -> f64 {
    radius * (1.0 - axle[2] * axle[2]).sqrt()
}

#[test]
fn roll_and_steer_of_a_bicycle_are_held_and_height_and_pitch_found() {
    let l = load(BICYCLE);
    let q = |n: &str| start_value(&l, n);
    assert_eq!(
        ["heading", "roll", "turn_rate", "roll_rate", "steer_rate"].map(q),
        [0.2, 0.15, -15.0, 0.1, 0.5]
    );
    assert_near(q("steer"), 10f64.to_radians(), "steer");
    assert!((q("z") - 0.3).abs() > 1e-3 && (q("pitch") - 0.02).abs() > 1e-3, "{} {}", q("z"), q("pitch"));
    assert_on_constraints(&l);
    // Expected by rotation of vectors: the height of a wheel centre is its radius times
    // the cosine of its lean.
    let of_frame = |v: V| {
        let v = turned([0.0, 1.0, 0.0], q("pitch"), v);
        turned([0.0, 0.0, 1.0], q("heading"), turned([1.0, 0.0, 0.0], q("roll"), v))
    };
    let of_fork = |v: V| of_frame(turned([-3.0, 0.0, 4.0], q("steer"), v));
    assert_near(q("z"), wheel_height(of_frame([0.0, 1.0, 0.0]), 0.3), "rear wheel");
    let hub = q("z") + of_frame([0.9, 0.0, 0.1])[2] + of_fork([0.1, 0.0, -0.05])[2];
    assert_near(hub, wheel_height(of_fork([0.0, 1.0, 0.0]), 0.35), "front wheel");
}

#[test]
fn indices_of_repeats_stand_in_lists_of_names() {
    let spec = r#"
name = "row"
[repeat]
i = "1 to 3"
[bodies."arm{i}"]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joints."hinge{i}"]
type = "planar"
parent = "ground"
child = "arm{i}"
coordinates = { names = ["x{i}", "y{i}", "turn{i}"], start = { "x{i}" = 1, "turn{i}" = 0.3 }, hold = ["turn{i}"] }
speeds = { names = ["u{i}", "v{i}", "w{i}"], start = [1, 2, 3], free = ["u{i}", "v{i}"] }
[constraints."rod{i}"]
type = "position"
formula = "x{i} - 2 [m]*sin(turn{i})"
"#;
    let l = load(spec);
    for i in 1..=3 {
        assert_near(start_value(&l, &format!("x{i}")), 2.0 * 0.3f64.sin(), "x");
        assert_eq!(
            [format!("turn{i}"), format!("w{i}"), format!("v{i}")].map(|n| start_value(&l, &n)),
            [0.3, 3.0, 2.0]
        );
        assert_near(start_value(&l, &format!("u{i}")), 6.0 * 0.3f64.cos(), "u");
    }
    let e = build_error(&spec.replace(r#"hold = ["turn{i}"]"#, r#"hold = ["trun{i}"]"#));
    assert!(e.contains("no free coordinate `trun1`") && e.contains("did you mean `turn1`?"), "{e}");
    assert!(e.contains("i = 2"), "{e}");
}

#[test]
fn redundant_rows_leave_given_speeds_as_they_are() {
    // The same loop as a spatial constraint: three of its five rows are redundant.
    let spatial = [("type = \"planar_revolute\"", "type = \"revolute\"\naxis = \"z\"")];
    let l = load(&changed_spec(FOUR_BAR, &spatial));
    assert_eq!(l.warnings.diagnostics.iter().filter(|d| d.severity == Severity::Warning).count(), 3);
    assert_eq!(start_value(&l, "phi_dot"), 10.0);
    assert_near(start_value(&l, "psi_dot"), 2.5, "rocker");
    let rocker = format!("{ROCKER}\nspeeds = {{ names = [\"psi_dot\"], start = [3] }}");
    let e = build_error(&changed_spec(FOUR_BAR, &[spatial[0], (ROCKER, &rocker)]));
    assert_eq!(e.matches("error[contradicting-speeds]").count(), 1, "{e}");
}

#[test]
fn at_a_dead_centre_the_slider_cannot_have_a_speed_and_the_crank_can() {
    let crank = [
        (r#"start = ["90 deg"], hold = true"#, "start = [0], hold = true"),
        (r#"["-90 deg - atan2(3, 4)"]"#, "[0]"),
        (r#"["0.4 [m]"]"#, r#"["0.8 [m]"], hold = true"#),
    ];
    let slider_crank = "examples/specs/slider_crank.toml";
    let l = load(&changed_spec(slider_crank, &crank));
    assert_eq!(start_value(&l, "phi_dot"), 8.0);
    assert_near(start_value(&l, "beta_dot"), -8.0 * 0.8 / 0.5, "rod");
    let slider = (
        crank[2].0,
        r#"["0.8 [m]"], hold = true }
speeds = { names = ["s_dot"], start = [1]"#,
    );
    let e = build_error(&changed_spec(slider_crank, &[crank[0], crank[1], slider]));
    assert!(e.contains("the start speed `s_dot` = 1 m/s contradicts the constraints"), "{e}");
    assert!(e.contains("the constraints require 0 m/s"), "{e}");
}

#[test]
fn a_singular_start_keeps_what_is_given() {
    let flat = [
        (r#"start = ["90 deg"], hold = true"#, "start = [0], hold = true"),
        (r#"start = ["-90 deg"]"#, "start = [0]"),
        (r#"names = ["psi"], start = ["90 deg"]"#, r#"names = ["psi"], start = [0]"#),
    ];
    let l = load(&changed_spec("tests/data/parallelogram.toml", &flat));
    assert!(l.warnings.to_string().contains("singular pose"), "{}", l.warnings);
    assert_eq!(start_value(&l, "phi_dot"), 10.0);
    assert_on_constraints(&l);
    // With all three speeds given, the row across the links fails, and the message says that the
    // pose is singular.
    let rates = [
        ("names = [\"beta\"], start = [0] }", "names = [\"beta\"], start = [0] }\nspeeds = { start = [0] }"),
        ("names = [\"psi\"], start = [0] }", "names = [\"psi\"], start = [0] }\nspeeds = { start = [0] }"),
    ];
    let e = rates.iter().fold(changed_spec("tests/data/parallelogram.toml", &flat), |t, (from, to)| {
        assert!(t.contains(from), "{t}");
        t.replace(from, to)
    });
    let e = build_error(&e);
    assert!(e.contains("the start pose is singular"), "{e}");
}

/// Two cranks of 0.2 m at (0, 0) and (0.25, 0) with 120° and 60°, and rods of 0.3 m to
/// a hinge between them.
fn five_bar(beta: f64, delta: f64) -> String {
    let mut out = String::from("name = \"five_bar\"\n");
    for (body, end) in [("left", 0.2), ("left_rod", 0.3), ("right", 0.2), ("right_rod", 0.3)] {
        out += &format!(
            "[bodies.{body}]\nmass = 1\ninertia = [0, 0.01, 0.01]\npoints = {{ end = [{end}, 0, 0] }}\n"
        );
    }
    for (joint, parent, child, angle, start, hold) in [
        ("A", "\"ground\"", "left", "alpha", "120 deg".to_owned(), true),
        ("B", "{ body = \"left\", at = \"end\" }", "left_rod", "beta", format!("{beta} deg"), false),
        ("D", "{ body = \"ground\", at = [0.25, 0, 0] }", "right", "gamma", "60 deg".to_owned(), true),
        ("E", "{ body = \"right\", at = \"end\" }", "right_rod", "delta", format!("{delta} deg"), false),
    ] {
        out += &format!(
            "[joints.{joint}]\ntype = \"revolute\"\naxis = \"z\"\nparent = {parent}\nchild = \"{child}\"\n\
             coordinates = {{ names = [\"{angle}\"], start = [\"{start}\"], hold = {hold} }}\n"
        );
    }
    out + "[constraints.C]\ntype = \"planar_revolute\"\nfrom = { body = \"left_rod\", at = \"end\" }\n\
           to = { body = \"right_rod\", at = \"end\" }\n"
}

#[test]
fn of_two_ways_to_close_a_loop_the_nearer_is_taken_and_no_angle_turns() {
    // The crank ends are 0.25 + 2 · 0.1 m apart, so the rods meet at the elevation arccos(0.45 /
    // 0.6), above or below the line between them.
    let rise = 0.75f64.acos();
    let third = std::f64::consts::FRAC_PI_3;
    let ways = [rise - 2.0 * third, TAU - rise - 2.0 * third].map(|beta| [beta, -beta]);
    for beta in (-80..=100).step_by(36) {
        for delta in (-80..=100).step_by(36) {
            let guess = [f64::from(beta).to_radians(), f64::from(delta).to_radians()];
            let l = load(&five_bar(f64::from(beta), f64::from(delta)));
            assert_on_constraints(&l);
            let assembled = ["beta", "delta"].map(|name| start_value(&l, name));
            let distance =
                |a: &[f64; 2]| a.iter().zip(&guess).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
            // Each solution with its angles shifted by full turns to the nearest.
            let distances = ways.map(|mut way| {
                way.iter_mut().zip(&guess).for_each(|(a, b)| *a -= TAU * ((*a - b) / TAU).round());
                distance(&way)
            });
            let least = distances.into_iter().fold(f64::INFINITY, f64::min);
            assert!(
                distance(&assembled) < least + 1e-9,
                "{beta}°, {delta}°: {assembled:?} is {} away, not {least}",
                distance(&assembled)
            );
        }
    }
}
