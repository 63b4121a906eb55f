//! Places and axes that loads, constraints, measures and outputs name.

use super::axis::AxisVector;
use super::formula::Formula;
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

/// A part of a body that a load, an output or a constraint depends on; `None` is the ground. A body
/// on a direction joint has no roll: all that may depend on it are points of its axis, and the
/// direction of that axis.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Dependence<'k> {
    /// The place of a point.
    Place(Option<BodyId>, &'k Placement),
    /// A direction, in the axes of a frame on the body.
    Direction(Option<BodyId>, &'k Rotation, AxisVector),
    /// Its axes.
    Axes(Option<BodyId>),
}

impl VectorFrame {
    /// What components of a vector in these axes depend on.
    #[doc(hidden)]
    pub fn dependence(&self, components: &[Formula; 3]) -> Option<Dependence<'_>> {
        let VectorFrame::Body { body, rotation } = self else { return None };
        let mut along = (0..3).filter(|i| !components[*i].is_zero());
        let first = along.next()?;
        Some(match along.next() {
            None => Dependence::Direction(Some(*body), rotation, AxisVector::unit(first)),
            Some(_) => Dependence::Axes(Some(*body)),
        })
    }

    /// What all components of a vector in these axes depend on.
    #[doc(hidden)]
    pub fn axes(&self) -> Option<Dependence<'_>> {
        match self {
            VectorFrame::Ground => None,
            VectorFrame::Body { body, .. } => Some(Dependence::Axes(Some(*body))),
        }
    }
}

impl Ends {
    /// The places of both points.
    #[doc(hidden)]
    pub fn places(&self) -> [Dependence<'_>; 2] {
        [&self.from, &self.to].map(|(body, point)| Dependence::Place(*body, point))
    }

    /// An axis of the first frame.
    #[doc(hidden)]
    pub fn first_axis(&self, axis: AxisVector) -> Dependence<'_> {
        Dependence::Direction(self.from.0, &self.from.1.rotation, axis)
    }

    /// An axis of the second frame.
    #[doc(hidden)]
    pub fn second_axis(&self, axis: AxisVector) -> Dependence<'_> {
        Dependence::Direction(self.to.0, &self.to.1.rotation, axis)
    }
}
