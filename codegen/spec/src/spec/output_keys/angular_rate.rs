//! The keys of outputs of type `angular_rate`.

use super::{DESCRIPTION, OutputKeys, SENSOR, TYPE};
use crate::spec::key::TableShape;

pub(super) const KEYS: OutputKeys = OutputKeys {
    word: "angular_rate",
    kind: "angular_rate",
    shape: TableShape { keys: &[&[TYPE], SENSOR, &[DESCRIPTION]] },
    own: SENSOR,
    text: "What a gyroscope reads, in its own axes [rad/s].",
};
