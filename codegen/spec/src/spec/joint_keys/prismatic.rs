//! Keys of prismatic joints.

use super::{
    ARMATURE, AXIS, Closing, ENDS, Flat, JointKeys, LIMITS_KEY, PLAIN_COORDINATES, PLAIN_SPEEDS, ROTOR_KEY,
};
use crate::spec::key::{Key, TableShape};

const OWN: &[Key] = &[AXIS];

pub(super) const KEYS: JointKeys = JointKeys {
    word: "prismatic",
    shape: TableShape {
        keys: &[ENDS, OWN, &[PLAIN_COORDINATES, PLAIN_SPEEDS, ARMATURE, ROTOR_KEY, LIMITS_KEY]],
    },
    own: OWN,
    text: "Slides along an axis.",
    closing: Closing::Flat("prismatic", Flat { word: "planar_prismatic", about_axis: false }),
};
