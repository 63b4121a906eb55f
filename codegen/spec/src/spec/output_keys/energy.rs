//! The keys of outputs of type `energy`.

use super::{DESCRIPTION, OutputKeys, TYPE};
use crate::spec::key::TableShape;

pub(super) const KEYS: OutputKeys = OutputKeys {
    word: "energy",
    kind: "energy",
    shape: TableShape { keys: &[&[TYPE, DESCRIPTION]] },
    own: &[],
    text: "Kinetic, potential and total energy [J].",
};
