//! Keys of loads of type `force`.

use super::{AT, BODY, COMMON, FRAME, REACTION};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    BODY,
    AT,
    required("value", Kind::Triple, "Components of the force; their formulas may use any name of the spec.")
        .unit("N")
        .example(r#"[0, 0, "-k*z"]"#),
    FRAME,
    REACTION,
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "force",
    kind: "force",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A force on a point of a body.",
    ..TypeKeys::PLAIN
};
