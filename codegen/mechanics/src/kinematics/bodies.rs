//! The motion of bodies, as data.

use crate::mechanism::{BodyId, JointId, SpeedId};
use dqdt_algebra::{Inertia, Mat3, Twist, Vec3, Wrench};

/// Pose, velocity and partial velocities of a body. Axes: the body frame of the spec. Pole: the origin of the inboard
/// joint's frame on the body.
#[derive(Clone, Debug)]
pub struct BodyMotion<S> {
    /// Body to ground axes.
    pub rotation: Mat3<S>,
    /// The pole, from the ground's origin in ground axes \[m\].
    pub origin: Vec3<S>,
    /// Body to parent axes.
    pub relative_rotation: Mat3<S>,
    /// From the parent's pole to this pole, in parent axes \[m\].
    pub offset: Vec3<S>,
    /// The pole in the body frame \[m\].
    pub pole: Vec3<S>,
    /// Velocity of the pole and angular velocity.
    pub twist: Twist<S>,
    /// The part of `twist` that is there with all speeds zero: prescribed motion.
    pub drift: Twist<S>,
    /// Acceleration of the pole and angular acceleration with `v̇ = 0`, in body axes.
    pub bias: Twist<S>,
    /// The joint's own share of the bias: what is not carried over from the parent.
    pub convective: Twist<S>,
    /// The same without the centripetal acceleration of the offset.
    pub relative_convective: Twist<S>,
    /// Columns of the Jacobian: speed and partial velocity. Those of the parent come first, in the same order, so a
    /// column keeps its position along a path.
    pub partial: Vec<(SpeedId, Twist<S>)>,
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
    pub speed: Option<SpeedId>,
    /// Partial velocity in body axes at the pole.
    pub twist: Twist<S>,
    /// Wrench on the body, in body axes about the pole, of one unit of effort.
    pub dual: Wrench<S>,
    /// Value of the speed.
    pub rate: S,
    /// Its prescribed acceleration; zero where it is free.
    pub acceleration: S,
    /// What moves with this speed alone: the armature, and of a rotor `J n²`; zero if there is neither.
    pub armature: S,
}

/// A rotor behind a gear that rides on a body. Its angular momentum relative to that body is `momentum · v`.
#[derive(Clone, Debug)]
pub struct TurningRotor<S> {
    /// The joint that drives it.
    pub joint: JointId,
    /// Speed that drives it, or `None` where it is prescribed.
    pub speed: Option<SpeedId>,
    /// The body that it rides on: the child of `joint` or its parent.
    pub carrier: BodyId,
    /// `J n a`: angular momentum for one unit of the speed, in the axes of the carrier.
    pub momentum: Vec3<S>,
    /// Value of the speed.
    pub rate: S,
    /// Its prescribed acceleration; zero where it is free.
    pub acceleration: S,
}

/// Motion of all bodies.
#[derive(Clone, Debug)]
pub struct Kinematics<S> {
    /// In the order of the mechanism.
    pub bodies: Vec<BodyMotion<S>>,
    /// The rotors that ride on bodies. Of one on the ground all is in the armature of its speed.
    pub rotors: Vec<TurningRotor<S>>,
    /// `q̇` of the free coordinates.
    pub rates: Vec<S>,
    /// `N` of `q̇ = N v + n₀`, nq × nv.
    pub rate_matrix: Vec<Vec<S>>,
    /// What `N` divides by, named after the joint. Order one: singular where it is small.
    pub denominators: Vec<(String, S)>,
    /// What the duals of a joint's columns divide by besides, with the joint.
    pub dual_denominators: Vec<(String, S)>,
}
