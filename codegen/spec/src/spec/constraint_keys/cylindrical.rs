//! Keys of constraints of type `cylindrical`.

use super::{AXIS, COMMON, FROM, TO};
use crate::spec::key::{Key, TableShape};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[FROM, TO, AXIS];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "cylindrical",
    kind: "cylindrical",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A loop closed by a cylindrical joint. Multipliers: forces along, and moments about, the two axes of `from` perpendicular to `axis`; they act on `to` at its origin, and equal and opposite ones act on `from`.",
    ..TypeKeys::PLAIN
};
