//! Measures: components of the pose and of the motion of one frame relative to another, for use in
//! formulas.
//!
//! Problem: positions, rotations, distances and their rates between frames, wherever a formula may
//! name them.
//! Method:  the observed frame is expressed in the axes of the observing frame through their
//! nearest common ancestor. Its relative velocity is `R v − v'`, where `v'` is the velocity of the
//! coincident point of the other body, so it is the rate of the position. `mechanism/measure` forms
//! each measure from these.
//! Frames:  components in the observing frame.
//! Units:   m, rad, s.
//! Cost:    O(depth) each.
//! Not handled: accelerations, because loads would then depend on their own effects.

use super::bodies::Kinematics;
use super::gravity_efforts::gravity_efforts;
use super::motion::kinematics;
use super::pose::{Pose, body_poses};
use super::relative_frame::{ends_in_body_axes, relative_frame};
use super::relative_pose::relative_pose;
use crate::mechanism::measure::{Measure, MeasureContext, MeasureSubject};
use crate::mechanism::{BodyId, Ends, Environment, Formula, Mechanism, Variable};
use dqdt_algebra::{Mat3, Scalar, Vec3};

/// Values of all measures of the spec, in its order, from the motion `k` of the bodies.
pub fn evaluate_measures<S: Scalar>(m: &Mechanism, k: &Kinematics<S>, env: &Environment<'_, S>) -> Vec<S> {
    m.measures.iter().map(|x| evaluate_measure(m, &|b| k.bodies[b].pose(), Some(k), env, x)).collect()
}

/// Value of a formula that may name measures, which are evaluated first.
pub fn evaluate_formula<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, f: &Formula) -> S {
    if !f.uses_measures() {
        return f.eval(env);
    }
    let values = if f.any_variable(&|v| matches!(v, Variable::Velocity(_))) {
        evaluate_measures(m, &kinematics(m, env), env)
    } else {
        let poses = body_poses(m, env);
        m.measures.iter().map(|x| evaluate_measure(m, &|b| poses[b], None, env, x)).collect()
    };
    f.eval(&Environment { measures: &values, ..*env })
}

/// Pose of the second frame of `ends` relative to the first: rotation matrix and origin \[m\], in
/// the axes of the first.
pub(crate) fn relative_frame_pose<S: Scalar>(
    m: &Mechanism,
    pose: &dyn Fn(BodyId) -> Pose<S>,
    ends: &Ends,
    env: &Environment<'_, S>,
) -> (Mat3<S>, Vec3<S>) {
    let between = relative_pose(m, pose, ends.to.0, ends.from.0);
    let frame = relative_frame(ends, &between, ends_in_body_axes(ends, |b| pose(b).pole), env);
    (frame.rotation, frame.origin)
}

/// Context in which a measure is evaluated: its two frames or its speed. Without `motion`
/// velocities are reported as zero; callers pass `None` only if no formula uses them.
struct MeasuredSubject<'a, 'e, S> {
    /// The mechanism that contains the bodies of both frames.
    mechanism: &'a Mechanism,
    /// Pose of a body, by its id.
    pose: &'a dyn Fn(BodyId) -> Pose<S>,
    /// Motion of all bodies; `None` if only poses are known.
    motion: Option<&'a Kinematics<S>>,
    /// Values of coordinates, speeds and parameters.
    env: &'a Environment<'e, S>,
    /// The two frames, or the speed, of the measure.
    subject: &'a MeasureSubject,
}

impl<S: Scalar> MeasuredSubject<'_, '_, S> {
    /// Rotation and origin of the observed frame, in the axes of the observing frame.
    fn observed_frame_pose(&self) -> (Mat3<S>, Vec3<S>) {
        match self.subject.ends() {
            Some(ends) => relative_frame_pose(self.mechanism, self.pose, ends, self.env),
            None => (Mat3::identity(), Vec3::ZERO),
        }
    }

    /// Velocity of the observed frame's origin and its angular velocity, in the observing frame.
    fn observed_velocities(&self) -> (Vec3<S>, Vec3<S>) {
        match (self.motion, self.subject.ends()) {
            (Some(k), Some(ends)) => relative_velocities(self.mechanism, k, ends, self.env),
            _ => (Vec3::ZERO, Vec3::ZERO),
        }
    }
}

impl<S: Scalar> MeasureContext<S> for MeasuredSubject<'_, '_, S> {
    fn rotation(&self) -> Mat3<S> {
        self.observed_frame_pose().0
    }

    fn origin(&self) -> Vec3<S> {
        self.observed_frame_pose().1
    }

    fn velocity(&self) -> Vec3<S> {
        self.observed_velocities().0
    }

    fn angular_velocity(&self) -> Vec3<S> {
        self.observed_velocities().1
    }

    fn gravity_effort(&self) -> S {
        let MeasureSubject::Speed(speed) = self.subject else { return S::ZERO };
        // Not from `motion`: its inertias may be regrouped, or zero in a regressor.
        gravity_efforts(self.mechanism, &kinematics(self.mechanism, self.env), self.env)[*speed]
    }
}

/// Value of one measure, from the poses of the bodies and, if known, their motion `k`.
fn evaluate_measure<S: Scalar>(
    m: &Mechanism,
    pose: &dyn Fn(BodyId) -> Pose<S>,
    k: Option<&Kinematics<S>>,
    env: &Environment<'_, S>,
    measure: &Measure,
) -> S {
    let subject = MeasuredSubject { mechanism: m, pose, motion: k, env, subject: &measure.subject };
    measure.kind.value(&subject).suggest_name(&|| measure.name.clone())
}

/// Rate of the second frame's origin and its angular velocity relative to the first frame, in the
/// axes of the first.
fn relative_velocities<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    ends: &Ends,
    env: &Environment<'_, S>,
) -> (Vec3<S>, Vec3<S>) {
    let between = relative_pose(m, &|b| k.bodies[b].pose(), ends.to.0, ends.from.0);
    let frame = relative_frame(ends, &between, ends_in_body_axes(ends, |b| k.bodies[b].pole), env);
    let (mut velocity, mut angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
    if let Some(body) = ends.to.0 {
        let twist = k.bodies[body].twist;
        velocity = between.rotation.apply(twist.velocity_at(frame.arm));
        angular_velocity = between.rotation.apply(twist.w);
    }
    if let Some(body) = ends.from.0 {
        let twist = k.bodies[body].twist;
        velocity = velocity - twist.velocity_at(between.point_in_other_body(frame.arm));
        angular_velocity = angular_velocity - twist.w;
    }
    (frame.first.apply_transposed(velocity), frame.first.apply_transposed(angular_velocity))
}
