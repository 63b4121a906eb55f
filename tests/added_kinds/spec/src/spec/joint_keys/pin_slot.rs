//! Spec keys of joints of type `pin_slot`.

use super::{Closing, ENDS, JointKeys, PLAIN_COORDINATES, PLAIN_SPEEDS};
use crate::spec::key::{Key, Kind, TableShape, optional};

const OWN: &[Key] = &[optional("axes", Kind::Axes, "Axis of the slot, axis of the pin.")
    .default(r#"["x", "y"]"#)
    .example(r#"["x", "y"]"#)];

pub(super) const KEYS: JointKeys = JointKeys {
    word: "pin_slot",
    shape: TableShape { keys: &[ENDS, OWN, &[PLAIN_COORDINATES, PLAIN_SPEEDS]] },
    own: OWN,
    text: "Slides along a slot and turns about a pin across it.",
    closing: Closing::Never("remove it"),
};
