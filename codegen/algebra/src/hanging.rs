//! The inertia of a body with what hangs on it: rigid until something that gives way is among it.

use super::{ArticulatedInertia, Inertia, Mat3, Scalar, Twist, Vec3, Wrench};

/// An inertia that is rigid as long as nothing that gives way hangs on it.
#[derive(Clone, Copy, Debug)]
pub enum Hanging<S> {
    /// As a rigid body has it: ten parameters, which are moved for a third of the operations.
    Rigid(Inertia<S>),
    /// In general.
    Articulated(ArticulatedInertia<S>),
}

impl<S: Scalar> Hanging<S> {
    /// As an articulated inertia.
    pub fn general(&self) -> ArticulatedInertia<S> {
        match self {
            Hanging::Rigid(i) => ArticulatedInertia::rigid(i),
            Hanging::Articulated(i) => *i,
        }
    }

    /// The wrench by a twist.
    pub fn apply(&self, t: Twist<S>) -> Wrench<S> {
        match self {
            Hanging::Rigid(i) => i.apply(t),
            Hanging::Articulated(i) => i.apply(t),
        }
    }

    /// The sum of two.
    #[must_use]
    pub fn with(self, other: Hanging<S>) -> Self {
        match (self, other) {
            (Hanging::Rigid(a), Hanging::Rigid(b)) => Hanging::Rigid(a + b),
            (a, b) => Hanging::Articulated(a.general() + b.general()),
        }
    }

    /// In the axes and about the pole of the parent, as both kinds have it.
    #[must_use]
    pub fn moved(&self, rotation: &Mat3<S>, offset: Vec3<S>) -> Self {
        match self {
            Hanging::Rigid(i) => Hanging::Rigid(i.moved(rotation, offset)),
            Hanging::Articulated(i) => Hanging::Articulated(i.moved(rotation, offset)),
        }
    }
}
