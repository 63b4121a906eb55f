//! Keys of constraints of type `velocity`.

use super::COMMON;
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[required(
    "formula",
    Kind::Value,
    "Formula that is linear in the speeds; the constraint keeps its value at zero.",
)
.example(r#""vy*cos(psi) - vx*sin(psi)""#)];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "velocity",
    kind: "velocity",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A formula f of coordinates, speeds and t that is linear in the speeds and whose value is kept at zero. Multiplier λ, in W divided by the unit of f: the generalised force λ ∂f/∂v on the speeds.",
    ..TypeKeys::PLAIN
};
