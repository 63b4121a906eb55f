//! The keys of loads and outputs, by type.

use super::key::{Family, Key, Kind, TableShape, optional, required};

const TYPE: Key = required("type", Kind::Word(&[]), "Kind.");
const DESCRIPTION: Key = optional("description", Kind::Text, "One line for people.");
const BODY: Key = required("body", Kind::Name, "The body that it is about.");
const AT: Key =
    optional("at", Kind::Point, "\"com\", a point of the body or [x, y, z]. Default: the frame's origin.");
const FRAME: Key = optional(
    "frame",
    Kind::Spot,
    "Axes of the components: \"ground\" (default), a body, or { body, at } for those of a frame on it.",
);
const REACTION: Key = optional("reaction", Kind::Name, "The body that takes the opposite. Left out: none.");
const JOINT: Key = optional("joint", Kind::Name, "A joint with one coordinate.");
const SPEED: Key = optional("speed", Kind::Name, "Instead of `joint`: the name of a speed.");

/// `[loads.name]`
pub(crate) static LOAD: Family = Family {
    noun: "load",
    members: &[
        (
            "force",
            TableShape {
                keys: &[&[
                    TYPE,
                    BODY,
                    AT,
                    required("value", Kind::Triple, "Components [N], formulas of anything."),
                    FRAME,
                    REACTION,
                ]],
            },
            "A force on a point of a body.",
        ),
        (
            "torque",
            TableShape {
                keys: &[&[
                    TYPE,
                    BODY,
                    required("value", Kind::Triple, "Components [N*m], formulas of anything."),
                    FRAME,
                    REACTION,
                ]],
            },
            "A torque on a body.",
        ),
        (
            "spring",
            TableShape {
                keys: &[&[
                    TYPE,
                    required("from", Kind::Spot, "One end: \"ground\", a body, or { body, at }."),
                    required("to", Kind::Spot, "The other end."),
                    optional("stiffness", Kind::Value, "k [N/m], of parameters. Default 0."),
                    optional("damping", Kind::Value, "d [N*s/m]. Default 0."),
                    optional(
                        "rest_length",
                        Kind::Value,
                        "Length without tension [m], of parameters. Default 0.",
                    ),
                ]],
            },
            "A spring and damper between two points: tension k*(l - l0) + d*dl/dt.",
        ),
        (
            "line_force",
            TableShape {
                keys: &[&[
                    TYPE,
                    required("from", Kind::Spot, "One end: \"ground\", a body, or { body, at }."),
                    required("to", Kind::Spot, "The other end."),
                    required(
                        "tension",
                        Kind::Value,
                        "Pulls the ends together where it is positive [N]; a formula of anything.",
                    ),
                ]],
            },
            "A force along the line between two points: a cable, a muscle, a cylinder.",
        ),
        (
            "joint_spring",
            TableShape {
                keys: &[&[
                    TYPE,
                    JOINT,
                    optional("coordinate", Kind::Name, "Instead of `joint`: the name of a coordinate."),
                    optional("stiffness", Kind::Value, "k [N*m/rad or N/m], of parameters. Default 0."),
                    optional("damping", Kind::Value, "d [N*m*s/rad or N*s/m], of parameters. Default 0."),
                    optional("rest", Kind::Value, "Coordinate without effort, of parameters. Default 0."),
                ]],
            },
            "A spring and damper of a joint: effort -k*(q - q0) - d*dq/dt.",
        ),
        (
            "actuator",
            TableShape {
                keys: &[&[
                    TYPE,
                    JOINT,
                    SPEED,
                    required("effort", Kind::Value, "Effort along the joint's axis on the child [N*m or N]."),
                ]],
            },
            "A motor in a joint; its opposite acts on the parent.",
        ),
        (
            "generalised_force",
            TableShape {
                keys: &[&[
                    TYPE,
                    JOINT,
                    SPEED,
                    required("value", Kind::Value, "Generalised force [N*m or N]."),
                ]],
            },
            "A force on a speed, without an opposite.",
        ),
        (
            "friction",
            TableShape {
                keys: &[&[
                    TYPE,
                    JOINT,
                    SPEED,
                    optional("viscous", Kind::Value, "[N*m*s/rad or N*s/m]. Default 0."),
                    optional("coulomb", Kind::Value, "Greatest dry friction [N*m or N]. Default 0."),
                    optional(
                        "transition",
                        Kind::Value,
                        "Speed at which dry friction has reached 76 % [rad/s or m/s]; needed with `coulomb`.",
                    ),
                ]],
            },
            "Friction in a joint: effort -viscous*v - coulomb*tanh(v/transition).",
        ),
    ],
};

const SENSOR: &[Key] = &[TYPE, BODY, AT, DESCRIPTION];

/// `[outputs]` name = { … }
pub(crate) static OUTPUT: Family = Family {
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
            TableShape { keys: &[&[TYPE, required("joint", Kind::Name, "The joint."), DESCRIPTION]] },
            "Efforts of actuators, springs, dampers and friction at a joint.",
        ),
        ("energy", TableShape { keys: &[&[TYPE, DESCRIPTION]] }, "Kinetic, potential and total energy [J]."),
        (
            "formula",
            TableShape {
                keys: &[&[
                    TYPE,
                    required("value", Kind::Value, "A formula of anything."),
                    optional("unit", Kind::Unit, "Unit of the value; checked."),
                    DESCRIPTION,
                ]],
            },
            "A formula with unit and description.",
        ),
    ],
};
