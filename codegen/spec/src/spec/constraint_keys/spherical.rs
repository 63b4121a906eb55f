//! Keys of constraints of type `spherical`.

use super::{COMMON, FROM, TO};
use crate::spec::key::{Key, TableShape};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[FROM, TO];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "spherical",
    kind: "spherical",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A loop closed by a spherical joint. Multipliers: forces fx, fy, fz along the axes of `from`; they act on `to` at its origin, and equal and opposite ones act on `from`.",
    ..TypeKeys::PLAIN
};
