//! Spec keys of events of type `count`.

use super::{DESCRIPTION, DIRECTION, TYPE, WHEN};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    WHEN,
    DIRECTION,
    required("counter", Kind::Name, "The user state that grows.").example(r#""turns""#),
    required("step", Kind::Value, "Its growth, of the state right before.").example("1"),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "count",
    kind: "count",
    shape: TableShape { keys: &[TYPE, OWN, DESCRIPTION] },
    own: OWN,
    text: "A user state grows by the value of a formula.",
    ..TypeKeys::PLAIN
};
