//! Points, axes and frames that loads, constraints, measures and outputs refer to.

use super::axis::AxisVector;
use super::formula::Formula;
use super::index::BodyId;
use super::model::{Placement, Rotation};

/// Axes in which the components of a force, torque or output vector are given.
#[derive(Clone, PartialEq, Debug)]
pub enum VectorFrame {
    /// The components are in ground axes.
    Ground,
    /// The components are in the axes of a frame fixed on a body.
    Body {
        /// The body on which the frame is fixed.
        body: BodyId,
        /// Rotation matrix from that frame to body axes.
        rotation: Box<Rotation>,
    },
}

/// The two frames of a load, constraint or measure between bodies. A body `None` is the ground.
#[derive(Clone, PartialEq, Debug)]
pub struct Ends {
    /// First body (`None`: the ground), and the frame on it.
    pub from: (Option<BodyId>, Placement),
    /// Second body (`None`: the ground), and the frame on it.
    pub to: (Option<BodyId>, Placement),
}

/// Property of a body's pose that a load, an output or a constraint uses; `None` is the ground.
/// Used to check bodies on direction joints, whose roll is undefined: only points on the body's
/// axis, and the direction of that axis, may be used.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Dependence<'k> {
    /// Use of the position of a point on the body.
    Place(Option<BodyId>, &'k Placement),
    /// Use of a direction, in the axes of a frame on the body.
    Direction(Option<BodyId>, &'k Rotation, AxisVector),
    /// Use of the whole orientation of the body.
    Axes(Option<BodyId>),
}

impl VectorFrame {
    /// Property of the body's pose that a vector with these components in these axes uses; `None`
    /// for ground axes.
    #[doc(hidden)]
    pub fn vector_dependence(&self, components: &[Formula; 3]) -> Option<Dependence<'_>> {
        let VectorFrame::Body { body, rotation } = self else { return None };
        let mut along = (0..3).filter(|i| !components[*i].is_zero());
        let first = along.next()?;
        Some(match along.next() {
            None => Dependence::Direction(Some(*body), rotation, AxisVector::coordinate_axis(first)),
            Some(_) => Dependence::Axes(Some(*body)),
        })
    }

    /// Property of the body's pose that a vector in these axes uses if all its components may
    /// differ from zero.
    #[doc(hidden)]
    pub fn orientation_dependence(&self) -> Option<Dependence<'_>> {
        match self {
            VectorFrame::Ground => None,
            VectorFrame::Body { body, .. } => Some(Dependence::Axes(Some(*body))),
        }
    }
}

impl Ends {
    /// Dependence on the positions of both origins.
    #[doc(hidden)]
    pub fn origin_dependences(&self) -> [Dependence<'_>; 2] {
        [&self.from, &self.to].map(|(body, point)| Dependence::Place(*body, point))
    }

    /// Dependence on the direction of an axis of the first frame.
    #[doc(hidden)]
    pub fn first_axis_dependence(&self, axis: AxisVector) -> Dependence<'_> {
        Dependence::Direction(self.from.0, &self.from.1.rotation, axis)
    }

    /// Dependence on the direction of an axis of the second frame.
    #[doc(hidden)]
    pub fn second_axis_dependence(&self, axis: AxisVector) -> Dependence<'_> {
        Dependence::Direction(self.to.0, &self.to.1.rotation, axis)
    }
}
