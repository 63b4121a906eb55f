//! Keys of events of type `end`.

use super::{DESCRIPTION, DIRECTION, TYPE, WHEN};
use crate::spec::key::{Key, TableShape};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[WHEN, DIRECTION];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "end",
    kind: "end",
    shape: TableShape { keys: &[TYPE, OWN, DESCRIPTION] },
    own: OWN,
    text: "Ends the motion when the event occurs.",
    ..TypeKeys::PLAIN
};
