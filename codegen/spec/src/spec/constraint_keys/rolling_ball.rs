//! The keys of constraints of type `rolling_ball`.

use super::{COMMON, ConstraintKeys, NORMAL, SURFACE, TO};
use crate::spec::key::{Key, Kind, TableShape, required};

const OWN: &[Key] =
    &[SURFACE, TO, NORMAL, required("radius", Kind::Value, "Radius.").unit("m").example(r#""r""#)];

pub(super) const KEYS: ConstraintKeys = ConstraintKeys {
    word: "rolling_ball",
    kind: "rolling_ball",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A ball, its centre the origin of `to`, rolls on a plane without slip. Multipliers on `to` at the contact, opposite on `from`: forces along the two axes of `from` in the plane (normal z: fx, fy), and fn along the normal, in N.",
};
