//! Keys of joints, one file for each type. Their mechanics are in files of `mechanism/joint`.

mod cylindrical;
mod direction;
mod fixed;
mod free;
mod helical;
mod planar;
mod prismatic;
mod revolute;
mod spherical;
mod universal;

use super::key::{Family, Key, Kind, TableShape, optional, required};
use super::keys::SEQUENCES;

/// Declaration of one type of joint in the format of specs: its word, keys and description.
#[derive(Debug)]
pub(crate) struct JointKeys {
    /// Value of the key `type` of such a joint, for example `revolute`.
    pub word: &'static str,
    /// All keys that a joint of this type may have.
    pub shape: TableShape,
    /// The keys that only this type of joint has: axes and values that define it.
    pub own: &'static [Key],
    /// Description of the joint type, one sentence for the reference.
    pub text: &'static str,
    /// Constraint that replaces a joint of this type if it would close a loop.
    pub closing: Closing,
}

/// Constraint that may replace a joint of this type which would close a loop; the help of the
/// message about a loop names it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Closing {
    /// A constraint of this type, which has the same keys as the joint.
    By(&'static str),
    /// A constraint of this type with a normal, the cross product of the two axes of the joint.
    ByNormal(&'static str),
    /// A constraint of this type, or the planar one with fewer rows if all motion is in one plane.
    Flat(&'static str, Flat),
    /// No constraint is equivalent; the text is advice for the message.
    Never(&'static str),
}

/// A planar constraint that closes a loop whose motion is in one plane; see [`Closing::Flat`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flat {
    /// Type of the planar constraint, such as `planar_revolute`.
    pub word: &'static str,
    /// True if the normal of the plane is the axis of the joint, as for a revolute joint.
    pub about_axis: bool,
}

/// Declares the registry of joint types, from one line for each type.
macro_rules! joint_types {
    ($($file:ident,)*) => {
        static ALL: &[JointKeys] = &[$($file::KEYS),*];

        /// Types of joints, which are tables `[joints.name]`.
        pub static JOINT: Family =
            Family { noun: "joint", members: &[$(member($file::KEYS)),*] };
    };
}

// The registry: one line for each type.
joint_types! {
    fixed,
    revolute,
    prismatic,
    helical,
    cylindrical,
    universal,
    planar,
    spherical,
    free,
    direction,
}

/// The word, keys and description of a joint type, as a member of the family of joints.
const fn member(keys: JointKeys) -> (&'static str, TableShape, &'static str) {
    (keys.word, keys.shape, keys.text)
}

/// Declaration of the joint type with this value of the key `type`.
pub(crate) fn joint_keys(word: &str) -> Option<&'static JointKeys> {
    ALL.iter().find(|k| k.word == word)
}

/// Values of the key `type` of all joint types, in the order of the registry.
pub fn joint_words() -> Vec<&'static str> {
    ALL.iter().map(|k| k.word).collect()
}

/// Constraint that replaces a joint of this type if it would close a loop.
pub(crate) fn joint_closing(word: &str) -> Option<Closing> {
    joint_keys(word).map(|k| k.closing)
}

const ENDS: &[Key] = &[
    required("type", Kind::Word(&[]), "Type of the joint."),
    required(
        "parent",
        Kind::Frame,
        "Frame that carries the joint: \"ground\", a body, or { body, at, rotation }.",
    )
    .example(r#""ground""#),
    required("child", Kind::Frame, "Frame that the joint carries: a body, or { body, at, rotation }.")
        .example(r#"{ body = "rod", at = "pivot" }"#),
];

const AXIS: Key = required("axis", Kind::Axis, "Joint axis, in the joint frame: \"x\", \"-y\" or [x, y, z].")
    .example(r#""z""#);
const PLAIN_COORDINATES: Key =
    optional("coordinates", Kind::Table(&COORDINATES), "Names and initial values of the coordinates.")
        .example(r#"{ names = ["theta"], start = ["30 deg"] }"#);
const PLAIN_SPEEDS: Key = optional("speeds", Kind::Table(&SPEEDS), "Names and initial values of the speeds.")
    .example(r#"{ names = ["omega"], start = [2] }"#);
const PLANAR_SPEEDS: Key =
    optional("speeds", Kind::Table(&MOVING_SPEEDS), "Names, initial values and axes of the speeds.")
        .example(r#"{ velocity_frame = "body" }"#);
const ARMATURE: Key = optional(
    "armature",
    Kind::Value,
    "Inertia added to the diagonal of M, as in MuJoCo, without a reaction on any body.",
)
.unit("kg*m^2, or kg for a prismatic joint")
.default("0")
.example("0.01");
const ROTOR_KEY: Key = optional(
    "rotor",
    Kind::Table(&ROTOR),
    "Rotor of a geared motor, whose reaction acts on the body that carries it.",
)
.example("{ inertia = 2e-5, ratio = 100 }");

const LIMITS_KEY: Key = optional(
    "limits",
    Kind::Table(&LIMITS),
    "Joint limits, included in the emitted module as data; no equation enforces them. For a stop, use an event.",
)
.default("none")
.example(r#"{ position = ["-150 deg", "150 deg"], speed = 3, effort = 87 }"#);

const START: Kind = Kind::Either(&[Kind::Values, Kind::Named(&Kind::Value)]);
const SELECTION: Kind = Kind::Either(&[Kind::Flag, Kind::Names]);
const NAMES: Key = optional("names", Kind::Names, "One name for each coordinate.")
    .default("derived from the name of the joint")
    .example(r#"["theta"]"#);
const STARTS: Key = optional(
    "start",
    START,
    "Initial values, one for each coordinate that is not prescribed, or { name = value } for only some of them.",
)
.unit("rad or m")
.default("0")
.example(r#"["30 deg"]"#);
const PRESCRIBED: Key = optional(
    "prescribed",
    Kind::Either(&[Kind::Value, Kind::Named(&Kind::Value)]),
    "Motion of the coordinate, as a formula of t; for several coordinates, { name = formula }.",
)
.unit("rad or m")
.default("not prescribed")
.example(r#""a*sin(w*t)""#);
const MEASURED: Key =
    optional("measured_from", Kind::Word(&["parent", "ground"]), "Body from which the angles are measured. With \"ground\", the child's orientation does not depend on the rotation of the parent's frame.")
        .default(r#""parent", or "ground" for a direction joint"#)
        .example(r#""ground""#);
const SEQUENCE: Key = optional("sequence", Kind::Word(SEQUENCES), "Sequence of intrinsic rotations.")
    .default(r#""xyz""#)
    .example(r#""zyx""#);
const QUATERNION: Key = optional(
    "quaternion",
    Kind::Flag,
    "If true, the attitude is a unit quaternion, with the scalar part first.",
)
.default("false")
.example("true");
const SPEED_NAMES: Key = optional("names", Kind::Names, "One name for each speed.")
    .default("`theta_dot` for the coordinate `theta`")
    .example(r#"["omega"]"#);
const SPEED_STARTS: Key = optional(
    "start",
    START,
    "Initial values, one for each free speed, or { name = value } for only some of them. Assembly keeps these values.",
)
.unit("rad/s or m/s")
.default("0")
.example("[2]");
const SPEED_KIND: Key = optional(
    "kind",
    Kind::Word(&["rates", "body_rates", "parent_rates", "intermediate_rates"]),
    "Rates of the angles (rates), or the angular velocity in child axes (body_rates), in the axes of the \
     parent's joint frame, which are ground axes with measured_from = \"ground\" (parent_rates), or in the \
     axes after the first two rotations, which do not spin with the child (intermediate_rates).",
)
.default(r#""rates", or "body_rates" with a quaternion"#)
.example(r#""body_rates""#);

const HOLD: Key = optional(
    "hold",
    SELECTION,
    "Coordinates whose initial values assembly keeps: true for all, or a list of names. The other initial values are guesses.",
)
.default("false")
.example("true");
const FREE: Key = optional(
    "free",
    SELECTION,
    "Speeds whose initial values are guesses that assembly may change: true for all, or a list of names.",
)
.default("false")
.example(r#"["vx", "vy"]"#);

const VELOCITY_FRAME: Key = optional(
    "velocity_frame",
    Kind::Word(&["parent", "body"]),
    "Axes in which the linear speeds are expressed.",
)
.default(r#""parent""#)
.example(r#""body""#);

static COORDINATES: TableShape = TableShape { keys: &[&[NAMES, STARTS, PRESCRIBED, HOLD]] };
static ANGLE: TableShape = TableShape { keys: &[&[NAMES, STARTS, PRESCRIBED, HOLD, MEASURED]] };
static ATTITUDE: TableShape =
    TableShape { keys: &[&[SEQUENCE, QUATERNION, NAMES, STARTS, PRESCRIBED, HOLD, MEASURED]] };
static SPEEDS: TableShape = TableShape { keys: &[&[SPEED_NAMES, SPEED_STARTS, FREE]] };
static ATTITUDE_SPEEDS: TableShape = TableShape { keys: &[&[SPEED_KIND, SPEED_NAMES, SPEED_STARTS, FREE]] };
static FREE_SPEEDS: TableShape =
    TableShape { keys: &[&[SPEED_KIND, SPEED_NAMES, SPEED_STARTS, FREE, VELOCITY_FRAME]] };
static MOVING_SPEEDS: TableShape = TableShape { keys: &[&[SPEED_NAMES, SPEED_STARTS, FREE, VELOCITY_FRAME]] };
static LIMITS: TableShape = TableShape {
    keys: &[&[
        optional("position", Kind::Pair, "Lowest and highest value of the coordinate.")
            .unit("rad, or m for a prismatic joint")
            .default("none")
            .example(r#"["-150 deg", "150 deg"]"#),
        optional("speed", Kind::Value, "Maximum speed in either direction.")
            .unit("rad/s, or m/s for a prismatic joint")
            .default("none")
            .example("3"),
        optional(
            "effort",
            Kind::Value,
            "Maximum force along the joint axis, or moment about it, in either direction.",
        )
        .unit("N*m, or N for a prismatic joint")
        .default("none")
        .example("87"),
    ]],
};
static ROTOR: TableShape = TableShape {
    keys: &[&[
        required("inertia", Kind::Value, "Inertia of the rotor about its axis.").unit("kg*m^2").example("2e-5"),
        required("ratio", Kind::Value, "Turns of the rotor, relative to the body that carries it, per turn of the joint.").unit("1, or rad/m for a prismatic joint").example("100"),
        optional("on", Kind::Name, "Body that carries the rotor (required): the parent or the child of the joint. Its mass and inertia include the rotor at rest.").example(r#""base""#),
        optional("axis", Kind::Axis, "Axis of the rotor, in the joint's frame on the body that carries it.").default("the joint's axis").example(r#""z""#),
    ]],
};
