//! The keys of events, by type.

use super::key::{Family, Key, Kind, TableShape, optional, required};

const TYPE: Key = required("type", Kind::Word(&[]), "Kind.");
const DESCRIPTION: Key = optional("description", Kind::Text, "One line for people.");
const WHEN: Key = required("when", Kind::Value, "It happens where this formula crosses zero.");
const RESTITUTION: Key = required(
    "restitution",
    Kind::Value,
    "Speed after over speed before, of parameters: 1 is elastic, 0 is dead.",
);

/// Ways through zero.
pub(crate) const DIRECTIONS: &[&str] = &["falling", "rising", "both"];
/// Ends of a joint's range.
pub(crate) const SIDES: &[&str] = &["lower", "upper"];

const DIRECTION: Key = optional(
    "direction",
    Kind::Word(DIRECTIONS),
    "\"falling\": from positive to negative (default), \"rising\" or \"both\".",
);

/// `[events.name]`
pub(crate) static EVENT: Family = Family {
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
                    required("set", Kind::Named(&Kind::Value), "New values of user states: state = formula."),
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
                    required("body", Kind::Name, "The body that meets the plane."),
                    optional("at", Kind::Point, "The point of it that does. Default: the frame's origin."),
                    required(
                        "plane",
                        Kind::Spot,
                        "A point of the plane: \"ground\", a body, or { body, at }.",
                    ),
                    required(
                        "normal",
                        Kind::Axis,
                        "Out of the plane, in the axes of the frame that `plane` names.",
                    ),
                    optional("radius", Kind::Value, "Radius of a ball around the point [m]. Default 0."),
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
                    optional("joint", Kind::Name, "A joint with one coordinate."),
                    optional("coordinate", Kind::Name, "Instead of `joint`: the name of a coordinate."),
                    required("side", Kind::Word(SIDES), "\"lower\" or \"upper\" end of the range."),
                    required("at", Kind::Value, "Where it is [rad or m], of parameters."),
                    RESTITUTION,
                    DESCRIPTION,
                ]],
            },
            "A joint meets the end of its range: the speeds jump.",
        ),
    ],
};
