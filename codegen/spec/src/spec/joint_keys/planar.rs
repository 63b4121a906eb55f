//! Keys of planar joints.

use super::{Closing, ENDS, JointKeys, PLAIN_COORDINATES, PLANAR_SPEEDS};
use crate::spec::key::{Key, Kind, TableShape, optional};

const OWN: &[Key] = &[optional("axes", Kind::Axes, "The two axes of the plane, orthogonal.")
    .default(r#"["x", "y"]"#)
    .example(r#"["x", "y"]"#)];

pub(super) const KEYS: JointKeys = JointKeys {
    word: "planar",
    shape: TableShape { keys: &[ENDS, OWN, &[PLAIN_COORDINATES, PLANAR_SPEEDS]] },
    own: OWN,
    text: "Two displacements in a plane, then the angle about its normal: first axis × second, so that `[\"x\", \"z\"]` turns about −y.",
    closing: Closing::ByNormal("planar"),
};
