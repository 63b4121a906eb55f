//! Keys of loads, one file for each type. Their mechanics are in files of `mechanism/load`.

mod actuator;
mod force;
mod friction;
mod generalised_force;
mod joint_spring;
mod line_force;
mod spring;
mod torque;

use super::key::{Family, Key, Kind, optional, required};
use super::type_keys::{TypeKeys, types};

// The registry: one line for each type.
types! {
    /// Types of loads, which are tables `[loads.name]`.
    LOAD, "load";
    force,
    torque,
    spring,
    line_force,
    joint_spring,
    actuator,
    generalised_force,
    friction,
}

const COMMON: &[Key] = &[required("type", Kind::Word(&[]), "Type of the load.")];
const BODY: Key = required("body", Kind::Name, "Body that the load acts on.").example(r#""rod""#);
const AT: Key =
    optional("at", Kind::Point, "Point on which the load acts: \"com\", a point of the body or [x, y, z].")
        .default("the origin of the body frame")
        .example(r#""tip""#);
const FRAME: Key = optional(
    "frame",
    Kind::Spot,
    "Axes in which the components are expressed: \"ground\", a body, or { body, at } for the axes of a frame on the body.",
)
.default(r#""ground""#)
.example(r#""ground""#);
const REACTION: Key =
    optional("reaction", Kind::Name, "Body on which the reaction acts.").default("none").example(r#""base""#);
const JOINT: Key =
    optional("joint", Kind::Name, "Name of a joint with one coordinate.").example(r#""hinge""#);
const SPEED: Key =
    optional("speed", Kind::Name, "Name of a speed, as an alternative to `joint`.").example(r#""theta_dot""#);
const FROM: Key = required("from", Kind::Spot, "One end: \"ground\", a body, or { body, at }.")
    .example(r#"{ body = "ground", at = "anchor" }"#);
const TO: Key =
    required("to", Kind::Spot, "The other end: \"ground\", a body, or { body, at }.").example(r#""bob""#);
