//! Keys of loads of type `torque`.

use super::{BODY, COMMON, FRAME, REACTION};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    BODY,
    required("value", Kind::Triple, "Components of the torque; their formulas may use any name of the spec.")
        .unit("N*m")
        .example(r#"[0, 0, "-k*z"]"#),
    FRAME,
    REACTION,
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "torque",
    kind: "torque",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A torque on a body.",
    ..TypeKeys::PLAIN
};
