//! The keys of constraints of type `spherical`.

use super::{COMMON, ConstraintKeys, FROM, TO};
use crate::spec::key::{Key, TableShape};

const OWN: &[Key] = &[FROM, TO];

pub(super) const KEYS: ConstraintKeys = ConstraintKeys {
    word: "spherical",
    kind: "spherical",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A loop closed by a ball joint. Multipliers on `to` at its origin, opposite on `from`: forces fx, fy, fz along the axes of `from`.",
};
