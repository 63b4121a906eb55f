//! Keys of direction joints.

use super::{ANGLE, Closing, ENDS, JointKeys, PLAIN_SPEEDS};
use crate::spec::key::{Key, Kind, TableShape, optional};

const OWN: &[Key] = &[];

pub(super) const KEYS: JointKeys = JointKeys {
    word: "direction",
    shape: TableShape {
        keys: &[
            ENDS,
            OWN,
            &[
                optional("coordinates", Kind::Table(&ANGLE), "Azimuth and elevation of the child's x axis.")
                    .example(r#"{ names = ["azimuth", "elevation"] }"#),
                PLAIN_SPEEDS,
            ],
        ],
    },
    own: OWN,
    text: "Rotates the x axis of a line body to an azimuth and an elevation; the roll is undefined.",
    closing: Closing::Never(
        "each body is the child of exactly one joint, and a direction joint cannot close a loop: remove the other joint",
    ),
};
