//! Keys of outputs of type `acceleration`.

use super::{AT, BODY, DESCRIPTION, FRAME, SENSOR, TYPE};
use crate::spec::key::TableShape;
use crate::spec::type_keys::TypeKeys;

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "acceleration",
    kind: "acceleration",
    shape: TableShape { keys: &[&[TYPE], SENSOR, &[DESCRIPTION, FRAME]] },
    own: &[BODY, AT, FRAME],
    text: "Acceleration of a point [m/s^2].",
    ..TypeKeys::PLAIN
};
