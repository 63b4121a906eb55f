//! Data types for the motion of bodies and rotors. `motion` computes them.

use crate::mechanism::{BodyId, JointId, SpeedId};
use dqdt_algebra::{Inertia, Mat3, Twist, Vec3, Wrench};

/// Pose, velocity, bias acceleration and partial velocities of one body, computed by `kinematics`.
/// Axes: the body frame of the spec. Pole: the origin of the inboard joint's frame on the body.
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
    /// Position of the pole, the origin of the inboard joint, in the body frame \[m\].
    pub pole: Vec3<S>,
    /// Velocity of the pole and angular velocity relative to the ground, in body axes.
    pub twist: Twist<S>,
    /// The part of `twist` that remains when all speeds are zero: prescribed motion.
    pub drift: Twist<S>,
    /// Acceleration of the pole and angular acceleration that remain with `v̇ = 0`, in body axes.
    pub bias: Twist<S>,
    /// The part of `bias` that this joint adds to the acceleration carried over from the parent:
    /// centripetal acceleration of `offset` and velocity-quadratic terms of the joint.
    pub convective: Twist<S>,
    /// `convective` without the centripetal acceleration of `offset`: the terms of the joint's own
    /// motion. Used by the recursive acceleration of the body.
    pub relative_convective: Twist<S>,
    /// Columns of the body's Jacobian: speed and partial velocity. The parent's columns come first,
    /// in the same order, so a column keeps its index along a path.
    pub partial: Vec<(SpeedId, Twist<S>)>,
    /// Columns of the inboard joint's motion subspace, one a joint speed, prescribed ones included.
    pub columns: Vec<Column<S>>,
    /// Mass, first moment and inertia tensor about the pole, in body axes.
    pub inertia: Inertia<S>,
    /// True if the inboard joint measures its angles from the ground. The parent's angular velocity
    /// is then not carried over.
    pub absolute: bool,
}

/// A column of a joint's motion subspace, one for each speed of the joint, with that speed's value
/// and inertia.
#[derive(Clone, Debug)]
pub struct Column<S> {
    /// The free speed of this column, or `None` if the speed is prescribed.
    pub speed: Option<SpeedId>,
    /// Partial velocity: twist of the body relative to its parent for one unit of the joint speed,
    /// in body axes at the pole.
    pub twist: Twist<S>,
    /// Wrench on the body for one unit of joint effort, in body axes about the pole: the dual of
    /// `twist`.
    pub dual: Wrench<S>,
    /// Value of this joint speed \[m/s or rad/s\], free or prescribed.
    pub rate: S,
    /// Prescribed acceleration of this joint speed; zero if the speed is free.
    pub acceleration: S,
    /// Inertia that only this speed accelerates, added to the diagonal of M: the joint's armature
    /// plus `J n²` of its rotor.
    pub armature: S,
}

/// A geared rotor of a drive, carried by a body. Its angular momentum relative to that body is
/// `momentum · v`.
#[derive(Clone, Debug)]
pub struct TurningRotor<S> {
    /// The joint that the rotor drives.
    pub joint: JointId,
    /// Speed of the joint that the rotor drives, or `None` if it is prescribed.
    pub speed: Option<SpeedId>,
    /// The body that carries the rotor: the child of `joint` or its parent.
    pub carrier: BodyId,
    /// `J n a`: angular momentum of the rotor for one unit of the joint speed, in the carrier's
    /// axes.
    pub momentum: Vec3<S>,
    /// Value of the driven joint's speed, free or prescribed.
    pub rate: S,
    /// Prescribed acceleration of the driven joint; zero if its speed is free.
    pub acceleration: S,
}

/// Motion of all bodies and rotors, with the map from speeds to coordinate rates. Computed by
/// `kinematics`; input of every formalism.
#[derive(Clone, Debug)]
pub struct Kinematics<S> {
    /// Motion of each body, in the order of the mechanism.
    pub bodies: Vec<BodyMotion<S>>,
    /// Geared rotors carried by bodies. A rotor on the ground is only part of the armature of its
    /// joint's column.
    pub rotors: Vec<TurningRotor<S>>,
    /// Rates `q̇` of the free coordinates, one a coordinate.
    pub rates: Vec<S>,
    /// Matrix `N` of `q̇ = N v + n₀`, which maps speeds to coordinate rates, nq × nv.
    pub rate_matrix: Vec<Vec<S>>,
    /// Divisors of `rate_matrix`, with the name of the joint. Dimensionless, of order one; the
    /// matrix is singular where one is zero (gimbal lock).
    pub denominators: Vec<(String, S)>,
    /// Divisors of the duals of a joint's columns, with the name of the joint. Zero where the dual
    /// wrenches are singular.
    pub dual_denominators: Vec<(String, S)>,
}
