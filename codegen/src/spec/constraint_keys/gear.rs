//! The keys of constraints of type `gear`.

use super::{COMMON, ConstraintKeys};
use crate::spec::key::{Key, Kind, TableShape, optional, required};

const OWN: &[Key] = &[
    required("first", Kind::Name, "A coordinate."),
    required("second", Kind::Name, "Another coordinate."),
    required("ratio", Kind::Value, "first = ratio * second + offset."),
    optional("offset", Kind::Value, "Default 0."),
];

pub(super) const KEYS: ConstraintKeys = ConstraintKeys {
    word: "gear",
    kind: "position",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A coordinate that follows another one. Multiplier: the effort on `first`; `second` feels −ratio times it.",
};
