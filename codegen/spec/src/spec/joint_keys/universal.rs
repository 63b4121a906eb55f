//! Keys of universal joints.

use super::{Closing, ENDS, JointKeys, PLAIN_COORDINATES, PLAIN_SPEEDS};
use crate::spec::key::{Key, Kind, TableShape, optional};

const OWN: &[Key] =
    &[optional("axes", Kind::Axes, "First axis, fixed in the parent, and second axis, fixed in the child.")
        .default(r#"["x", "y"]"#)
        .example(r#"["x", "y"]"#)];

pub(super) const KEYS: JointKeys = JointKeys {
    word: "universal",
    shape: TableShape { keys: &[ENDS, OWN, &[PLAIN_COORDINATES, PLAIN_SPEEDS]] },
    own: OWN,
    text: "Rotates about an axis of the parent, then about an axis of the child.",
    closing: Closing::By("universal"),
};
