//! The keys of loads of type `force`.

use super::{AT, BODY, COMMON, FRAME, LoadKeys, REACTION};
use crate::spec::key::{Key, Kind, TableShape, required};

const OWN: &[Key] = &[
    BODY,
    AT,
    required("value", Kind::Triple, "Components, formulas of anything.")
        .unit("N")
        .example(r#"[0, 0, "-k*z"]"#),
    FRAME,
    REACTION,
];

pub(super) const KEYS: LoadKeys = LoadKeys {
    word: "force",
    kind: "force",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    target: None,
    needs: None,
    text: "A force on a point of a body.",
};
