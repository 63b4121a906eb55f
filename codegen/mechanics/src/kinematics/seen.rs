//! The frame at one end of a line element as seen from the frame at the other.

use super::pose::placement;
use crate::mechanism::constraint::Seen;
use crate::mechanism::load::Relative;
use crate::mechanism::{BodyId, Ends, Environment, Placement};
use dqdt_algebra::{Mat3, Scalar, Vec3};

/// How what stands in a body is written in the axes of a motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixed<S> {
    /// The pole in the body frame.
    pub pole: Vec3<S>,
    /// From body axes to those of the motion; `None` where they are the same.
    pub turn: Option<Mat3<S>>,
}

impl<S: Scalar> Fixed<S> {
    /// From the pole to the origin of a frame, and from its axes to those of the motion.
    fn place(&self, frame: &Placement, env: &Environment<'_, S>) -> (Vec3<S>, Mat3<S>) {
        let (origin, rotation) = placement(frame, env);
        let arm = origin - self.pole;
        self.turn.map_or((arm, rotation), |z| (z.apply(arm), z.mul(&rotation)))
    }
}

/// The second frame seen from the first; `pose`: the second body as seen from the first.
pub(super) fn seen_from_first<S: Scalar>(
    ends: &Ends,
    pose: &Relative<S>,
    bodies: [Fixed<S>; 2],
    env: &Environment<'_, S>,
) -> Seen<S> {
    let (from, first) = bodies[0].place(&ends.from.1, env);
    let (arm, second) = bodies[1].place(&ends.to.1, env);
    let origin = first.apply_transposed(pose.point(arm) - from);
    Seen { rotation: first.transposed_mul(&pose.rotation).mul(&second), origin, first, second, arm }
}

/// The bodies at both ends, in body axes.
pub(super) fn in_body_axes<S: Scalar>(ends: &Ends, pole: impl Fn(BodyId) -> Vec3<S>) -> [Fixed<S>; 2] {
    [&ends.from, &ends.to].map(|end| Fixed { pole: end.0.map_or(Vec3::ZERO, &pole), turn: None })
}
