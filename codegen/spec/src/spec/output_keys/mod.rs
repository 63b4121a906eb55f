//! Keys of outputs, one file for each type. Their values are computed in files of
//! `mechanism/output`.

mod acceleration;
mod angular_rate;
mod energy;
mod formula;
mod joint_effort;
mod position;
mod specific_force;
mod velocity;

use super::key::{Family, Key, Kind, optional, required};
use super::type_keys::{TypeKeys, types};

// The registry: one line for each type.
types! {
    /// Types of outputs, which are entries `name = { … }` of `[outputs]`.
    OUTPUT, "output";
    position,
    velocity,
    acceleration,
    specific_force,
    angular_rate,
    joint_effort,
    energy,
    formula,
}

const TYPE: Key = required("type", Kind::Word(&[]), "Type of the output.");
const DESCRIPTION: Key =
    optional("description", Kind::Text, "One-line description.").example(r#""a pendulum on a cart""#);
const BODY: Key = required("body", Kind::Name, "Observed body.").example(r#""rod""#);
const AT: Key = optional(
    "at",
    Kind::Point,
    "Point to which the output refers: \"com\", a point of the body or [x, y, z].",
)
.default("the origin of the body frame")
.example(r#""tip""#);
const FRAME: Key = optional(
    "frame",
    Kind::Spot,
    "Axes in which the components are expressed: \"ground\", a body, or { body, at } for the axes of a frame on the body.",
)
.default(r#""ground""#)
.example(r#""ground""#);
const SENSOR: &[Key] = &[BODY, AT];
