//! Keys of constraints of type `point_on_line`.

use super::{AXIS, COMMON, FROM, TO};
use crate::spec::key::{Key, TableShape};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[FROM, TO, AXIS];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "point_on_line",
    kind: "point_on_line",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "The origin of `to` stays on the line along `axis` through the origin of `from`. Multipliers: forces along the two axes of `from` perpendicular to `axis`; they act on `to` at its origin, and equal and opposite ones act on `from`.",
    ..TypeKeys::PLAIN
};
