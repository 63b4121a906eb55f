//! Answers of `dqdt eval`: results with equal names, undetermined reactions, and states written by
//! other commands.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn run(command: &str, spec: &Path, arguments: &[&str]) -> Output {
    let mut dqdt = Command::new(env!("CARGO_BIN_EXE_dqdt"));
    dqdt.arg(command).arg(spec).args(arguments).output().unwrap()
}

fn run_to_json(command: &str, spec: &Path, arguments: &[&str]) -> Value {
    let output = run(command, spec, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn write_spec(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("spec.toml");
    std::fs::write(&spec, text).unwrap();
    (folder, spec)
}

/// A spec with name clashes: the row `fx` of constraint `k` and the constraint `k_fx`; the rotation
/// of point `p` and the point `p_rotation`.
const EQUAL: &str = r#"
    name = "equal"
    gravity = [-9.81, 0, 0]
    [bodies.a]
    mass = 1
    inertia = [1, 1, 1]
    points = { p = [1, 0, 0], p_rotation = [0, 0, 1] }
    [bodies.b]
    mass = 7
    [joints.j]
    type = "free"
    parent = "ground"
    child = "a"
    [joints.j2]
    type = "prismatic"
    axis = "x"
    parent = "ground"
    child = "b"
    [constraints.k]
    type = "spherical"
    from = "ground"
    to = "a"
    [constraints.k_fx]
    type = "position"
    formula = "j2"
"#;

#[test]
fn nothing_is_lost_where_two_results_have_one_name() {
    let (_folder, spec) = write_spec(EQUAL);
    let answer = run_to_json("eval", &spec, &["--functions", "multipliers,frames"]);
    let multiplier = |name: &str| answer["multipliers"][name].as_f64().unwrap();
    assert!((multiplier("k_fx") - 9.81).abs() < 1e-12 && (multiplier("k_fx_2") - 68.67).abs() < 1e-12);
    for part in ["position", "velocity", "jacobian", "gamma"] {
        assert_eq!(answer["constraints"][part].as_object().unwrap().len(), 4, "{part}");
    }
    let frames = &answer["frames"];
    assert_eq!(frames["a_p_rotation"].as_array().unwrap().len(), 3);
    assert!(
        frames["a_p_rotation"][0].is_array()
            && frames["a_p_rotation_2"] == serde_json::json!([0.0, 0.0, 1.0])
    );
}

#[test]
fn labels_of_a_linearisation_are_there_once() {
    let text = r#"
        name = "labels"
        [bodies.a]
        mass = 1
        [joints.j]
        type = "prismatic"
        axis = "x"
        parent = "ground"
        child = "a"
        [outputs]
        v = { type = "velocity", body = "a" }
        v_x = "3 [1/s]*j"
    "#;
    let (_folder, spec) = write_spec(text);
    let answer = run_to_json("linearize", &spec, &["--format", "json"]);
    assert_eq!(answer["outputs"], serde_json::json!(["v_x", "v_y", "v_z", "v_x_2"]));
}

/// A door on two hinges: the motion does not determine how they share its weight.
#[test]
fn open_reactions_of_a_given_motion_and_of_a_blow_are_null() {
    let text = r#"
        name = "door"
        gravity = [0, 0, -9.81]
        accept = ["redundant-constraint"]
        [bodies.door]
        mass = 10
        center_of_mass = [0.4, 0, 0]
        inertia = [1, 1, 1]
        [joints.lower]
        type = "revolute"
        axis = "z"
        parent = "ground"
        child = { body = "door", at = [0, 0, -1] }
        coordinates = { names = ["phi"] }
        [constraints.upper]
        type = "revolute"
        axis = "z"
        from = { body = "ground", at = [0, 0, 2] }
        to = { body = "door", at = [0, 0, 1] }
        [inputs]
        f = "N"
        [loads.push]
        type = "force"
        body = "door"
        at = "com"
        value = [0, "f", 0]
    "#;
    let (_folder, spec) = write_spec(text);
    let answer = run_to_json("eval", &spec, &["--functions", "kinetostatics,impact"]);
    let all = [
        &answer["reactions"]["lower"],
        &answer["kinetostatics"]["reaction_lower"],
        &answer["impact"]["reaction_lower"],
    ];
    for wrench in all {
        assert_eq!(wrench["force"], serde_json::json!([null, null, null]), "{answer}");
        assert!(wrench["moment"][2].is_number(), "{answer}");
    }
    let emitted = run("emit", &spec, &["--functions", "kinetostatics,impact"]);
    assert_eq!(String::from_utf8(emitted.stdout).unwrap().matches("are not unique").count(), 2);
}

const PENDULUM: &str = r#"
    name = "hung"
    gravity = [0, 0, -9.81]
    driven = ["angle_dot"]
    [parameters]
    k = { value = 20, unit = "N*m/rad" }
    [bodies.bob]
    mass = 2
    center_of_mass = [0.5, 0, 0]
    [joints.pin]
    type = "revolute"
    axis = "y"
    parent = "ground"
    child = "bob"
    coordinates = { names = ["angle"], start = [0.1] }
    [inputs]
    torque = "N*m"
    [loads.spring]
    type = "joint_spring"
    joint = "pin"
    stiffness = "k"
    [loads.motor]
    type = "actuator"
    joint = "pin"
    effort = "torque"
"#;

#[test]
fn a_state_that_a_command_wrote_has_the_parameters_of_that_call() {
    let (folder, spec) = write_spec(PENDULUM);
    let file = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let trimmed = run("linearize", &spec, &["--trim", "angle", "-p", "k=35", "--format", "json"]);
    let trimmed = file("trimmed.json", &trimmed.stdout);
    let rest = run_to_json("eval", &spec, &["--at", &trimmed]);
    assert!(rest["vdot"]["angle_dot"].as_f64().unwrap().abs() < 1e-9, "{rest}");
    // The option `-p` overrides the file; a note says so.
    let other = run("eval", &spec, &["--at", &trimmed, "-p", "k=50"]);
    assert!(String::from_utf8_lossy(&other.stderr).contains("`p.k` is ignored, because `-p` sets it"));
    let overridden: Value = serde_json::from_slice(&other.stdout).unwrap();
    assert!(overridden["vdot"]["angle_dot"].as_f64().unwrap().abs() > 1.0, "{overridden}");
    // A value in a file written by hand is ambiguous with `-p`, so it is refused.
    let by_hand = file("by_hand.json", br#"{"p": {"k": 3}}"#);
    let refused = run("eval", &spec, &["--at", &by_hand, "-p", "k=4"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("both this file and `-p` set `p.k`"));
    let state = r#"{"v": {"angle_dot": 0.2}, "u": {"torque": 3}, "p": {"k": 7}, "dv": {"angle_dot": 0.5}}"#;
    let given_file = file("given.json", state.as_bytes());
    let assembled = run("assemble", &spec, &["--at", &given_file, "--format", "json"]);
    let assembled = file("assembled.json", &assembled.stdout);
    let drives = |at: &str| {
        run_to_json("eval", &spec, &["--at", at, "--functions", "kinetostatics"])["kinetostatics"].clone()
    };
    assert_eq!(drives(&assembled), drives(&given_file));
}

#[test]
fn a_contact_is_on_or_off() {
    let (folder, spec) = write_spec(
        r#"
        name = "block"
        [bodies.b]
        mass = 1
        points = { tip = { at = [0, 0, 0], contact = true } }
        [joints.j]
        type = "prismatic"
        axis = "x"
        parent = "ground"
        child = "b"
    "#,
    );
    let at = folder.path().join("at.json");
    std::fs::write(&at, r#"{"on": {"b_tip": 0.5}}"#).unwrap();
    let refused = run("eval", &spec, &["--at", at.to_str().unwrap(), "--functions", "contact_jacobians"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success()
            && said.contains("`on.b_tip` must be 1 for an active contact or 0 for an inactive one, not 0.5"),
        "{said}"
    );
}

fn bar_table(name: &str, parent: &str, start: &str) -> String {
    format!(
        "[bodies.{name}]\nmass = 1\ninertia = [1, 1, 1]\npoints = {{ e = [\"l\", 0, 0] }}\n[joints.{name}]\ntype = \"revolute\"\n\
         axis = \"z\"\nparent = {parent}\nchild = \"{name}\"\ncoordinates = {{ start = [{start}] }}\n"
    )
}

fn end_of(body: &str) -> String {
    format!("{{ body = \"{body}\", at = \"e\" }}")
}

/// Spec of a slider crank whose length `l` is in metres.
fn linkage_spec(l: &str) -> String {
    let bars = [
        bar_table("a", "\"ground\"", "1"),
        bar_table("b", &end_of("a"), "-1"),
        bar_table("c", &end_of("b"), "-1"),
    ]
    .concat();
    format!(
        "name = \"small\"\naccept = [\"redundant-constraint\"]\n[parameters]\nl = {{ value = {l}, unit = \"m\" }}\n{bars}[bodies.d]\nmass = 1\n\
         [joints.s]\ntype = \"prismatic\"\naxis = \"x\"\nparent = \"ground\"\nchild = \"d\"\ncoordinates = {{ start = [\"2.08*l\"] }}\n\
         [constraints.k]\ntype = \"planar_revolute\"\nfrom = {}\nto = \"d\"\n",
        end_of("c")
    )
}

/// Three links and a slide at decreasing scales: the choice of independent speeds must not depend
/// on the unit of length.
#[test]
fn a_linkage_of_micrometres_has_the_independent_states_of_one_of_metres() {
    for l in ["1", "0.003", "1e-3", "1e-5"] {
        let (_folder, spec) = write_spec(&linkage_spec(l));
        let emitted = run("emit", &spec, &["--functions", "linearize"]);
        assert!(emitted.status.success(), "{l}: {}", String::from_utf8_lossy(&emitted.stderr));
    }
}

#[test]
fn lists_have_names() {
    let (_folder, spec) = write_spec(SWINGING);
    let answer = run_to_json("eval", &spec, &["--functions", "gravity,coriolis_matrix,frame_twists"]);
    let names = &answer["names"];
    let speeds = serde_json::json!(["slide", "swing"]);
    for list in ["mass_matrix", "bias", "gravity", "coriolis_matrix"] {
        assert_eq!(names[list], speeds, "{list}");
        assert_eq!(answer[list].as_array().unwrap().len(), 2, "{list}");
    }
    assert_eq!(names["outputs"]["place"], serde_json::json!(["x", "y", "z"]));
    assert_eq!(names["frame_twists"]["v"], serde_json::json!(["v_x", "v_y", "v_z"]));
    // Every function listed in `names` is in the answer.
    for function in names.as_object().unwrap().keys() {
        assert!(answer.get(function).is_some(), "{function}");
    }
}

#[test]
fn an_offset_is_from_the_named_point_on_in_body_axes() {
    let (_folder, spec) = write_spec(SWINGING);
    let at = r#"{"q": {"q_slide": 0.3, "q_swing": 1.1}}"#;
    let file = spec.with_file_name("at.json");
    std::fs::write(&file, at).unwrap();
    let answer = run_to_json("eval", &spec, &["--at", file.to_str().unwrap()]);
    let outputs = &answer["outputs"];
    assert_eq!(outputs["place"], outputs["same_place"]);
    assert_eq!(outputs["center"], outputs["same_center"]);
    assert_ne!(outputs["place"], outputs["center"]);
}

fn assert_near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < 1e-13 * expected, "{value} {expected}");
}

#[test]
fn units_with_factors_and_half_powers_are_converted() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/spec/pass/units.toml");
    let answer = run_to_json("eval", &spec, &[]);
    // 0.5 √0.04, 0.5 · 0.04^1.5 / 300e-6, and 2 bar on 300 mm² over 1 kg.
    assert_near(&answer["outputs"]["root"], 0.1);
    assert_near(&answer["outputs"]["cube"], 40.0 / 3.0);
    assert_near(&answer["vdot"]["level_dot"], 60.0);
}

fn slider_tables(name: &str) -> String {
    format!(
        "[bodies.{name}]\nmass = 1\n[joints.{name}]\ntype = 'prismatic'\naxis = 'x'\nparent = 'ground'\n\
         child = '{name}'\ncoordinates = {{ names = ['q_{name}'] }}\n"
    )
}

#[test]
fn of_two_joints_that_mimic_the_same_one_follows_in_linearize_as_in_closure() {
    for ratio in ["3", "-1", "0.2"] {
        let mimic = "[constraints.mimic]\ntype = 'gear'\nfirst = 'q_b'\nsecond = 'q_a'\nratio = ";
        let text = format!("name = 'fingers'\n{}{}{mimic}{ratio}\n", slider_tables("a"), slider_tables("b"));
        let (_folder, spec) = write_spec(&text);
        let answer = run_to_json("linearize", &spec, &["--format", "json"]);
        let emitted = run("emit", &spec, &["--functions", "closure"]);
        let module = String::from_utf8(emitted.stdout).unwrap();
        // Indices in the list q_a, q_b and their speeds.
        let places = match answer["dependent"][0].as_str() {
            Some("q_b") => "[0, 2]",
            _ => "[1, 3]",
        };
        assert!(module.contains(&format!("INDEPENDENT_DIFFERENCES: [usize; 2] = {places}")), "{module}");
    }
}

/// Spec of a pendulum on a slide.
const SWINGING: &str = r#"
    name = "swinging"
    gravity = [0, 0, -9.81]
    [parameters]
    d = { value = 0.25, unit = "m" }
    [bodies.cart]
    mass = 2
    [bodies.bob]
    mass = 1
    inertia = [0.1, 0.1, 0.1]
    center_of_mass = [0, 0, "-d"]
    points = { tip = [0, 0, -1] }
    [joints.rail]
    type = "prismatic"
    axis = "x"
    parent = "ground"
    child = "cart"
    coordinates = { names = ["q_slide"] }
    speeds = { names = ["slide"] }
    [joints.pin]
    type = "revolute"
    axis = "y"
    parent = "cart"
    child = "bob"
    coordinates = { names = ["q_swing"] }
    speeds = { names = ["swing"] }
    [outputs.place]
    type = "position"
    body = "bob"
    at = { point = "tip", offset = ["d", 0, 0.5] }
    [outputs.same_place]
    type = "position"
    body = "bob"
    at = ["d", 0, -0.5]
    [outputs.center]
    type = "position"
    body = "bob"
    at = { point = "com", offset = [0, 0, -0.5] }
    [outputs.same_center]
    type = "position"
    body = "bob"
    at = [0, 0, "-d - 0.5"]
"#;

/// Collects all numbers of a JSON value.
fn leaves(value: &Value, into: &mut Vec<f64>) {
    match value {
        Value::Number(x) => into.extend(x.as_f64()),
        Value::Array(list) => list.iter().for_each(|x| leaves(x, into)),
        Value::Object(map) => map.values().for_each(|x| leaves(x, into)),
        _ => {}
    }
}

#[test]
fn nothing_that_is_accepted_on_direction_joints_depends_on_the_roll() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/direction/lines.toml");
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("at.json");
    let names = ["a", "b", "c", "d", "float_x", "float_y", "float_z", "float_1", "float_2", "float_3"];
    for state in 0..3 {
        // State 0: aligned and at rest; state 1: at rest; state 2: in motion.
        let turned = if state > 0 { [0.3, 0.4, -0.5, 0.2, 1.2, 0.7, 0.1, 0.3, -0.4, 0.6] } else { [0.0; 10] };
        let moving = if state > 1 { [1.3, -0.4, 2.5, 0.8, 0.2, 0.0, -0.3, 0.5, 1.1, 0.9] } else { [0.0; 10] };
        let q: serde_json::Map<_, _> =
            names.iter().zip(turned).map(|(n, x)| (n.to_string(), x.into())).collect();
        let v: serde_json::Map<_, _> =
            names.iter().zip(moving).map(|(n, x)| (format!("{n}_dot"), x.into())).collect();
        let text = serde_json::json!({ "q": q, "v": v }).to_string();
        std::fs::write(&at, text).unwrap();
        let answer = |roll: &str| {
            let results = run_to_json(
                "eval",
                &spec,
                &["-p", roll, "--at", at.to_str().unwrap(), "--functions", "events"],
            );
            let mut numbers = Vec::new();
            ["vdot", "outputs", "events"].iter().for_each(|key| leaves(&results[*key], &mut numbers));
            numbers
        };
        let (straight, rolled) = (answer("roll=0"), answer("roll=0.7"));
        assert_eq!(straight.len(), 24, "{straight:?}");
        for (a, b) in straight.iter().zip(&rolled) {
            assert!((a - b).abs() < 1e-11 * (1.0 + a.abs()), "state {state}: {straight:?}\n{rolled:?}");
        }
    }
}
