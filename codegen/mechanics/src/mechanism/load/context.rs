//! Interfaces between loads and the formalisms: the state that loads read, and the forces and work
//! that they add.

use crate::mechanism::ends::{Ends, VectorFrame};
use crate::mechanism::environment::Environment;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::{BodyId, SpeedId};
use crate::mechanism::model::Placement;
use dqdt_algebra::{Mat3, Scalar, Vec3, Wrench};

/// Pose of body `a` relative to body `b`: rotation and offset of the poles.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct RelativePose<S> {
    /// Rotation matrix from `a` axes to `b` axes.
    pub rotation: Mat3<S>,
    /// Vector from the pole of `b` to the pole of `a`, in `b` axes \[m\].
    pub offset: Vec3<S>,
}

impl<S: Scalar> RelativePose<S> {
    /// Converts a point from `a` (from its pole, in its axes) to `b` (from its pole, in its axes)
    /// \[m\].
    pub fn point_in_other_body(&self, r: Vec3<S>) -> Vec3<S> {
        self.offset + self.rotation.apply(r)
    }
}

/// Values of all variables at one instant, as loads read them.
#[doc(hidden)]
pub trait LoadState<S: Scalar> {
    /// Values of the variables, for evaluating formulas.
    fn environment(&self) -> &Environment<'_, S>;

    /// True if a formula is zero for all values of the free parameters. Loads call this where zero
    /// selects a simpler expression.
    fn is_identically_zero(&self, f: &Formula) -> bool;
}

/// Poses of a mechanism's bodies, as loads read them. A body `None` is the ground.
#[doc(hidden)]
pub trait PoseContext<S: Scalar>: LoadState<S> {
    /// Vector from the pole of a body to a point fixed on it, in body axes \[m\].
    fn arm_to_point(&self, body: Option<BodyId>, point: &Placement) -> Vec3<S>;

    /// Rotation matrix from the axes of a frame placed on a body to body axes.
    fn frame_rotation(&self, frame: &Placement) -> Mat3<S>;

    /// Pose of body `a` relative to body `b`.
    fn relative_pose(&self, a: Option<BodyId>, b: Option<BodyId>) -> RelativePose<S>;
}

/// Poses and velocities of a mechanism's bodies, as loads read them.
#[doc(hidden)]
pub trait LoadContext<S: Scalar>: PoseContext<S> {
    /// Converts a vector with components in `frame` to the axes of a body.
    fn vector_in_body_axes(&self, body: BodyId, value: &[Formula; 3], frame: &VectorFrame) -> Vec3<S>;

    /// Velocity of the point at `arm` of a body relative to the ground, in body axes \[m/s\].
    fn point_velocity(&self, body: Option<BodyId>, arm: Vec3<S>) -> Vec3<S>;

    /// Angular velocity of a body relative to the ground, in body axes \[rad/s\].
    fn angular_velocity(&self, body: Option<BodyId>) -> Vec3<S>;

    /// Reaction of an effort on a speed measured from the ground: the body on which the opposite
    /// acts, and the moment for one unit of effort, in the axes of that body. `None` for other
    /// speeds.
    fn opposite_moment(&self, speed: SpeedId) -> Option<(BodyId, Vec3<S>)>;
}

/// Motion of a frame relative to another frame, as Lagrange's equations need it for loads.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct RelativeFrameMotion<S> {
    /// Rotation matrix from the axes of the other frame to ground axes.
    pub axes: Mat3<S>,
    /// Velocity of the frame's origin relative to the other frame, in the axes of the other frame
    /// \[m/s\].
    pub velocity: Vec3<S>,
    /// Angular velocity of the frame relative to the other, in the axes of the other frame
    /// \[rad/s\].
    pub angular_velocity: Vec3<S>,
}

/// Sums the generalised forces of loads on each coordinate, for Lagrange's equations. Vectors are
/// in ground axes.
#[doc(hidden)]
pub trait LoadWork<S: Scalar>: LoadState<S> {
    /// Converts a vector with components in `frame` to ground axes.
    fn vector_in_ground_axes(&self, value: &[Formula; 3], frame: &VectorFrame) -> Vec3<S>;

    /// Position of a point fixed on a body, from the ground's origin, in ground axes \[m\].
    fn point_position(&self, body: Option<BodyId>, point: &Placement) -> Vec3<S>;

    /// Adds the work of a force \[N\] on a body at the position `at`.
    fn add_force(&mut self, body: BodyId, at: Vec3<S>, force: Vec3<S>);

    /// Adds the work of a moment \[N·m\] on a body.
    fn add_moment(&mut self, body: BodyId, moment: Vec3<S>);

    /// Adds the work of a tension \[N\] between two points; positive pulls them together.
    fn add_tension(&mut self, ends: &Ends, tension: S);

    /// Rate of the distance between the two points of `ends` \[m/s\].
    fn length_rate(&self, ends: &Ends) -> S;

    /// Motion of the second frame of `ends` relative to the first. With `(None,
    /// Placement::IDENTITY)` as the first, relative to the ground.
    fn relative_motion(&self, ends: &Ends) -> RelativeFrameMotion<S>;

    /// Adds the opposite of an effort on the parent, if the speed is measured from the ground.
    fn add_opposite_effort(&mut self, speed: SpeedId, effort: &Formula);
}

/// Forces and moments of one load, or of its elastic or dissipative part, on bodies and speeds.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Action<S> {
    /// Name of the load, or that of [`damping_part_name`](super::damping_of). The power of a load
    /// is the sum over both names.
    pub name: String,
    /// True if the force has a potential, which then is part of the potential energy.
    pub potential: bool,
    /// Bodies with the wrenches that act on them, in body axes about the pole.
    pub wrenches: Vec<(BodyId, Wrench<S>)>,
    /// Free speeds with the efforts that act on them, in the unit of power per unit of the speed.
    pub efforts: Vec<(SpeedId, S)>,
}

impl<S> Action<S> {
    /// Creates an empty action without potential.
    pub fn new(name: String) -> Self {
        Action { name, potential: false, wrenches: Vec::new(), efforts: Vec::new() }
    }

    /// Creates an empty action with a potential.
    pub fn with_potential(name: String) -> Self {
        Action { potential: true, ..Action::new(name) }
    }
}
