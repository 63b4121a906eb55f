//! Keys of events, one file for each type. Their effects are in files of `mechanism/event`.

mod end;
mod impact;
mod joint_stop;
mod switch;

use super::key::{Family, Key, Kind, optional, required};
use super::type_keys::{TypeKeys, types};

// The registry: one line for each type.
types! {
    /// Types of events, which are tables `[events.name]`.
    EVENT, "event";
    end,
    switch,
    impact,
    joint_stop,
}

const TYPE: &[Key] = &[required("type", Kind::Word(&[]), "Type of the event.")];
const DESCRIPTION: &[Key] =
    &[optional("description", Kind::Text, "One-line description.").example(r#""a pendulum on a cart""#)];
const WHEN: Key =
    required("when", Kind::Value, "Formula whose zero crossing is the event.").example(r#""theta""#);
const DIRECTION: Key = optional(
    "direction",
    Kind::Word(&["falling", "rising", "both"]),
    "Direction of the crossing: \"falling\" (from positive to negative), \"rising\" or \"both\".",
)
.default(r#""falling""#)
.example(r#""rising""#);
const RESTITUTION: Key = required(
    "restitution",
    Kind::Value,
    "Ratio of the speed after the impact to the speed before it, as a formula of the parameters: 1 is elastic, 0 is plastic.",
)
.example("0.8");
