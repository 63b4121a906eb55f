//! Animations written by `dqdt simulate`: solids of bodies, floor planes, arrows of forces.
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

fn spec(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs").join(format!("{name}.toml"))
}

/// Player data of the animation of a short simulated motion of an example spec.
fn data(name: &str, options: &[&str]) -> Value {
    data_of(&spec(name), options)
}

fn data_of(spec: &Path, options: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("a.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
    command.arg("simulate").arg(spec).args(["--t-end", "0.1", "--animate"]).arg(&page).args(options);
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let html = std::fs::read_to_string(&page).unwrap();
    let start = html.find("id=\"data\">").unwrap() + 10;
    let text = &html[start..start + html[start..].find("</script>").unwrap()];
    serde_json::from_str(text).unwrap()
}

/// First position of a track in the animation data, in metres.
fn at(data: &Value, track: &Value) -> [f64; 3] {
    let unit = data["unit"].as_f64().unwrap();
    [0, 1, 2].map(|k| data["tracks"][track.as_u64().unwrap() as usize][k][0].as_f64().unwrap() * unit)
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn the_shapes_of_a_quadrotor_have_their_sizes_and_places() {
    let data = data("quadrotor", &["-p", "arm=0.2"]);
    let body = &data["bodies"][0];
    let shapes = body["shapes"].as_array().unwrap();
    let kinds: Vec<&str> = shapes.iter().map(|s| s["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["box", "box", "box", "cylinder", "cylinder", "cylinder", "cylinder"]);
    // The file rounds lengths to 1e-5 of the scene size.
    let close = 1e-4;
    for (k, rotor) in shapes[3..].iter().enumerate() {
        let point = at(&data, &body["points"][k]);
        let places: Vec<[f64; 3]> = rotor["at"].as_array().unwrap().iter().map(|t| at(&data, t)).collect();
        assert!(distance(places[0], point) < close, "rotor {k} is at its point");
        let sizes = [1, 2, 3].map(|i| distance(places[i], places[0]));
        for (size, expected) in sizes.into_iter().zip([0.12, 0.12, 0.003]) {
            assert!((size - expected).abs() < close, "{sizes:?}");
        }
    }
    assert!(shapes.iter().all(|s| s["ghost"] == false));
    assert_eq!(data["ground"].as_array().map(Vec::len), Some(0), "the ground carries no free joint");
}

/// Number of shapes of all bodies of an example.
fn count_shapes(name: &str) -> usize {
    let data = data(name, &[]);
    let bodies = data["bodies"].as_array().unwrap().clone();
    bodies.iter().map(|b| b["shapes"].as_array().unwrap().len()).sum::<usize>()
}

#[test]
fn ellipsoids_stand_for_inertias_in_space_and_nothing_hides_a_plane_or_a_rim() {
    assert_eq!(count_shapes("double_pendulum"), 0);
    assert_eq!(count_shapes("rolling_disc"), 0);
    // Inertia ellipsoids far larger than their links, as some identified inertias
    // give, are not drawn.
    assert_eq!(count_shapes("panda_arm"), 2);
}

#[test]
fn a_motion_of_another_program_is_shown_as_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("motion.csv");
    // The table has the speed of one coordinate only, an unknown column, and
    // columns in another order.
    std::fs::write(&table, "theta,t,x,x_dot,other\n0.1,0,1,2,7\n0.2,0.5,1.5,3,7\n").unwrap();
    let csv = folder.path().join("shown.csv");
    let command = |table: &Path, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
        command
            .arg("simulate")
            .arg(spec("cart_pole"))
            .arg("--motion")
            .arg(table)
            .arg("--csv")
            .arg(&csv)
            .args(more);
        command.stdin(Stdio::null()).output().unwrap()
    };
    let output = command(&table, &[]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && message.contains("2 rows of"), "{message}");
    let text = std::fs::read_to_string(&csv).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[0].starts_with("t,x,theta,x_dot,theta_dot,"), "{text}");
    assert!(rows[1].starts_with("0,1,0.1,2,0,") && rows[2].starts_with("0.5,1.5,0.2,3,0,"), "{text}");
    assert!(rows[0].ends_with("tip_x,tip_y,tip_z"), "components of outputs by their axes: {text}");
    std::fs::write(&table, "t,theta\n0,0.1\n1,0.1\n").unwrap();
    let message = String::from_utf8(command(&table, &[]).stderr).unwrap();
    assert!(message.contains("--motion") && message.contains("no column for `x`"), "{message}");
    let output = command(&table, &["--t-end", "3"]);
    assert_eq!(output.status.code(), Some(2), "nothing is integrated");
}

#[test]
fn a_table_has_of_forces_what_is_asked_for_and_names_that_nothing_has_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("forces.csv");
    let command = |signals: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
        command
            .arg("simulate")
            .arg(spec("four_bar"))
            .args(["--t-end", "0.1", "--signals", signals, "--csv"])
            .arg(&csv);
        command.stdin(Stdio::null()).output().unwrap()
    };
    assert!(command("reaction_A_fx").status.success());
    let text = std::fs::read_to_string(&csv).unwrap();
    let head: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let forces: Vec<&&str> = head.iter().filter(|n| n.starts_with("reaction_")).collect();
    assert_eq!(forces, [&"reaction_A_fx"], "{head:?}");
    let message = String::from_utf8(command("reaction_A_fxx").stderr).unwrap();
    assert!(message.contains("the motion has no signal `reaction_A_fxx`"), "{message}");
}

/// Names of the signals of the cart pole in the animation data.
fn signal_names(options: &[&str]) -> Vec<String> {
    let data = data("cart_pole", options);
    let signals = data["signals"].as_array().unwrap();
    signals.iter().map(|s| s["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_curves_below_are_those_that_are_chosen() {
    assert_eq!(signal_names(&[]), ["x", "θ"]);
    assert_eq!(signal_names(&["--input", "force=1"]), ["x", "θ", "force"]);
    assert_eq!(signal_names(&["--signals", "theta,energies"]).len(), 6);
}

#[test]
fn what_rolls_or_slides_has_the_floor_of_its_plane_and_a_point_where_it_touches() {
    let disc = data("rolling_disc", &[]);
    assert_eq!(disc["floor"]["normal"], serde_json::json!([0, 0, 1]));
    let body = &disc["bodies"][0];
    assert_eq!(body["labels"].as_array().unwrap().last().unwrap(), "contact");
    let contact = at(&disc, body["points"].as_array().unwrap().last().unwrap());
    assert!(contact[2].abs() < 1e-4, "{contact:?}");
    assert!((distance(contact, at(&disc, &body["center"])) - 0.2).abs() < 1e-4);
    // The floor of a planar joint on a slope is the plane of the joint, not the horizontal plane.
    let ski = data("snowboarder2", &[]);
    assert_eq!(ski["floor"]["normal"], serde_json::json!([0, 0, 1]));
    assert!(ski["gravity"][0].as_f64().unwrap() > 1.0);
    assert_eq!(ski["bodies"][0]["shapes"][0]["kind"], "box");
    assert!(data("panda_arm", &[])["floor"].is_null());
}

#[test]
fn a_rope_that_gets_longer_is_drawn_and_displacements_over_the_ground_are_not() {
    let text = r#"
name = "crane"
gravity = [0, 0, -9.81]
[bodies.along]
[bodies.trolley]
mass = 20
[bodies.rope]
[bodies.load]
mass = 5
[joints.rail]
type = "prismatic"
axis = "x"
parent = "ground"
child = "along"
coordinates = { names = ["x"], start = [1] }
[joints.bridge]
type = "prismatic"
axis = "y"
parent = "along"
child = "trolley"
coordinates = { names = ["y"], start = [1] }
[joints.swing]
type = "universal"
axes = ["y", "x"]
parent = "trolley"
child = "rope"
[joints.hoist]
type = "prismatic"
axis = "-z"
parent = "rope"
child = "load"
coordinates = { names = ["length"], start = [2] }
"#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crane.toml");
    std::fs::write(&path, text).unwrap();
    let data = data_of(&path, &[]);
    let lengths = |body: usize| -> Vec<f64> {
        let lines = data["bodies"][body]["lines"].as_array().unwrap().iter();
        lines.map(|l| distance(at(&data, &l[0]), at(&data, &l[1]))).filter(|l| *l > 1e-4).collect()
    };
    for other in [0, 1, 3] {
        assert!(lengths(other).is_empty(), "{other}: {:?}", lengths(other));
    }
    let rope = lengths(2);
    assert!(rope.len() == 1 && (rope[0] - 2.0).abs() < 1e-3, "{rope:?}");
}

const GRIPPER: &str = r#"
    name = "gripper"
    [ground.shapes]
    base = { box = [0.2, 0.1, 0.1], at = [0, 0, 0.05] }
    floor = { box = [20, 20, 0.1], at = [0, 0, -0.05] }
    [bodies.left]
    mass = 0.1
    inertia = [1e-4, 1e-4, 1e-4]
    points = { elbow = [0, 0, 0.3] }
    shapes = { finger = { box = [0.02, 0.04, 0.12], at = [0, 0, 0.1] } }
    [bodies.tip]
    mass = 0.1
    center_of_mass = [0, 0, 0.05]
    inertia = [1e-4, 1e-4, 1e-4]
    points = { end = [0, 0, 0.1] }
    shapes = { rod = { cylinder = [0.01, 0.1], at = [0, 0, 0.05] } }
    [joints.slide]
    type = "prismatic"
    axis = "x"
    parent = { body = "ground", at = [0.06, 0, 0.1] }
    child = "left"
    [joints.bend]
    type = "revolute"
    axis = "y"
    parent = { body = "left", at = "elbow" }
    child = "tip"
"#;

#[test]
fn lines_that_no_shape_reaches_are_drawn_and_the_ground_has_shapes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gripper.toml");
    std::fs::write(&path, GRIPPER).unwrap();
    let data = data_of(&path, &[]);
    // The finger's line ends before the elbow. Both ends of the rod's line are drawn.
    assert_eq!(data["bodies"][0]["bare"], serde_json::json!([0]));
    assert_eq!(data["bodies"][1]["bare"], serde_json::json!([]));
    let standing = data["standing"].as_array().unwrap();
    assert_eq!(standing.len(), 2);
    assert!(distance(at(&data, &standing[0]["at"][0]), [0.0, 0.0, 0.05]) < 1e-4);
    assert!(data["size"].as_f64().unwrap() < 1.0, "the floor does not decide the scale");
}

const WHEEL: &str = r#"
    name = "wheel"
    gravity = [0, 0, -9.81]
    bodies.wheel = { mass = 2, inertia = [0.01, 0.02, 0.01] }
    bodies.arm = { mass = 0.5, inertia = [0.01, 0.01, 0.01] }
    [joints.float]
    type = "planar"
    axes = ["x", "z"]
    parent = "ground"
    child = "wheel"
    coordinates.start = ["0.4 m", "0.1 m", 0]
    [joints.axle]
    type = "revolute"
    axis = "y"
    parent = "wheel"
    child = "arm"
    [constraints.floor]
    type = "rolling_disc"
    normal = "z"
    axis = "y"
    radius = 0.1
    from = "ground"
    to = "wheel"
    [loads.motor]
    type = "actuator"
    joint = "axle"
    effort = "-3e-3 [N*m]"
    [loads.push]
    type = "force"
    body = "wheel"
    value = [0, 0, "-4 N"]
"#;

#[test]
fn arrows_of_loads_and_constraints_begin_where_they_act() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wheel.toml");
    std::fs::write(&path, WHEEL).unwrap();
    let data = data_of(&path, &["--arrows", "loads,constraints"]);
    let arrows = data["arrows"].as_array().unwrap();
    let named = |name: &str| arrows.iter().find(|a| a["name"] == name).unwrap();
    let largest = [0, 1].map(|k| data["largest"][k].as_f64().unwrap());
    // The floor carries both weights and the vertical load. A small horizontal
    // load pushes the wheel.
    let normal: f64 = 2.5 * 9.81 + 4.0;
    assert!((largest[0] - normal).abs() < 1e-2 * normal && (largest[1] - 3e-3).abs() < 1e-9, "{largest:?}");
    let along = |name: &str| {
        let (from, to) = (at(&data, &named(name)["at"]), at(&data, &named(name)["tip"]));
        (from, [0, 1, 2].map(|k| to[k] - from[k]))
    };
    let (contact, up) = along("floor");
    assert!(distance(contact, [0.4, 0.0, 0.0]) < 1e-3, "{contact:?}");
    let (center, down) = along("push");
    assert!(distance(center, [0.4, 0.0, 0.1]) < 1e-3, "{center:?}");
    assert!((down[2] / up[2] + 4.0 / normal).abs() < 1e-2, "{up:?} {down:?}");
    // The motor moment acts about −y.
    let motor = named("motor");
    let (_, axis) = along("motor");
    assert!(motor["moment"] == true && axis[1] < 0.0 && axis[0].hypot(axis[2]) < 1e-3, "{axis:?}");
    assert_eq!(data_of(&path, &[])["arrows"], serde_json::json!([]));
}
