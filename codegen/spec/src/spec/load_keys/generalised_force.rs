//! The keys of loads of type `generalised_force`.

use super::{COMMON, JOINT, LoadKeys, SPEED};
use crate::spec::key::{Key, Kind, TableShape, required};

const OWN: &[Key] = &[
    JOINT,
    SPEED,
    required("value", Kind::Value, "Generalised force.").unit("N*m or N").example(r#""F*cos(theta)""#),
];

pub(super) const KEYS: LoadKeys = LoadKeys {
    word: "generalised_force",
    kind: "generalised_force",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    target: Some("speed"),
    needs: None,
    text: "A force on a speed, without an opposite.",
};
