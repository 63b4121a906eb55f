//! Keys of constraints of type `planar`.

use super::{COMMON, FROM, NORMAL, TO};
use crate::spec::key::{Key, TableShape};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[FROM, TO, NORMAL];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "planar",
    kind: "planar",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A loop closed by a planar joint: the origins lie in one plane, and the normals are parallel. Multipliers: the force along the normal, and the moments about the two axes of `from` in the plane; they act on `to` at its origin, and equal and opposite ones act on `from`.",
    ..TypeKeys::PLAIN
};
