//! Keys of revolute joints.

use super::{ANGLE, ARMATURE, AXIS, Closing, ENDS, Flat, JointKeys, LIMITS_KEY, PLAIN_SPEEDS, ROTOR_KEY};
use crate::spec::key::{Key, Kind, TableShape, optional};

const OWN: &[Key] = &[AXIS];

pub(super) const KEYS: JointKeys = JointKeys {
    word: "revolute",
    shape: TableShape {
        keys: &[
            ENDS,
            OWN,
            &[
                optional("coordinates", Kind::Table(&ANGLE), "Name and initial value of the angle.")
                    .example(r#"{ names = ["theta"], start = ["30 deg"] }"#),
                PLAIN_SPEEDS,
                ARMATURE,
                ROTOR_KEY,
                LIMITS_KEY,
            ],
        ],
    },
    own: OWN,
    text: "Rotates about an axis.",
    closing: Closing::Flat("revolute", Flat { word: "planar_revolute", about_axis: true }),
};
