//! The keys of constraints of type `weld`.

use super::{COMMON, ConstraintKeys, FROM, TO};
use crate::spec::key::{Key, TableShape};

const OWN: &[Key] = &[FROM, TO];

pub(super) const KEYS: ConstraintKeys = ConstraintKeys {
    word: "weld",
    kind: "weld",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "Two frames that coincide. Multipliers on `to` at its origin, opposite on `from`: forces fx, fy, fz along and moments mx, my, mz about the axes of `from`.",
};
