//! The keys of constraints of type `point_on_line`.

use super::{AXIS, COMMON, ConstraintKeys, FROM, TO};
use crate::spec::key::{Key, TableShape};

const OWN: &[Key] = &[FROM, TO, AXIS];

pub(super) const KEYS: ConstraintKeys = ConstraintKeys {
    word: "point_on_line",
    kind: "point_on_line",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "The origin of `to` on the line along `axis` through the origin of `from`. Multipliers on `to` at its origin, opposite on `from`: forces along the two axes of `from` across `axis`.",
};
