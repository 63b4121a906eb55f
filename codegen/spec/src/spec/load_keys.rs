//! The keys of loads and outputs, by type.

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
const REACTION: Key = optional("reaction", Kind::Name, "The body that takes the opposite.")
    .default("none")
    .example(r#""base""#);
const JOINT: Key = optional("joint", Kind::Name, "A joint with one coordinate.").example(r#""hinge""#);
const SPEED: Key =
    optional("speed", Kind::Name, "Instead of `joint`: the name of a speed.").example(r#""theta_dot""#);

/// `[loads.name]`
pub static LOAD: Family = Family {
    noun: "load",
    members: &[
        (
            "force",
            TableShape {
                keys: &[&[
                    TYPE,
                    BODY,
                    AT,
                    required("value", Kind::Triple, "Components, formulas of anything.")
                        .unit("N")
                        .example(r#"[0, 0, "-k*z"]"#),
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
                    required("value", Kind::Triple, "Components, formulas of anything.")
                        .unit("N*m")
                        .example(r#"[0, 0, "-k*z"]"#),
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
                    required("from", Kind::Spot, "One end: \"ground\", a body, or { body, at }.")
                        .example(r#"{ body = "ground", at = "anchor" }"#),
                    required("to", Kind::Spot, "The other end.").example(r#""bob""#),
                    optional("stiffness", Kind::Value, "k, of parameters.")
                        .unit("N/m")
                        .default("0")
                        .example(r#""k""#),
                    optional("damping", Kind::Value, "d, of parameters.")
                        .unit("N*s/m")
                        .default("0")
                        .example(r#""d""#),
                    optional("rest_length", Kind::Value, "Length without tension, of parameters.")
                        .unit("m")
                        .default("0")
                        .example(r#""l0""#),
                ]],
            },
            "A spring and damper between two points: tension k*(l - l0) + d*dl/dt. Its length l is a distance, never negative: along a slide that passes through zero use `joint_spring`.",
        ),
        (
            "line_force",
            TableShape {
                keys: &[&[
                    TYPE,
                    required("from", Kind::Spot, "One end: \"ground\", a body, or { body, at }.")
                        .example(r#"{ body = "ground", at = "anchor" }"#),
                    required("to", Kind::Spot, "The other end.").example(r#""bob""#),
                    required(
                        "tension",
                        Kind::Value,
                        "Pulls the ends together where it is positive; a formula of anything.",
                    )
                    .unit("N")
                    .example(r#""max(0 [N], k*stretch)""#),
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
                    optional("coordinate", Kind::Name, "Instead of `joint`: the name of a coordinate.")
                        .example(r#""theta""#),
                    optional("stiffness", Kind::Value, "k, of parameters.")
                        .unit("N*m/rad or N/m")
                        .default("0")
                        .example(r#""k""#),
                    optional("damping", Kind::Value, "d, of parameters.")
                        .unit("N*m*s/rad or N*s/m")
                        .default("0")
                        .example(r#""d""#),
                    optional("rest", Kind::Value, "Coordinate without effort, of parameters.")
                        .unit("rad or m")
                        .default("0")
                        .example(r#""10 deg""#),
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
                    required("effort", Kind::Value, "Effort along the joint's axis on the child.")
                        .unit("N*m or N")
                        .example(r#""torque""#),
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
                    required("value", Kind::Value, "Generalised force.")
                        .unit("N*m or N")
                        .example(r#""F*cos(theta)""#),
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
                    optional("viscous", Kind::Value, "Viscous friction.")
                        .unit("N*m*s/rad or N*s/m")
                        .default("0")
                        .example(r#""d""#),
                    optional("coulomb", Kind::Value, "Greatest dry friction.")
                        .unit("N*m or N")
                        .default("0")
                        .example("0.5"),
                    optional(
                        "transition",
                        Kind::Value,
                        "Speed at which dry friction has reached 76 %; needed with `coulomb`.",
                    )
                    .unit("rad/s or m/s")
                    .example("1e-3"),
                ]],
            },
            "Friction in a joint: effort -viscous*v - coulomb*tanh(v/transition).",
        ),
    ],
};

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
