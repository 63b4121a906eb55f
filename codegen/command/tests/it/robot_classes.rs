//! Parts of robot files that the equations ignore: structural parts are refused unless accepted by
//! name, idealised parts give one warning in every command. Tendons act.

use crate::files::case_path;
use std::path::Path;
use std::process::{Command, Stdio};

use dqdt_codegen::pipeline;
use dqdt_codegen::read::{self, Settings};
use dqdt_import::robot::{Imported, Options};
use dqdt_import::urdf;

use serde_json::Value;

/// Runs `dqdt eval` at a state. Returns success, answer and messages.
fn eval(path: &Path, state: &str, more: &[&str]) -> (bool, Value, String) {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_dqdt"))
        .arg("eval")
        .arg(path)
        .args(["--at", "-"])
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(state.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    let answer = serde_json::from_slice(&out.stdout).unwrap_or(Value::Null);
    (out.status.success(), answer, String::from_utf8(out.stderr).unwrap())
}

#[test]
fn a_spring_along_a_tendon_acts_about_its_length_at_the_start() {
    let (worked, answer, said) = eval(&case_path("tendon_spring.xml"), r#"{"q":{"q_ja":0.1}}"#, &[]);
    assert!(worked, "{said}");
    let acceleration = answer["vdot"]["q_ja_dot"].as_f64().unwrap();
    assert!((acceleration + 10.0).abs() < 1e-12, "{acceleration}");
    // One warning about ignored parts, in every command.
    assert_eq!(said.matches("warning[robot-idealised]").count(), 1, "{said}");
    assert!(said.contains("contacts (1)"), "{said}");
}

#[test]
fn two_tendons_that_are_held_equal_move_alike_also_through_a_template() {
    let model = std::fs::read_to_string(case_path("tendon_equality.xml")).unwrap();
    assert!(model.contains("<tendon"), "{model}");
    for name in ["tendon_equality.xml", "tendon_template.toml"] {
        let path = case_path(name);
        let (worked, answer, said) = eval(&path, r#"{"u":{"u_m":3}}"#, &[]);
        assert!(worked, "{said}");
        for speed in ["q_ja_dot", "q_jb_dot"] {
            let acceleration = answer["vdot"][speed].as_f64().unwrap();
            assert!((acceleration - 1.0).abs() < 1e-12, "{name} {speed} {acceleration}");
        }
    }
}

/// URDF text of an arm with an additional, unknown part.
fn arm(part: &str) -> String {
    format!(
        "<robot name='arm'>\n<link name='base'/>\n<link name='rod'>\n<inertial><origin xyz='0.5 0 0'/><mass value='1'/>\
         <inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial>\n</link>\n<joint name='hinge' \
         type='continuous'><parent link='base'/><child link='rod'/><axis xyz='0 1 0'/></joint>\n{part}\n</robot>\n"
    )
}

#[test]
fn an_unknown_element_is_refused_with_its_line_and_accepted_by_its_name() {
    let text = arm("<bushing stiffness='3'/>\n<bushing stiffness='4'/>");
    let refused = urdf::import_urdf("arm.urdf", &text, &Options::default()).unwrap_err().to_string();
    assert!(refused.contains("error[robot-structural]") && refused.contains("arm.urdf:"), "{refused}");
    assert!(refused.contains("(2 times)") && refused.contains("--accept bushing"), "{refused}");
    let accept = Options { accept: vec!["bushing".to_owned()], ..Options::default() };
    let imported = urdf::import_urdf("arm.urdf", &text, &accept).unwrap_or_else(|e| panic!("{e}"));
    let said = imported.warnings.to_string();
    assert!(said.contains("warning[robot-accepted]") && said.contains("`accept` lists `bushing`"), "{said}");
    // Another name accepts nothing.
    let other = Options { accept: vec!["bush".to_owned()], ..Options::default() };
    assert!(urdf::import_urdf("arm.urdf", &text, &other).is_err());
}

#[test]
fn a_part_is_accepted_by_the_command_by_settings_and_by_a_spec_over_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let robot = folder.path().join("arm.urdf");
    std::fs::write(&robot, arm("<bushing stiffness='3'/>")).unwrap();
    let (worked, _, said) = eval(&robot, "{}", &[]);
    assert!(!worked && said.contains("robot-structural"), "{said}");
    let (worked, _, said) = eval(&robot, "{}", &["--accept", "bushing"]);
    assert!(worked && said.contains("robot-accepted"), "{said}");
    let settings = Settings::new().accept("bushing");
    let loaded = pipeline::load_with(&robot, &settings).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(loaded.warnings.diagnostics.len(), 1, "{}", loaded.warnings);
    let spec = folder.path().join("cell.toml");
    let write = |accept: &str| {
        std::fs::write(&spec, format!("name = 'cell'\ntemplate = 'arm.urdf'\n{accept}\n")).unwrap();
        pipeline::load(&spec)
    };
    let Err(refused) = write("") else { panic!("nothing is accepted") };
    let refused = refused.to_string();
    assert!(refused.contains("robot-structural") && refused.contains("accept = [\"bushing\"]"), "{refused}");
    let loaded = write("accept = ['bushing']").unwrap_or_else(|e| panic!("{e}"));
    let codes: Vec<_> = loaded.warnings.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["robot-accepted"]);
}

#[test]
fn what_gazebo_is_told_of_contacts_is_idealised_and_a_joint_in_it_is_not() {
    let contacts = arm("<gazebo reference='rod'><mu1>0.2</mu1><kp>1e6</kp><sensor name='s'/></gazebo>");
    let imported =
        urdf::import_urdf("arm.urdf", &contacts, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(imported.warnings.to_string().contains("contacts (2)"), "{}", imported.warnings);
    let loops = arm("<gazebo><joint name='closing' type='ball'/></gazebo>");
    let refused = urdf::import_urdf("arm.urdf", &loops, &Options::default()).unwrap_err().to_string();
    assert!(refused.contains("`gazebo/joint`"), "{refused}");
}

fn tendon_model(attributes: &str) -> String {
    format!(
        "<mujoco><worldbody><site name='a' pos='1 0 0'/><body><joint name='j'/><geom name='g' size='0.1'/>\
         <site name='b' pos='0 0 1'/></body></worldbody><tendon><spatial name='t' {attributes}><site site='a'/>\
         <geom geom='g'/><site site='b'/></spatial></tendon></mujoco>"
    )
}

fn import_tendon(attributes: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.xml");
    std::fs::write(&path, tendon_model(attributes)).unwrap();
    read::read(&path).map(|_| ()).map_err(|e| e.to_string())
}

#[test]
fn a_tendon_that_wraps_and_pulls_is_refused_and_one_that_only_shows_a_length_is_not() {
    assert_eq!(import_tendon(""), Ok(()));
    let refused = import_tendon("stiffness='3'").unwrap_err();
    assert!(refused.contains("tendon `t` with a <") && refused.contains("--accept tendon/"), "{refused}");
}

fn import_joint(joint: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.xml");
    let body = format!("<body>{joint}<geom size='0.1'/></body>");
    std::fs::write(&path, format!("<mujoco><worldbody>{body}</worldbody></mujoco>")).unwrap();
    read::read(&path).map(|_| ()).map_err(|e| e.to_string())
}

#[test]
fn what_stands_in_an_element_that_holds_nothing_is_refused() {
    assert_eq!(import_joint("<joint/>"), Ok(()));
    let refused = import_joint("<joint><spring k='3'/></joint>").unwrap_err();
    assert!(refused.contains("`joint/spring`"), "{refused}");
    let misplaced = import_joint("<joint><site/></joint>").unwrap_err();
    assert!(misplaced.contains("mjcf-misplaced") && !misplaced.contains("robot-structural"), "{misplaced}");
}

#[test]
fn groups_of_actuators_that_two_sections_switch_off_are_both_off_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.xml");
    let model = "<mujoco><option actuatorgroupdisable='1'/><option actuatorgroupdisable='2'/><worldbody><body><joint name='j'/>\
                 <geom size='0.1' contype='0' conaffinity='0'/></body></worldbody><actuator><motor name='a' joint='j' group='1'/>\
                 <motor name='b' joint='j' group='2'/><motor name='c' joint='j'/></actuator></mujoco>";
    std::fs::write(&path, model).unwrap();
    let loaded = pipeline::load(&path).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(loaded.mechanism.inputs.len(), 1);
    assert!(loaded.warnings.to_string().contains("actuators (2)"), "{}", loaded.warnings);
}

fn import_actuator(attributes: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.xml");
    let bodies = "<worldbody><body gravcomp='1'><joint name='j' actuatorgravcomp='true'/><geom size='0.1'/></body></worldbody>";
    let actuator = format!("<actuator><motor name='a' joint='j' {attributes}/></actuator>");
    std::fs::write(&path, format!("<mujoco>{bodies}{actuator}</mujoco>")).unwrap();
    read::read(&path).map(|_| ()).map_err(|e| e.to_string())
}

#[test]
fn what_a_part_that_is_left_out_would_leave_behind_is_structural() {
    assert_eq!(import_actuator("armature='0.2'"), Ok(()));
    let delayed = import_actuator("armature='0.2' delay='0.1'").unwrap_err();
    assert!(delayed.contains("`armature` of the dropped actuator `a`"), "{delayed}");
}

fn import_arm(part: &str) -> Result<Imported, String> {
    urdf::import_urdf("arm.urdf", &arm(part), &Options::default()).map_err(|e| e.to_string())
}

#[test]
fn rotors_of_transmissions_and_settings_of_mujoco_in_a_urdf_are_no_trifles() {
    let rotor = "<transmission><actuator name='m'><drake:rotor_inertia value='1.5'/></actuator><joint name='hinge'/></transmission>";
    assert!(import_arm(rotor).unwrap_err().contains("drake:rotor_inertia"));
    assert!(import_arm(&rotor.replace("<drake:rotor_inertia value='1.5'/>", "")).is_ok());
    assert!(
        import_arm("<mujoco><compiler settotalmass='30'/></mujoco>").unwrap_err().contains("settotalmass")
    );
    assert!(import_arm("<mujoco><compiler meshdir='m' discardvisual='false'/></mujoco>").is_ok());
}

fn import_joint_element(element: &str) -> Result<Imported, String> {
    let text = arm("").replace("</joint>", &format!("{element}</joint>"));
    urdf::import_urdf("arm.urdf", &text, &Options::default()).map_err(|e| e.to_string())
}

#[test]
fn joint_properties_are_the_dynamics_of_a_joint_by_their_first_name() {
    let [properties, dynamics] = ["joint_properties", "dynamics"]
        .map(|name| import_joint_element(&format!("<{name} damping='0.25' friction='0.0'/>")).unwrap().spec);
    assert!(dynamics.contains("viscous = 0.25"), "{dynamics}");
    assert_eq!(properties, dynamics);
    let both =
        import_joint_element("<joint_properties friction='0.0'/><dynamics damping='0.25'/>").unwrap_err();
    assert!(both.contains("error[duplicate]") && both.contains("names for the same element"), "{both}");
    assert!(
        import_joint_element("<joint_properties fricton='0.1'/>").unwrap_err().contains("write `friction`")
    );
}

#[test]
fn snapped_angles_are_told_once_where_a_robot_is_used_directly() {
    let turned = arm("").replace("<axis", "<origin rpy='0 0.0004 1.5704'/><axis");
    let folder = tempfile::tempdir().unwrap();
    let robot = folder.path().join("arm.urdf");
    std::fs::write(&robot, &turned).unwrap();
    let (worked, _, said) = eval(&robot, "{}", &[]);
    assert!(worked && said.matches("note[robot-snapped]: 2 angles and axes of").count() == 1, "{said}");
    let over = |keys: &str| {
        let spec = folder.path().join("over.toml");
        std::fs::write(&spec, format!("name = 'arm'\ntemplate = 'arm.urdf'\n{keys}")).unwrap();
        eval(&spec, "{}", &[]).2
    };
    assert!(over("").contains("robot-snapped"));
    assert_eq!(over("accept = ['robot-snapped']\n"), "");
    assert_eq!(over("[urdf]\nsnap = 0\n"), "");
    // Rounding by the exporting program is not reported.
    std::fs::write(&robot, turned.replace("0.0004 1.5704", "0 1.5708")).unwrap();
    assert_eq!(eval(&robot, "{}", &[]).2, "");
}
