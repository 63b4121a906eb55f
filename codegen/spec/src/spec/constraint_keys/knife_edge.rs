//! Keys of constraints of type `knife_edge`.

use super::{COMMON, SURFACE, TO};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    SURFACE,
    TO,
    required("axis", Kind::Axis, "The direction without velocity, in the frame of `to`.").example(r#""z""#),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "knife_edge",
    kind: "knife_edge",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A blade, a ski, a wheel without spin: no velocity of the origin of `to` along an axis of `to`. Multiplier: the force on `to` along that axis, its opposite on `from`, in N.",
    ..TypeKeys::PLAIN
};
