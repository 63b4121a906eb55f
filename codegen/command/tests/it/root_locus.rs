//! `dqdt linearize --over`: eigenvalues over a parameter, stability changes, the figure.

use std::path::Path;
use std::process::{Command, Output};

use nalgebra::Matrix2;
use serde_json::Value;

fn run(spec: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dqdt")).arg("linearize").arg(spec).args(arguments).output().unwrap()
}

fn run_to_json(spec: &Path, arguments: &[&str]) -> Value {
    let output = run(spec, &[arguments, &["--format", "json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn whipple() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/linearize/whipple.toml")
}

/// Coefficient of `x` in `det(a + x b)`.
fn mixed_determinant(a: &Matrix2<f64>, b: &Matrix2<f64>) -> f64 {
    a[(0, 0)] * b[(1, 1)] + b[(0, 0)] * a[(1, 1)] - a[(0, 1)] * b[(1, 0)] - b[(0, 1)] * a[(1, 0)]
}

/// Coefficients of `det(M s² + v C₁ s + g K₀ + v² K₂)` from s⁴ down, with the matrices of Meijaard,
/// Papadopoulos, Ruina and Schwab 2007, doi:10.1098/rspa.2007.1857.
fn polynomial(v: f64) -> [f64; 5] {
    let m = Matrix2::new(80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686);
    let c = Matrix2::new(0.0, 33.86641391492494, -0.85035641456978, 1.68540397397560) * v;
    let k0 = Matrix2::new(-80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618);
    let k = k0 * 9.81 + Matrix2::new(0.0, 76.59734589573222, 0.0, 2.65431523794604) * v * v;
    [
        m.determinant(),
        mixed_determinant(&m, &c),
        mixed_determinant(&m, &k) + c.determinant(),
        mixed_determinant(&c, &k),
        k.determinant(),
    ]
}

fn zero_of(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
    assert!(f(a) * f(b) < 0.0);
    for _ in 0..80 {
        let middle = 0.5 * (a + b);
        if f(a) * f(middle) <= 0.0 { b = middle } else { a = middle }
    }
    a
}

/// Determinant by Routh: zero where a pair of eigenvalues is on the imaginary axis.
fn routh_determinant(v: f64) -> f64 {
    let [a, b, c, d, e] = polynomial(v);
    b * c * d - a * d * d - b * b * e
}

#[test]
fn the_bicycle_ceases_to_weave_and_begins_to_capsize_where_the_paper_says() {
    // Weave: a pair on the imaginary axis. Capsize: a zero eigenvalue (the constant coefficient is
    // zero).
    let weave = zero_of(routh_determinant, 4.0, 5.0);
    let capsize = zero_of(|v| polynomial(v)[4], 5.5, 7.0);
    assert!((weave - 4.292).abs() < 1e-3 && (capsize - 6.024).abs() < 1e-3);
    for range in ["x_dot=0:10", "x_dot=10:0:7"] {
        let locus = run_to_json(&whipple(), &["--over", range]);
        let mut changes: Vec<(f64, f64)> = (locus["changes"].as_array().unwrap().iter())
            .map(|c| (c["value"].as_f64().unwrap(), c["frequency"].as_f64().unwrap()))
            .collect();
        changes.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(locus["points"].as_array().unwrap().iter().all(|p| p["steady"] == true));
        assert_eq!(changes.len(), 2, "{range}: {changes:?}");
        assert!((changes[0].0 - weave).abs() < 1e-6 * weave, "{range}: {changes:?}, {weave}");
        assert!((changes[1].0 - capsize).abs() < 1e-5 * capsize, "{range}: {changes:?}, {capsize}");
        let [_, b, _, d, _] = polynomial(weave);
        assert!((changes[0].1 - (d / b).sqrt()).abs() < 1e-3, "{changes:?}");
        assert_eq!(changes[1].1, 0.0);
    }
}

const ARM: &str = r#"
    name = "arm"
    gravity = [0, 0, -9.81]
    [parameters]
    m = { value = 2, unit = "kg" }
    [inputs]
    u = { unit = "N*m" }
    [bodies.bob]
    mass = "m"
    center_of_mass = [0, 0, -0.5]
    [joints.pivot]
    type = "revolute"
    axis = "y"
    parent = "ground"
    child = "bob"
    coordinates = { names = ["angle"] }
    [loads.motor]
    type = "generalised_force"
    speed = "angle_dot"
    value = "u"
"#;

/// An arm held by a torque u rests at sin φ = u/(m g l), with λ² = −g cos φ/l; there is no
/// equilibrium above m g l.
#[test]
fn each_value_is_trimmed_and_those_without_rest_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("arm.toml");
    std::fs::write(&spec, ARM).unwrap();
    let picture = folder.path().join("arm.svg");
    let over = ["--over", "u=0:12:25", "--trim", "angle", "--plot", picture.to_str().unwrap()];
    let locus = run_to_json(&spec, &over);
    let (mut rest, mut none) = (0, 0);
    for point in locus["points"].as_array().unwrap() {
        let share = point["value"].as_f64().unwrap() / (2.0 * 9.81 * 0.5);
        if share > 1.0 {
            assert!(point["error"].as_str().unwrap().contains("no steady state"), "{point}");
            none += 1;
            continue;
        }
        let expected = (9.81 * (1.0 - share * share).sqrt() / 0.5).sqrt();
        let value = point["eigenvalues"][0][1].as_f64().unwrap();
        assert!((value.abs() - expected).abs() < 1e-9 * expected, "{point}: {expected}");
        assert!((point["trim"]["angle"].as_f64().unwrap().sin() - share).abs() < 1e-9);
        rest += 1;
    }
    assert!(rest > 15 && none > 3, "{rest}, {none}");
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(svg.contains("arm: eigenvalues as a function of u") && !svg.contains("NaN"));
    let output = run(&spec, &over);
    let (text, warning) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("no linearisation") && text.lines().all(|l| l.chars().count() <= 100), "{text}");
    let untrimmed = run(&spec, &["--over", "u=0:12:25"]);
    let said = String::from_utf8_lossy(&untrimmed.stderr).into_owned();
    assert!(
        said.contains("at 24 of 25 values, the state is not a steady motion") && said.contains("--trim"),
        "{said}"
    );
    assert!(warning.contains("of 25 values") && warning.contains("no steady state"), "{warning}");
}

/// Standard error of a call for the Whipple bicycle that fails.
fn refuse_whipple(arguments: &[&str]) -> String {
    let output = run(&whipple(), arguments);
    assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_cannot_run_is_refused_with_what_can() {
    let message = refuse_whipple(&["--over", "trail=0:1"]);
    assert!(
        message.contains("no free parameter, input or state `trail`") && message.contains("x_dot"),
        "{message}"
    );
    let message = refuse_whipple(&["--over", "roll=0:1", "--trim", "roll"]);
    assert!(message.contains("`roll` cannot be both varied and trimmed"), "{message}");
    assert!(refuse_whipple(&["--over", "x_dot=1"]).contains("m_pole=0.1:2"));
    let satellite =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/spinning_satellite_with_wheel.toml");
    let output = run(&satellite, &["--over", "qx=-0.5:0.5"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && message.contains("one of the four components of a quaternion"),
        "{message}"
    );
    assert!(refuse_whipple(&["--plot", "x.svg"]).contains("--over"));
}

#[test]
fn values_without_physical_sense_and_rates_behind_large_angles_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("arm.toml");
    std::fs::write(&spec, ARM).unwrap();
    let output = run(&spec, &["--over", "m=-1:1:5"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("of 5 values, a parameter is not physically meaningful, first at m = -1 kg"),
        "{said}"
    );
    // At a billion radians no equilibrium is claimed.
    let state = folder.path().join("turned.json");
    std::fs::write(&state, r#"{"q": {"angle": 1e9}}"#).unwrap();
    let locus = run_to_json(&spec, &["--at", state.to_str().unwrap()]);
    let rate = locus["f0"][1].as_f64().unwrap().abs();
    assert!(rate > 1.0 && locus["kind"] != "equilibrium", "{locus}");
}

/// A closed standard error loses messages, but is no panic.
#[cfg(unix)]
#[test]
fn a_reader_of_messages_that_went_away_is_no_panic() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = command.arg("inspect").arg("nowhere.toml").stderr(writer).status().unwrap();
    assert_eq!(status.code(), Some(1));
}

const GOVERNOR: &str = r#"
    name = "governor"
    gravity = [0, 0, -9.81]
    [parameters]
    w = { value = 1, unit = "rad/s" }
    [bodies.hub]
    mass = 1
    [bodies.ball]
    mass = 1
    center_of_mass = [0, 0, -0.5]
    [joints.spindle]
    type = "revolute"
    axis = "z"
    parent = "ground"
    child = "hub"
    coordinates = { names = ["turn"], prescribed = "w*t" }
    [joints.arm]
    type = "revolute"
    axis = "y"
    parent = "hub"
    child = "ball"
    coordinates = { names = ["a"], start = [0.5] }
"#;

/// Above ω = √(g/l) the ball swings outwards, a stable state. A trim continues from the state of
/// its neighbour and finds the bifurcation.
#[test]
fn a_trim_follows_the_steady_state_of_its_neighbour() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("governor.toml");
    std::fs::write(&spec, GOVERNOR).unwrap();
    let critical = (9.81f64 / 0.5).sqrt();
    let locus = run_to_json(&spec, &["--over", "w=0:10:11", "--trim", "a"]);
    let changes = locus["changes"].as_array().unwrap();
    assert_eq!((changes.len(), &changes[0]["leaps"]), (1, &Value::from(false)), "{changes:?}");
    assert!((changes[0]["value"].as_f64().unwrap() - critical).abs() < 1e-6 * critical, "{changes:?}");
    // Starting from an outward state, the neighbours are outward too.
    std::fs::write(&spec, GOVERNOR.replace("start = [0.5]", "start = [1.3]")).unwrap();
    let output = run(&spec, &["--over", "w=5:10:6", "--trim", "a", "-p", "w=10"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let row = text.split("trimmed values").nth(1).and_then(|rest| rest.lines().nth(1)).unwrap_or_default();
    let numbers: Vec<f64> = row.split_whitespace().filter_map(|x| x.parse().ok()).collect();
    let out = (9.81f64 / 0.5 / 25.0).acos();
    assert!(numbers[0] == 5.0 && (numbers[1].abs() - out).abs() < 1e-4, "{text}");
    // The trivial state a = 0, which needs no trim, gives the same critical value.
    std::fs::write(&spec, GOVERNOR.replace("start = [0.5]", "start = [0]")).unwrap();
    for range in ["w=0:10:11", "w=10:0:4", "w=3:6:4"] {
        let locus = run_to_json(&spec, &["--over", range]);
        let change = &locus["changes"][0];
        assert!((change["value"].as_f64().unwrap() - critical).abs() < 1e-6 * critical, "{change}");
        assert_eq!((&change["frequency"], &change["leaps"]), (&Value::from(0.0), &Value::from(false)));
    }
}

fn speeds_key(kind: &str, names: &str, start: &str) -> String {
    format!("speeds = {{ kind = \"{kind}\", names = [{names}], start = {start} }}")
}

/// With speeds in axes that spin with a rolling disc, A rotates and its eigenvalues are
/// meaningless. With coordinate rates as speeds, they show that it is stable above √(g/(3 r)).
#[test]
fn a_motion_along_which_a_changes_is_not_called_steady() {
    let folder = tempfile::tempdir().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/rolling_disc.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let line = |start: &str| text.lines().find(|l| l.starts_with(start)).unwrap().to_owned();
    let upright = "coordinates = { sequence = \"zxy\", names = [\"x\", \"y\", \"z\", \"heading\", \"lean\", \"roll\"], start = [0, 0, \"r\", 0, 0, 0] }";
    let spec = |speeds: &str| {
        let path = folder.path().join("disc.toml");
        let text = text.replace(&line("coordinates = "), upright).replace(&line("speeds = "), speeds);
        std::fs::write(&path, text).unwrap();
        path
    };
    let spinning = spec(&speeds_key(
        "body_rates",
        r#""vx", "vy", "vz", "wx", "wy", "wz""#,
        r#"["r*8 [rad/s]", 0, 0, 0, "8 [rad/s]", 0]"#,
    ));
    let output = run(&spinning, &[]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("A changes along the motion"), "{output:?}");
    let rates = spec(&speeds_key(
        "rates",
        r#""dx", "dy", "dz", "turn", "fall", "spin""#,
        r#"{ spin = "8 [rad/s]" }"#,
    ));
    let locus = run_to_json(&rates, &["--over", "spin=1:10:10"]);
    assert!(locus["points"].as_array().unwrap().iter().all(|p| p["steady"] == true));
    let changes = locus["changes"].as_array().unwrap();
    let critical = (9.81f64 / (3.0 * 0.2)).sqrt();
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert!((changes[0]["value"].as_f64().unwrap() - critical).abs() < 1e-5 * critical, "{changes:?}");
}

/// `x³ − x = f` has a second stable root up to f = 2/(3 √3), where the first one ends.
#[test]
fn a_trim_that_leaps_is_told_where_as_many_motions_grow_and_begins_other_branches() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("fold.toml");
    let text = r#"
        name = "fold"
        [parameters]
        f = { value = -1, unit = "N" }
        [bodies.slide]
        mass = 1
        [joints.rail]
        type = "prismatic"
        axis = "x"
        parent = "ground"
        child = "slide"
        coordinates = { names = ["x"], start = [-1.2] }
        [loads.spring]
        type = "actuator"
        joint = "rail"
        effort = "f - 1 [N/m^3]*x^3 + 1 [N/m]*x - 0.1 [N*s/m]*x_dot"
    "#;
    std::fs::write(&spec, text).unwrap();
    let over = ["--over", "f=-1.1:1.3:5", "--trim", "x"];
    let locus = run_to_json(&spec, &over);
    let changes = locus["changes"].as_array().unwrap();
    assert_eq!((changes.len(), &changes[0]["leaps"]), (1, &Value::from(true)), "{changes:?}");
    // The leap is between the end of the first root and the value at which Newton's
    // method finds the other.
    let value = changes[0]["value"].as_f64().unwrap();
    assert!((2.0 / 27.0f64.sqrt()..0.7).contains(&value), "{value}");
    assert_eq!(locus["branches"].as_array().unwrap().len(), 4, "{locus}");
    let text = String::from_utf8(run(&spec, &over).stdout).unwrap();
    assert!(
        text.contains("the steady state jumps to another one (growing modes: 0 before, 0 after)"),
        "{text}"
    );
    // After values without a steady state, new branches begin.
    let locus = run_to_json(&spec, &["--over", "f=-1:1:21", "--trim", "x"]);
    assert_eq!(locus["branches"].as_array().unwrap().len(), 4, "{locus}");
    // Along one branch no change is reported, however steep it becomes near its end.
    let locus = run_to_json(&spec, &["--over", "f=-1:0.384:12", "--trim", "x"]);
    assert!(locus["changes"].as_array().unwrap().is_empty(), "{}", locus["changes"]);
}

fn to_pair(v: &Value) -> [f64; 2] {
    [0, 1].map(|k| v[k].as_f64().unwrap())
}

/// Without the given pose, the eigenvalues would belong to another one.
#[test]
fn a_coordinate_that_runs_is_held_where_the_spec_calls_it_a_guess() {
    let folder = tempfile::tempdir().unwrap();
    let four_bar = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/four_bar.toml");
    let text = std::fs::read_to_string(four_bar).unwrap();
    let write = |name: &str, start: &str| {
        let changed = text.replace("start = [\"90 deg\"], hold = true", start);
        assert_ne!(changed, text);
        let path = folder.path().join(name);
        std::fs::write(&path, changed).unwrap();
        path
    };
    let open = write("open.toml", "start = [\"90 deg\"]");
    let locus = run_to_json(&open, &["--over", "phi=1.2:1.5:2"]);
    for (point, phi) in locus["points"].as_array().unwrap().iter().zip([1.2, 1.5]) {
        assert_eq!(point["value"], phi);
        let held = run_to_json(&write("held.toml", &format!("start = [{phi}], hold = true")), &[]);
        assert_eq!(held["at"]["q"]["phi"], phi);
        let eigenvalues: Vec<[f64; 2]> =
            point["eigenvalues"].as_array().unwrap().iter().map(to_pair).collect();
        let expected: Vec<[f64; 2]> =
            held["modes"].as_array().unwrap().iter().map(|mode| to_pair(&mode["value"])).collect();
        assert_eq!(eigenvalues.len(), 2);
        for (a, b) in eigenvalues.iter().zip(&expected) {
            assert!((a[0] - b[0]).abs() + (a[1] - b[1]).abs() < 1e-6, "{phi}: {eigenvalues:?}, {expected:?}");
        }
    }
    // A guess moves during assembly, and a note says so.
    let at = folder.path().join("at.json");
    std::fs::write(&at, r#"{"q": {"phi": 0.2}}"#).unwrap();
    let moved = run(&open, &["--at", at.to_str().unwrap()]);
    let said = String::from_utf8_lossy(&moved.stderr);
    assert!(said.contains("note[start-moved]") && said.contains("`phi`"), "{said}");
}
