//! The keys of outputs of type `velocity`.

use super::{AT, BODY, DESCRIPTION, FRAME, OutputKeys, SENSOR, TYPE};
use crate::spec::key::TableShape;

pub(super) const KEYS: OutputKeys = OutputKeys {
    word: "velocity",
    kind: "velocity",
    shape: TableShape { keys: &[&[TYPE], SENSOR, &[DESCRIPTION, FRAME]] },
    own: &[BODY, AT, FRAME],
    text: "Velocity of a point [m/s].",
};
