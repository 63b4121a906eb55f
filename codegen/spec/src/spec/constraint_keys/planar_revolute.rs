//! Keys of constraints of type `planar_revolute`.

use super::{COMMON, FROM, NORMAL, TO};
use crate::spec::key::{Key, TableShape};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[FROM, TO, NORMAL];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "planar_revolute",
    kind: "planar_revolute",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A planar loop closed by a revolute joint; the constraint has two rows. Multipliers: forces along the two axes of `from` in the plane (fx and fy if the normal is z); they act on `to` at its origin, and equal and opposite ones act on `from`.",
    ..TypeKeys::PLAIN
};
