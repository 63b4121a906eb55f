//! Keys of constraints of type `point_on_surface`.

use super::{COMMON, FROM, TO};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    FROM,
    TO,
    required("formulas", Kind::Values, "One formula for a surface, two for a curve, kept at zero. They use x, y, z of the point in the frame of `from`, t and parameters.").example(r#"["x^2 + y^2 - r^2"]"#),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "point_on_surface",
    kind: "point_on_surface",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "The origin of `to` on a surface or a curve. Multiplier λ: the force λ ∇f on `to`, its opposite on `from`, in the axes of `from`; λ in N·m over the unit of f.",
    ..TypeKeys::PLAIN
};
