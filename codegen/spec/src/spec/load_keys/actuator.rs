//! Keys of loads of type `actuator`.

use super::{COMMON, JOINT, SPEED};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    JOINT,
    SPEED,
    required("effort", Kind::Value, "Effort on the child, along the joint's axis.")
        .unit("N*m or N")
        .example(r#""torque""#),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "actuator",
    kind: "actuator",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    target: Some("speed"),
    text: "A motor that exerts an effort on the child of a joint, and the opposite effort on the parent.",
    ..TypeKeys::PLAIN
};
