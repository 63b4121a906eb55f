//! Keys of constraints of type `rolling_disc`.

use super::{COMMON, NORMAL, SURFACE, TO};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    SURFACE,
    TO,
    NORMAL,
    required("radius", Kind::Value, "Radius.").unit("m").example(r#""r""#),
    required("axis", Kind::Axis, "Direction of the axle, in the frame of `to`.").example(r#""z""#),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "rolling_disc",
    kind: "rolling_disc",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A disc or wheel with a sharp rim, centred at the origin of `to`, rolls on a plane without slipping. Multipliers, in N: f_along along the heading (axle × normal), f_across along normal × heading, and fn along the normal; they act on `to` at the contact point, and equal and opposite ones act on `from`.",
    ..TypeKeys::PLAIN
};
