//! Keys of constraints of type `distance`.

use super::{COMMON, FROM, TO};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    FROM,
    TO,
    required("length", Kind::Value, "Distance, as a formula of t and the parameters.")
        .unit("m")
        .example(r#""l""#),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "distance",
    kind: "distance",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "Two points at a given distance, as if connected by a massless rod. Multiplier, in N: the force on `to` along the line away from `from`, with its opposite on `from`; a positive force pushes the points apart.",
    ..TypeKeys::PLAIN
};
