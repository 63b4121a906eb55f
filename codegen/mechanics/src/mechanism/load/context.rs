//! The state of a mechanism as loads read it, and the forces and work that they add to it.

use crate::mechanism::ends::{Ends, VectorFrame};
use crate::mechanism::environment::Environment;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::{BodyId, SpeedId};
use crate::mechanism::model::Placement;
use dqdt_algebra::{Mat3, Scalar, Vec3, Wrench};

/// Body `a` as seen from body `b`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Relative<S> {
    /// `a` to `b` axes.
    pub rotation: Mat3<S>,
    /// From the pole of `b` to the pole of `a`, in `b` axes \[m\].
    pub offset: Vec3<S>,
}

impl<S: Scalar> Relative<S> {
    /// A point given from the pole of `a` in `a` axes, from the pole of `b` in `b` axes.
    pub fn point(&self, r: Vec3<S>) -> Vec3<S> {
        self.offset + self.rotation.apply(r)
    }
}

/// Values at one instant.
#[doc(hidden)]
pub trait LoadState<S: Scalar> {
    /// Values of names.
    fn environment(&self) -> &Environment<'_, S>;

    /// True if a formula is zero whatever the free parameters are: asked where a zero decides the
    /// method.
    fn vanishes(&self, f: &Formula) -> bool;
}

/// A mechanism in one pose. `None` is the ground.
#[doc(hidden)]
pub trait PoseContext<S: Scalar>: LoadState<S> {
    /// From the pole of a body to a point that is fixed on it, in its axes \[m\].
    fn arm(&self, body: Option<BodyId>, point: &Placement) -> Vec3<S>;

    /// Axes of a frame on a body, to the axes of the body.
    fn axes(&self, frame: &Placement) -> Mat3<S>;

    /// Body `a` as seen from body `b`.
    fn seen(&self, a: Option<BodyId>, b: Option<BodyId>) -> Relative<S>;
}

/// A mechanism in one pose and in motion.
#[doc(hidden)]
pub trait LoadContext<S: Scalar>: PoseContext<S> {
    /// A vector that is written in `frame`, in the axes of a body.
    fn in_axes_of(&self, body: BodyId, value: &[Formula; 3], frame: &VectorFrame) -> Vec3<S>;

    /// Velocity of the point at `arm` of a body relative to the ground, in the axes of the body
    /// [m/s].
    fn velocity(&self, body: Option<BodyId>, arm: Vec3<S>) -> Vec3<S>;

    /// Angular velocity of a body relative to the ground, in its axes [rad/s].
    fn angular_velocity(&self, body: Option<BodyId>) -> Vec3<S>;

    /// For a speed measured from the ground: the body that takes the opposite of an effort, and the
    /// moment on the child of one unit of it, in the axes of that body.
    fn opposite_moment(&self, speed: SpeedId) -> Option<(BodyId, Vec3<S>)>;
}

/// How a frame moves as seen from another one.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct FrameMotion<S> {
    /// Axes of the other frame, to ground axes.
    pub axes: Mat3<S>,
    /// Velocity of its origin relative to the other frame, in the axes of that frame [m/s].
    pub velocity: Vec3<S>,
    /// Angular velocity relative to the other frame, in the axes of that frame [rad/s].
    pub angular_velocity: Vec3<S>,
}

/// The sum of what loads do along each coordinate, in ground axes.
#[doc(hidden)]
pub trait LoadWork<S: Scalar>: LoadState<S> {
    /// A vector that is written in `frame`, in ground axes.
    fn in_ground_axes(&self, value: &[Formula; 3], frame: &VectorFrame) -> Vec3<S>;

    /// A point that is fixed on a body, from the ground's origin \[m\].
    fn place(&self, body: Option<BodyId>, point: &Placement) -> Vec3<S>;

    /// Adds a force \[N\] on the point of a body that is at `at`.
    fn add_force(&mut self, body: BodyId, at: Vec3<S>, force: Vec3<S>);

    /// Adds a moment [N·m] on a body.
    fn add_moment(&mut self, body: BodyId, moment: Vec3<S>);

    /// Adds a tension \[N\] that pulls two points together.
    fn add_tension(&mut self, ends: &Ends, tension: S);

    /// Rate of the distance between two points [m/s].
    fn length_rate(&self, ends: &Ends) -> S;

    /// The second frame of two as seen from the first; from `(None, Placement::IDENTITY)` relative
    /// to the ground.
    fn relative_motion(&self, ends: &Ends) -> FrameMotion<S>;

    /// Where a speed is measured from the ground: adds the opposite of an effort, on the parent.
    fn add_opposite(&mut self, speed: SpeedId, effort: &Formula);
}

/// The forces and moments of one load.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Action<S> {
    /// Name of the load, or `damping_of` it: by these two names the power of a load is summed.
    pub name: String,
    /// The force has a potential, which is part of the potential energy.
    pub potential: bool,
    /// On bodies, in body axes about the pole.
    pub wrenches: Vec<(BodyId, Wrench<S>)>,
    /// On free speeds.
    pub efforts: Vec<(SpeedId, S)>,
}

impl<S> Action<S> {
    /// Without a potential.
    pub fn new(name: String) -> Self {
        Action { name, potential: false, wrenches: Vec::new(), efforts: Vec::new() }
    }

    /// With a potential.
    pub fn elastic(name: String) -> Self {
        Action { potential: true, ..Action::new(name) }
    }
}
