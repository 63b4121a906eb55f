//! Keys of constraints of type `point_on_surface`.

use super::{COMMON, FROM, TO};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    FROM,
    TO,
    required("formulas", Kind::Values, "One formula for a surface, or two formulas for a curve; the constraint keeps their values at zero. They may use t, parameters, and the coordinates x, y, z of the point in the frame of `from`.").example(r#"["x^2 + y^2 - r^2"]"#),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "point_on_surface",
    kind: "point_on_surface",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "The origin of `to` stays on a surface or a curve. Each formula f has a multiplier λ, in N·m divided by the unit of f: the force λ ∇f on `to`, in the axes of `from`, and the opposite force on `from`.",
    ..TypeKeys::PLAIN
};
