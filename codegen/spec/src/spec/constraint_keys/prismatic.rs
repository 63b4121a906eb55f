//! The keys of constraints of type `prismatic`.

use super::{AXIS, COMMON, ConstraintKeys, FROM, TO};
use crate::spec::key::{Key, TableShape};

const OWN: &[Key] = &[FROM, TO, AXIS];

pub(super) const KEYS: ConstraintKeys = ConstraintKeys {
    word: "prismatic",
    kind: "prismatic",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A loop closed by a prismatic joint. Multipliers on `to` at its origin, opposite on `from`: forces along the two axes of `from` across `axis`, moments about all three.",
};
