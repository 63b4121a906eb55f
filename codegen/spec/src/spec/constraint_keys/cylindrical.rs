//! The keys of constraints of type `cylindrical`.

use super::{AXIS, COMMON, ConstraintKeys, FROM, TO};
use crate::spec::key::{Key, TableShape};

const OWN: &[Key] = &[FROM, TO, AXIS];

pub(super) const KEYS: ConstraintKeys = ConstraintKeys {
    word: "cylindrical",
    kind: "cylindrical",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A loop closed by a cylindrical joint. Multipliers on `to` at its origin, opposite on `from`: forces along and moments about the two axes of `from` across `axis`.",
};
