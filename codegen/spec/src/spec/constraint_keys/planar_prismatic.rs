//! Keys of constraints of type `planar_prismatic`.

use super::{AXIS, COMMON, FROM, NORMAL, TO};
use crate::spec::key::{Key, TableShape};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[FROM, TO, AXIS, NORMAL];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "planar_prismatic",
    kind: "planar_prismatic",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A planar loop closed by a prismatic joint along `axis`; the constraint has two rows. Multipliers: the force f along normal × axis in the frame of `from`, and the moment m about the normal; they act on `to` at its origin, and equal and opposite ones act on `from`.",
    ..TypeKeys::PLAIN
};
