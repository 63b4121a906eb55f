//! Spec keys of constraints of type `parallel_axes`.

use super::{AXIS, COMMON, FROM, TO};
use crate::spec::key::{Key, TableShape};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[FROM, TO, AXIS];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "parallel_axes",
    kind: "parallel_axes",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "Axes of two frames that stay parallel. Multipliers: moments about the two axes of `from` across `axis`.",
    ..TypeKeys::PLAIN
};
