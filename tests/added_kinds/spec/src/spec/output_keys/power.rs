//! Spec keys of outputs of type `power`.

use super::{DESCRIPTION, TYPE};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[required("load", Kind::Name, "The load.").example(r#""motor""#)];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "power",
    kind: "power",
    shape: TableShape { keys: &[&[TYPE], OWN, &[DESCRIPTION]] },
    own: OWN,
    text: "Power that a load puts into the mechanism [W].",
    ..TypeKeys::PLAIN
};
