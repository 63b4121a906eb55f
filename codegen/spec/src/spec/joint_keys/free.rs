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
                    "Three displacements, then how the attitude is written.",
                )
                .example(r#"{ sequence = "zyx", start = { base_z = 1 } }"#),
                optional(
                    "speeds",
                    Kind::Table(&FREE_SPEEDS),
                    "What the speeds are: three linear, three angular.",
                )
                .example(r#"{ kind = "body_rates" }"#),
            ],
        ],
    },
    own: OWN,
    text: "No restriction: position, then attitude.",
    closing: Closing::Never("each body hangs on one joint; a second free joint restricts nothing: remove it"),
};
