//! Keys of events of type `switch`.

use super::{DESCRIPTION, DIRECTION, TYPE, WHEN};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    WHEN,
    DIRECTION,
    required("set", Kind::Named(&Kind::Value), "New values of user states, as { state = formula }.")
        .example("{ closed = 1 }"),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "switch",
    kind: "switch",
    shape: TableShape { keys: &[TYPE, OWN, DESCRIPTION] },
    own: OWN,
    text: "Sets user states to new values; loads whose formulas use them change accordingly.",
    ..TypeKeys::PLAIN
};
