//! Keys of constraints of type `gear`.

use super::COMMON;
use crate::spec::key::{Key, Kind, TableShape, optional, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    required("first", Kind::Name, "Name of the coordinate that equals ratio * second + offset.")
        .example(r#""phi""#),
    required("second", Kind::Name, "Name of the coordinate that is multiplied by the ratio.")
        .example(r#""theta""#),
    required("ratio", Kind::Value, "Ratio in the relation first = ratio * second + offset.")
        .unit("unit of `first` divided by unit of `second`")
        .example("-2"),
    optional("offset", Kind::Value, "Value of `first` when `second` is zero.")
        .unit("unit of `first`")
        .default("0")
        .example("0"),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "gear",
    kind: "position",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A coordinate that is proportional to another one, up to an offset. Multiplier: the effort on `first`; the effort on `second` is −ratio times the multiplier.",
    ..TypeKeys::PLAIN
};
