//! Keys of constraints of type `knife_edge`.

use super::{COMMON, SURFACE, TO};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    SURFACE,
    TO,
    required("axis", Kind::Axis, "Direction in which the velocity is zero, in the frame of `to`.")
        .example(r#""z""#),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "knife_edge",
    kind: "knife_edge",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A blade, a ski, or a wheel without spin: the origin of `to` has no velocity along an axis of `to`. Multiplier, in N: the force on `to` along that axis, and the opposite force on `from`.",
    ..TypeKeys::PLAIN
};
