//! Fixed.

use super::{Closing, ENDS, JointKeys};
use crate::spec::key::{Key, Shape};

const OWN: &[Key] = &[];

pub(super) const KEYS: JointKeys = JointKeys {
    word: "fixed",
    shape: Shape { keys: &[ENDS, OWN, &[]] },
    own: OWN,
    text: "No motion.",
    closing: Closing::By("weld"),
};
