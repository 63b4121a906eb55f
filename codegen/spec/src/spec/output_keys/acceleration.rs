//! The keys of outputs of type `acceleration`.

use super::{AT, BODY, DESCRIPTION, FRAME, OutputKeys, SENSOR, TYPE};
use crate::spec::key::TableShape;

pub(super) const KEYS: OutputKeys = OutputKeys {
    word: "acceleration",
    kind: "acceleration",
    shape: TableShape { keys: &[&[TYPE], SENSOR, &[DESCRIPTION, FRAME]] },
    own: &[BODY, AT, FRAME],
    text: "Acceleration of a point [m/s^2].",
};
