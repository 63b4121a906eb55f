//! Keys of constraints of type `velocity`.

use super::COMMON;
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[required("formula", Kind::Value, "Formula, linear in the speeds, kept at zero.")
    .example(r#""vy*cos(psi) - vx*sin(psi)""#)];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "velocity",
    kind: "velocity",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A formula of coordinates, speeds and t, linear in the speeds, that is kept at zero. Multiplier λ: the force λ ∂f/∂v on the speeds, in W over the unit of f.",
    ..TypeKeys::PLAIN
};
