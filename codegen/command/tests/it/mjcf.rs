//! Models in MJCF: twelve of gymnasium and five of our own agree with MuJoCo; options,
//! includes and templates.
//!
//! `tests/mjcf/reference.py` writes the reference values.

use crate::urdf::{build_robot, mechanism};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dqdt_codegen::{Formalism, pipeline, read};
use dqdt_import::mjcf;
use dqdt_import::robot::{Imported, Options};
use dqdt_mechanics::kinematics::constraint_rows;
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_samples::random::Sample;
use nalgebra::{DMatrix, DVector};
use serde_json::Value;

use crate::common::{at, forward, implicit, relative};

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/mjcf")
}

pub fn text(name: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{name}.xml"))).unwrap()
}

/// Imports the MJCF text of a robot; included files are read from the folder of the tests.
pub fn import(name: &str, text: &str, options: &Options) -> Result<Imported, dqdt_codegen::error::Errors> {
    mjcf::import_mjcf(name, text, options, &mut |_, file| {
        let text = std::fs::read_to_string(folder().join(file)).map_err(|e| e.kind().to_string())?;
        Ok((file.to_owned(), text))
    })
}

fn import_model(name: &str, text: &str, options: &Options) -> Imported {
    import(name, text, options).unwrap_or_else(|e| panic!("{e}"))
}

/// The mechanism of an MJCF world with the given bodies.
fn world(bodies: &str) -> Mechanism {
    mechanism(&import_world(bodies).spec)
}

fn import_world(bodies: &str) -> Imported {
    let text = format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>");
    import_model("robot.xml", &text, &Options::default())
}

/// Models with their reference values by MuJoCo.
pub fn models() -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(folder().join("reference.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn numbers(state: &Value, key: &str) -> Vec<f64> {
    state[key].as_array().map_or(Vec::new(), |a| a.iter().map(|x| x.as_f64().unwrap()).collect())
}

/// The component of weighted speeds along the constraint rows; independent of the choice of rows
/// for the same constraint.
fn row_space_component(sample: &Sample, weights: &[f64]) -> Vec<f64> {
    let rows = at(sample, |env| constraint_rows(&sample.mechanism, env));
    let off = rows.iter().filter_map(|r| r.position).fold(0.0, |m: f64, x| m.max(x.abs()));
    assert!(off < 1e-12, "the constraints of MuJoCo hold and ours do not: {off}");
    let a = DMatrix::from_fn(rows.len(), weights.len(), |i, j| rows[i].jacobian[j]);
    let moved = &a * DVector::from_column_slice(weights);
    // For a matrix with more columns than rows, nalgebra returns the minimum-norm solution.
    a.svd(true, true).solve(&moved, 1e-9).unwrap().iter().copied().collect()
}

/// The largest difference, relative to the largest entry.
fn relative_difference(actual: &[f64], expected: &[f64]) -> f64 {
    let size = expected.iter().fold(1e-6, |m: f64, x| m.max(x.abs()));
    relative(
        &actual.iter().map(|x| x / size).collect::<Vec<_>>(),
        &expected.iter().map(|x| x / size).collect::<Vec<_>>(),
    )
}

#[test]
fn seventeen_models_move_as_mujoco_says() {
    let models = models();
    assert_eq!(models.len(), 17);
    let mut loops = 0;
    let mut wrong = Vec::new();
    for (name, states) in &models {
        let options = Options { snap: 0.0, ..Options::default() };
        let loaded = mechanism(&import_model(&format!("{name}.xml"), &text(name), &options).spec);
        let unloaded = Mechanism { loads: Vec::new(), ..loaded.clone() };
        let mut worst = [0.0f64; 4];
        for state in states.as_array().unwrap() {
            let (q, v, u) = (numbers(state, "q"), numbers(state, "v"), numbers(state, "u"));
            assert_eq!(
                (q.len(), v.len(), u.len()),
                (loaded.nq(), loaded.nv(), loaded.inputs.len()),
                "{name}"
            );
            let weights: Vec<f64> = (0..v.len()).map(|i| (3.0 * i as f64).cos()).collect();
            let sample = Sample {
                mechanism: unloaded.clone(),
                formulation: Default::default(),
                partition: Default::default(),
                t: 0.0,
                q,
                v,
                z: Vec::new(),
                u,
            };
            let e = implicit(Formalism::Kane, &sample);
            let rows: Vec<f64> =
                e.mass.iter().map(|row| row.iter().zip(&weights).map(|(a, b)| a * b).sum()).collect();
            let bias: Vec<f64> = e.c.iter().zip(&e.force).map(|(c, q)| c - q).collect();
            let sample = Sample { mechanism: loaded.clone(), ..sample };
            let all = implicit(Formalism::Kane, &sample).force;
            let force: Vec<f64> = all.iter().zip(&e.force).map(|(all, gravity)| all - gravity).collect();
            let mut computed = vec![(0, "m", rows), (1, "bias", bias), (2, "force", force)];
            if state.get("held").is_some() {
                computed.push((3, "held", row_space_component(&sample, &weights)));
                loops += 1;
            }
            for (i, key, computed) in computed {
                let difference = relative_difference(&computed, &numbers(state, key));
                // A NaN must not be overwritten.
                if difference.is_nan() || difference > worst[i] {
                    worst[i] = difference;
                }
            }
        }
        println!(
            "{name}: M {:.1e}, bias {:.1e}, forces {:.1e}, rows {:.1e}",
            worst[0], worst[1], worst[2], worst[3]
        );
        if !worst.iter().all(|x| *x < 1e-12) {
            wrong.push(format!("{name}: {worst:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(loops, 20);
}

#[test]
fn what_is_fixed_to_a_body_is_a_part_of_it_and_its_frame_a_point() {
    let m = mechanism(&import_model("all_kinds.xml", &text("all_kinds"), &Options::default()).spec);
    let points = |body: &str| -> Vec<String> {
        let body = m.bodies.iter().find(|b| b.name == body).unwrap_or_else(|| panic!("{body}"));
        body.points.iter().map(|p| p.name.clone()).collect()
    };
    assert_eq!(points("arm"), ["tip", "plate", "corner"]);
    assert_eq!(points("hand"), ["site"]);
    // A body with three joints becomes a chain; the first two bodies are massless.
    let chain: Vec<&str> = m.bodies.iter().map(|b| b.name.as_str()).take(3).collect();
    assert_eq!(chain, ["arm_several_x", "arm_several_y", "arm"]);
}

/// The mass matrix entry of a world with one coordinate.
fn single_mass_entry(bodies: &str) -> f64 {
    let mechanism = world(bodies);
    let sample = Sample {
        mechanism,
        formulation: Default::default(),
        partition: Default::default(),
        t: 0.0,
        q: vec![0.3],
        v: vec![0.2],
        z: Vec::new(),
        u: Vec::new(),
    };
    implicit(Formalism::Kane, &sample).mass[0][0]
}

#[test]
fn two_bodies_that_are_one_weigh_as_one_that_is_written_so() {
    let separate = "<body><joint/><geom type='box' size='.1 .2 .3' mass='2'/>\
        <body pos='0 0 1' euler='0 90 0'><geom type='box' size='.1 .2 .3' mass='3'/></body></body>";
    let together = "<body><joint/><geom type='box' size='.1 .2 .3' mass='2'/>\
        <geom type='box' size='.3 .2 .1' pos='0 0 1' mass='3'/></body>";
    assert!((single_mass_entry(separate) - single_mass_entry(together)).abs() < 1e-14);
}

/// Gravity effort about the hinge: −m g (R r)ₓ of `center` about y, with rotation
/// matrices written by hand.
#[test]
fn half_turns_about_axes_between_two_axes_stay_half_turns() {
    // 180° about (0.5, 0, −√3/2): x ↦ −x/2 − √3/2 z, y ↦ −y, z ↦ −√3/2 x + z/2.
    let quat = "0 0.5 0 -0.8660254037844386";
    let bodies = format!(
        "<body><joint axis='0 1 0'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>\
         <body quat='{quat}'><inertial pos='0.2 0.3 0.4' mass='2' diaginertia='1 2 3'/></body></body>"
    );
    let half = 0.75_f64.sqrt();
    let moved = [-0.5 * 0.2 - half * 0.4, -0.3, -half * 0.2 + 0.5 * 0.4];
    // (R J Rᵀ)yy is Jyy: the rotation only reverses y.
    let about = 1.0 + 2.0 + 2.0 * (moved[0] * moved[0] + moved[2] * moved[2]);
    assert!((single_mass_entry(&bodies) - about).abs() < 1e-12, "{} {about}", single_mass_entry(&bodies));
    let jointed = format!(
        "<body><joint axis='1 0 0'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>\
         <body quat='{quat}'><joint axis='0 1 0'/><inertial pos='0.2 0.3 0.4' mass='2' diaginertia='1 2 3'/></body></body>"
    );
    let spec = import_world(&jointed).spec;
    let m = mechanism(&spec);
    let (q, v) = (vec![0.0; 2], vec![0.0; 2]);
    let sample = Sample {
        mechanism: m,
        formulation: Default::default(),
        partition: Default::default(),
        t: 0.0,
        q,
        v,
        z: Vec::new(),
        u: Vec::new(),
    };
    let e = implicit(Formalism::Kane, &sample);
    // About x: m (y² + z²) with the moved centre, and (R J Rᵀ)xx = Jxx/4 + 3/4 Jzz.
    let expected = 1.0 + 2.0 * (moved[1] * moved[1] + moved[2] * moved[2]) + 0.25 + 0.75 * 3.0;
    assert!((e.mass[0][0] - expected).abs() < 1e-12, "{} {expected}\n{spec}", e.mass[0][0]);
}

#[test]
fn damping_and_dry_friction_are_loads_as_the_options_say() {
    let bodies = "<body><joint name='j' damping='0.5' frictionloss='2' stiffness='3' springref='90'/><geom size='1'/></body>";
    let text = format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>");
    let loads = |options: &Options| import_model("r.xml", &text, options).spec;
    let spring = "spring_j = { type = \"joint_spring\", joint = \"j\", stiffness = 3, rest = \"90 deg\" }";
    let plain = loads(&Options::default());
    assert!(
        plain.contains(spring) && plain.contains("viscous = 0.5 }") && !plain.contains("coulomb"),
        "{plain}"
    );
    let none = loads(&Options { damping: false, ..Options::default() });
    assert!(none.contains(spring) && !none.contains("viscous"), "{none}");
    let dry = loads(&Options { dry_friction: Some(0.01), ..Options::default() });
    assert!(dry.contains("viscous = 0.5, coulomb = 2, transition = 0.01"), "{dry}");
    mechanism(&dry);
}

#[test]
fn names_that_are_missing_are_made_and_said() {
    let robot = import_world(
        "<body><joint/><geom size='1'/><body><joint name='my joint'/><geom size='1'/></body></body>",
    );
    let m = mechanism(&robot.spec);
    let names: Vec<&str> = m.joints.iter().map(|j| j.name.as_str()).collect();
    assert_eq!(names, ["body_joint", "my_joint"]);
    let report = robot.report.to_string();
    assert!(
        report.contains("note: a body without a name in the file is named `body` in the spec (line 1)"),
        "{report}"
    );
    assert!(
        report.contains("renamed: joint `my joint` is named `my_joint` in the spec (line 1)"),
        "{report}"
    );
}

#[test]
fn a_model_in_a_loop_starts_closed() {
    let m = mechanism(&import_model("loops.xml", &text("loops"), &Options::default()).spec);
    // A pin, two joint couplings of one row each, a curve, a weld and a rope.
    let rows: usize = m.constraints.iter().map(|c| c.row_count()).sum();
    assert_eq!(rows, 3 + 1 + 1 + 1 + 6 + 3);
}

fn file_name(p: &Path) -> String {
    p.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn a_spec_adds_to_a_model_and_what_the_model_includes_is_watched() {
    let path = folder().join("all_kinds.xml");
    let files: Vec<String> = read::files(&path).iter().map(|p| file_name(p)).collect();
    assert_eq!(files, ["all_kinds.xml", "settings.xml", "floating.xml"]);
    assert_eq!(pipeline::load(&path).unwrap_or_else(|e| panic!("{e}")).mechanism.nv(), 14);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("hopper.xml"), text("hopper")).unwrap();
    let spec = folder.path().join("spec.toml");
    let write = |text: &str| std::fs::write(&spec, text).unwrap();
    write(
        "name = 'x'\ntemplate = 'hopper.xml'\n[mjcf]\ndamping = false\n[joints.foot_joint]\narmature = 3\n",
    );
    let m = pipeline::load(&spec).unwrap_or_else(|e| panic!("{e}")).mechanism;
    assert_eq!((m.nv(), m.inputs.len(), m.loads.len()), (6, 3, 3));
    for (table, expected) in [
        ("[urdf]\nsnap = 0", "write [mjcf]"),
        ("[mjcf]\nbase = 'free'", "unknown key `base` in [mjcf]"),
        ("[mjcf]\nsnap = -1", "spec.toml"),
    ] {
        write(&format!("name = 'x'\ntemplate = 'hopper.xml'\n{table}\n"));
        let said = pipeline::load(&spec).unwrap_err().to_string();
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn what_a_file_holds_says_its_format() {
    let folder = tempfile::tempdir().unwrap();
    let robot = folder.path().join("robot.xml");
    let link = "<link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>";
    let urdf = format!(
        "<?xml version='1.0'?><!-- <mujoco/> -->\n<robot name='r'>{link}<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>"
    );
    std::fs::write(&robot, urdf).unwrap();
    assert_eq!(pipeline::load(&robot).unwrap_or_else(|e| panic!("{e}")).mechanism.nv(), 1);
    let model = folder.path().join("model.urdf");
    std::fs::write(&model, text("hopper")).unwrap();
    assert_eq!(pipeline::load(&model).unwrap_or_else(|e| panic!("{e}")).mechanism.nv(), 6);
}

fn to_text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs the command in the root of the repository. Returns success, standard
/// output and standard error.
fn command(arguments: &[&str]) -> (bool, String, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dqdt"));
    let out = command.current_dir(root).args(arguments).output().unwrap();
    (out.status.success(), to_text(&out.stdout), to_text(&out.stderr))
}

#[test]
fn the_page_on_models_says_what_the_command_says() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mjcf.md");
    let page = std::fs::read_to_string(page).unwrap();
    let block = |fence: &str| page.split(fence).nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("hopper.toml").display().to_string();
    let line = block("```sh\n").trim();
    let arguments: Vec<String> = line
        .split(' ')
        .skip(2)
        .map(|a| if a.starts_with("target/") { out.clone() } else { a.to_owned() })
        .collect();
    let (worked, _, said) = command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(worked, "{said}");
    for line in block("```text,printed\n").lines() {
        assert!(said.contains(line), "{line}\n{said}");
    }
    std::fs::write(folder.path().join("hopper.xml"), text("hopper")).unwrap();
    let path = folder.path().join("lab.toml");
    std::fs::write(&path, block("```toml\n")).unwrap();
    let loaded = pipeline::load(&path).unwrap_or_else(|e| panic!("{e}"));
    // One warning counts the contacts.
    let codes: Vec<_> = loaded.warnings.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["robot-idealised"], "{}", loaded.warnings.render(false));
    assert_eq!((loaded.mechanism.nv(), loaded.mechanism.outputs.len()), (6, 1));
    let (worked, _, said) = command(&["import", "tests/data/mjcf/hopper.xml", "--base", "free"]);
    assert!(!worked && said.contains("<freejoint/>"), "{said}");
}

#[test]
fn forms_agree_on_a_model_with_loops() {
    let loaded = build_robot(&import_model("loops.xml", &text("loops"), &Options::default()).spec);
    let state = &models()["loops"][0];
    let (q, v, u) = (numbers(state, "q"), numbers(state, "v"), numbers(state, "u"));
    let sample = Sample {
        mechanism: loaded.mechanism,
        formulation: Default::default(),
        partition: loaded.partition,
        t: 0.0,
        q,
        v,
        z: Vec::new(),
        u,
    };
    let [kane, maggi] = [Formalism::Kane, Formalism::Maggi].map(|f| forward(f, &sample).accelerations);
    assert!(relative(&kane, &maggi) < 1e-9, "{kane:?} {maggi:?}");
}

#[test]
fn an_inertial_within_a_frame_takes_the_place_of_the_geoms() {
    let inertial = "<inertial pos='0 0 0.5' mass='2' diaginertia='.3 .2 .15'/>";
    let framed = format!(
        "<body><joint axis='1 0 0'/><frame pos='0 0 1' euler='90 0 0'>{inertial}</frame><geom size='1'/></body>"
    );
    // The centre is at (0, −0.5, 1); the x axis is still the hinge axis.
    assert!((single_mass_entry(&framed) - (0.3 + 2.0 * 1.25)).abs() < 1e-14);
}

#[test]
fn geoms_are_shapes_of_their_bodies_and_hidden_or_broken_ones_are_none() {
    let text = r#"<mujoco model="seen"><worldbody><geom type="plane" size="1 1 1"/>
<body name="table" pos="0 0 0.5"><geom type="box" size="1 1 0.1"/></body><body name="arm" pos="0 0 1"><joint axis="0 1 0"/>
<inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>
<geom type="box" size="0.1 0.2 0.3" pos="0 0 0.5"/>
<geom type="capsule" fromto="0 0 0 1 0 0" size="0.05"/>
<geom type="sphere" size="0.4" rgba="1 0 0 0"/><geom type="box" size="1 1 1" group="3"/><geom type="cylinder" size="0 1"/>
<body name="tip" pos="0.5 0 0"><geom type="sphere" size="0.06" euler="30 0 0"/></body></body></worldbody></mujoco>"#;
    let spec = import_model("seen", text, &Options::default()).spec;
    let mut shapes: Vec<&str> = spec.lines().filter(|l| l.starts_with("geom")).collect();
    assert_eq!(shapes.len(), 6, "{spec}");
    // Shapes of a body that is fixed to the world belong to the ground.
    assert_eq!(shapes.remove(0), "geom1 = { box = [2, 2, 0.2], at = [0, 0, 0.5] }");
    assert!(spec.contains("[ground.shapes]\ngeom1"), "{spec}");
    assert_eq!(shapes[0], "geom1 = { box = [0.2, 0.4, 0.6], at = [0, 0, 0.5] }");
    assert!(shapes[1].starts_with("geom2 = { cylinder = [0.05, 1], at = [0.5, 0, 0], rotation = "), "{spec}");
    // The ends of the capsule. Geoms of a fixed child are shapes of its parent.
    let mut ends = [shapes[2], shapes[3]].map(|l| l.split_once("= ").unwrap().1.to_owned());
    ends.sort_unstable();
    assert_eq!(ends, ["{ sphere = 0.05 }", "{ sphere = 0.05, at = [1, 0, 0] }"]);
    assert_eq!(shapes[4], "geom5 = { sphere = 0.06, at = [0.5, 0, 0] }");
    let m = mechanism(&spec);
    assert_eq!(m.bodies.len(), 1);
}
