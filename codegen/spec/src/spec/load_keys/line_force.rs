//! Keys of loads of type `line_force`.

use super::{COMMON, FROM, TO};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    FROM,
    TO,
    required(
        "tension",
        Kind::Value,
        "Tension; positive values pull the ends together. The formula may use any name of the spec.",
    )
    .unit("N")
    .example(r#""max(0 [N], k*stretch)""#),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "line_force",
    kind: "line_force",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A force along the line between two points, such as a cable, a muscle or a hydraulic cylinder.",
    ..TypeKeys::PLAIN
};
