//! Keys of helical joints.

use super::{
    ARMATURE, AXIS, Closing, ENDS, JointKeys, LIMITS_KEY, PLAIN_COORDINATES, PLAIN_SPEEDS, ROTOR_KEY,
};
use crate::spec::key::{Key, Kind, TableShape, required};

const OWN: &[Key] = &[
    AXIS,
    required("pitch", Kind::Value, "Displacement along the axis per radian of rotation.")
        .unit("m/rad")
        .example("0.005"),
];

pub(super) const KEYS: JointKeys = JointKeys {
    word: "helical",
    shape: TableShape {
        keys: &[ENDS, OWN, &[PLAIN_COORDINATES, PLAIN_SPEEDS, ARMATURE, ROTOR_KEY, LIMITS_KEY]],
    },
    own: OWN,
    text: "Rotates about an axis and moves along it in proportion to the angle.",
    closing: Closing::By("helical"),
};
