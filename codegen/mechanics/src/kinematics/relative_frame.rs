//! Pose of the second frame of a constraint, load or measure relative to its first.

use super::pose::evaluate_placement;
use crate::mechanism::constraint::RelativeFrame;
use crate::mechanism::load::RelativePose;
use crate::mechanism::{BodyId, Ends, Environment, Placement};
use dqdt_algebra::{Mat3, Scalar, Vec3};

/// Converts vectors given in a body frame to the axes in which a motion is computed, about the
/// body's pole.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyToMotionAxes<S> {
    /// Position of the body's pole in the body frame \[m\].
    pub pole: Vec3<S>,
    /// Rotation matrix from body axes to the axes of the motion; `None` if they are the same.
    pub turn: Option<Mat3<S>>,
}

impl<S: Scalar> BodyToMotionAxes<S> {
    /// Vector from the pole to a frame's origin \[m\], and rotation matrix from the frame's axes,
    /// both in the axes of the motion.
    fn locate_frame(&self, frame: &Placement, env: &Environment<'_, S>) -> (Vec3<S>, Mat3<S>) {
        let (origin, rotation) = evaluate_placement(frame, env);
        let arm = origin - self.pole;
        self.turn.map_or((arm, rotation), |z| (z.apply(arm), z.mul(&rotation)))
    }
}

/// Pose of the second frame of `ends` relative to the first, from the `pose` of the second body
/// relative to the first body.
pub(super) fn relative_frame<S: Scalar>(
    ends: &Ends,
    pose: &RelativePose<S>,
    bodies: [BodyToMotionAxes<S>; 2],
    env: &Environment<'_, S>,
) -> RelativeFrame<S> {
    let (from, first) = bodies[0].locate_frame(&ends.from.1, env);
    let (arm, second) = bodies[1].locate_frame(&ends.to.1, env);
    let origin = first.apply_transposed(pose.point_in_other_body(arm) - from);
    RelativeFrame { rotation: first.transposed_mul(&pose.rotation).mul(&second), origin, first, second, arm }
}

/// Conversions for both ends of a constraint or measure whose motion is in body axes: no rotation,
/// only the poles.
pub(super) fn ends_in_body_axes<S: Scalar>(
    ends: &Ends,
    pole: impl Fn(BodyId) -> Vec3<S>,
) -> [BodyToMotionAxes<S>; 2] {
    [&ends.from, &ends.to].map(|end| BodyToMotionAxes { pole: end.0.map_or(Vec3::ZERO, &pole), turn: None })
}
