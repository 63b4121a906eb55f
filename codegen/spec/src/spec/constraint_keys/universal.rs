//! Keys of constraints of type `universal`.

use super::{COMMON, FROM, TO};
use crate::spec::key::{Key, Kind, TableShape, optional};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    FROM,
    TO,
    optional(
        "axes",
        Kind::Axes,
        "Two axes of the universal joint: the first fixed in `from`, the second in `to`.",
    )
    .default(r#"["x", "y"]"#)
    .example(r#"["x", "y"]"#),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "universal",
    kind: "universal",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A loop closed by a universal joint. Multipliers: forces fx, fy, fz along the axes of `from`, and the moment m about (axis of `to`) × (axis of `from`); they act on `to` at its origin, and equal and opposite ones act on `from`.",
    ..TypeKeys::PLAIN
};
