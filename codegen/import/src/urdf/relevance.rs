//! Relevance of every name of URDF, and of common extensions, for the mechanics.

use crate::robot::relevance::Relevance::{Harmless, Idealised, Structural, Used};
use crate::robot::relevance::{ElementRow, Relevance, RelevanceTable, element, whole};

/// The table of URDF. Names are paths below `<robot>`.
pub(super) const RELEVANCE: RelevanceTable = RelevanceTable(&ROWS);

const CONTACTS: Relevance = Idealised("contacts");
const LIMITS: Relevance = Idealised("joint limits");
const DRIVES: Relevance = Idealised("drive parameters");
/// Programs that Gazebo runs during the simulation; some of them drive joints.
const PLUGINS: Relevance = Idealised("plugins of Gazebo");

/// Elements that affect the equations unless they have the neutral value: path and that value.
const NEUTRAL: [(&str, bool); 6] = [
    ("gazebo/gravity", true),
    ("gazebo/turnGravityOff", false),
    ("gazebo/kinematic", false),
    ("gazebo/static", false),
    ("link/gravity", true),
    ("link/kinematic", false),
];

/// Elements that define the inertia of a rotor, the only relevant ones in a transmission.
pub(super) const REFLECTED: [&str; 2] = ["drake:rotor_inertia", "drake:gear_ratio"];

/// True if an element has its neutral value, in its text or in the attribute `value`.
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
    whole("link/origin", Harmless),
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
    whole("link/visual", Harmless),
    whole("link/sensor", Harmless),
    whole("link/drake:visual", Harmless),
    whole("robot/material", Harmless),
    whole("material", Harmless),
    whole("sensor", Harmless),
    whole("transmission", Harmless),
    whole("ros2_control", Harmless),
    whole("joint/calibration", Harmless),
    whole("joint/hardwareInterface", Harmless),
    whole("link/verbose", Harmless),
    whole("link/self_filter", Harmless),
    whole("link/self_collision_checking", Harmless),
    whole("group", Harmless),
    whole("group_state", Harmless),
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
    whole("joint/mujoco", Structural),
    whole("link/mujoco", Structural),
    // Neglected, with a warning.
    whole("link/collision", CONTACTS),
    whole("link/contact", CONTACTS),
    whole("disable_collisions", CONTACTS),
    whole("drake:collision_filter_group", CONTACTS),
    whole("joint/safety_controller", LIMITS),
    // Extensions read by Gazebo: a joint among them may close a loop, and springs are forces.
    element("gazebo", &[(Harmless, "reference version")]),
    whole("gazebo/material", Harmless),
    whole("gazebo/visual", Harmless),
    whole("gazebo/light", Harmless),
    whole("gazebo/laserRetro", Harmless),
    whole("gazebo/provideFeedback", Harmless),
    whole("gazebo/canonicalBody", Harmless),
    whole("gazebo/disableFixedJointLumping", Harmless),
    whole("gazebo/preserveFixedJoint", Harmless),
    whole("gazebo/initial_joint_position", Harmless),
    // Settings for the integration of a spring that is defined elsewhere.
    whole("gazebo/implicitSpringDamper", Harmless),
    whole("gazebo/cfmDamping", Harmless),
    whole("sensor:ray", Harmless),
    whole("sensor:contact", Harmless),
    whole("sensor:camera", Harmless),
    whole("sensor:imu", Harmless),
    whole("gazebo/plugin", PLUGINS),
    whole("controller:gazebo_ros_power_monitor", PLUGINS),
    whole("controller:gazebo_ros_p3d", PLUGINS),
    whole("controller:gazebo_ros_imu", PLUGINS),
    whole("controller:gazebo_ros_f3d", PLUGINS),
    whole("controller:gazebo_ros_controller_manager", PLUGINS),
    whole("gazebo/mu", CONTACTS),
    whole("gazebo/mu1", CONTACTS),
    whole("gazebo/mu2", CONTACTS),
    whole("gazebo/fdir1", CONTACTS),
    whole("gazebo/kp", CONTACTS),
    whole("gazebo/kd", CONTACTS),
    whole("gazebo/minDepth", CONTACTS),
    whole("gazebo/maxVel", CONTACTS),
    whole("gazebo/maxContacts", CONTACTS),
    whole("gazebo/selfCollide", CONTACTS),
    whole("gazebo/self_collide", CONTACTS),
    whole("gazebo/collision", CONTACTS),
    whole("gazebo/stopKp", LIMITS),
    whole("gazebo/stopKd", LIMITS),
    whole("gazebo/stopCfm", LIMITS),
    whole("gazebo/stopErp", LIMITS),
    whole("gazebo/fudgeFactor", LIMITS),
    whole("gazebo/dampingFactor", Idealised("damping of links")),
    whole("gazebo/enable_wind", Idealised("fluid")),
    whole("gazebo/joint", Structural),
    whole("gazebo/joint:hinge", Structural),
    whole("gazebo/joint:slider", Structural),
    whole("gazebo/link", Structural),
    whole("gazebo/model", Structural),
    whole("gazebo/springStiffness", Structural),
    whole("gazebo/springReference", Structural),
    whole("gazebo/gravity", Structural),
    whole("gazebo/turnGravityOff", Structural),
    whole("gazebo/kinematic", Structural),
    whole("gazebo/static", Structural),
    // Elements of SDF, which some files use in links too.
    whole("link/gravity", Structural),
    whole("link/kinematic", Structural),
    whole("link/surface", CONTACTS),
    whole("link/collision_checking", CONTACTS),
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
    whole("constraint", Structural),
    whole("joint_constraint", Structural),
    whole("drake:ball_constraint", Structural),
    whole("drake:linear_bushing_rpy", Structural),
    whole("drake:joint", Structural),
    whole("drake:linear_spring_damper", Structural),
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
