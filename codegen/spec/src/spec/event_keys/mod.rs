//! Keys of events, one file for each type. Their effects are in files of `mechanism/event`.

mod end;
mod impact;
mod joint_stop;
mod switch;

use super::key::{Family, Key, Kind, optional, required};
use super::type_keys::{TypeKeys, types};

// The registry: one line for each type.
types! {
    /// Types of events: tables `[events.name]`.
    EVENT, "event";
    end,
    switch,
    impact,
    joint_stop,
}

const TYPE: &[Key] = &[required("type", Kind::Word(&[]), "Kind.")];
const DESCRIPTION: &[Key] =
    &[optional("description", Kind::Text, "One line for people.").example(r#""a pendulum on a cart""#)];
const WHEN: Key =
    required("when", Kind::Value, "It happens where this formula crosses zero.").example(r#""theta""#);
const DIRECTION: Key = optional(
    "direction",
    Kind::Word(&["falling", "rising", "both"]),
    "\"falling\": from positive to negative, \"rising\" or \"both\".",
)
.default(r#""falling""#)
.example(r#""rising""#);
const RESTITUTION: Key = required(
    "restitution",
    Kind::Value,
    "Speed after over speed before, of parameters: 1 is elastic, 0 is dead.",
)
.example("0.8");
