//! Keys of spherical joints.

use super::{ATTITUDE, ATTITUDE_SPEEDS, Closing, ENDS, JointKeys};
use crate::spec::key::{Key, Kind, TableShape, optional};

const OWN: &[Key] = &[];

pub(super) const KEYS: JointKeys = JointKeys {
    word: "spherical",
    shape: TableShape {
        keys: &[
            ENDS,
            OWN,
            &[
                optional(
                    "coordinates",
                    Kind::Table(&ATTITUDE),
                    "Coordinates of the attitude: angles or a quaternion.",
                )
                .example("{ quaternion = true }"),
                optional("speeds", Kind::Table(&ATTITUDE_SPEEDS), "Choice of the three angular speeds.")
                    .example(r#"{ kind = "body_rates" }"#),
            ],
        ],
    },
    own: OWN,
    text: "Rotates freely about a point.",
    closing: Closing::By("spherical"),
};
