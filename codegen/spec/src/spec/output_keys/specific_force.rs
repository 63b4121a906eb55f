//! The keys of outputs of type `specific_force`.

use super::{DESCRIPTION, OutputKeys, SENSOR, TYPE};
use crate::spec::key::TableShape;

pub(super) const KEYS: OutputKeys = OutputKeys {
    word: "specific_force",
    kind: "specific_force",
    shape: TableShape { keys: &[&[TYPE], SENSOR, &[DESCRIPTION]] },
    own: SENSOR,
    text: "What an accelerometer reads, in its own axes [m/s^2].",
};
