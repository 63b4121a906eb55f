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
    text: "A loop closed by a ball joint. Multipliers on `to` at its origin, opposite on `from`: forces fx, fy, fz along the axes of `from`.",
    ..TypeKeys::PLAIN
};
