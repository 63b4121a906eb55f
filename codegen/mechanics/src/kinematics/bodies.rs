//! Data types for the motion of bodies and rotors. `motion` computes them.

use crate::mechanism::{BodyId, JointId, SpeedId};
use dqdt_algebra::{Inertia, Mat3, Twist, Vec3, Wrench};

/// Pose, velocity, bias acceleration and partial velocities of a body. Axes: the body frame of the
/// spec. Pole: the origin of the inboard joint's frame on the body.
#[derive(Clone, Debug)]
pub struct BodyMotion<S> {
    /// Rotation matrix from body axes to ground axes.
    pub rotation: Mat3<S>,
    /// Position of the pole from the ground's origin, in ground axes \[m\].
    pub origin: Vec3<S>,
    /// Rotation matrix from body axes to the parent's axes.
    pub relative_rotation: Mat3<S>,
    /// Vector from the parent's pole to this pole, in parent axes \[m\].
    pub offset: Vec3<S>,
    /// Position of the pole in the body frame \[m\].
    pub pole: Vec3<S>,
    /// Velocity of the pole and angular velocity, in body axes.
    pub twist: Twist<S>,
    /// The part of `twist` that remains when all speeds are zero: prescribed motion.
    pub drift: Twist<S>,
    /// Acceleration of the pole and angular acceleration with `v̇ = 0`, in body axes.
    pub bias: Twist<S>,
    /// The part of `bias` that this joint adds to the acceleration carried over from the parent,
    /// centripetal acceleration of `offset` included.
    pub convective: Twist<S>,
    /// `convective` without the centripetal acceleration of `offset`.
    pub relative_convective: Twist<S>,
    /// Columns of the body's Jacobian: speed and partial velocity. The parent's columns come first,
    /// in the same order, so a column keeps its index along a path.
    pub partial: Vec<(SpeedId, Twist<S>)>,
    /// Motion subspace of the inboard joint, prescribed columns included.
    pub columns: Vec<Column<S>>,
    /// Inertia about the pole, in body axes.
    pub inertia: Inertia<S>,
    /// True if the joint measures its angles from the ground. The parent's angular velocity is then
    /// not carried over.
    pub absolute: bool,
}

/// A column of a joint's motion subspace.
#[derive(Clone, Debug)]
pub struct Column<S> {
    /// The free speed of this column, or `None` if the speed is prescribed.
    pub speed: Option<SpeedId>,
    /// Partial velocity in body axes at the pole.
    pub twist: Twist<S>,
    /// Wrench on the body for one unit of effort, in body axes about the pole.
    pub dual: Wrench<S>,
    /// Value of this joint speed, free or prescribed.
    pub rate: S,
    /// Prescribed acceleration; zero if the speed is free.
    pub acceleration: S,
    /// Inertia that only this speed accelerates: the joint's armature plus `J n²` of its rotor.
    pub armature: S,
}

/// A geared rotor on a body. Its angular momentum relative to that body is `momentum · v`.
#[derive(Clone, Debug)]
pub struct TurningRotor<S> {
    /// The joint that the rotor drives.
    pub joint: JointId,
    /// Speed of that joint, or `None` if it is prescribed.
    pub speed: Option<SpeedId>,
    /// The body that carries the rotor: the child of `joint` or its parent.
    pub carrier: BodyId,
    /// `J n a`: angular momentum for one unit of the speed, in the carrier's axes.
    pub momentum: Vec3<S>,
    /// Value of this joint speed, free or prescribed.
    pub rate: S,
    /// Prescribed acceleration; zero if the speed is free.
    pub acceleration: S,
}

/// Motion of all bodies and rotors, with the map from speeds to coordinate rates.
#[derive(Clone, Debug)]
pub struct Kinematics<S> {
    /// One entry a body, in the order of the mechanism.
    pub bodies: Vec<BodyMotion<S>>,
    /// Rotors on bodies. A rotor on the ground is in the armature of its joint's column only.
    pub rotors: Vec<TurningRotor<S>>,
    /// Rates `q̇` of the free coordinates.
    pub rates: Vec<S>,
    /// Matrix `N` of `q̇ = N v + n₀`, nq × nv.
    pub rate_matrix: Vec<Vec<S>>,
    /// Divisors of `N`, with the name of the joint. Dimensionless, of order one; `N` is singular
    /// where one is zero.
    pub denominators: Vec<(String, S)>,
    /// Further divisors, of the duals of a joint's columns, with the name of the joint.
    pub dual_denominators: Vec<(String, S)>,
}
