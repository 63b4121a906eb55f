//! Keys of constraints of type `weld`.

use super::{COMMON, FROM, TO};
use crate::spec::key::{Key, TableShape};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[FROM, TO];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "weld",
    kind: "weld",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "Two frames that always coincide. Multipliers: forces fx, fy, fz along, and moments mx, my, mz about, the axes of `from`; they act on `to` at its origin, and equal and opposite ones act on `from`.",
    ..TypeKeys::PLAIN
};
