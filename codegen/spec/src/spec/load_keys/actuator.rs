//! The keys of loads of type `actuator`.

use super::{COMMON, JOINT, LoadKeys, SPEED};
use crate::spec::key::{Key, Kind, TableShape, required};

const OWN: &[Key] = &[
    JOINT,
    SPEED,
    required("effort", Kind::Value, "Effort along the joint's axis on the child.")
        .unit("N*m or N")
        .example(r#""torque""#),
];

pub(super) const KEYS: LoadKeys = LoadKeys {
    word: "actuator",
    kind: "actuator",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    target: Some("speed"),
    needs: None,
    text: "A motor in a joint; its opposite acts on the parent.",
};
