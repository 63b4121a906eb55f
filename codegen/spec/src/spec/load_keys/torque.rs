//! The keys of loads of type `torque`.

use super::{BODY, COMMON, FRAME, LoadKeys, REACTION};
use crate::spec::key::{Key, Kind, TableShape, required};

const OWN: &[Key] = &[
    BODY,
    required("value", Kind::Triple, "Components, formulas of anything.")
        .unit("N*m")
        .example(r#"[0, 0, "-k*z"]"#),
    FRAME,
    REACTION,
];

pub(super) const KEYS: LoadKeys = LoadKeys {
    word: "torque",
    kind: "torque",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    target: None,
    needs: None,
    text: "A torque on a body.",
};
