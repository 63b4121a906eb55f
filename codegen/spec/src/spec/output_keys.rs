//! The keys of outputs, by type.

use super::key::{Family, Key, Kind, TableShape, optional, required};

const TYPE: Key = required("type", Kind::Word(&[]), "Kind.");
const DESCRIPTION: Key =
    optional("description", Kind::Text, "One line for people.").example(r#""a pendulum on a cart""#);
const BODY: Key = required("body", Kind::Name, "The body that it is about.").example(r#""rod""#);
const AT: Key = optional("at", Kind::Point, "\"com\", a point of the body or [x, y, z].")
    .default("the frame's origin")
    .example(r#""tip""#);
const FRAME: Key = optional(
    "frame",
    Kind::Spot,
    "Axes of the components: \"ground\", a body, or { body, at } for those of a frame on it.",
)
.default(r#""ground""#)
.example(r#""ground""#);

const SENSOR: &[Key] = &[TYPE, BODY, AT, DESCRIPTION];

/// `[outputs]` name = { … }
pub static OUTPUT: Family = Family {
    noun: "output",
    members: &[
        (
            "position",
            TableShape { keys: &[SENSOR, &[FRAME]] },
            "Position of a point from the ground's origin [m].",
        ),
        ("velocity", TableShape { keys: &[SENSOR, &[FRAME]] }, "Velocity of a point [m/s]."),
        ("acceleration", TableShape { keys: &[SENSOR, &[FRAME]] }, "Acceleration of a point [m/s^2]."),
        (
            "specific_force",
            TableShape { keys: &[SENSOR] },
            "What an accelerometer reads, in its own axes [m/s^2].",
        ),
        ("angular_rate", TableShape { keys: &[SENSOR] }, "What a gyroscope reads, in its own axes [rad/s]."),
        (
            "joint_effort",
            TableShape {
                keys: &[&[
                    TYPE,
                    required("joint", Kind::Name, "The joint.").example(r#""hinge""#),
                    DESCRIPTION,
                ]],
            },
            "Efforts at a joint: of actuators, springs, friction; of a prescribed one, its drive.",
        ),
        ("energy", TableShape { keys: &[&[TYPE, DESCRIPTION]] }, "Kinetic, potential and total energy [J]."),
        (
            "formula",
            TableShape {
                keys: &[&[
                    TYPE,
                    required("value", Kind::Value, "A formula of anything.").example(r#""l*sin(theta)""#),
                    optional("unit", Kind::Unit, "Checked; values are in SI.").example(r#""m""#),
                    DESCRIPTION,
                ]],
            },
            "A formula with unit and description.",
        ),
    ],
};
