//! Keys of outputs of type `position`.

use super::{AT, BODY, DESCRIPTION, FRAME, SENSOR, TYPE};
use crate::spec::key::TableShape;
use crate::spec::type_keys::TypeKeys;

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "position",
    kind: "position",
    shape: TableShape { keys: &[&[TYPE], SENSOR, &[DESCRIPTION, FRAME]] },
    own: &[BODY, AT, FRAME],
    text: "Position of a point relative to the origin of the ground [m].",
    ..TypeKeys::PLAIN
};
