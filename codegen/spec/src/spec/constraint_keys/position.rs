//! Keys of constraints of type `position`.

use super::COMMON;
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[required(
    "formula",
    Kind::Value,
    "Formula of coordinates, t and parameters; the constraint keeps its value at zero.",
)
.example(r#""x - r*phi""#)];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "position",
    kind: "position",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A formula f of the coordinates and t whose value is kept at zero. Multiplier λ, in N·m divided by the unit of f: the generalised force λ ∂f/∂q on the speeds.",
    ..TypeKeys::PLAIN
};
