//! Keys of constraints of type `point_on_plane`.

use super::{COMMON, FROM, NORMAL, TO};
use crate::spec::key::{Key, TableShape};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[FROM, TO, NORMAL];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "point_on_plane",
    kind: "point_on_plane",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "The origin of `to` stays in a plane through the origin of `from`. Multiplier, in N: the force on `to` along `normal`, and the opposite force on `from`.",
    ..TypeKeys::PLAIN
};
