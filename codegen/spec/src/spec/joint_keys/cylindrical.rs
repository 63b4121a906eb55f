//! Keys of cylindrical joints.

use super::{AXIS, Closing, ENDS, JointKeys, PLAIN_COORDINATES, PLAIN_SPEEDS};
use crate::spec::key::{Key, TableShape};

const OWN: &[Key] = &[AXIS];

pub(super) const KEYS: JointKeys = JointKeys {
    word: "cylindrical",
    shape: TableShape { keys: &[ENDS, OWN, &[PLAIN_COORDINATES, PLAIN_SPEEDS]] },
    own: OWN,
    text: "Rotates about an axis and slides along it; the coordinates are an angle and a displacement.",
    closing: Closing::By("cylindrical"),
};
