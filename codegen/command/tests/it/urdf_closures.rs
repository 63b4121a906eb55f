//! Loops and couplings of URDF+, loop joints, and closures listed in a side file. Degrees of
//! freedom equal those counted by hand and those by singular values of the constraint Jacobian.
//!
//! The robots with side files have the topologies of the repository example-parallel-robots: a
//! platform on six legs with ball joints (wl16_like), an ankle moved by two rods with ball joints
//! (digit_like), planar five-bar linkages.

use std::path::Path;

use dqdt_codegen::pipeline;
use dqdt_import::robot::Options;
use dqdt_import::urdf;
use dqdt_mechanics::kinematics::constraint_rows;
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_samples::random::Sample;
use nalgebra::DMatrix;

/// URDF text of a link with a mass.
fn link(name: &str) -> String {
    format!(
        "<link name=\"{name}\"><inertial><mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" \
         ixz=\"0\" iyz=\"0\"/></inertial></link>\n"
    )
}

/// URDF text of a joint without rotation of its frame.
fn joint(name: &str, kind: &str, (parent, child): (&str, &str), at: [f64; 3], axis: [f64; 3]) -> String {
    let [x, y, z] = at;
    let [a, b, c] = axis;
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
         <origin xyz=\"{x} {y} {z}\"/><axis xyz=\"{a} {b} {c}\"/></joint>\n"
    )
}

fn robot(parts: &str) -> String {
    format!("<robot name=\"r\">\n<link name=\"base\"/>\n{parts}</robot>\n")
}

/// The mechanism of a spec in any file format.
fn load(spec: &str, name: &str, folder: &Path) -> Mechanism {
    let path = folder.join(name);
    std::fs::write(&path, spec).unwrap();
    pipeline::load(&path).unwrap_or_else(|e| panic!("{e}\n{spec}")).mechanism
}

/// The rank of the constraint Jacobian at coordinates `q`, by singular values.
fn rank(m: &Mechanism, q: Vec<f64>) -> usize {
    let v = vec![0.0; m.nv()];
    let sample = Sample {
        mechanism: m.clone(),
        formulation: Default::default(),
        partition: Default::default(),
        t: 0.0,
        q,
        v,
        z: Vec::new(),
        u: vec![0.0; m.inputs.len()],
    };
    let rows = crate::common::at(&sample, |env| constraint_rows(m, env));
    let gap = rows.iter().filter_map(|r| r.position).fold(0.0f64, |x, y| x.max(y.abs()));
    assert!(gap < 1e-9, "the state does not close the loops: {gap:e}");
    let jacobian = DMatrix::from_fn(rows.len(), m.nv(), |i, j| rows[i].jacobian[j]);
    let values = jacobian.svd(false, false).singular_values;
    let largest = values.iter().fold(0.0f64, |x, y| x.max(*y));
    let (above, below): (Vec<f64>, Vec<f64>) = values.iter().partition(|x| **x > 1e-6 * largest);
    // The rank must not depend on the tolerance.
    assert!(below.iter().all(|x| *x < 1e-10 * largest), "{above:?} {below:?}");
    above.len()
}

/// URDF text of a four-bar linkage with links of 1, 2 and 2 m on a ground of 2 m; `closure`
/// contains the elements that close the loop.
fn four_bar(closure: &str) -> String {
    let z = [0.0, 0.0, 1.0];
    let joints = [
        joint("crank", "continuous", ("base", "a"), [0.0; 3], z),
        joint("coupler", "continuous", ("a", "b"), [1.0, 0.0, 0.0], z),
        joint("rocker", "continuous", ("base", "c"), [2.0, 0.0, 0.0], z),
    ];
    robot(&format!("{}{}{closure}", ["a", "b", "c"].map(link).concat(), joints.concat()))
}

const LOOP: &str = "<loop name=\"cut\" type=\"revolute\"><predecessor link=\"b\"><origin xyz=\"2 0 0\"/></predecessor>\
    <successor link=\"c\"><origin xyz=\"2 0 0\"/></successor><axis xyz=\"0 0 1\"/></loop>";

fn loop_joint_tag(tag: &str) -> String {
    format!(
        "<{tag} name=\"cut\" type=\"revolute\"><link1 link=\"b\" xyz=\"2 0 0\" rpy=\"0 0 0\"/>\
         <link2 link=\"c\" xyz=\"2 0 0\"/><axis xyz=\"0 0 1\"/></{tag}>"
    )
}

#[test]
fn all_forms_of_a_planar_loop_become_one_constraint() {
    let options = Options::default();
    let expected = "\ncut = { type = \"planar_revolute\", from = { body = \"b\", at = [2, 0, 0] }, \
        to = { body = \"c\", at = [2, 0, 0] }, normal = \"z\" }\n";
    let ball = loop_joint_tag("loop_joint").replace("revolute", "spherical");
    for closure in [LOOP.to_owned(), loop_joint_tag("loop_joint"), loop_joint_tag("drake:loop_joint"), ball] {
        let imported = urdf::import_urdf("r.urdf", &four_bar(&closure), &options);
        let spec = imported.unwrap_or_else(|e| panic!("{e}")).spec;
        assert!(spec.contains(expected), "{closure}\n{spec}");
    }
}

#[test]
fn loops_in_a_urdf_leave_the_freedom_that_is_counted_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let slide = four_bar(
        "<loop name=\"cut\" type=\"prismatic\"><predecessor link=\"b\"/><successor link=\"c\"/><axis xyz=\"1 0 0\"/></loop>",
    );
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/cases/loop_in_urdf.urdf");
    let case = std::fs::read_to_string(case).unwrap();
    // Two bars whose ends meet form a rigid triangle.
    let counts = [("four_bar", four_bar(LOOP), 1), ("slide", slide, 1), ("case", case, 0)];
    for (name, text, freedom) in counts {
        let spec =
            urdf::import_urdf("r.urdf", &text, &Options::default()).unwrap_or_else(|e| panic!("{e}")).spec;
        check_freedom(&spec, name, folder.path(), freedom);
    }
}

fn import_to_spec(text: &str) -> String {
    urdf::import_urdf("r.urdf", text, &Options::default()).unwrap_or_else(|e| panic!("{e}")).spec
}

#[test]
fn a_coupling_relates_angles_from_the_link_on_which_both_chains_stand() {
    let x = [1.0, 0.0, 0.0];
    let z = [0.0, 0.0, 1.0];
    let joints = [
        joint("hip_joint", "continuous", ("base", "thigh"), [0.0; 3], z),
        joint("knee_joint", "continuous", ("thigh", "shin"), x, z),
        joint("ankle_joint", "continuous", ("shin", "foot"), x, z),
        joint("rotor_joint", "continuous", ("thigh", "rotor"), [0.0; 3], z),
    ];
    let text = |link_: &str, ratio: &str| {
        let coupling = format!(
            "<coupling name=\"belt\"><predecessor link=\"{link_}\"/><successor link=\"rotor\"/><ratio value=\"{ratio}\"/></coupling>"
        );
        robot(&format!(
            "{}{}{coupling}",
            ["thigh", "shin", "foot", "rotor"].map(link).concat(),
            joints.concat()
        ))
    };
    let gear = import_to_spec(&text("shin", "-6"));
    let line = "belt = { type = \"gear\", first = \"q_rotor\", second = \"q_knee\", ratio = -6 }";
    assert!(gear.contains(line), "{gear}");
    let belt = import_to_spec(&text("foot", "12"));
    let line = "belt = { type = \"position\", formula = \"q_rotor - (12)*(q_knee + q_ankle)\" }";
    assert!(belt.contains(line), "{belt}");
    // The rotor adds ratio² times its inertia to that of its angle.
    let folder = tempfile::tempdir().unwrap();
    for text in [gear, belt] {
        let m = load(&text, "r.toml", folder.path());
        assert_eq!((m.nv(), rank(&m, vec![0.0; m.nq()])), (4, 1));
    }
}

/// Checks that the pose found by `dqdt assemble` has the expected number of degrees of freedom.
fn check_freedom(spec: &str, name: &str, folder: &Path, freedom: usize) -> (usize, usize) {
    let m = load(spec, &format!("{name}.toml"), folder);
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_dqdt"))
        .args(["assemble", "--format", "json"])
        .arg(folder.join(format!("{name}.toml")))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{name}: {said}\n{spec}");
    let answer: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let q = m.coordinates.iter().map(|c| answer["q"][c.name.as_str()].as_f64().unwrap()).collect();
    let count = |key: &str| answer["mobility"][key].as_u64().unwrap() as usize;
    let rank = rank(&m, q);
    assert_eq!((count("freedom"), m.nv() - rank), (freedom, freedom), "{name}: {answer:#}");
    assert_eq!(count("rows") - count("redundant"), rank, "{name}");
    (count("rows"), count("redundant"))
}

/// Imports a robot with a side file. Returns the spec and the report, or the error.
fn import_with_side_file(text: &str, loops: &str, folder: &Path) -> Result<(String, String), String> {
    std::fs::write(folder.join("robot.urdf"), text).unwrap();
    std::fs::write(folder.join("robot.yaml"), loops).unwrap();
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_dqdt"))
        .current_dir(folder)
        .args(["import", "robot.urdf", "--loops", "robot.yaml"])
        .output()
        .unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    if run.status.success() { Ok((String::from_utf8(run.stdout).unwrap(), said)) } else { Err(said) }
}

fn platform_corner(i: usize, radius: f64, turn: f64) -> [f64; 2] {
    let angle = (i as f64 + turn) * std::f64::consts::FRAC_PI_3;
    [radius * angle.cos(), radius * angle.sin()]
}

/// A platform on six legs (ball joint, slide with motor, ball joint); five of them
/// are closed by a weld.
fn platform() -> (String, String) {
    let (mut parts, mut pairs, mut balls, mut motors) = (String::new(), Vec::new(), Vec::new(), Vec::new());
    let first = platform_corner(0, 0.2, 0.3);
    for i in 0..6 {
        let (low, high) = (platform_corner(i, 0.3, 0.0), platform_corner(i, 0.2, 0.3));
        let along = [high[0] - low[0], high[1] - low[1], 0.5];
        let half = along.map(|x| 0.5 * x);
        let end = if i == 0 { "platform".to_owned() } else { format!("closedloop{i}_A") };
        let names = [format!("lower{i}"), format!("upper{i}"), end];
        parts.push_str(&names.each_ref().map(|n| link(n)).concat());
        let [lower, upper, end] = names.each_ref().map(String::as_str);
        let (foot, head, motor) =
            (format!("spherical_foot{i}"), format!("spherical_head{i}"), format!("motor{i}"));
        parts.push_str(&joint(&foot, "revolute", ("base", lower), [low[0], low[1], 0.0], [0.0, 0.0, 1.0]));
        parts.push_str(&joint(&motor, "prismatic", (lower, upper), half, along));
        parts.push_str(&joint(&head, "revolute", (upper, end), half, [0.0, 0.0, 1.0]));
        if i > 0 {
            // The platform is slightly offset from the point where the legs would meet it.
            let at = [high[0] - first[0] + 0.01, high[1] - first[1] - 0.02, 0.005 * i as f64];
            parts.push_str(&format!("<link name=\"closedloop{i}_B\"/>\n"));
            let pair = format!("closedloop{i}_B");
            parts.push_str(&joint(&format!("{pair}_frame"), "fixed", ("platform", &pair), at, [0.0; 3]));
            pairs.push(format!("['closedloop{i}_A', 'closedloop{i}_B']"));
        }
        balls.extend([foot, head]);
        motors.push(motor);
    }
    let types = vec!["'6d'"; pairs.len()].join(", ");
    let spherical = vec!["SPHERICAL"; balls.len()].join(", ");
    let loops = format!(
        "# a platform\nclosed_loop: [{}]\ntype: [{types}]\nname_mot: [{}]\njoint_name: [{}]\njoint_type: [{spherical}]\n",
        pairs.join(", "),
        motors.join(", "),
        balls.join(", "),
    );
    (robot(&parts), loops)
}

/// A foot tilted and rolled by two motors on the shin through rods; the second end of a rod is a
/// weld to a ball joint, or a point.
fn ankle(is_welded: bool) -> (String, String) {
    let mut parts = ["pitch", "foot"].map(link).concat();
    parts.push_str(&joint("free_pitch", "revolute", ("base", "pitch"), [0.0; 3], [0.0, 1.0, 0.0]));
    parts.push_str(&joint("free_roll", "revolute", ("pitch", "foot"), [0.0; 3], [1.0, 0.0, 0.0]));
    for (i, side) in [(1, 0.03), (2, -0.03)] {
        let (crank, rod) = (format!("crank{i}"), format!("rod{i}"));
        parts.push_str(&[crank.as_str(), rod.as_str()].map(link).concat());
        let axis = [0.0, 1.0, 0.0];
        parts.push_str(&joint(
            &format!("motor_shin{i}"),
            "revolute",
            ("base", &crank),
            [0.0, side, 0.3],
            axis,
        ));
        parts.push_str(&joint(&format!("free_shin{i}"), "revolute", (&crank, &rod), [-0.05, 0.0, 0.0], axis));
        let end = format!("closedloop{i}_A");
        if is_welded {
            parts.push_str(&link(&end));
            parts.push_str(&joint(&format!("free_end{i}"), "revolute", (&rod, &end), [0.0, 0.0, -0.3], axis));
        } else {
            parts.push_str(&format!("<link name=\"{end}\"/>\n"));
            parts.push_str(&joint(
                &format!("free_end{i}"),
                "fixed",
                (&rod, &end),
                [0.0, 0.0, -0.3],
                [0.0; 3],
            ));
        }
        let heel = format!("closedloop{i}_B");
        parts.push_str(&format!("<link name=\"{heel}\"/>\n"));
        parts.push_str(&joint(
            &format!("heel{i}"),
            "fixed",
            ("foot", &heel),
            [-0.05, 1.1 * side, 0.01],
            [0.0; 3],
        ));
    }
    let loops = if is_welded {
        "closed_loop:\n  - [closedloop1_A, closedloop1_B]\n  - [closedloop2_A, closedloop2_B]\ntype: [6d, 6D]\n\
         name_mot: [motor_shin1, motor_shin2]\njoint_name: [free_shin1, free_shin2, free_end1, free_end2]\n\
         joint_type: [SPHERICAL, SPHERICAL, SPHERICAL, SPHERICAL]\n"
    } else {
        "closed_loop: [[closedloop1_A, closedloop1_B], [closedloop2_A, closedloop2_B]]\ntype: \"3D\"\nname_mot: motor\n\
         joint_name: [free_shin1, free_shin2]\njoint_type: [UJOINT_YX, UJOINT_XY]\nLidmot: [0, 1]\n"
    };
    (robot(&parts), loops.to_owned())
}

/// A planar five-bar linkage with two motors on the ground; closed by a point, or by a
/// weld with a ball joint.
fn five_bar(is_welded: bool) -> (String, String) {
    let z = [0.0, 0.0, 1.0];
    let mut parts = ["a", "b", "c", "d"].map(link).concat();
    for (name, bodies, at) in [
        ("mot1", ("base", "a"), [0.0; 3]),
        ("free1", ("a", "b"), [0.2, 1.0, 0.0]),
        ("mot2", ("base", "c"), [1.0, 0.0, 0.0]),
        ("free2", ("c", "d"), [0.1, 1.1, 0.0]),
    ] {
        parts.push_str(&joint(name, "revolute", bodies, at, z));
    }
    let (end, kind) = if is_welded {
        (link("tip_B"), "continuous")
    } else {
        ("<link name=\"tip_B\"/>".to_owned(), "fixed")
    };
    parts.push_str(&format!("<link name=\"tip_A\"/>{end}\n"));
    parts.push_str(&joint("tip_A_frame", "fixed", ("b", "tip_A"), [0.5, 0.8, 0.0], [0.0; 3]));
    parts.push_str(&joint("spherical_tip", kind, ("d", "tip_B"), [-0.6, 0.7, 0.0], z));
    let loops = if is_welded { "type: ['6d']\nrotule_name: spherical" } else { "type: ['3d']" };
    (robot(&parts), format!("closed_loop: [['tip_A', 'tip_B']]\nname_mot: ['mot1', 'mot2']\n{loops}\n"))
}

#[test]
fn robots_with_side_files_have_the_freedom_that_singular_values_leave() {
    // A rod between two ball joints can rotate about itself: one degree of freedom each, besides
    // those of the motors.
    let robots = [
        ("platform", platform(), 6, 12, (30, 0)),
        ("ankle_of_welds", ankle(true), 2, 4, (12, 0)),
        ("ankle_of_points", ankle(false), 2, 2, (6, 0)),
        ("five_bar_of_points", five_bar(false), 2, 2, (2, 0)),
        ("five_bar_of_welds", five_bar(true), 2, 2, (6, 1)),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, (text, loops), motors, freedom, rows) in robots {
        let (spec, said) =
            import_with_side_file(&text, &loops, folder.path()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(spec.matches("type = \"actuator\"").count(), motors, "{name}\n{spec}");
        assert_eq!(said.contains("not used: `Lidmot`"), name == "ankle_of_points", "{said}");
        assert_eq!(check_freedom(&spec, name, folder.path(), freedom), rows, "{name}");
    }
}

#[test]
fn a_side_file_that_fits_no_robot_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let (text, _) = five_bar(true);
    let good = "closed_loop: [[tip_A, tip_B]]\ntype: [6d]\n";
    let bad: &[(&str, &str, &str)] = &[
        ("", "side-file", "write closed_loop: [["),
        ("- a\n", "side-file", "robot.yaml:1:1"),
        ("name_mot: [mot1]\n", "side-file", "write closed_loop: [["),
        ("closed_loop: [[tip_A, tip_B\n", "yaml-syntax", "robot.yaml:"),
        ("closed_loop: &a [[tip_A, tip_B]]\ntype: *a\n", "yaml-syntax", "robot.yaml:2:7"),
        ("closed_loops: [[tip_A, tip_B]]\n", "unknown-key", "write `closed_loop`"),
        ("closed_loop: [[tip_A, tip_C]]\ntype: [3d]\n", "unknown-name", "robot.yaml:1:23"),
        ("closed_loop: [[tip_A, tip_B]]\ntype: [5d]\n", "urdf-loop-type", "robot.yaml:2:8"),
        (
            "closed_loop: [[tip_A, tip_B]]\ntype: [3d, 3d]\n",
            "side-file",
            "1 in `closed_loop`, and 2 in `type`",
        ),
        ("closed_loop: [[tip_A, tip_B]]\n", "side-file", "no `type`"),
        ("closed_loop: [[tip_A]]\ntype: [3d]\n", "side-file", "expected the names of two frames"),
        ("closed_loop: tip\ntype: [3d]\n", "wrong-type", "a list of pairs of frame names, not a text"),
        ("closed_loop: [[a, b]]\ntype: {a: 3d}\n", "wrong-type", "not a table"),
        ("closed_loop: [[tip_A, b]]\ntype: [3d]\n", "urdf-closure", "no movable joint between them"),
        ("name_mot: [mot3]\n", "unknown-name", "write `mot"),
        ("name_mot: [tip_A_frame]\n", "side-file", "a fixed joint does not move"),
        ("joint_name: [free1]\njoint_type: [BALL]\n", "urdf-joint-type", "SPHERICAL"),
        ("joint_name: [free1]\njoint_type: [UJOINT_XX]\n", "urdf-joint-type", "SPHERICAL"),
        (
            "joint_name: [free1, free2]\njoint_type: [FIXED]\n",
            "side-file",
            "2 in `joint_name`, and 1 in `joint_type`",
        ),
        ("joint_name: [free1]\n", "side-file", "no `joint_type`"),
        (
            "joint_name: [mot1]\njoint_type: [SPHERICAL]\nname_mot: [mot1]\n",
            "side-file",
            "has several coordinates",
        ),
        ("type: [3d]\ntype: [6d]\n", "", "twice"),
        ("name_mot: [[[[[[[[[[[[[[[[[[mot]]]]]]]]]]]]]]]]]]\n", "yaml-syntax", "deep"),
    ];
    assert!(import_with_side_file(&text, good, folder.path()).is_ok());
    for (loops, code, words) in bad {
        // Texts that contain no closure are put before a valid one.
        let whole = if loops.contains("closed_loop")
            || code.is_empty()
            || loops.len() < 5
            || *words == "write closed_loop: [["
        {
            (*loops).to_owned()
        } else {
            format!("{loops}{good}")
        };
        let said = import_with_side_file(&text, &whole, folder.path()).expect_err(&whole);
        assert!(said.contains(&format!("error[{code}")) && said.contains(words), "{whole}\n{said}");
    }
}
