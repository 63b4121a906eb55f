//! Keys of outputs of type `energy`.

use super::{DESCRIPTION, TYPE};
use crate::spec::key::TableShape;
use crate::spec::type_keys::TypeKeys;

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "energy",
    kind: "energy",
    shape: TableShape { keys: &[&[TYPE, DESCRIPTION]] },
    own: &[],
    text: "Kinetic, potential and total energy [J].",
    ..TypeKeys::PLAIN
};
