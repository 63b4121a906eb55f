//! The keys of joints, by type.

use super::key::{Family, Key, Kind, Shape, optional, required};
use super::keys::SEQUENCES;

const ENDS: &[Key] = &[
    required("type", Kind::Word(&[]), "Kind of joint."),
    required("parent", Kind::Frame, "\"ground\", a body, or { body, at, rotation }."),
    required("child", Kind::Frame, "The body that the joint carries, or { body, at, rotation }."),
];

const AXIS: Key = required("axis", Kind::Axis, "\"x\", \"-y\" or [x, y, z], in the joint frame.");
const PLAIN_COORDINATES: Key = optional("coordinates", Kind::Table(&COORDINATES), "Names and starts.");
const PLAIN_SPEEDS: Key = optional("speeds", Kind::Table(&SPEEDS), "Names and starts of the speeds.");
const ARMATURE: Key = optional(
    "armature",
    Kind::Value,
    "Added to the diagonal of M at the joint's speed, as in MuJoCo and Pinocchio; no body feels it [kg*m^2; of a slide kg].",
);
const ROTOR_KEY: Key = optional(
    "rotor",
    Kind::Table(&ROTOR),
    "A motor's rotor behind a gear, with what it does to the body it rides on.",
);

const START: Kind = Kind::Either(&[Kind::Values, Kind::Named(&Kind::Value)]);
const SELECTION: Kind = Kind::Either(&[Kind::Flag, Kind::Names]);
const NAMES: Key = optional("names", Kind::Names, "One name a coordinate.");
const STARTS: Key = optional(
    "start",
    START,
    "Initial values, one a coordinate that is not prescribed, or { name = value } for some. Default 0.",
);
const PRESCRIBED: Key = optional(
    "prescribed",
    Kind::Either(&[Kind::Value, Kind::Named(&Kind::Value)]),
    "A formula of t that moves the coordinate; of several coordinates: { name = formula }.",
);
const MEASURED: Key = optional(
    "measured_from",
    Kind::Word(&["parent", "ground"]),
    "What the angles are measured from. Default: the parent; for a direction joint the ground.",
);
const SEQUENCE: Key = optional("sequence", Kind::Word(SEQUENCES), "Intrinsic angles. Default xyz.");
const QUATERNION: Key = optional("quaternion", Kind::Flag, "true: a unit quaternion, scalar first.");
const SPEED_NAMES: Key = optional("names", Kind::Names, "One name a speed.");
const SPEED_STARTS: Key = optional(
    "start",
    START,
    "Initial values, one a free speed, or { name = value } for some. Assembly keeps what is given.",
);
const SPEED_KIND: Key = optional(
    "kind",
    Kind::Word(&["rates", "body_rates"]),
    "rates of the angles (default), or angular velocity in child axes (always so with a quaternion).",
);

const HOLD: Key = optional(
    "hold",
    SELECTION,
    "true, or names: assembly of constraints keeps these starts; others are guesses. Default false.",
);
const FREE: Key = optional(
    "free",
    SELECTION,
    "true, or names: the starts of these speeds are guesses, which assembly may change. Default false.",
);

static COORDINATES: Shape = Shape { keys: &[&[NAMES, STARTS, PRESCRIBED, HOLD]] };
static ANGLE: Shape = Shape { keys: &[&[NAMES, STARTS, PRESCRIBED, HOLD, MEASURED]] };
static ATTITUDE: Shape =
    Shape { keys: &[&[SEQUENCE, QUATERNION, NAMES, STARTS, PRESCRIBED, HOLD, MEASURED]] };
static SPEEDS: Shape = Shape { keys: &[&[SPEED_NAMES, SPEED_STARTS, FREE]] };
static ATTITUDE_SPEEDS: Shape = Shape { keys: &[&[SPEED_KIND, SPEED_NAMES, SPEED_STARTS, FREE]] };
static FREE_SPEEDS: Shape = Shape {
    keys: &[&[
        SPEED_KIND,
        SPEED_NAMES,
        SPEED_STARTS,
        FREE,
        optional(
            "velocity_frame",
            Kind::Word(&["parent", "body"]),
            "Axes of the linear speeds. Default: the parent's.",
        ),
    ]],
};
static ROTOR: Shape = Shape {
    keys: &[&[
        required("inertia", Kind::Value, "Inertia of the rotor about its axis [kg*m^2]."),
        required(
            "ratio",
            Kind::Value,
            "Turns of the rotor for one of the joint, relative to the body it rides on (of a slide rad/m).",
        ),
        optional(
            "on",
            Kind::Name,
            "The body it rides on: parent or child of the joint. Its mass and inertia include the rotor at rest.",
        ),
        optional("axis", Kind::Axis, "In the joint's frame on that body. Default: the joint's axis."),
    ]],
};

/// `[joints.name]`
pub(super) static JOINT: Family = Family {
    noun: "joint",
    members: &[
        ("fixed", Shape { keys: &[ENDS] }, "No motion."),
        (
            "revolute",
            Shape {
                keys: &[
                    ENDS,
                    &[
                        AXIS,
                        optional("coordinates", Kind::Table(&ANGLE), "Name and start of the angle."),
                        PLAIN_SPEEDS,
                        ARMATURE,
                        ROTOR_KEY,
                    ],
                ],
            },
            "Turns about an axis.",
        ),
        (
            "prismatic",
            Shape { keys: &[ENDS, &[AXIS, PLAIN_COORDINATES, PLAIN_SPEEDS, ARMATURE, ROTOR_KEY]] },
            "Slides along an axis.",
        ),
        (
            "helical",
            Shape {
                keys: &[
                    ENDS,
                    &[
                        AXIS,
                        required("pitch", Kind::Value, "Displacement for one radian [m/rad]."),
                        PLAIN_COORDINATES,
                        PLAIN_SPEEDS,
                        ARMATURE,
                        ROTOR_KEY,
                    ],
                ],
            },
            "Turns about an axis and moves along it in proportion.",
        ),
        (
            "cylindrical",
            Shape { keys: &[ENDS, &[AXIS, PLAIN_COORDINATES, PLAIN_SPEEDS]] },
            "Turns about an axis and slides along it: angle, displacement.",
        ),
        (
            "universal",
            Shape {
                keys: &[
                    ENDS,
                    &[
                        optional(
                            "axes",
                            Kind::Axes,
                            "First axis (fixed in the parent), second (fixed in the child). Default x, y.",
                        ),
                        PLAIN_COORDINATES,
                        PLAIN_SPEEDS,
                    ],
                ],
            },
            "Turns about an axis of the parent, then about one of the child.",
        ),
        (
            "planar",
            Shape {
                keys: &[
                    ENDS,
                    &[
                        optional("axes", Kind::Axes, "The two axes of the plane, orthogonal. Default x, y."),
                        PLAIN_COORDINATES,
                        PLAIN_SPEEDS,
                    ],
                ],
            },
            "Two displacements in a plane, then the angle about its normal.",
        ),
        (
            "spherical",
            Shape {
                keys: &[
                    ENDS,
                    &[
                        optional("coordinates", Kind::Table(&ATTITUDE), "How the attitude is written."),
                        optional("speeds", Kind::Table(&ATTITUDE_SPEEDS), "What the speeds are."),
                    ],
                ],
            },
            "Turns about a point.",
        ),
        (
            "free",
            Shape {
                keys: &[
                    ENDS,
                    &[
                        optional(
                            "coordinates",
                            Kind::Table(&ATTITUDE),
                            "Three displacements, then how the attitude is written.",
                        ),
                        optional(
                            "speeds",
                            Kind::Table(&FREE_SPEEDS),
                            "What the speeds are: three linear, three angular.",
                        ),
                    ],
                ],
            },
            "No restriction: position, then attitude.",
        ),
        (
            "direction",
            Shape {
                keys: &[
                    ENDS,
                    &[
                        optional(
                            "coordinates",
                            Kind::Table(&ANGLE),
                            "Azimuth and elevation of the child's axis x.",
                        ),
                        PLAIN_SPEEDS,
                    ],
                ],
            },
            "Azimuth and elevation of a line body's axis x; no roll.",
        ),
    ],
};
