//! Keys of constraints of type `prismatic`.

use super::{AXIS, COMMON, FROM, TO};
use crate::spec::key::{Key, TableShape};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[FROM, TO, AXIS];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "prismatic",
    kind: "prismatic",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A loop closed by a prismatic joint. Multipliers on `to` at its origin, opposite on `from`: forces along the two axes of `from` across `axis`, moments about all three.",
    ..TypeKeys::PLAIN
};
