//! Places and axes that loads, constraints, measures and outputs name.

use super::index::BodyId;
use super::model::{Placement, Rotation};

/// Axes of the components of a vector.
#[derive(Clone, PartialEq, Debug)]
pub enum VectorFrame {
    /// Ground axes.
    Ground,
    /// Axes of a frame on a body.
    Body {
        /// The body.
        body: BodyId,
        /// Rotation from that frame to body axes.
        rotation: Box<Rotation>,
    },
}

/// The two points of a line element; `None` is the ground.
#[derive(Clone, PartialEq, Debug)]
pub struct Ends {
    /// Body and point where it begins.
    pub from: (Option<BodyId>, Placement),
    /// Body and point where it ends.
    pub to: (Option<BodyId>, Placement),
}
