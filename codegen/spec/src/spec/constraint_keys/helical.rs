//! Keys of constraints of type `helical`.

use super::{AXIS, COMMON, FROM, TO};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    FROM,
    TO,
    AXIS,
    required("pitch", Kind::Value, "Displacement along the axis per radian of rotation.")
        .unit("m/rad")
        .example("0.005"),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "helical",
    kind: "helical",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A loop closed by a helical joint. Multipliers: forces along, and moments about, the two axes of `from` perpendicular to `axis`; and the force along `axis`, together with a moment of −pitch times this force. They act on `to` at its origin, and equal and opposite ones act on `from`.",
    ..TypeKeys::PLAIN
};
