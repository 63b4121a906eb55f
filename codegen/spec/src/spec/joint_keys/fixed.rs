//! Keys of fixed joints.

use super::{Closing, ENDS, JointKeys};
use crate::spec::key::{Key, TableShape};

const OWN: &[Key] = &[];

pub(super) const KEYS: JointKeys = JointKeys {
    word: "fixed",
    shape: TableShape { keys: &[ENDS, OWN, &[]] },
    own: OWN,
    text: "No motion.",
    closing: Closing::By("weld"),
};
