//! Poses, velocities, bias accelerations and partial velocities of a tree of rigid bodies.

mod values;

pub use values::{Start, parameters, saturate_inputs, start};

use crate::algebra::{Inertia, Mat3, Scalar, Twist, Vec3};
use crate::mechanism::{Environment, Mechanism};

/// Pose, velocity and partial velocities of a body. Axes: the body frame of the spec. Pole: the origin of the inboard
/// joint's frame on the body.
#[derive(Clone, Debug)]
pub struct BodyMotion<S> {
    /// Body to ground axes.
    pub rotation: Mat3<S>,
    /// The pole, from the ground's origin in ground axes [m].
    pub origin: Vec3<S>,
    /// Body to parent axes.
    pub relative_rotation: Mat3<S>,
    /// From the parent's pole to this pole, in parent axes [m].
    pub offset: Vec3<S>,
    /// The pole in the body frame [m].
    pub pole: Vec3<S>,
    /// Velocity of the pole and angular velocity.
    pub twist: Twist<S>,
    /// The part of `twist` that is there with all speeds zero: prescribed motion.
    pub drift: Twist<S>,
    /// `V̇` with `v̇ = 0`, component by component in body axes.
    pub bias: Twist<S>,
    /// `w = V̇ − C V̇_parent − A v̇`, the joint's own share of the bias.
    pub convective: Twist<S>,
    /// Columns of the Jacobian: speed and partial velocity. Those of the parent come first, in the same order, so a
    /// column keeps its position along a path.
    pub partial: Vec<(usize, Twist<S>)>,
    /// The columns of the inboard joint, prescribed ones included.
    pub columns: Vec<Column<S>>,
    /// Inertia about the pole.
    pub inertia: Inertia<S>,
    /// True if the joint measures its angles from the ground: the parent's angular velocity is not carried over.
    pub absolute: bool,
}

/// A column of a joint's motion subspace.
#[derive(Clone, Debug)]
pub struct Column<S> {
    /// Free speed, or `None` where it is prescribed.
    pub speed: Option<usize>,
    /// Partial velocity in body axes at the pole.
    pub twist: Twist<S>,
    /// Wrench on the body, in body axes about the pole, of one unit of effort.
    pub dual: crate::algebra::Wrench<S>,
    /// Value of the speed.
    pub rate: S,
    /// Its prescribed acceleration; zero where it is free.
    pub acceleration: S,
    /// Reflected rotor inertia; zero if there is no rotor.
    pub rotor: S,
}

/// Motion of all bodies.
#[derive(Clone, Debug)]
pub struct Kinematics<S> {
    /// In the order of the mechanism.
    pub bodies: Vec<BodyMotion<S>>,
    /// `q̇` of the free coordinates.
    pub rates: Vec<S>,
    /// `N` of `q̇ = N v + n₀`, nq × nv.
    pub rate_matrix: Vec<Vec<S>>,
    /// What `N` divides by, named after the joint. Order one: singular where it is small.
    pub denominators: Vec<(String, S)>,
}

/// The motion of all bodies at `env`.
pub fn kinematics<S: Scalar>(_m: &Mechanism, _env: &Environment<'_, S>) -> Kinematics<S> {
    todo!()
}

/// Pose and partial velocities do not change with the speeds: positions of named points in ground axes [m]; the
/// ground's own points first.
pub fn positions<S: Scalar>(_m: &Mechanism, _env: &Environment<'_, S>) -> Vec<PointPosition<S>> {
    todo!()
}

/// A named point and where it is.
#[derive(Clone, Debug)]
pub struct PointPosition<S> {
    /// `None`: the ground.
    pub body: Option<usize>,
    /// Name of the point on its body.
    pub name: String,
    /// In ground axes [m].
    pub position: Vec3<S>,
}

/// For each speed the speed before it on the way to the root, if any: the elimination tree of the mass matrix.
pub fn parents_of_speeds(_m: &Mechanism) -> Vec<Option<usize>> {
    todo!()
}

/// The speeds in an order in which parents stand before children.
pub fn order_of_speeds(_m: &Mechanism) -> Vec<usize> {
    todo!()
}
