//! The keys of outputs, one file a type. What a kind gives is a file of `mechanism/output`.

mod acceleration;
mod angular_rate;
mod energy;
mod formula;
mod joint_effort;
mod position;
mod specific_force;
mod velocity;

use super::key::{Family, Key, Kind, TableShape, optional, required};

/// The keys of a type of output.
#[derive(Debug)]
pub(crate) struct OutputKeys {
    /// The word of the format.
    pub word: &'static str,
    /// The kind of `mechanism::output` that it is.
    pub kind: &'static str,
    /// All keys.
    pub shape: TableShape,
    /// Those of them that outputs have besides type and description.
    pub own: &'static [Key],
    /// What it gives.
    pub text: &'static str,
}

/// The list of types, from one line each.
macro_rules! output_types {
    ($($file:ident,)*) => {
        static ALL: &[OutputKeys] = &[$($file::KEYS),*];

        /// `[outputs]` name = { … }
        pub static OUTPUT: Family = Family { noun: "output", members: &[$(member($file::KEYS)),*] };
    };
}

// The registry: one line a type.
output_types! {
    position,
    velocity,
    acceleration,
    specific_force,
    angular_rate,
    joint_effort,
    energy,
    formula,
}

const fn member(keys: OutputKeys) -> (&'static str, TableShape, &'static str) {
    (keys.word, keys.shape, keys.text)
}

/// What a type is, by its word.
pub(crate) fn output_keys(word: &str) -> Option<&'static OutputKeys> {
    ALL.iter().find(|k| k.word == word)
}

/// The kinds that the types are, in the order of the list.
pub fn output_kinds() -> Vec<&'static str> {
    ALL.iter().map(|k| k.kind).collect()
}

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
const SENSOR: &[Key] = &[BODY, AT];
