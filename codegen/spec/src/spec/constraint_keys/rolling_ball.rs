//! Keys of constraints of type `rolling_ball`.

use super::{COMMON, NORMAL, SURFACE, TO};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] =
    &[SURFACE, TO, NORMAL, required("radius", Kind::Value, "Radius.").unit("m").example(r#""r""#)];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "rolling_ball",
    kind: "rolling_ball",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A ball, centred at the origin of `to`, rolls on a plane without slipping. Multipliers, in N: forces along the two axes of `from` in the plane (fx and fy if the normal is z), and fn along the normal; they act on `to` at the contact point, and equal and opposite ones act on `from`.",
    ..TypeKeys::PLAIN
};
