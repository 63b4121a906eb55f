//! The keys of outputs of type `position`.

use super::{AT, BODY, DESCRIPTION, FRAME, OutputKeys, SENSOR, TYPE};
use crate::spec::key::TableShape;

pub(super) const KEYS: OutputKeys = OutputKeys {
    word: "position",
    kind: "position",
    shape: TableShape { keys: &[&[TYPE], SENSOR, &[DESCRIPTION, FRAME]] },
    own: &[BODY, AT, FRAME],
    text: "Position of a point from the ground's origin [m].",
};
