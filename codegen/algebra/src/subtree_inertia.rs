//! Inertia of a body with all bodies outboard of it: rigid (CRBA) or articulated (ABA).

use super::{ArticulatedInertia, Inertia, Mat3, Scalar, Twist, Vec3, Wrench};

/// Inertia of a body with its subtree, rigid as long as no joint in the subtree is free.
#[derive(Clone, Copy, Debug)]
pub enum Hanging<S> {
    /// Composite rigid body (CRBA): ten parameters, moved to another frame at a third of the
    /// operations.
    Rigid(Inertia<S>),
    /// Articulated body (ABA): the general case, a symmetric 6 × 6 inertia.
    Articulated(ArticulatedInertia<S>),
}

impl<S: Scalar> Hanging<S> {
    /// Converts to an articulated-body inertia, the general case.
    pub fn articulated_form(&self) -> ArticulatedInertia<S> {
        match self {
            Hanging::Rigid(i) => ArticulatedInertia::from_rigid(i),
            Hanging::Articulated(i) => *i,
        }
    }

    /// The wrench (momentum or force) that corresponds to a twist.
    pub fn apply_to_twist(&self, t: Twist<S>) -> Wrench<S> {
        match self {
            Hanging::Rigid(i) => i.momentum(t),
            Hanging::Articulated(i) => i.apply_to_twist(t),
        }
    }

    /// The sum of the inertias of two subtrees about the same pole; rigid if both are.
    #[must_use]
    pub fn combined_with(self, other: Hanging<S>) -> Self {
        match (self, other) {
            (Hanging::Rigid(a), Hanging::Rigid(b)) => Hanging::Rigid(a + b),
            (a, b) => Hanging::Articulated(a.articulated_form() + b.articulated_form()),
        }
    }

    /// The same inertia in the axes and about the pole of the parent: `rotation` maps components to
    /// the parent's axes, `offset` is the vector from the parent's pole to the body's.
    #[must_use]
    pub fn transform_to_frame(&self, rotation: &Mat3<S>, offset: Vec3<S>) -> Self {
        match self {
            Hanging::Rigid(i) => Hanging::Rigid(i.transform_to_frame(rotation, offset)),
            Hanging::Articulated(i) => Hanging::Articulated(i.transform_to_frame(rotation, offset)),
        }
    }
}
