//! Check of joint angles measured from the ground: accepted where this does not change the
//! mechanism.
//!
//! Spherical, free and direction joints leave the orientation of the child free, so it may be
//! measured from any frame. The angle of a revolute joint may be measured from the ground only if
//! its axis has a fixed direction in the ground: all rotations between the ground and the joint
//! must be about parallel axes.

use super::Build;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::exact_turn::{ExactVector, are_exactly_parallel, rotate_exact_vector};
use dqdt_mechanics::mechanism::joint::{GroundAngles, Turning};
use dqdt_mechanics::mechanism::{BodyId, JointId, Mechanism};

impl Build<'_> {
    pub(super) fn check_ground_angles(&mut self, m: &Mechanism) {
        for (i, joint) in JointId::enumerate(&m.joints).filter(|(_, j)| j.absolute) {
            let GroundAngles::IfAxisIsFixed(axis) = joint.kind.form().ground_angle_condition() else {
                continue;
            };
            let Err((culprit, why)) = follow_axis(m, i, axis.0) else { continue };
            let find = |name: &str| self.spec.joints.iter().find(|j| j.name.value == name);
            let spec_joint = find(&joint.name);
            let span = spec_joint.and_then(|j| j.coordinates.from_ground.as_ref()).and_then(|g| g.span);
            let other = find(&m.joints[culprit].name).and_then(|j| j.name.span);
            self.problems.push(
                Diagnostic::error(
                    "ground-angle",
                    format!("the angle of joint `{}` cannot be measured from the ground", joint.name),
                )
                .at(span, "this axis is not fixed in the ground")
                .also(other, why)
                .help("measure the angle from the parent (remove `measured_from`); it can be measured from the ground only if all joint axes between the body and the ground are parallel and no joint frame is rotated away from them"),
            );
        }
    }
}

/// Follows a joint axis of fixed direction in the ground along the tree, from the ground to a
/// joint. The error is the joint that turns the axis, and the reason.
fn follow_axis(m: &Mechanism, end: JointId, axis: ExactVector) -> Result<(), (JointId, &'static str)> {
    let mut path: Vec<JointId> = m.path_to_root(end.child()).map(BodyId::inboard_joint).collect();
    path.reverse();
    // The axis in the frame of the body reached so far, at first the ground.
    let mut here = axis;
    for k in path {
        let joint = &m.joints[k];
        let turned = (k, "the frame of this joint is rotated");
        let in_frame = rotate_exact_vector(&joint.parent_frame.rotation, here, true).ok_or(turned)?;
        if k == end {
            // The angle is about the axis as written, which must also be its direction in the
            // ground.
            return if in_frame == axis { Ok(()) } else { Err(turned) };
        }
        let moves = (k, "this joint rotates the axis");
        let keeps = match joint.kind.form().allowed_rotation() {
            Turning::Not => true,
            Turning::About(a) => are_exactly_parallel(a.0, in_frame),
            Turning::Freely => false,
        };
        if !keeps {
            return Err(moves);
        }
        here = rotate_exact_vector(&joint.child_frame.rotation, in_frame, false).ok_or(turned)?;
    }
    Ok(())
}
