//! Pose of one body relative to another, and positions of named points.
//!
//! Problem: rotation and pole of body `a` in the axes of body `b`; either may be the ground.
//! Method:  both are expressed in their nearest common ancestor, never in the ground: the graph
//! does not cancel `(x + y) − x`, so the motion that two bodies share must not enter. If one body
//! is the ancestor of the other, no difference is formed.
//! Frames:  results in the axes of `b`, from the pole of `b`; the ground's pole is its origin.
//! Cost:    O(depth).
//! Not handled: velocities; a point's velocity is `twist.at(r)` in the axes of its body.

use super::pose::{Pose, body_poses, evaluate_vector};
use crate::mechanism::load::RelativePose;
use crate::mechanism::{BodyId, Environment, Mechanism};
use dqdt_algebra::{Mat3, Scalar, Vec3};

/// Pose of body `from` relative to its ancestor `to`; `None` if they are the same.
fn pose_relative_to_ancestor<S: Scalar>(
    m: &Mechanism,
    pose: &dyn Fn(BodyId) -> Pose<S>,
    from: Option<BodyId>,
    to: Option<BodyId>,
) -> Option<RelativePose<S>> {
    if from == to {
        return None;
    }
    // Poses relative to the ground are already known.
    if let (Some(body), None) = (from, to) {
        let p = pose(body);
        return Some(RelativePose { rotation: p.rotation, offset: p.origin });
    }
    let mut at = from?;
    let first = pose(at);
    let mut relative = RelativePose { rotation: first.relative_rotation, offset: first.offset };
    while m.parent_body(at) != to {
        at = m.parent_body(at)?;
        let p = pose(at);
        relative = RelativePose {
            rotation: p.relative_rotation.mul(&relative.rotation),
            offset: p.offset + p.relative_rotation.apply(relative.offset),
        };
    }
    Some(relative)
}

/// Pose of body `a` in the axes of body `b` (`None`: the ground). `pose` returns the pose of a
/// body.
pub fn relative_pose<S: Scalar>(
    m: &Mechanism,
    pose: &dyn Fn(BodyId) -> Pose<S>,
    a: Option<BodyId>,
    b: Option<BodyId>,
) -> RelativePose<S> {
    let path: Vec<BodyId> = b.map(|b| m.path_to_root(b).collect()).unwrap_or_default();
    let common = a.and_then(|a| m.path_to_root(a).find(|x| path.contains(x)));
    let (up, down) =
        (pose_relative_to_ancestor(m, pose, a, common), pose_relative_to_ancestor(m, pose, b, common));
    match (up, down) {
        (None, None) => RelativePose { rotation: Mat3::identity(), offset: Vec3::ZERO },
        (Some(up), None) => up,
        (None, Some(down)) => RelativePose {
            rotation: down.rotation.transpose(),
            offset: -down.rotation.apply_transposed(down.offset),
        },
        (Some(up), Some(down)) => RelativePose {
            rotation: down.rotation.transposed_mul(&up.rotation),
            offset: down.rotation.apply_transposed(up.offset - down.offset),
        },
    }
}

/// Position of a named point of a body or of the ground, for the emitted positions.
#[derive(Clone, Debug)]
pub struct PointPosition<S> {
    /// Body of the point; `None` for the ground.
    pub body: Option<BodyId>,
    /// Name of the point on its body.
    pub name: String,
    /// Position of the point, in ground axes \[m\].
    pub position: Vec3<S>,
}

/// Positions of all named points in ground axes \[m\]; the ground's own points first. Speeds are
/// not used.
pub fn point_positions<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<PointPosition<S>> {
    let ground = m.ground_points.iter().map(|point| PointPosition {
        body: None,
        name: point.name.clone(),
        position: evaluate_vector(&point.placement.origin, env),
    });
    let poses = body_poses(m, env);
    let on_bodies = BodyId::enumerate(m.bodies.iter().zip(&poses)).flat_map(|(i, (body, pose))| {
        body.points.iter().map(move |point| PointPosition {
            body: Some(i),
            name: point.name.clone(),
            position: pose.point_in_ground_axes(evaluate_vector(&point.placement.origin, env)),
        })
    });
    ground.chain(on_bodies).collect()
}
