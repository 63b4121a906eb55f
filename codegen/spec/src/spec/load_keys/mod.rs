//! The keys of loads, one file a type. The mechanics of a kind is a file of `mechanism/load`.

mod actuator;
mod force;
mod friction;
mod generalised_force;
mod joint_spring;
mod line_force;
mod spring;
mod torque;

use super::key::{Family, Key, Kind, TableShape, optional, required};

/// The keys of a type of load.
#[derive(Debug)]
pub(crate) struct LoadKeys {
    /// The word of the format.
    pub word: &'static str,
    /// The kind of `mechanism::load` that it is.
    pub kind: &'static str,
    /// All keys.
    pub shape: TableShape,
    /// Those of them that loads have besides their type.
    pub own: &'static [Key],
    /// The key that names a coordinate or a speed in place of `joint`, where it acts in one.
    pub target: Option<&'static str>,
    /// A key that needs another one.
    pub needs: Option<Needs>,
    /// What it does.
    pub text: &'static str,
}

/// A key that needs another one.
#[derive(Debug)]
pub(crate) struct Needs {
    /// The key.
    pub key: &'static str,
    /// What it needs.
    pub other: &'static str,
    /// At the value, where the other is missing.
    pub label: &'static str,
    /// What to do.
    pub help: &'static str,
}

/// The list of types, from one line each.
macro_rules! load_types {
    ($($file:ident,)*) => {
        static ALL: &[LoadKeys] = &[$($file::KEYS),*];

        /// `[loads.name]`
        pub static LOAD: Family = Family { noun: "load", members: &[$(member($file::KEYS)),*] };
    };
}

// The registry: one line a type.
load_types! {
    force,
    torque,
    spring,
    line_force,
    joint_spring,
    actuator,
    generalised_force,
    friction,
}

const fn member(keys: LoadKeys) -> (&'static str, TableShape, &'static str) {
    (keys.word, keys.shape, keys.text)
}

/// What a type is, by its word.
pub(crate) fn load_keys(word: &str) -> Option<&'static LoadKeys> {
    ALL.iter().find(|k| k.word == word)
}

/// The kinds that the types are, in the order of the list.
pub fn load_kinds() -> Vec<&'static str> {
    ALL.iter().map(|k| k.kind).collect()
}

const COMMON: &[Key] = &[required("type", Kind::Word(&[]), "Kind.")];
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
const FROM: Key = required("from", Kind::Spot, "One end: \"ground\", a body, or { body, at }.")
    .example(r#"{ body = "ground", at = "anchor" }"#);
const TO: Key = required("to", Kind::Spot, "The other end.").example(r#""bob""#);
