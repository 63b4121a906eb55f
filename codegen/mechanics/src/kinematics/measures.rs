//! Measures: components of the pose and of the motion of one frame as seen from another, for formulas.
//!
//! Problem: positions, rotations, distances and their rates, by frames, wherever a formula may name them.
//! Method:  the seen frame is carried to the axes of the frame that it is seen from by their nearest common ancestor. Its
//! velocity there is `R v − v'` with the velocity `v'` of the point of the other body that is at the same place, so it is
//! the rate of the position. What a measure makes of that is in `mechanism/measure`.
//! Frames:  components in the frame that it is seen from.
//! Units:   m, rad, s.
//! Cost:    O(depth) each.
//! Not handled: accelerations; loads would depend on what they cause.

use super::bodies::Kinematics;
use super::gravity_efforts::gravity_efforts;
use super::motion::kinematics;
use super::pose::{Pose, poses};
use super::relative::relative;
use super::seen::{in_body_axes, seen_from_first};
use crate::mechanism::measure::{Measure, MeasureContext, MeasureSubject};
use crate::mechanism::{BodyId, Ends, Environment, Formula, Mechanism, Variable};
use dqdt_algebra::{Mat3, Scalar, Vec3};

/// The values of all measures, in the order of the mechanism.
pub fn measures<S: Scalar>(m: &Mechanism, k: &Kinematics<S>, env: &Environment<'_, S>) -> Vec<S> {
    m.measures.iter().map(|x| value(m, &|b| k.bodies[b].pose(), Some(k), env, x)).collect()
}

/// The value of a formula that may name measures.
pub fn value_of<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, f: &Formula) -> S {
    if !f.measures() {
        return f.eval(env);
    }
    let values = if f.mentions(&|v| matches!(v, Variable::Velocity(_))) {
        measures(m, &kinematics(m, env), env)
    } else {
        let poses = poses(m, env);
        m.measures.iter().map(|x| value(m, &|b| poses[b], None, env, x)).collect()
    };
    f.eval(&Environment { measures: &values, ..*env })
}

/// One frame as seen from another: its axes and its origin, in the axes of the other.
pub(crate) fn placed<S: Scalar>(
    m: &Mechanism,
    pose: &dyn Fn(BodyId) -> Pose<S>,
    ends: &Ends,
    env: &Environment<'_, S>,
) -> (Mat3<S>, Vec3<S>) {
    let between = relative(m, pose, ends.to.0, ends.from.0);
    let seen = seen_from_first(ends, &between, in_body_axes(ends, |b| pose(b).pole), env);
    (seen.rotation, seen.origin)
}

/// A measure in a pose. Without `motion` velocities are zero; no measure of a pose reads them.
struct Seen<'a, 'e, S> {
    mechanism: &'a Mechanism,
    pose: &'a dyn Fn(BodyId) -> Pose<S>,
    motion: Option<&'a Kinematics<S>>,
    env: &'a Environment<'e, S>,
    subject: &'a MeasureSubject,
}

impl<S: Scalar> Seen<'_, '_, S> {
    fn placed(&self) -> (Mat3<S>, Vec3<S>) {
        let placed = |ends| placed(self.mechanism, self.pose, ends, self.env);
        self.subject.ends().map_or((Mat3::identity(), Vec3::ZERO), placed)
    }

    fn velocities(&self) -> (Vec3<S>, Vec3<S>) {
        let velocities = |(k, ends)| velocities(self.mechanism, k, ends, self.env);
        self.motion.zip(self.subject.ends()).map_or((Vec3::ZERO, Vec3::ZERO), velocities)
    }
}

impl<S: Scalar> MeasureContext<S> for Seen<'_, '_, S> {
    fn rotation(&self) -> Mat3<S> {
        self.placed().0
    }

    fn origin(&self) -> Vec3<S> {
        self.placed().1
    }

    fn velocity(&self) -> Vec3<S> {
        self.velocities().0
    }

    fn angular_velocity(&self) -> Vec3<S> {
        self.velocities().1
    }

    fn gravity_effort(&self) -> S {
        let MeasureSubject::Speed(speed) = self.subject else { return S::ZERO };
        let efforts = match self.motion {
            Some(k) => gravity_efforts(self.mechanism, k, self.env),
            None => gravity_efforts(self.mechanism, &kinematics(self.mechanism, self.env), self.env),
        };
        efforts[*speed]
    }
}

fn value<S: Scalar>(
    m: &Mechanism,
    pose: &dyn Fn(BodyId) -> Pose<S>,
    k: Option<&Kinematics<S>>,
    env: &Environment<'_, S>,
    measure: &Measure,
) -> S {
    let seen = Seen { mechanism: m, pose, motion: k, env, subject: &measure.subject };
    measure.kind.value(&seen).named(&|| measure.name.clone())
}

/// Rate of the origin's position, and angular velocity, both as seen from the first frame and in its axes.
fn velocities<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    ends: &Ends,
    env: &Environment<'_, S>,
) -> (Vec3<S>, Vec3<S>) {
    let between = relative(m, &|b| k.bodies[b].pose(), ends.to.0, ends.from.0);
    let seen = seen_from_first(ends, &between, in_body_axes(ends, |b| k.bodies[b].pole), env);
    let (mut velocity, mut turning) = (Vec3::ZERO, Vec3::ZERO);
    if let Some(body) = ends.to.0 {
        let twist = k.bodies[body].twist;
        velocity = between.rotation.apply(twist.at(seen.arm));
        turning = between.rotation.apply(twist.w);
    }
    if let Some(body) = ends.from.0 {
        let twist = k.bodies[body].twist;
        velocity = velocity - twist.at(between.point(seen.arm));
        turning = turning - twist.w;
    }
    (seen.first.apply_transposed(velocity), seen.first.apply_transposed(turning))
}
