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
    text: "A loop closed by a prismatic joint. Multipliers: forces along the two axes of `from` perpendicular to `axis`, and moments about all three axes; they act on `to` at its origin, and equal and opposite ones act on `from`.",
    ..TypeKeys::PLAIN
};
