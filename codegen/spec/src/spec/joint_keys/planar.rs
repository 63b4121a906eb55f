//! Keys of planar joints.

use super::{Closing, ENDS, JointKeys, PLAIN_COORDINATES, PLANAR_SPEEDS};
use crate::spec::key::{Key, Kind, TableShape, optional};

const OWN: &[Key] = &[optional("axes", Kind::Axes, "Two orthogonal axes that span the plane.")
    .default(r#"["x", "y"]"#)
    .example(r#"["x", "y"]"#)];

pub(super) const KEYS: JointKeys = JointKeys {
    word: "planar",
    shape: TableShape { keys: &[ENDS, OWN, &[PLAIN_COORDINATES, PLANAR_SPEEDS]] },
    own: OWN,
    text: "Moves in a plane; the coordinates are two displacements and the angle about the normal (first axis × second axis): with `[\"x\", \"z\"]`, the body rotates about −y.",
    closing: Closing::ByNormal("planar"),
};
