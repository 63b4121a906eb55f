//! Keys of outputs of type `velocity`.

use super::{AT, BODY, DESCRIPTION, FRAME, SENSOR, TYPE};
use crate::spec::key::TableShape;
use crate::spec::type_keys::TypeKeys;

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "velocity",
    kind: "velocity",
    shape: TableShape { keys: &[&[TYPE], SENSOR, &[DESCRIPTION, FRAME]] },
    own: &[BODY, AT, FRAME],
    text: "Velocity of a point [m/s].",
    ..TypeKeys::PLAIN
};
