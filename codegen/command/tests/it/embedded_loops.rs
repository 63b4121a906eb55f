//! Loops embedded as generalised joints agree with multipliers in every pose of full rank,
//! whichever speeds are dependent there.

use std::f64::consts::PI;
use std::path::Path;

use dqdt_codegen::pipeline::{self, Assembled, FormalismChoice, Request};
use dqdt_codegen::{Formalism, functions, read};
use dqdt_diagnostics::base::Random;
use dqdt_graph::ir::{Arguments, Machine, Program};

/// Two loops in series, as in Watt's six-bar linkage: the second is attached to the
/// coupler of the first. The ground hinges that close the loops are parameters, so that
/// any angles form a valid pose.
const LINKAGE: &str = r#"
name = "linkage"
gravity = [0, -9.81, 0]
[parameters]
dx = { value = 1, unit = "m" }
dy = { value = 0.5, unit = "m" }
fx = { value = 1, unit = "m" }
fy = { value = 0.8, unit = "m" }
[ground]
points = { D = ["dx", "dy", 0], F = ["fx", "fy", 0] }
[bodies.crank]
mass = 0.5
center_of_mass = [0.1, 0.02, 0]
inertia = [0.001, 0.002, 0.003]
points = { B = [0.3, 0, 0] }
[bodies.coupler]
mass = 1
center_of_mass = [0.4, 0, 0]
inertia = [0.001, 0.02, 0.03]
points = { C = [0.9, 0, 0], E = [0.4, 0.3, 0] }
[bodies.rocker]
mass = 0.8
center_of_mass = [0.3, 0, 0]
inertia = [0.001, 0.01, 0.02]
points = { D = [0.7, 0, 0] }
[bodies.arm]
mass = 0.3
center_of_mass = [0.2, 0.01, 0]
inertia = [0.001, 0.01, 0.01]
points = { G = [0.5, 0, 0] }
[bodies.link]
mass = 0.2
center_of_mass = [0.2, 0, 0]
inertia = [0.001, 0.01, 0.01]
points = { F = [0.6, 0, 0] }
[joints.A]
type = "revolute"
axis = "z"
parent = "ground"
child = "crank"
coordinates = { names = ["q1"], start = [START1] }
[joints.B]
type = "revolute"
axis = "z"
parent = { body = "crank", at = "B" }
child = "coupler"
coordinates = { names = ["q2"], start = [START2] }
[joints.C]
type = "revolute"
axis = "z"
parent = { body = "coupler", at = "C" }
child = "rocker"
coordinates = { names = ["q3"], start = [START3] }
[joints.E]
type = "revolute"
axis = "z"
parent = { body = "coupler", at = "E" }
child = "arm"
coordinates = { names = ["q4"], start = [START4] }
[joints.G]
type = "revolute"
axis = "z"
parent = { body = "arm", at = "G" }
child = "link"
coordinates = { names = ["q5"], start = [START5] }
[constraints.D]
type = "planar_revolute"
from = { body = "ground", at = "D" }
to = { body = "rocker", at = "D" }
[constraints.F]
type = "planar_revolute"
from = { body = "ground", at = "F" }
to = { body = "link", at = "F" }
[inputs]
M = { unit = "N*m" }
[loads.drive]
type = "actuator"
joint = "A"
effort = "M"
"#;

/// The vector `(x, y)` turned by an angle.
fn rotate(angle: f64, x: f64, y: f64) -> [f64; 2] {
    [x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()]
}

fn add_vectors(parts: &[[f64; 2]]) -> [f64; 2] {
    parts.iter().fold([0.0; 2], |s, p| [s[0] + p[0], s[1] + p[1]])
}

/// Positions of the two ground hinges that close the loops at joint angles `q`.
fn hinges(q: [f64; 5]) -> [f64; 4] {
    let [crank, coupler, rocker] = [q[0], q[0] + q[1], q[0] + q[1] + q[2]];
    let [arm, link] = [coupler + q[3], coupler + q[3] + q[4]];
    let d = add_vectors(&[rotate(crank, 0.3, 0.0), rotate(coupler, 0.9, 0.0), rotate(rocker, 0.7, 0.0)]);
    let to_e = [rotate(crank, 0.3, 0.0), rotate(coupler, 0.4, 0.3)];
    let f = add_vectors(&[to_e[0], to_e[1], rotate(arm, 0.5, 0.0), rotate(link, 0.6, 0.0)]);
    [d[0], d[1], f[0], f[1]]
}

fn linkage() -> Assembled {
    let start = [1.2, -0.9, -1.1, 0.5, -0.8];
    let mut text = LINKAGE.to_owned();
    for (i, q) in start.iter().enumerate() {
        text = text.replace(&format!("START{}", i + 1), &format!("{q}"));
    }
    let [dx, dy, fx, fy] = hinges(start);
    for (name, value) in [("dx", dx), ("dy", dy), ("fx", fx), ("fy", fy)] {
        let at = text.find(&format!("\n{name} = {{ value = ")).unwrap();
        let end = at + text[at..].find(',').unwrap();
        text.replace_range(at..end, &format!("\n{name} = {{ value = {value}"));
    }
    pipeline::build(&read::parse("linkage.toml", text.as_str()).unwrap(), "linkage.toml")
        .unwrap_or_else(|e| panic!("{e}"))
}

fn program(loaded: &Assembled, form: Formalism) -> Program {
    pipeline::program(loaded, &Request::new(form, vec![functions::DQDT, functions::MULTIPLIERS]))
}

/// Results of `dqdt` and of the multipliers, or the error as text.
fn values(program: &Program, a: &Arguments) -> Result<Vec<f64>, String> {
    let mut all = Vec::new();
    for f in [functions::DQDT, functions::MULTIPLIERS] {
        let mut machine = Machine::new(program, f).unwrap();
        all.extend_from_slice(machine.call(a).map_err(|e| format!("{e:?}"))?);
    }
    Ok(all)
}

/// Angle between two links at a dead point: 0 or π.
fn dead_point_angle(k: usize) -> f64 {
    if k.is_multiple_of(2) { 0.0 } else { PI }
}

#[test]
fn two_loops_in_a_row_solve_at_dead_points_as_multipliers_do() {
    let loaded = linkage();
    let loops = loaded.partition.embedded.as_ref().expect("every loop leaves one motion");
    assert_eq!(loops.len(), 2);
    assert_eq!(loops[1].motions.len(), 3);
    let [embedded, multipliers] = [Formalism::MaggiCoordinates, Formalism::Kane].map(|f| program(&loaded, f));
    let mut random = Random::new(3);
    let (mut worst, mut dead, mut lost) = (0.0f64, 0, 0);
    for pose in 0..400 {
        let mut q: [f64; 5] = std::array::from_fn(|_| random.next_between(-PI, PI));
        // Dead points of the crank, the rocker, or the links at the coupler.
        match pose % 8 {
            1 => q[1] = dead_point_angle(pose / 8),
            2 => q[2] = dead_point_angle(pose / 8),
            3 => q[4] = dead_point_angle(pose / 8),
            4 => (q[1], q[4]) = (dead_point_angle(pose / 8), dead_point_angle(pose / 16)),
            5 => (q[2], q[4]) = (dead_point_angle(pose / 8), dead_point_angle(pose / 16)),
            6 => (q[1], q[2]) = (dead_point_angle(pose / 8), dead_point_angle(pose / 16)),
            _ => {}
        }
        let mut a = Arguments::defaults(&embedded);
        a.q.copy_from_slice(&q);
        a.p.copy_from_slice(&hinges(q));
        a.u[0] = 0.7;
        // The speeds need not fulfil the constraints: γ is defined for any speeds.
        a.v.iter_mut().for_each(|v| *v = random.next_between(-1.0, 1.0));
        match (values(&embedded, &a), values(&multipliers, &a)) {
            (Ok(x), Ok(y)) => {
                // Near poses of lost rank all values are large.
                let size = y.iter().fold(1.0f64, |m, y| m.max(y.abs()));
                let off = x.iter().zip(&y).fold(0.0f64, |m, (x, y)| m.max((x - y).abs())) / size;
                worst = worst.max(off / (1.0 + 1e-6 * size));
                assert!(off < 1e-9 * (1.0 + 1e-5 * size), "pose {pose} {q:?}: {off:e} of {size:e}");
                dead += usize::from((1..6).contains(&(pose % 8)));
            }
            (Err(x), Err(y)) => {
                assert!(pose % 8 == 6, "pose {pose} {q:?}: {x}, {y}");
                lost += 1;
            }
            (x, y) => panic!("pose {pose} {q:?}: {x:?} and {y:?}"),
        }
    }
    println!("largest difference {worst:e}; {dead} dead points, {lost} poses of lost rank");
    assert!(dead > 200, "{dead}");
    assert!(lost > 20, "{lost}");
}

fn load_example_or_loop(name: &str) -> Assembled {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let example = root.join(format!("examples/specs/{name}.toml"));
    let loop_file = root.join(format!("tests/data/robots/loops/{name}.toml"));
    pipeline::load(if loop_file.exists() { &loop_file } else { &example }).unwrap_or_else(|e| panic!("{e}"))
}

fn count_embedded_loops(name: &str) -> Option<usize> {
    load_example_or_loop(name).partition.embedded.map(|l| l.len())
}

#[test]
fn by_default_mechanisms_of_such_loops_are_projected_and_others_are_not() {
    assert_eq!(count_embedded_loops("four_bar"), Some(1));
    assert_eq!(count_embedded_loops("slider_crank"), Some(1));
    assert_eq!(count_embedded_loops("seven_body"), Some(3));
    assert_eq!(count_embedded_loops("fb_leg"), Some(1));
    assert_eq!(count_embedded_loops("fb_quad"), Some(4));
    for name in ["bricard", "stewart_platform", "rolling_disc"] {
        assert_eq!(count_embedded_loops(name), None, "{name}");
    }
    for (name, form) in [
        ("fb_quad", Formalism::MaggiCoordinates),
        ("seven_body", Formalism::MaggiCoordinates),
        ("bricard", Formalism::Kane),
    ] {
        assert_eq!(
            pipeline::choose(&load_example_or_loop(name), FormalismChoice::BySize, &[functions::DQDT])
                .unwrap(),
            form,
            "{name}"
        );
    }
}
