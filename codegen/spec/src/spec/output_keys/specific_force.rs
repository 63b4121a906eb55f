//! Keys of outputs of type `specific_force`.

use super::{DESCRIPTION, SENSOR, TYPE};
use crate::spec::key::TableShape;
use crate::spec::type_keys::TypeKeys;

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "specific_force",
    kind: "specific_force",
    shape: TableShape { keys: &[&[TYPE], SENSOR, &[DESCRIPTION]] },
    own: SENSOR,
    text: "Reading of an accelerometer, in the axes of the sensor [m/s^2].",
    ..TypeKeys::PLAIN
};
