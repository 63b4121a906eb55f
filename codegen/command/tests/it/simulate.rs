//! Motions by the command: output of a stopped simulation, table columns, energy balance.
//!
//! Above 500 lines: the small specs of the motions are next to their expected results.

use crate::files::root;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().unwrap()
}

/// A simulated motion: table with column names, command output, and success.
struct SimulatedMotion {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
    text: String,
    error: String,
    success: bool,
}

impl SimulatedMotion {
    fn run(spec: &Path, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let csv = folder.path().join("m.csv");
        let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
        let output = run(command.arg("simulate").arg(spec).args(options).arg("--csv").arg(&csv));
        let error = String::from_utf8(output.stderr).unwrap();
        let text = std::fs::read_to_string(&csv).unwrap_or_else(|_| panic!("no table: {error}"));
        let mut lines = text.lines();
        let names = lines.next().unwrap().split(',').map(str::to_owned).collect();
        let rows = lines.map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();
        SimulatedMotion { names, rows, error, success: output.status.success(), text }
    }

    fn run_text(text: &str, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spec.toml");
        std::fs::write(&path, text).unwrap();
        SimulatedMotion::run(&path, options)
    }

    fn column(&self, name: &str) -> Vec<f64> {
        let i = self.names.iter().position(|n| n == name);
        let i = i.unwrap_or_else(|| panic!("no column {name} in {:?}", self.names));
        self.rows.iter().map(|row| row[i]).collect()
    }

    /// Energy error of a motion: largest change of T + V − W, relative to the peak of T.
    fn balance(&self) -> f64 {
        let [t, v, w] = ["kinetic_energy", "potential_energy", "work"].map(|n| self.column(n));
        let closed: Vec<f64> = (0..t.len()).map(|k| t[k] + v[k] - w[k]).collect();
        let peak = t.iter().fold(0.0f64, |m, x| m.max(*x));
        let error = closed.iter().fold(0.0f64, |m, x| m.max((x - closed[0]).abs()));
        if error == 0.0 { 0.0 } else { error / peak }
    }
}

const BALL: &str = r#"
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
coordinates = { names = ["h"], start = [START] }
speeds = { names = ["vh"], start = [0] }
[states.count]
rate = 0
start = 0
[states.other]
rate = 0
start = 0
"#;

const FLOOR: &str = r#"
[events.floor]
type = "joint_stop"
joint = "slide"
side = "lower"
at = 0
restitution = 0.5
"#;

/// A switch that drives its own function back to zero: from 1 s on it never rests.
const ACCUMULATION: &str = r#"
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

fn ball(start: &str, events: &str) -> String {
    format!("{}{events}", BALL.replace("START", start))
}

#[test]
fn a_motion_that_stops_writes_what_was_reached_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("ball.toml");
    std::fs::write(&spec, ball("\"1 m\"", ACCUMULATION)).unwrap();
    let file = |name: &str| folder.path().join(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
    let output = run(command
        .arg("simulate")
        .arg(&spec)
        .args(["--t-end", "10", "--step", "0.01", "--csv"])
        .arg(file("m.csv"))
        .arg("--plot")
        .arg(file("m.svg"))
        .arg("--animate")
        .arg(file("m.html")));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("`floor` occurs at ever shorter intervals"), "{error}");
    assert!(error.contains("table, plot, animation: written up to t = 1 s"), "{error}");
    let csv = std::fs::read_to_string(file("m.csv")).unwrap();
    let last = csv.lines().last().unwrap().split(',').next().unwrap().parse::<f64>().unwrap();
    assert!((last - 1.0).abs() < 1e-9, "{last}");
    assert!(
        csv.lines().count() > 100 && std::fs::read_to_string(file("m.html")).unwrap().contains("<canvas")
    );
    assert!(std::fs::read_to_string(file("m.svg")).unwrap().starts_with("<svg"));
}

#[test]
fn a_ball_rests_on_its_stop_and_the_table_has_the_force() {
    let options = ["--t-end", "10", "--with", "reactions"];
    for (start, line) in [("\"0 m\"", "rests: floor from 0 s"), ("\"1 m\"", "rests: floor from 1.3544606")] {
        let motion = SimulatedMotion::run_text(&ball(start, FLOOR), &options);
        assert!(motion.success && motion.error.contains(line), "{}", motion.error);
        let force = motion.column("reaction_floor");
        assert!((force.last().unwrap() - 2.0 * 9.81).abs() < 1e-9, "{force:?}");
    }
}

#[test]
fn no_event_of_an_instant_is_lost_and_functions_that_cease_are_named() {
    let switches = r#"
[events.one]
type = "switch"
when = "h - 0.5 [m]"
set = { count = "count + 1" }
[events.two]
type = "switch"
when = "2*h - 1 [m]"
set = { other = "count + 1" }
"#;
    let motion = SimulatedMotion::run_text(&ball("\"1 m\"", switches), &["--t-end", "0.4"]);
    assert!(motion.success, "{}", motion.error);
    assert_eq!((motion.column("count").last(), motion.column("other").last()), (Some(&1.0), Some(&2.0)));
    let end = "\n[events.down]\ntype = \"end\"\nwhen = \"h\"\n";
    let motion = SimulatedMotion::run_text(&ball("\"1 m\"", &format!("{end}{FLOOR}")), &["--t-end", "3"]);
    assert!(motion.success && motion.error.contains("the last one ends the motion"), "{}", motion.error);
    assert!(*motion.column("vh").last().unwrap() > 2.0, "the end comes after the impact");
    for function in ["sqrt((h - 0.5 [m])/1 [m]) + 1", "1 [m]/(h - 0.5 [m])"] {
        let event = format!("\n[events.odd]\ntype = \"end\"\nwhen = \"{function}\"\n");
        let motion = SimulatedMotion::run_text(&ball("\"1 m\"", &event), &["--t-end", "2", "--step", "0.1"]);
        // The ball falls to 0.5 m, where the function is undefined, within √(2 · 0.5 m / g).
        assert!(!motion.success && motion.error.contains("`odd` is not a finite number"), "{}", motion.error);
        assert!(motion.error.contains("stops at t = 0.31927"), "{}", motion.error);
        assert_eq!(motion.rows.len(), 4);
    }
}

/// A rod on a driven cart with friction, a spring damper, a motor with limits, varying
/// gravity and a stop; a slider driven by a time-dependent formula, and a roller driven by a
/// velocity constraint.
const WORK: &str = r#"
name = "work"
gravity = [0, "-9.81 [m/s^2]*(1 + 0.2*sin(3 [1/s]*t))", 0]
[inputs]
motor = { unit = "N*m", default = 3, limits = [-0.2, 0.2] }
[bodies.cart]
mass = 2
inertia = [0.1, 0.1, 0.1]
[bodies.rod]
mass = 1
center_of_mass = [0, -0.4, 0]
inertia = [0.05, 0, 0.05]
points = { tip = [0, -0.8, 0] }
[bodies.slider]
mass = 0.5
inertia = [0, 0, 0]
[bodies.roller]
mass = 0.3
inertia = [0.01, 0.01, 0.01]
[joints.rail]
type = "prismatic"
axis = "x"
parent = "ground"
child = "cart"
coordinates = { names = ["x"], prescribed = "0.1 [m]*sin(4 [rad/s]*t)" }
[joints.pin]
type = "revolute"
axis = "z"
parent = "cart"
child = "rod"
coordinates = { names = ["theta"], start = ["40 deg"] }
speeds = { names = ["w"], start = [4] }
[joints.guide]
type = "prismatic"
axis = "y"
parent = "ground"
child = "slider"
coordinates = { names = ["y"], start = ["0 m"] }
[joints.axle]
type = "revolute"
axis = "z"
parent = "slider"
child = "roller"
coordinates = { names = ["phi"] }
speeds = { names = ["wphi"], start = [0] }
[loads.drive]
type = "actuator"
joint = "pin"
effort = "motor"
[loads.rub]
type = "friction"
joint = "pin"
viscous = 0.05
coulomb = 0.1
transition = 0.05
[loads.rope]
type = "spring"
from = { body = "ground", at = [1, 1, 0] }
to = { body = "rod", at = "tip" }
stiffness = 2
damping = 0.5
rest_length = 1
[loads.centre]
type = "joint_spring"
joint = "guide"
stiffness = 30
damping = 0.3
[constraints.lift]
type = "position"
formula = "y - 0.1 [m]*sin(2 [rad/s]*t)"
[constraints.winding]
type = "velocity"
formula = "wphi - 3 [rad/s]*sin(5 [rad/s]*t)"
[events.stop]
type = "joint_stop"
joint = "pin"
side = "upper"
at = "50 deg"
restitution = 0.6
[outputs]
tip = { type = "position", body = "rod", at = "tip" }
"#;

#[test]
fn energy_is_closed_where_drives_friction_constraints_gravity_and_impacts_do_work() {
    for formalism in ["kane", "lagrange", "articulated_body", "extended"] {
        let options = ["--t-end", "2", "--rtol", "1e-11", "--atol", "1e-12", "--formalism", formalism];
        let motion = SimulatedMotion::run_text(
            WORK,
            &[&options[..], &["--with", "inputs,multipliers,reactions"]].concat(),
        );
        assert!(motion.success, "{}", motion.error);
        assert!(motion.balance() < 1e-9, "{formalism}: {:e}\n{}", motion.balance(), motion.error);
        assert!(
            motion.error.contains("stop at") && motion.error.contains("events remove"),
            "{}",
            motion.error
        );
        // The motor is at its limit, and requested signals have columns.
        assert!(motion.column("motor").iter().all(|u| *u == 0.2));
        let [work, lift, winding] = ["work", "lambda_lift", "lambda_winding"].map(|n| motion.column(n));
        assert!(work.iter().any(|w| w.abs() > 1.0) && lift.iter().chain(&winding).all(|x| x.is_finite()));
        // For the winding, J ω̇ = λ with ω = 3 sin 5 t.
        for (t, lambda) in motion.column("t").iter().zip(&winding) {
            assert!((lambda - 0.01 * 15.0 * (5.0 * t).cos()).abs() < 1e-10, "{t} {lambda}");
        }
        assert_eq!(motion.column("reaction_axle_fx").len(), work.len());
        assert!(motion.text.lines().all(|l| l.len() < 1500));
    }
}

#[test]
fn an_impact_takes_the_energy_that_restitution_leaves_out() {
    let end = "\n[events.late]\ntype = \"end\"\nwhen = \"t - 1 [s]\"\ndirection = \"rising\"\n";
    let motion = SimulatedMotion::run_text(&ball("\"1 m\"", &format!("{FLOOR}{end}")), &["--t-end", "2"]);
    // m g h (1 − e²) at the first impact, and e² times that at the second, at 0.903 s.
    let lost = 2.0 * 9.81 * (1.0 - 0.25) * (1.0 + 0.25);
    let work = *motion.column("work").last().unwrap();
    assert!((work + lost).abs() < 1e-8, "{work} {lost}");
    assert!(motion.balance() < 1e-12);
}

#[test]
fn a_plot_shows_what_was_asked_for_and_that_the_energy_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let (spec, plot) = (folder.path().join("s.toml"), folder.path().join("m.svg"));
    std::fs::write(&spec, WORK).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
    let output = run(command
        .arg("simulate")
        .arg(&spec)
        .args(["--t-end", "0.2", "--plot"])
        .arg(&plot)
        .args(["--with", "outputs,inputs,multipliers,reactions"]));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let svg = std::fs::read_to_string(&plot).unwrap();
    for text in [
        "total − work",
        ">outputs [m]<",
        ">inputs [N·m]<",
        ">multipliers",
        ">reactions [N]<",
        ">reactions [N·m]<",
    ] {
        assert!(svg.contains(text), "{text}");
    }
}

/// Product of a row of the constraint Jacobian with values of the speeds by name.
fn multiply_row(row: &Value, values: &Value) -> f64 {
    let entries = row.as_object().unwrap().iter();
    entries.map(|(speed, a)| a.as_f64().unwrap() * values[speed].as_f64().unwrap()).sum()
}

#[test]
fn eval_gives_the_rows_of_constraints_and_reactions() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["four_bar", "rolling_disc"] {
        let path = root(&format!("examples/specs/{name}.toml"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
        let output = run(command.arg("assemble").arg(&path).args(["--format", "json"]));
        let at = folder.path().join("at.json");
        let assembled: Value = serde_json::from_slice(&output.stdout).unwrap();
        let state = serde_json::json!({ "q": assembled["q"], "v": assembled["v"] });
        std::fs::write(&at, state.to_string()).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
        let output = run(command.arg("eval").arg(&path).arg("--at").arg(&at));
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        let constraints = &result["constraints"];
        let rows = constraints["jacobian"].as_object().unwrap();
        assert!(!rows.is_empty() && result["reactions"].as_object().is_some_and(|r| !r.is_empty()));
        for (row, columns) in rows {
            let gamma = constraints["gamma"][row].as_f64().unwrap();
            assert!((multiply_row(columns, &result["vdot"]) - gamma).abs() < 1e-9, "{name} {row}");
            let velocity = constraints["velocity"][row].as_f64().unwrap();
            assert!((multiply_row(columns, &state["v"]) - velocity).abs() < 1e-12, "{name} {row}");
            assert!(result["multipliers"].get(row).is_some());
        }
    }
}

fn dqdt(arguments: &[&std::ffi::OsStr]) -> (Value, String) {
    let output = run(Command::new(env!("CARGO_BIN_EXE_dqdt")).args(arguments));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{error}");
    (serde_json::from_slice(&output.stdout).unwrap(), error)
}

/// Names of the reaction components that are numbers, and of those that are `null`.
fn components(result: &Value) -> [Vec<String>; 2] {
    let mut both = [Vec::new(), Vec::new()];
    for (joint, wrench) in result["reactions"].as_object().unwrap() {
        for (kind, parts) in [("force", ["fx", "fy", "fz"]), ("moment", ["mx", "my", "mz"])] {
            for (value, part) in wrench[kind].as_array().unwrap().iter().zip(parts) {
                both[usize::from(value.is_null())].push(format!("reaction_{joint}_{part}"));
            }
        }
    }
    both
}

#[test]
fn reactions_that_are_not_determined_are_null_or_left_out_and_a_planar_segway_runs() {
    let path = root("tests/data/specs/planar_segway.toml");
    let (result, message) = dqdt(&["eval".as_ref(), path.as_os_str()]);
    let [numbers, open] = components(&result);
    for (name, wanted) in [
        ("plane", "fz mx"),
        ("pitch", "fx fz mx mz"),
        ("left", "fx fy fz mx mz"),
        ("right", "fx fy fz mx mz"),
    ] {
        for part in ["fx", "fy", "fz", "mx", "my", "mz"] {
            let component = format!("reaction_{name}_{part}");
            assert_eq!(open.contains(&component), wanted.contains(part), "{component}");
        }
    }
    // The torque about the axle of a wheel is that of the motor, which is zero here.
    assert_eq!(result["reactions"]["left"]["moment"][1], 0.0);
    // The determined multipliers.
    let multipliers = result["multipliers"].as_object().unwrap();
    let known: Vec<_> = multipliers.iter().filter(|(_, x)| !x.is_null()).map(|(n, _)| n.as_str()).collect();
    assert_eq!(known, ["roll_l_f_along", "roll_r_f_along"]);
    let options = ["--t-end", "2", "--with", "reactions"];
    let motion = SimulatedMotion::run(&path, &options);
    assert!(motion.success && motion.balance() < 1e-10, "{}", motion.error);
    assert_eq!(motion.column("t").last(), Some(&2.0));
    let columns: Vec<_> = motion.names.iter().filter(|n| n.starts_with("reaction_")).cloned().collect();
    assert_eq!(columns, numbers);
    for component in &columns {
        assert!(motion.column(component).iter().all(|x| x.is_finite()));
    }
    let line = "reactions: the motion does not determine fz mx of plane, fx fz mx mz of pitch, fx fy fz mx \
                mz of left, fx fy fz mx mz of right, which therefore have no column";
    assert!(motion.error.contains(line), "{}", motion.error);
    // At rest in contact, y' = 0 and x' ∓ b ψ' = R (θ' + α'); least squares give θ' = 2/3 of x'/R.
    for text in [&motion.error, &message] {
        assert!(text.contains("determine: `theta_dot` becomes 3.33 rad/s, `al_dot`"), "{text}");
        assert!(text.contains("give one of these speeds a `start` to set another"), "{text}");
    }
    // With all free speeds given, no choice is reported.
    let text = std::fs::read_to_string(&path).unwrap();
    let with_speeds =
        text.replace("start = [\"5 deg\"] }", "start = [\"5 deg\"] }\nspeeds = { start = [0] }");
    assert_ne!(with_speeds, text);
    let motion = SimulatedMotion::run_text(&with_speeds, &["--t-end", "0.01"]);
    assert!(motion.column("al_dot")[0] > 4.0 && !motion.error.contains("start-chosen"), "{}", motion.error);
}

#[test]
fn eval_tells_by_how_much_a_state_is_off_the_constraints_and_leaves_the_same_reactions_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = root("examples/specs/bricard.toml");
    let file = |name: &str, value: &Value| {
        let path = folder.path().join(name);
        std::fs::write(&path, value.to_string()).unwrap();
        path
    };
    let assemble = |at: &[&std::ffi::OsStr]| {
        dqdt(&[&["assemble".as_ref(), path.as_os_str(), "--format".as_ref(), "json".as_ref()], at].concat()).0
    };
    let eval = |at: &Path| dqdt(&["eval".as_ref(), path.as_os_str(), "--at".as_ref(), at.as_os_str()]);
    let mut state = assemble(&[]);
    let (on, message) = eval(&file("on.json", &state));
    let open = components(&on)[1].clone();
    assert!(!open.is_empty() && !message.contains("not-fulfilled"), "{message}");
    // Perturbed as by rounding to five digits: redundant rows are no longer consistent.
    for (i, x) in state["q"].as_object_mut().unwrap().values_mut().enumerate() {
        *x = Value::from(x.as_f64().unwrap() + 1e-5 * (i as f64 - 1.5));
    }
    let off = file("off.json", &serde_json::json!({ "q": state["q"], "v": state["v"] }));
    let (result, message) = eval(&off);
    assert_eq!(components(&result)[1], open);
    assert!(message.contains("note[constraints-not-fulfilled]"), "{message}");
    let (row, by) = (result["constraints"]["position"].as_object().unwrap().iter())
        .max_by(|a, b| a.1.as_f64().unwrap().abs().total_cmp(&b.1.as_f64().unwrap().abs()))
        .unwrap();
    let by = format!("{:e}", format!("{:.2e}", by.as_f64().unwrap()).parse::<f64>().unwrap());
    assert!(message.contains(&format!("`{row}` by {by} in position")), "{by}: {message}");
    let command = "use `dqdt assemble SPEC --at FILE --format json`";
    assert!(message.contains(command), "{message}");
    let again = assemble(&["--at".as_ref(), off.as_os_str()]);
    let (_, message) = eval(&file("again.json", &again));
    assert!(!message.contains("not-fulfilled"), "{message}");
}

#[test]
fn energy_is_closed_by_the_work_of_loads_in_every_example() {
    let mut specs: Vec<PathBuf> = std::fs::read_dir(root("examples/specs"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    specs.sort();
    for spec in specs {
        let motion = SimulatedMotion::run(
            &spec,
            &["--t-end", "0.2", "--step", "0.05", "--rtol", "1e-10", "--atol", "1e-11"],
        );
        println!("{} {:e}", spec.display(), motion.balance());
        assert!(motion.balance() < 1e-8, "{}: {:e}\n{}", spec.display(), motion.balance(), motion.error);
    }
}

#[test]
fn a_motion_that_is_far_too_stiff_stops_with_advice_and_keeps_its_table() {
    // A rotor of 1e-18 kg·m² in a bearing of 0.01 N·m·s/rad: its speed decays within 1e-16 s.
    let text = r#"
name = "stiff"
[bodies.rotor]
mass = 1
inertia = [1, 1, 1e-18]
[joints.hinge]
type = "revolute"
axis = "z"
parent = "ground"
child = "rotor"
speeds = { start = [1] }
[loads.bearing]
type = "joint_spring"
joint = "hinge"
damping = 0.01
"#;
    let motion = SimulatedMotion::run_text(text, &["--t-end", "0.1"]);
    assert!(!motion.success && motion.error.contains("stiff"), "{}", motion.error);
    assert!(motion.error.contains("wrong unit") && motion.text.lines().count() >= 2, "{}", motion.text);
}

#[test]
fn a_wheel_whose_body_cannot_leave_the_plane_rolls_on() {
    // The row of the height is zero up to rounding, so its rank cannot drop.
    let text = r#"
name = "wheel"
[bodies.fork]
mass = 1
inertia = [1, 1, 1]
[bodies.wheel]
mass = 1
inertia = [1, 1, 1]
[joints.plane]
type = "planar"
parent = "ground"
child = "fork"
speeds = { start = [1, 0, 0.5] }
[joints.axle]
type = "revolute"
axis = "y"
parent = "fork"
child = "wheel"
speeds = { start = [3] }
[constraints.height]
type = "point_on_plane"
from = "ground"
to = "wheel"
"#;
    let motion = SimulatedMotion::run_text(text, &["--t-end", "2"]);
    assert!(motion.success, "{}", motion.error);
    // Without loads, speeds are constant.
    assert!(motion.balance() < 1e-9);
}

#[test]
fn parameters_of_a_file_that_make_no_sense_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("at.json");
    std::fs::write(&at, r#"{"p":{"m_pole":-1}}"#).unwrap();
    let spec = root("examples/specs/cart_pole.toml");
    let output = run(Command::new(env!("CARGO_BIN_EXE_dqdt")).arg("eval").arg(spec).arg("--at").arg(at));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("warning: the mass of body `pole` is negative"), "{error}");
}

#[test]
fn machine_code_moves_as_the_interpreter_or_is_refused_where_the_command_lacks_it() {
    let spec = root("examples/specs/cart_pole.toml");
    let interpreted = SimulatedMotion::run(&spec, &["--t-end", "1", "--evaluate", "interpreter"]);
    let automatic = SimulatedMotion::run(&spec, &["--t-end", "1"]);
    assert_eq!(automatic.text, interpreted.text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
    let output =
        run(command.arg("simulate").arg(&spec).args(["--t-end", "1", "--evaluate", "native", "--csv", "-"]));
    if cfg!(feature = "native") {
        assert_eq!(String::from_utf8(output.stdout).unwrap(), interpreted.text);
    } else {
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains("`--features native`"), "{error}");
    }
}
