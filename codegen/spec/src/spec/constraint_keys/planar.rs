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
    text: "A loop closed by a planar joint: origins in one plane, normals parallel. Multipliers on `to` at its origin, opposite on `from`: the force along the normal, moments about the two axes of `from` in the plane.",
    ..TypeKeys::PLAIN
};
