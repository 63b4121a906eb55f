//! The keys of events, by type.

use super::key::{Family, Key, Kind, TableShape, optional, required};

const TYPE: Key = required("type", Kind::Word(&[]), "Kind.");
const DESCRIPTION: Key =
    optional("description", Kind::Text, "One line for people.").example(r#""a pendulum on a cart""#);
const WHEN: Key =
    required("when", Kind::Value, "It happens where this formula crosses zero.").example(r#""theta""#);
const RESTITUTION: Key = required(
    "restitution",
    Kind::Value,
    "Speed after over speed before, of parameters: 1 is elastic, 0 is dead.",
)
.example("0.8");

/// Ways through zero.
pub(crate) const DIRECTIONS: &[&str] = &["falling", "rising", "both"];
/// Ends of a joint's range.
pub(crate) const SIDES: &[&str] = &["lower", "upper"];

const DIRECTION: Key = optional(
    "direction",
    Kind::Word(DIRECTIONS),
    "\"falling\": from positive to negative, \"rising\" or \"both\".",
)
.default(r#""falling""#)
.example(r#""rising""#);

/// `[events.name]`
pub static EVENT: Family = Family {
    noun: "event",
    members: &[
        ("end", TableShape { keys: &[&[TYPE, WHEN, DIRECTION, DESCRIPTION]] }, "The motion ends."),
        (
            "switch",
            TableShape {
                keys: &[&[
                    TYPE,
                    WHEN,
                    DIRECTION,
                    required("set", Kind::Named(&Kind::Value), "New values of user states: state = formula.")
                        .example("{ closed = 1 }"),
                    DESCRIPTION,
                ]],
            },
            "User states get new values; a load whose formula asks for them changes with them.",
        ),
        (
            "impact",
            TableShape {
                keys: &[&[
                    TYPE,
                    required("body", Kind::Name, "The body that meets the plane.").example(r#""rod""#),
                    optional("at", Kind::Point, "The point of it that does.")
                        .default("the frame's origin")
                        .example(r#""tip""#),
                    required(
                        "plane",
                        Kind::Spot,
                        "A point of the plane: \"ground\", a body, or { body, at }.",
                    )
                    .example(r#""ground""#),
                    required(
                        "normal",
                        Kind::Axis,
                        "Out of the plane, in the axes of the frame that `plane` names.",
                    )
                    .example(r#""z""#),
                    optional("radius", Kind::Value, "Radius of a ball around the point.")
                        .unit("m")
                        .default("0")
                        .example(r#""r""#),
                    RESTITUTION,
                    DESCRIPTION,
                ]],
            },
            "A point of a body meets a plane without friction: the speeds jump.",
        ),
        (
            "joint_stop",
            TableShape {
                keys: &[&[
                    TYPE,
                    optional("joint", Kind::Name, "A joint with one coordinate.").example(r#""hinge""#),
                    optional("coordinate", Kind::Name, "Instead of `joint`: the name of a coordinate.")
                        .example(r#""theta""#),
                    required("side", Kind::Word(SIDES), "\"lower\" or \"upper\" end of the range.")
                        .example(r#""upper""#),
                    required("at", Kind::Value, "Where it is, of parameters.")
                        .unit("rad or m")
                        .example(r#""90 deg""#),
                    RESTITUTION,
                    DESCRIPTION,
                ]],
            },
            "A joint meets the end of its range: the speeds jump.",
        ),
    ],
};
