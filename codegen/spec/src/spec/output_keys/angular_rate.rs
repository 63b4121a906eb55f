//! Keys of outputs of type `angular_rate`.

use super::{DESCRIPTION, SENSOR, TYPE};
use crate::spec::key::TableShape;
use crate::spec::type_keys::TypeKeys;

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "angular_rate",
    kind: "angular_rate",
    shape: TableShape { keys: &[&[TYPE], SENSOR, &[DESCRIPTION]] },
    own: SENSOR,
    text: "Reading of a gyroscope, in the axes of the sensor [rad/s].",
    ..TypeKeys::PLAIN
};
