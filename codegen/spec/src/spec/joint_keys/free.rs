//! Keys of free joints.

use super::{ATTITUDE, Closing, ENDS, FREE_SPEEDS, JointKeys};
use crate::spec::key::{Key, Kind, TableShape, optional};

const OWN: &[Key] = &[];

pub(super) const KEYS: JointKeys = JointKeys {
    word: "free",
    shape: TableShape {
        keys: &[
            ENDS,
            OWN,
            &[
                optional(
                    "coordinates",
                    Kind::Table(&ATTITUDE),
                    "Coordinates: three displacements, then the attitude as angles or a quaternion.",
                )
                .example(r#"{ sequence = "zyx", start = { base_z = 1 } }"#),
                optional(
                    "speeds",
                    Kind::Table(&FREE_SPEEDS),
                    "Choice of the speeds: three linear and three angular.",
                )
                .example(r#"{ kind = "body_rates" }"#),
            ],
        ],
    },
    own: OWN,
    text: "Allows unrestricted motion; its coordinates are position, then attitude.",
    closing: Closing::Never(
        "each body is the child of exactly one joint, and a second free joint restricts nothing: remove it",
    ),
};
