//! Axes in which the quantities of a body are written while equations are formed.
//!
//! Problem: vectors are rotated from the axes of every body to those of its neighbour. Where joints
//! turn about parallel axes, or a body is a leaf, it is cheaper to rotate the body's own constants:
//! its inertia and the positions of its joints.
//! Method:  a body whose axes are *unturned* is written in the axes that it has at the joint angle
//! zero, which are constant in the axes of its parent. The axis of the joint has the same
//! components in both. The next joint then rotates by the sum of both angles, which is simple only
//! if its axis is parallel. So a body may be unturned if its joint turns about one axis and all its
//! outboard joints turn about a parallel axis. In a chain of parallel axes the angles become
//! absolute. The choice affects only the cost: every choice gives the same equations. `optimise`
//! searches for a good one.

use super::BodyAxes;
use crate::mechanism::axis::AxisVector;
use crate::mechanism::exact_turn::{are_exactly_parallel, rotate_exact_vector};
use crate::mechanism::index::{BodyId, JointId};
use crate::mechanism::joint::Turning;
use crate::mechanism::model::Joint;

impl BodyAxes {
    /// Axes with every body in its own; only the directions between joint axes are determined.
    pub fn from_joints(joints: &[Joint]) -> Self {
        let along = joints.iter().map(|j| axis_sense_against_parent(joints, j).unwrap_or(0)).collect();
        BodyAxes { axis_relative_to_parent: along, ..BodyAxes::default() }
    }

    /// Axes with every body unturned (not rotating with its joint) for which that is allowed.
    pub fn all_unrotated(&self, joints: &[Joint]) -> Self {
        let unturned = BodyId::range(joints.len()).map(|i| self.may_be_unrotated(joints, i)).collect();
        BodyAxes { unturned, ..self.clone() }
    }

    /// True if a body may be written in axes that do not rotate with its joint.
    pub fn may_be_unrotated(&self, joints: &[Joint], body: BodyId) -> bool {
        let mut outboard = JointId::range(joints.len()).filter(|j| joints[*j].parent == Some(body));
        single_rotation_axis(&joints[body.inboard_joint()]).is_some() && outboard.all(|j| self.along(j) != 0)
    }
}

/// Axis of a joint that turns its child by its only coordinate, measured from the parent; `None`
/// for other joints.
fn single_rotation_axis(joint: &Joint) -> Option<AxisVector> {
    match joint.kind.form().allowed_rotation() {
        Turning::About(axis) if !joint.absolute && joint.coordinates.len() == 1 => Some(axis),
        _ => None,
    }
}

/// Sense of a joint's axis against that of the parent's joint: 1 if parallel, −1 if antiparallel;
/// `None` if neither, or if one of the two has no axis.
fn axis_sense_against_parent(joints: &[Joint], joint: &Joint) -> Option<i8> {
    let parent = &joints[joint.parent?.inboard_joint()];
    let (joint_axis, parent_axis) = (single_rotation_axis(joint)?, single_rotation_axis(parent)?);
    let in_parent = rotate_exact_vector(&parent.child_frame.rotation, parent_axis.0, false)?;
    let in_frame = rotate_exact_vector(&joint.parent_frame.rotation, in_parent, true)?;
    let product = joint_axis.dot(AxisVector(in_frame))?;
    are_exactly_parallel(joint_axis.0, in_frame).then(|| if product.to_f64() < 0.0 { -1 } else { 1 })
}
