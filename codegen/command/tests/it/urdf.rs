//! Robots in URDF: sixteen agree with Pinocchio, reports are complete, bad files are refused.
//!
//! `tests/urdf/reference.py` writes the reference values.
//!
//! Above 500 lines: each kind of element has a short test, all with the same helpers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dqdt_algebra::Twist;
use dqdt_codegen::{Formalism, pipeline, read};
use dqdt_derivation::assemble::Assembled;
use dqdt_import::urdf::{self, Base, Imported, Options};
use dqdt_mechanics::kinematics::frame_motions;
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_samples::random::Sample;
use serde_json::Value;

use crate::common::{at, forward, implicit, relative};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/urdf")
}

fn text(name: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{name}.urdf"))).unwrap()
}

pub(crate) fn mechanism(spec: &str) -> Mechanism {
    build_robot(spec).mechanism
}

pub(crate) fn build_robot(spec: &str) -> Assembled {
    let spec = read::parse("robot", spec).unwrap_or_else(|e| panic!("{e}"));
    pipeline::build(&spec, "robot").unwrap_or_else(|e| panic!("{e}"))
}

fn robots() -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(folder().join("reference.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Options for comparison with Pinocchio: no snapped angles, no friction.
fn plain(base: Base) -> Options {
    Options { base, snap: 0.0, damping: false, dry_friction: None, ..Options::default() }
}

fn import_robot(name: &str, text: &str, options: &Options) -> Imported {
    urdf::import_urdf(name, text, options).unwrap_or_else(|e| panic!("{e}"))
}

/// The random number generator of `reference.py`.
pub(crate) struct ReferenceRandom(pub(crate) u64);

impl ReferenceRandom {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A `mimic` joint: coordinate, the coordinate it follows, ratio, offset.
type MimicJoint = (String, String, f64, f64);

fn number_or_zero(v: Option<&toml::Value>) -> f64 {
    v.map_or(0.0, |v| v.as_float().or(v.as_integer().map(|i| i as f64)).unwrap())
}

fn text_of_key(v: &toml::Value, key: &str) -> String {
    v[key].as_str().unwrap().to_owned()
}

fn mimic_joints(spec: &str) -> Vec<MimicJoint> {
    let spec: toml::Table = spec.parse().unwrap();
    let Some(constraints) = spec.get("constraints").and_then(|c| c.as_table()) else { return Vec::new() };
    constraints
        .values()
        .map(|c: &toml::Value| {
            (
                text_of_key(c, "first"),
                text_of_key(c, "second"),
                number_or_zero(c.get("ratio")),
                number_or_zero(c.get("offset")),
            )
        })
        .collect()
}

/// A random state, accelerations and weights of speeds, in the order of Pinocchio's joints.
fn draw(m: &Mechanism, joints: &[String], random: &mut ReferenceRandom) -> (Sample, Vec<f64>, Vec<f64>) {
    let (mut q, mut v) = (vec![0.0; m.nq()], vec![0.0; m.nv()]);
    let (mut dv, mut weights) = (v.clone(), v.clone());
    for name in joints {
        let name = if name == "root_joint" { "base".to_owned() } else { name.replace(['.', '-'], "_") };
        let joint = m.joints.iter().find(|j| j.name == name).unwrap_or_else(|| panic!("joint {name}"));
        let coordinates =
            joint.coordinates.iter().map(|s| s.free_index().expect("nothing is prescribed").index());
        let speeds = joint.speeds.iter().map(|s| s.free_index().expect("nothing is prescribed").index());
        let (coordinates, speeds): (Vec<usize>, Vec<usize>) = (coordinates.collect(), speeds.collect());
        let drawn: Vec<[f64; 4]> = speeds.iter().map(|_| std::array::from_fn(|_| random.next())).collect();
        for (at, x) in speeds.iter().zip(&drawn) {
            (v[*at], dv[*at], weights[*at]) = (2.0 * x[1], 5.0 * x[2], x[3]);
        }
        match coordinates[..] {
            [at] => q[at] = 3.0 * drawn[0][0],
            [x, y, z, a, b, c, d] => {
                let e = [1.0, drawn[3][0], drawn[4][0], drawn[5][0]];
                let norm = e.iter().map(|x| x * x).sum::<f64>().sqrt();
                for (at, value) in [x, y, z].into_iter().zip(&drawn) {
                    q[at] = value[0];
                }
                for (at, value) in [a, b, c, d].into_iter().zip(e) {
                    q[at] = value / norm;
                }
            }
            _ => panic!("{} coordinates", coordinates.len()),
        }
    }
    let (z, u) = (vec![0.0; m.states.len()], vec![0.0; m.inputs.len()]);
    (
        Sample {
            mechanism: m.clone(),
            formulation: Default::default(),
            partition: Default::default(),
            t: 0.0,
            q,
            v,
            z,
            u,
        },
        dv,
        weights,
    )
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[test]
fn sixteen_robots_move_as_pinocchio_says() {
    let robots = robots();
    assert_eq!(robots.len(), 16);
    for (name, robot) in &robots {
        let base = if robot["base"] == "free" { Base::Free } else { Base::Fixed };
        let spec = import_robot(name, &text(name), &plain(base)).spec;
        let loaded = build_robot(&spec);
        let m = &loaded.mechanism;
        let followers = mimic_joints(&spec);
        // For robots with mimic joints the tree without constraints is compared.
        let tree = Mechanism { constraints: Vec::new(), ..m.clone() };
        let joints: Vec<String> =
            robot["joints"].as_array().unwrap().iter().map(|j| j.as_str().unwrap().to_owned()).collect();
        let mut random = ReferenceRandom(1 + name.bytes().map(u64::from).sum::<u64>());
        let mut worst = [0.0f64; 4];
        let frame = robot["frame"].as_str().unwrap();
        for state in robot["states"].as_array().unwrap() {
            let expected = |key: &str| state[key].as_f64().unwrap();
            let (sample, dv, weights) = draw(&tree, &joints, &mut random);
            let e = implicit(Formalism::Kane, &sample);
            let rows: Vec<f64> = e.mass.iter().map(|row| dot(row, &weights)).collect();
            let efforts: Vec<f64> = (0..m.nv()).map(|i| dot(&e.mass[i], &dv) + e.c[i] - e.force[i]).collect();
            let mass = dot(&weights, &rows) - expected("m");
            worst[0] = worst[0].max(mass.abs() / expected("m").abs().max(1.0));
            worst[3] = worst[3].max(frame_difference(frame, &sample, &weights, state));
            let off = dot(&weights, &efforts) - expected("efforts");
            worst[1] = worst[1].max(off.abs() / expected("size").max(1.0));
            let rate = if followers.is_empty() {
                dot(&weights, &forward(Formalism::ArticulatedBody, &sample).accelerations)
            } else {
                weighted_independent_acceleration(&loaded, &followers, sample, weights)
            };
            let off = (rate - expected("rate")) / expected("fast").max(1.0);
            worst[2] = worst[2].max(off.abs() / expected("condition").max(1.0));
        }
        assert!(worst[0] < 1e-12 && worst[1] < 1e-12, "{name}: {worst:?}");
        assert!(worst[2] < 1e-12 && worst[3] < 1e-12, "{name}: {worst:?}");
    }
}

/// Letters and digits of a name, in lower case.
fn strip_name(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}

fn flatten_twist(t: &Twist<f64>) -> Vec<f64> {
    [t.v.0, t.w.0].concat()
}

/// Differences from Pinocchio in the position of a frame, `J w` and `J̇ v`.
fn frame_difference(name: &str, sample: &Sample, weights: &[f64], state: &Value) -> f64 {
    let m = &sample.mechanism;
    let all = at(sample, |env| frame_motions(m, env));
    let frame = all
        .iter()
        .find(|f| strip_name(&f.name) == strip_name(name))
        .unwrap_or_else(|| panic!("frame {name}"));
    let mut moved = vec![0.0; 6];
    for (column, weight) in frame.jacobian.iter().zip(weights) {
        moved.iter_mut().zip(flatten_twist(column)).for_each(|(sum, x)| *sum += weight * x);
    }
    let computed =
        [("place", frame.position.0.to_vec()), ("moved", moved), ("bias", flatten_twist(&frame.bias))];
    let differences = computed.into_iter().map(|(key, values)| {
        let expected: Vec<f64> = state[key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        relative(&values, &expected)
    });
    differences.fold(0.0, f64::max)
}

/// The weighted sum of the independent accelerations with mimic constraints.
fn weighted_independent_acceleration(
    loaded: &Assembled,
    followers: &[MimicJoint],
    mut sample: Sample,
    mut weights: Vec<f64>,
) -> f64 {
    let m = &loaded.mechanism;
    let at = |name: &str| m.coordinates.iter().position(|c| c.name == name).unwrap();
    let speed = |name: &str| m.speeds.iter().position(|c| c.name == format!("{name}_dot")).unwrap();
    for (first, second, ratio, offset) in followers {
        sample.q[at(first)] = ratio * sample.q[at(second)] + offset;
        sample.v[speed(first)] = ratio * sample.v[speed(second)];
        weights[speed(first)] = 0.0;
    }
    sample.mechanism = m.clone();
    sample.partition = loaded.partition.clone();
    dot(&weights, &forward(Formalism::Kane, &sample).accelerations)
}

/// Path and line of every element, by its tag in the text.
fn elements(text: &str) -> Vec<(String, usize)> {
    let mut paths_and_lines = Vec::new();
    let mut path: Vec<String> = Vec::new();
    for (at, _) in text.match_indices('<') {
        let tag = &text[at + 1..text[at..].find('>').unwrap() + at];
        if tag.starts_with('/') {
            path.pop();
            continue;
        }
        if tag.starts_with(['!', '?']) {
            continue;
        }
        let name: String = tag.chars().take_while(|c| !c.is_whitespace() && *c != '/').collect();
        path.push(name);
        if path.len() > 1 {
            paths_and_lines.push((path[1..].join("/"), text[..at].matches('\n').count() + 1));
        }
        if tag.ends_with('/') {
            path.pop();
        }
    }
    paths_and_lines
}

#[test]
fn reports_list_every_element_that_is_not_used() {
    let used = [
        "link",
        "link/inertial",
        "link/inertial/origin",
        "link/inertial/mass",
        "link/inertial/inertia",
        "joint",
        "joint/origin",
        "joint/parent",
        "joint/child",
        "joint/axis",
        "joint/limit",
        "joint/dynamics",
        "joint/mimic",
    ];
    let mut most = 0;
    for name in robots().keys() {
        let text = text(name);
        let mut expected = elements(&text);
        // `gazebo` elements are listed by their content.
        expected.retain(|(path, _)| !used.contains(&path.as_str()) && path != "gazebo");
        // Children of an unused element are not listed.
        let all: Vec<String> = expected.iter().map(|(p, _)| p.clone()).collect();
        expected.retain(|(path, _)| !all.iter().any(|p| path.starts_with(&format!("{p}/"))));
        expected.sort();
        let report = import_robot(name, &text, &Options::default()).report;
        let mut reported: Vec<(String, usize)> = report
            .ignored
            .iter()
            .flat_map(|kind| kind.lines.iter().map(|line| (kind.path.clone(), *line)))
            .collect();
        reported.sort();
        // Attributes are listed too.
        reported.retain(|(path, _)| !path.contains('@'));
        assert_eq!(reported, expected, "{name}");
        let whole = format!("{report:#}");
        assert!(
            expected.iter().all(|(path, line)| whole.contains(path) && whole.contains(&line.to_string()))
        );
        most = most.max(expected.len());
    }
    assert!(most > 50, "{most}");
}

/// Number of operations of the mass matrix by Kane.
fn count_mass_matrix(spec: &str) -> u32 {
    let loaded = pipeline::build(&read::parse("ur5", spec).unwrap(), "ur5").unwrap();
    let request = pipeline::Request::new(Formalism::Kane, vec![dqdt_codegen::functions::MASS_MATRIX]);
    let program = pipeline::program(&loaded, &request);
    dqdt_graph::ir::count::count(&program, &program.functions[0]).call.total()
}

#[test]
fn rounded_right_angles_are_exact_and_listed() {
    let robot = import_robot("ur5", &text("ur5"), &Options::default());
    assert!(robot.spec.contains("angles = [0, \"90 deg\", 0]"), "{}", robot.spec);
    let snapped: Vec<_> = robot.report.lines.iter().filter(|(kind, ..)| *kind == "snapped").collect();
    assert!(!snapped.is_empty() && snapped.iter().all(|(_, _, line)| line.is_some()), "{}", robot.report);
    let plain = import_robot("ur5", &text("ur5"), &plain(Base::Fixed));
    assert!(plain.spec.contains("1.57079632679"), "{}", plain.spec);
    // Exact zeros reduce the operations.
    assert!(
        count_mass_matrix(&robot.spec) + 20 < count_mass_matrix(&plain.spec),
        "{} {}",
        count_mass_matrix(&robot.spec),
        count_mass_matrix(&plain.spec)
    );
}

#[test]
fn bad_robots_are_refused_in_the_expected_words() {
    let bless = std::env::var("DQDT_BLESS").as_deref() == Ok("1");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder().join("fail"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "urdf"))
        .collect();
    files.sort();
    assert!(files.len() >= 15, "{}", files.len());
    let mut wrong = Vec::new();
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let Err(errors) = urdf::import_urdf(&name, &text, &Options::default()) else {
            panic!("{name} is accepted")
        };
        let said: String =
            errors.to_string().trim_end().lines().map(|l| format!("{}\n", l.trim_end())).collect();
        let expected = path.with_extension("expected");
        if bless {
            std::fs::write(&expected, said).unwrap();
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != said {
            wrong.push(format!("{name} now says\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}\nDQDT_BLESS=1 accepts these", wrong.join("\n"));
}

#[test]
fn names_that_a_spec_cannot_have_are_mended_and_said() {
    let text = r#"<robot name="my robot-2"><link name="base link"/><link name="type"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1"/></inertial></link><link name="a.b"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1"/></inertial></link><link name="a-b"/>
        <joint name="1" type="continuous"><parent link="base link"/><child link="type"/></joint>
        <joint name="a b" type="prismatic"><parent link="type"/><child link="a.b"/><axis xyz="0 0 -2"/></joint>
        <joint name="f" type="fixed"><parent link="a.b"/><child link="a-b"/></joint></robot>"#;
    let robot = import_robot("robots/my.urdf", text, &Options::default());
    let m = mechanism(&robot.spec);
    assert_eq!(m.name, "my_robot_2");
    assert_eq!(m.bodies.iter().map(|b| b.name.as_str()).collect::<Vec<_>>(), ["link_type", "a_b"]);
    assert!(robot.spec.contains("axis = \"-z\"") && !robot.spec.contains("robots/"), "{}", robot.spec);
    let report = robot.report.to_string();
    assert!(report.contains("renamed: link `type` is named `link_type` in the spec (line 1)"), "{report}");
    assert!(
        report.contains("renamed: joint `1` is named `link_1` in the spec (line 4)")
            || report.contains("joint `1`"),
        "{report}"
    );
}

#[test]
fn a_spec_adds_to_a_robot_what_its_file_cannot_say() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("finger.urdf"), text("finger")).unwrap();
    let path = folder.path().join("finger.toml");
    let spec = "name = \"heavy_finger\"\ntemplate = \"finger.urdf\"\n[urdf]\nbase = \"free\"\nsnap = 0\n\
        [joints.finger_base_to_upper_joint]\narmature = 0.5\n[outputs]\n\
        tip = { type = \"position\", body = \"finger_lower_link\", at = \"finger_tip_link\" }\n";
    std::fs::write(&path, spec).unwrap();
    let m = pipeline::load(&path).unwrap_or_else(|e| panic!("{e}")).mechanism;
    assert_eq!((m.name.as_str(), m.nv(), m.outputs.len()), ("heavy_finger", 9, 1));
    let joint = m.joints.iter().find(|j| j.name == "finger_base_to_upper_joint").unwrap();
    assert!(joint.armature.iter().any(Option::is_some));
    assert_eq!(read::files(&path), [path.clone(), folder.path().join("finger.urdf")]);
    // The robot itself.
    let alone = pipeline::load(&folder.path().join("finger.urdf")).unwrap().mechanism;
    assert_eq!((alone.name.as_str(), alone.nv()), ("fingeredu", 3));
    // Errors in the robot file give the place there and the place of its reference.
    for (robot, expected) in [("", "invalid XML"), ("<robot name='x'/>", "the robot has no links")] {
        std::fs::write(folder.path().join("finger.urdf"), robot).unwrap();
        let said = pipeline::load(&path).unwrap_err().to_string();
        assert!(said.contains(expected) && said.contains("finger.urdf"), "{said}");
    }
    std::fs::remove_file(folder.path().join("finger.urdf")).unwrap();
    let said = pipeline::load(&path).unwrap_err().to_string();
    assert!(said.contains("cannot read") && said.contains("finger.toml:2"), "{said}");
}

fn two_links(joint: &str) -> String {
    let inertial =
        "<inertial><origin xyz='0.1 0.2 0.3'/><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
    format!(
        "<robot name='r'><link name='base'/><link name='a'>{inertial}</link><link name='b'>{inertial}</link>{joint}</robot>"
    )
}

#[test]
fn names_of_coordinates_speeds_and_inputs_never_meet() {
    let pairs = [
        ("revolute' name='a", "revolute' name='a_dot"),
        ("floating' name='q_a", "revolute' name='a_x"),
        ("revolute' name='b_x", "floating' name='tau_b"),
        ("planar' name='a_x", "floating' name='x_a"),
        ("revolute' name='base", "floating' name='base_1"),
        ("revolute' name='joint_1", "prismatic' name='1_joint"),
    ];
    for (first, second) in pairs {
        for (parent, base) in [("base", Base::Fixed), ("base", Base::Free)] {
            let text = two_links(&format!(
                "<joint type='{first}'><parent link='{parent}'/><child link='a'/></joint>\
                 <joint type='{second}'><parent link='a'/><child link='b'/></joint>"
            ));
            // A massless free base would be indistinguishable from the bodies on it.
            let base_of_mass = "<link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>";
            let text = text.replace("<link name='base'/>", base_of_mass);
            mechanism(&import_robot("r", &text, &Options { base, ..Options::default() }).spec);
        }
    }
}

#[test]
fn planes_across_any_axis_are_read() {
    for axis in ["2 3 6", "1 1 1", "0.123456789012345 -0.3 7", "1e-3 2 0", "-1 0 0", "0 -5 0", "1e-9 1 0.5"] {
        let text = two_links(&format!(
            "<joint type='planar' name='j'><parent link='base'/><child link='a'/><axis xyz='{axis}'/></joint>\
             <joint type='fixed' name='k'><parent link='a'/><child link='b'/></joint>"
        ));
        assert_eq!(mechanism(&import_robot("r", &text, &plain(Base::Fixed)).spec).nv(), 3, "{axis}");
    }
}

#[test]
fn a_long_chain_of_mimics_takes_no_time() {
    let (mut links, mut joints) = (String::from("<link name='l0'/>"), String::new());
    for i in 1..=3000 {
        links += &format!("<link name='l{i}'/>");
        let mimic = if i > 1 { format!("<mimic joint='j{}'/>", i - 1) } else { String::new() };
        joints += &format!(
            "<joint type='revolute' name='j{i}'><parent link='l{}'/><child link='l{i}'/>{mimic}</joint>",
            i - 1
        );
    }
    let robot = import_robot("r", &format!("<robot name='r'>{links}{joints}</robot>"), &Options::default());
    assert_eq!(robot.spec.matches("type = \"gear\"").count(), 2999);
}

fn arm_urdf(product: &str, place: &str) -> String {
    format!(
        "<robot name='r'><link name='l'/><link name='a'><inertial><mass value='1'/>\
         <inertia ixx='1' ixy='{product}' iyy='1' izz='1'/></inertial></link><joint name='j' type='revolute'>\
         <origin xyz='{place}'/><parent link='l'/><child link='a'/></joint></robot>"
    )
}

fn format_inertia_and_origin(m: &Mechanism) -> String {
    format!("{:?} {:?}", m.bodies[0].inertia, m.joints[0].parent_frame.origin)
}

fn import_arm(product: &str, place: &str) -> Mechanism {
    mechanism(&import_robot("r", &arm_urdf(product, place), &plain(Base::Fixed)).spec)
}

#[test]
fn the_spec_of_the_page_on_robots_is_read_and_its_values_replace_those_of_the_robot() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/urdf.md");
    let page = std::fs::read_to_string(page).unwrap();
    let spec = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ur5.urdf"), text("ur5")).unwrap();
    let path = folder.path().join("cell.toml");
    std::fs::write(&path, spec).unwrap();
    let loaded = pipeline::load(&path).unwrap_or_else(|e| panic!("{e}"));
    // One warning counts the contacts.
    let codes: Vec<_> = loaded.warnings.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["robot-idealised"], "{}", loaded.warnings.render(false));
    assert_eq!((loaded.mechanism.nv(), loaded.mechanism.outputs.len()), (6, 2));
    // Values are replaced as a whole: no product of inertia of the robot remains, no position.
    let text = "name = 'x'\ntemplate = 'arm.urdf'\n[bodies.a]\ninertia = { xx = 1, yy = 1, zz = 1 }\n\
        [joints.j]\nparent = { body = 'ground' }\n";
    std::fs::write(folder.path().join("arm.urdf"), arm_urdf("0.1", "1 2 3")).unwrap();
    std::fs::write(&path, text).unwrap();
    let overridden = pipeline::load(&path).unwrap_or_else(|e| panic!("{e}")).mechanism;
    assert_eq!(format_inertia_and_origin(&overridden), format_inertia_and_origin(&import_arm("0", "0 0 0")));
    assert_ne!(
        format_inertia_and_origin(&overridden),
        format_inertia_and_origin(&import_arm("0.1", "0 0 0"))
    );
    assert_ne!(format_inertia_and_origin(&overridden), format_inertia_and_origin(&import_arm("0", "1 2 3")));
}

fn link_tag(name: &str) -> String {
    format!(
        r#"<link name="{name}"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>"#
    )
}

#[test]
fn limits_of_a_planar_joint_are_left_out_and_listed() {
    let text = format!(
        r#"<robot name="r">{}{}<joint name="j" type="planar"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="2"/></joint></robot>"#,
        link_tag("a"),
        link_tag("b")
    );
    let imported = import_robot("r", &text, &Options::default());
    assert_eq!(mechanism(&imported.spec).nv(), 3);
    let report = format!("{:#}", imported.report);
    assert!(report.contains("limits of joint `j`"), "{report}");
    let below = text.replace("planar", "revolute").replace("effort=\"5\"", "effort=\"-5\"");
    let report = format!("{:#}", self::import_robot("r", &below, &Options::default()).report);
    assert!(report.contains("limit of joint `j`: the effort limit -5 is negative"), "{report}");
}

/// Primitive visuals become shapes of the body of their link; unreadable ones are ignored.
#[test]
fn visuals_become_shapes() {
    let robot = r#"<robot name="arm"><link name="base"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
<link name="upper"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.03" length="0.4"/></geometry></visual>
<visual><geometry><mesh filename="x.stl"/></geometry></visual></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
<link name="hand"><visual><geometry><capsule radius="0.02" length="0.1"/></geometry></visual>
<visual><geometry><box size="0.1 nan 0.05"/></geometry></visual><visual/></link>
<joint name="wrist" type="fixed"><origin xyz="0 0 0.4"/><parent link="upper"/><child link="hand"/></joint></robot>"#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.urdf");
    std::fs::write(&path, robot).unwrap();
    let m = dqdt_generate::pipeline::load(&path).unwrap().mechanism;
    let standing = m.shapes.iter().filter(|s| s.body.is_none()).count();
    assert_eq!(standing, 1, "the base stands on the ground");
    let centres: Vec<f64> = (m.shapes.iter().filter(|s| s.body.is_some()))
        .map(|s| s.placement.origin[2].as_number().map_or(0.0, dqdt_algebra::Number::to_f64))
        .collect();
    assert_eq!(centres.len(), 4, "{centres:?}");
    for (height, expected) in centres.iter().zip([0.2, 0.4, 0.35, 0.45]) {
        assert!((height - expected).abs() < 1e-12, "{centres:?}");
    }
}
