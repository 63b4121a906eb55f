//! The keys of loads of type `line_force`.

use super::{COMMON, FROM, LoadKeys, TO};
use crate::spec::key::{Key, Kind, TableShape, required};

const OWN: &[Key] = &[
    FROM,
    TO,
    required("tension", Kind::Value, "Pulls the ends together where it is positive; a formula of anything.")
        .unit("N")
        .example(r#""max(0 [N], k*stretch)""#),
];

pub(super) const KEYS: LoadKeys = LoadKeys {
    word: "line_force",
    kind: "line_force",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    target: None,
    needs: None,
    text: "A force along the line between two points: a cable, a muscle, a cylinder.",
};
