//! Keys of loads of type `generalised_force`.

use super::{COMMON, JOINT, SPEED};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    JOINT,
    SPEED,
    required("value", Kind::Value, "Generalised force.").unit("N*m or N").example(r#""F*cos(theta)""#),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "generalised_force",
    kind: "generalised_force",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    target: Some("speed"),
    text: "A generalised force on a speed, without a reaction.",
    ..TypeKeys::PLAIN
};
