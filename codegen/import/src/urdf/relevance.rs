//! Relevance of every name of URDF, and of common extensions, for the mechanics.

use crate::robot::relevance::Relevance::{Harmless, Idealised, Structural, Used};
use crate::robot::relevance::{ElementRow, Relevance, RelevanceTable, element, subtree};

/// The table of all elements and attributes of URDF, with their relevance for the mechanics. Names
/// are paths below `<robot>`.
pub(super) const RELEVANCE: RelevanceTable = RelevanceTable(&ROWS);

const CONTACTS: Relevance = Idealised("contacts");
const LIMITS: Relevance = Idealised("joint limits");
const DRIVES: Relevance = Idealised("drive parameters");
/// Relevance of programs that Gazebo runs during the simulation; some of them drive joints.
const PLUGINS: Relevance = Idealised("Gazebo plugins");

/// Paths of boolean elements that affect the equations, each with the neutral value at which it
/// does not.
const NEUTRAL: [(&str, bool); 6] = [
    ("gazebo/gravity", true),
    ("gazebo/turnGravityOff", false),
    ("gazebo/kinematic", false),
    ("gazebo/static", false),
    ("link/gravity", true),
    ("link/kinematic", false),
];

/// Elements within a transmission of Drake that define the reflected inertia of a rotor; everything
/// else in a transmission is irrelevant.
pub(super) const REFLECTED: [&str; 2] = ["drake:rotor_inertia", "drake:gear_ratio"];

/// True if a boolean element of [`NEUTRAL`] has the value at which it does not affect the
/// equations.
pub(super) fn is_neutral(path: &str, text: &str) -> bool {
    let holds = match text.trim() {
        "true" | "1" => true,
        "false" | "0" => false,
        _ => return false,
    };
    NEUTRAL.contains(&(path, holds))
}

static ROWS: [ElementRow; 116] = [
    element("robot", &[(Used, "name"), (Harmless, "version xmlns schemaLocation")]),
    element("link", &[(Used, "name"), (Harmless, "type concave")]),
    // Not interpreted by any reader of URDF.
    subtree("link/origin", Harmless),
    element("link/inertial", &[]),
    element("inertial/mass", &[(Used, "value")]),
    element("inertial/inertia", &[(Used, "ixx iyy izz ixy ixz iyz")]),
    element("origin", &[(Used, "xyz rpy quat_xyzw")]),
    // `dont_collapse` is an option for readers that merge links, `independent` a choice of
    // coordinates.
    element("joint", &[(Used, "name type"), (Harmless, "dont_collapse independent")]),
    element("joint/parent", &[(Used, "link")]),
    element("joint/child", &[(Used, "link")]),
    element("joint/axis", &[(Used, "xyz")]),
    element(
        "joint/limit",
        &[
            (Used, "lower upper effort velocity"),
            (LIMITS, "drake:acceleration acceleration jerk deceleration"),
            (DRIVES, "current command_effort gear_velocity"),
        ],
    ),
    element(
        "joint/dynamics",
        &[
            (Used, "damping friction"),
            (DRIVES, "D K mu_coulomb mu_viscous"),
            (Structural, "stiffness rest_position spring_reference"),
        ],
    ),
    element("joint/joint_properties", &[(Used, "damping friction")]),
    element("joint/mimic", &[(Used, "joint multiplier offset")]),
    // Not relevant for the mechanics.
    subtree("link/visual", Harmless),
    subtree("link/sensor", Harmless),
    subtree("link/drake:visual", Harmless),
    subtree("robot/material", Harmless),
    subtree("material", Harmless),
    subtree("sensor", Harmless),
    subtree("transmission", Harmless),
    subtree("ros2_control", Harmless),
    subtree("joint/calibration", Harmless),
    subtree("joint/hardwareInterface", Harmless),
    subtree("link/verbose", Harmless),
    subtree("link/self_filter", Harmless),
    subtree("link/self_collision_checking", Harmless),
    subtree("group", Harmless),
    subtree("group_state", Harmless),
    // Settings for MuJoCo, which also reads URDF.
    element("mujoco", &[]),
    element(
        "mujoco/compiler",
        &[
            (
                Harmless,
                "meshdir texturedir assetdir strippath discardvisual convexhull fusestatic inertiafromgeom angle autolimits",
            ),
            (Structural, "settotalmass boundmass boundinertia balanceinertia"),
        ],
    ),
    element("mujoco/size", &[(Harmless, "njmax nconmax nstack memory")]),
    subtree("joint/mujoco", Structural),
    subtree("link/mujoco", Structural),
    // Neglected, with a warning.
    subtree("link/collision", CONTACTS),
    subtree("link/contact", CONTACTS),
    subtree("disable_collisions", CONTACTS),
    subtree("drake:collision_filter_group", CONTACTS),
    subtree("joint/safety_controller", LIMITS),
    // Extensions read by Gazebo: a joint among them may close a loop, and springs are forces.
    element("gazebo", &[(Harmless, "reference version")]),
    subtree("gazebo/material", Harmless),
    subtree("gazebo/visual", Harmless),
    subtree("gazebo/light", Harmless),
    subtree("gazebo/laserRetro", Harmless),
    subtree("gazebo/provideFeedback", Harmless),
    subtree("gazebo/canonicalBody", Harmless),
    subtree("gazebo/disableFixedJointLumping", Harmless),
    subtree("gazebo/preserveFixedJoint", Harmless),
    subtree("gazebo/initial_joint_position", Harmless),
    // Settings for the integration of a spring that is defined elsewhere.
    subtree("gazebo/implicitSpringDamper", Harmless),
    subtree("gazebo/cfmDamping", Harmless),
    subtree("sensor:ray", Harmless),
    subtree("sensor:contact", Harmless),
    subtree("sensor:camera", Harmless),
    subtree("sensor:imu", Harmless),
    subtree("gazebo/plugin", PLUGINS),
    subtree("controller:gazebo_ros_power_monitor", PLUGINS),
    subtree("controller:gazebo_ros_p3d", PLUGINS),
    subtree("controller:gazebo_ros_imu", PLUGINS),
    subtree("controller:gazebo_ros_f3d", PLUGINS),
    subtree("controller:gazebo_ros_controller_manager", PLUGINS),
    subtree("gazebo/mu", CONTACTS),
    subtree("gazebo/mu1", CONTACTS),
    subtree("gazebo/mu2", CONTACTS),
    subtree("gazebo/fdir1", CONTACTS),
    subtree("gazebo/kp", CONTACTS),
    subtree("gazebo/kd", CONTACTS),
    subtree("gazebo/minDepth", CONTACTS),
    subtree("gazebo/maxVel", CONTACTS),
    subtree("gazebo/maxContacts", CONTACTS),
    subtree("gazebo/selfCollide", CONTACTS),
    subtree("gazebo/self_collide", CONTACTS),
    subtree("gazebo/collision", CONTACTS),
    subtree("gazebo/stopKp", LIMITS),
    subtree("gazebo/stopKd", LIMITS),
    subtree("gazebo/stopCfm", LIMITS),
    subtree("gazebo/stopErp", LIMITS),
    subtree("gazebo/fudgeFactor", LIMITS),
    subtree("gazebo/dampingFactor", Idealised("link damping")),
    subtree("gazebo/enable_wind", Idealised("fluid")),
    subtree("gazebo/joint", Structural),
    subtree("gazebo/joint:hinge", Structural),
    subtree("gazebo/joint:slider", Structural),
    subtree("gazebo/link", Structural),
    subtree("gazebo/model", Structural),
    subtree("gazebo/springStiffness", Structural),
    subtree("gazebo/springReference", Structural),
    subtree("gazebo/gravity", Structural),
    subtree("gazebo/turnGravityOff", Structural),
    subtree("gazebo/kinematic", Structural),
    subtree("gazebo/static", Structural),
    // Elements of SDF, which some files use in links too.
    subtree("link/gravity", Structural),
    subtree("link/kinematic", Structural),
    subtree("link/surface", CONTACTS),
    subtree("link/collision_checking", CONTACTS),
    // Extensions of URDF+, Drake and Isaac Sim.
    element("loop", &[(Used, "name type")]),
    element("loop/predecessor", &[(Used, "link")]),
    element("loop/successor", &[(Used, "link")]),
    element("loop/axis", &[(Used, "xyz")]),
    element("loop_joint", &[(Used, "name type")]),
    element("loop_joint/link1", &[(Used, "link xyz rpy")]),
    element("loop_joint/link2", &[(Used, "link xyz rpy")]),
    element("loop_joint/axis", &[(Used, "xyz")]),
    element("drake:loop_joint", &[(Used, "name type")]),
    element("drake:loop_joint/axis", &[(Used, "xyz")]),
    element("coupling", &[(Used, "name")]),
    element("coupling/predecessor", &[(Used, "link")]),
    element("coupling/successor", &[(Used, "link")]),
    element("coupling/ratio", &[(Used, "value")]),
    subtree("constraint", Structural),
    subtree("joint_constraint", Structural),
    subtree("drake:ball_constraint", Structural),
    subtree("drake:linear_bushing_rpy", Structural),
    subtree("drake:joint", Structural),
    subtree("drake:linear_spring_damper", Structural),
];

#[cfg(test)]
mod tests {
    use super::{RELEVANCE, Relevance, is_neutral};

    #[test]
    fn every_name_that_readers_of_urdf_document_has_a_class() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/urdf/names.txt");
        let text = std::fs::read_to_string(path).unwrap();
        let mut missing = Vec::new();
        let lines: Vec<&str> = text.lines().filter(|l| !l.starts_with('#')).collect();
        assert!(lines.len() > 80, "{}", lines.len());
        for line in lines {
            let (path, attributes) = line.split_once('@').unwrap_or((line, ""));
            // Paths in the table have no root, except that of the root itself.
            let path = path.strip_prefix("robot/").unwrap_or(path);
            if RELEVANCE.element(path).is_none() {
                missing.push(path.to_owned());
                continue;
            }
            let attributes = attributes.split(',').filter(|a| !a.is_empty());
            missing.extend(
                attributes.filter(|a| RELEVANCE.attribute(path, a).is_none()).map(|a| format!("{path}@{a}")),
            );
        }
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn an_element_that_says_what_holds_anyway_is_harmless() {
        assert!(is_neutral("gazebo/gravity", " 1 ") && !is_neutral("gazebo/gravity", "0"));
        assert!(is_neutral("gazebo/turnGravityOff", "false") && !is_neutral("gazebo/plugin", "true"));
        assert_eq!(RELEVANCE.element("gazebo/gravity"), Some((Relevance::Structural, true)));
    }
}
