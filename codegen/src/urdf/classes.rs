//! The classes of all names of URDF, and of additions by those who read it.

use crate::robot::class::Class::{Harmless, Idealised, Structural, Used};
use crate::robot::class::{Classes, Row, element, whole};

/// The table of URDF. Names are paths from `<robot>`.
pub(super) const CLASSES: Classes = Classes(&ROWS);

const CONTACTS: crate::robot::class::Class = Idealised("contacts");
const LIMITS: crate::robot::class::Class = Idealised("joint limits");

static ROWS: [Row; 63] = [
    element("robot", &[(Used, "name"), (Harmless, "version xmlns schemaLocation")]),
    element("link", &[(Used, "name"), (Harmless, "type concave")]),
    // No reader of URDF gives it a meaning.
    whole("link/origin", Harmless),
    element("link/inertial", &[]),
    element("inertial/mass", &[(Used, "value")]),
    element("inertial/inertia", &[(Used, "ixx iyy izz ixy ixz iyz")]),
    element("origin", &[(Used, "xyz rpy quat_xyzw")]),
    // `dont_collapse`: a word to readers that join links. `independent`: a choice of coordinates.
    element("joint", &[(Used, "name type"), (Harmless, "dont_collapse independent")]),
    element("joint/parent", &[(Used, "link")]),
    element("joint/child", &[(Used, "link")]),
    element("joint/axis", &[(Used, "xyz")]),
    element(
        "joint/limit",
        &[
            (Used, "lower upper effort velocity"),
            (LIMITS, "drake:acceleration acceleration jerk deceleration"),
        ],
    ),
    element(
        "joint/dynamics",
        &[
            (Used, "damping friction"),
            (Idealised("drive parameters"), "D K mu_coulomb mu_viscous"),
            (Structural, "stiffness rest_position spring_reference"),
        ],
    ),
    element("joint/mimic", &[(Used, "joint multiplier offset")]),
    // No part in the mechanics.
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
    whole("mujoco", Harmless),
    // Left out as idealised.
    whole("link/collision", CONTACTS),
    whole("link/contact", CONTACTS),
    whole("disable_collisions", CONTACTS),
    whole("drake:collision_filter_group", CONTACTS),
    whole("joint/safety_controller", LIMITS),
    // What Gazebo reads: a joint in it may close a loop, and springs are forces.
    element("gazebo", &[(Harmless, "reference version")]),
    whole("gazebo/joint", Structural),
    whole("gazebo/link", Structural),
    whole("gazebo/model", Structural),
    whole("gazebo/springStiffness", Structural),
    whole("gazebo/springReference", Structural),
    whole("gazebo/gravity", Structural),
    whole("gazebo/turnGravityOff", Structural),
    // URDF+, Drake and Isaac Sim.
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
