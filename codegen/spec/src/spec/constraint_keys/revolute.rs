//! Keys of constraints of type `revolute`.

use super::{AXIS, COMMON, FROM, TO};
use crate::spec::key::{Key, TableShape};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[FROM, TO, AXIS];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "revolute",
    kind: "revolute",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A loop closed by a revolute joint. Multipliers: forces fx, fy, fz along the axes of `from`, and moments about its two axes perpendicular to `axis`; they act on `to` at its origin, and equal and opposite ones act on `from`.",
    ..TypeKeys::PLAIN
};
