//! The keys of constraints of type `position`.

use super::{COMMON, ConstraintKeys};
use crate::spec::key::{Key, Kind, TableShape, required};

const OWN: &[Key] = &[required("formula", Kind::Value, "Held at zero: of coordinates, t and parameters.")
    .example(r#""x - r*phi""#)];

pub(super) const KEYS: ConstraintKeys = ConstraintKeys {
    word: "position",
    kind: "position",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A formula of the coordinates and t that stays zero. Multiplier λ: the force λ ∂f/∂q on the speeds, in N·m over the unit of f.",
};
