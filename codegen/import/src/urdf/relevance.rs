//! Relevance of every name of URDF, and of common extensions, for the mechanics.

use crate::robot::relevance::Relevance::{Harmless, Idealised, Structural, Used};
use crate::robot::relevance::{ElementRow, Relevance, RelevanceTable, element_row, subtree_row};

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
pub(super) fn has_neutral_value(path: &str, text: &str) -> bool {
    let holds = match text.trim() {
        "true" | "1" => true,
        "false" | "0" => false,
        _ => return false,
    };
    NEUTRAL.contains(&(path, holds))
}

static ROWS: [ElementRow; 116] = [
    element_row("robot", &[(Used, "name"), (Harmless, "version xmlns schemaLocation")]),
    element_row("link", &[(Used, "name"), (Harmless, "type concave")]),
    // Not interpreted by any reader of URDF.
    subtree_row("link/origin", Harmless),
    element_row("link/inertial", &[]),
    element_row("inertial/mass", &[(Used, "value")]),
    element_row("inertial/inertia", &[(Used, "ixx iyy izz ixy ixz iyz")]),
    element_row("origin", &[(Used, "xyz rpy quat_xyzw")]),
    // `dont_collapse` is an option for readers that merge links, `independent` a choice of
    // coordinates.
    element_row("joint", &[(Used, "name type"), (Harmless, "dont_collapse independent")]),
    element_row("joint/parent", &[(Used, "link")]),
    element_row("joint/child", &[(Used, "link")]),
    element_row("joint/axis", &[(Used, "xyz")]),
    element_row(
        "joint/limit",
        &[
            (Used, "lower upper effort velocity"),
            (LIMITS, "drake:acceleration acceleration jerk deceleration"),
            (DRIVES, "current command_effort gear_velocity"),
        ],
    ),
    element_row(
        "joint/dynamics",
        &[
            (Used, "damping friction"),
            (DRIVES, "D K mu_coulomb mu_viscous"),
            (Structural, "stiffness rest_position spring_reference"),
        ],
    ),
    element_row("joint/joint_properties", &[(Used, "damping friction")]),
    element_row("joint/mimic", &[(Used, "joint multiplier offset")]),
    // Not relevant for the mechanics.
    subtree_row("link/visual", Harmless),
    subtree_row("link/sensor", Harmless),
    subtree_row("link/drake:visual", Harmless),
    subtree_row("robot/material", Harmless),
    subtree_row("material", Harmless),
    subtree_row("sensor", Harmless),
    subtree_row("transmission", Harmless),
    subtree_row("ros2_control", Harmless),
    subtree_row("joint/calibration", Harmless),
    subtree_row("joint/hardwareInterface", Harmless),
    subtree_row("link/verbose", Harmless),
    subtree_row("link/self_filter", Harmless),
    subtree_row("link/self_collision_checking", Harmless),
    subtree_row("group", Harmless),
    subtree_row("group_state", Harmless),
    // Settings for MuJoCo, which also reads URDF.
    element_row("mujoco", &[]),
    element_row(
        "mujoco/compiler",
        &[
            (
                Harmless,
                "meshdir texturedir assetdir strippath discardvisual convexhull fusestatic inertiafromgeom angle autolimits",
            ),
            (Structural, "settotalmass boundmass boundinertia balanceinertia"),
        ],
    ),
    element_row("mujoco/size", &[(Harmless, "njmax nconmax nstack memory")]),
    subtree_row("joint/mujoco", Structural),
    subtree_row("link/mujoco", Structural),
    // Neglected, with a warning.
    subtree_row("link/collision", CONTACTS),
    subtree_row("link/contact", CONTACTS),
    subtree_row("disable_collisions", CONTACTS),
    subtree_row("drake:collision_filter_group", CONTACTS),
    subtree_row("joint/safety_controller", LIMITS),
    // Extensions read by Gazebo: a joint among them may close a loop, and springs are forces.
    element_row("gazebo", &[(Harmless, "reference version")]),
    subtree_row("gazebo/material", Harmless),
    subtree_row("gazebo/visual", Harmless),
    subtree_row("gazebo/light", Harmless),
    subtree_row("gazebo/laserRetro", Harmless),
    subtree_row("gazebo/provideFeedback", Harmless),
    subtree_row("gazebo/canonicalBody", Harmless),
    subtree_row("gazebo/disableFixedJointLumping", Harmless),
    subtree_row("gazebo/preserveFixedJoint", Harmless),
    subtree_row("gazebo/initial_joint_position", Harmless),
    // Settings for the integration of a spring that is defined elsewhere.
    subtree_row("gazebo/implicitSpringDamper", Harmless),
    subtree_row("gazebo/cfmDamping", Harmless),
    subtree_row("sensor:ray", Harmless),
    subtree_row("sensor:contact", Harmless),
    subtree_row("sensor:camera", Harmless),
    subtree_row("sensor:imu", Harmless),
    subtree_row("gazebo/plugin", PLUGINS),
    subtree_row("controller:gazebo_ros_power_monitor", PLUGINS),
    subtree_row("controller:gazebo_ros_p3d", PLUGINS),
    subtree_row("controller:gazebo_ros_imu", PLUGINS),
    subtree_row("controller:gazebo_ros_f3d", PLUGINS),
    subtree_row("controller:gazebo_ros_controller_manager", PLUGINS),
    subtree_row("gazebo/mu", CONTACTS),
    subtree_row("gazebo/mu1", CONTACTS),
    subtree_row("gazebo/mu2", CONTACTS),
    subtree_row("gazebo/fdir1", CONTACTS),
    subtree_row("gazebo/kp", CONTACTS),
    subtree_row("gazebo/kd", CONTACTS),
    subtree_row("gazebo/minDepth", CONTACTS),
    subtree_row("gazebo/maxVel", CONTACTS),
    subtree_row("gazebo/maxContacts", CONTACTS),
    subtree_row("gazebo/selfCollide", CONTACTS),
    subtree_row("gazebo/self_collide", CONTACTS),
    subtree_row("gazebo/collision", CONTACTS),
    subtree_row("gazebo/stopKp", LIMITS),
    subtree_row("gazebo/stopKd", LIMITS),
    subtree_row("gazebo/stopCfm", LIMITS),
    subtree_row("gazebo/stopErp", LIMITS),
    subtree_row("gazebo/fudgeFactor", LIMITS),
    subtree_row("gazebo/dampingFactor", Idealised("link damping")),
    subtree_row("gazebo/enable_wind", Idealised("fluid")),
    subtree_row("gazebo/joint", Structural),
    subtree_row("gazebo/joint:hinge", Structural),
    subtree_row("gazebo/joint:slider", Structural),
    subtree_row("gazebo/link", Structural),
    subtree_row("gazebo/model", Structural),
    subtree_row("gazebo/springStiffness", Structural),
    subtree_row("gazebo/springReference", Structural),
    subtree_row("gazebo/gravity", Structural),
    subtree_row("gazebo/turnGravityOff", Structural),
    subtree_row("gazebo/kinematic", Structural),
    subtree_row("gazebo/static", Structural),
    // Elements of SDF, which some files use in links too.
    subtree_row("link/gravity", Structural),
    subtree_row("link/kinematic", Structural),
    subtree_row("link/surface", CONTACTS),
    subtree_row("link/collision_checking", CONTACTS),
    // Extensions of URDF+, Drake and Isaac Sim.
    element_row("loop", &[(Used, "name type")]),
    element_row("loop/predecessor", &[(Used, "link")]),
    element_row("loop/successor", &[(Used, "link")]),
    element_row("loop/axis", &[(Used, "xyz")]),
    element_row("loop_joint", &[(Used, "name type")]),
    element_row("loop_joint/link1", &[(Used, "link xyz rpy")]),
    element_row("loop_joint/link2", &[(Used, "link xyz rpy")]),
    element_row("loop_joint/axis", &[(Used, "xyz")]),
    element_row("drake:loop_joint", &[(Used, "name type")]),
    element_row("drake:loop_joint/axis", &[(Used, "xyz")]),
    element_row("coupling", &[(Used, "name")]),
    element_row("coupling/predecessor", &[(Used, "link")]),
    element_row("coupling/successor", &[(Used, "link")]),
    element_row("coupling/ratio", &[(Used, "value")]),
    subtree_row("constraint", Structural),
    subtree_row("joint_constraint", Structural),
    subtree_row("drake:ball_constraint", Structural),
    subtree_row("drake:linear_bushing_rpy", Structural),
    subtree_row("drake:joint", Structural),
    subtree_row("drake:linear_spring_damper", Structural),
];

#[cfg(test)]
mod tests {
    use super::{RELEVANCE, Relevance, has_neutral_value};

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
            if RELEVANCE.element_relevance(path).is_none() {
                missing.push(path.to_owned());
                continue;
            }
            let attributes = attributes.split(',').filter(|a| !a.is_empty());
            missing.extend(
                attributes
                    .filter(|a| RELEVANCE.attribute_relevance(path, a).is_none())
                    .map(|a| format!("{path}@{a}")),
            );
        }
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn an_element_that_says_what_holds_anyway_is_harmless() {
        assert!(has_neutral_value("gazebo/gravity", " 1 ") && !has_neutral_value("gazebo/gravity", "0"));
        assert!(
            has_neutral_value("gazebo/turnGravityOff", "false")
                && !has_neutral_value("gazebo/plugin", "true")
        );
        assert_eq!(RELEVANCE.element_relevance("gazebo/gravity"), Some((Relevance::Structural, true)));
    }
}
