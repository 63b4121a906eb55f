//! The keys of outputs of type `power`.

use super::{DESCRIPTION, OutputKeys, TYPE};
use crate::spec::key::{Key, Kind, TableShape, required};

const OWN: &[Key] = &[required("load", Kind::Name, "The load.").example(r#""motor""#)];

pub(super) const KEYS: OutputKeys = OutputKeys {
    word: "power",
    kind: "power",
    shape: TableShape { keys: &[&[TYPE], OWN, &[DESCRIPTION]] },
    own: OWN,
    text: "Power that a load puts into the mechanism [W].",
};
