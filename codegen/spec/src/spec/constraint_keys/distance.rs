//! Keys of constraints of type `distance`.

use super::{COMMON, FROM, TO};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    FROM,
    TO,
    required("length", Kind::Value, "Distance between the two points, as a formula of t and the parameters.")
        .unit("m")
        .example(r#""l""#),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "distance",
    kind: "distance",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "Keeps two points at a given distance, like a massless rod between them. Multiplier, in N: the force on `to` along the line away from `from`, and the opposite force on `from`; a positive force pushes the points apart.",
    ..TypeKeys::PLAIN
};
