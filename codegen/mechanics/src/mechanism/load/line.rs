//! Helpers for loads along the line between two points.

use super::context::{Action, LoadContext, PoseContext, RelativePose};
use crate::mechanism::ends::Ends;
use dqdt_algebra::{Scalar, Vec3, Wrench};

/// Name of the dissipative part of a spring, for its power and its values in emitted code.
#[doc(hidden)]
pub fn damping_part_name(name: &str) -> String {
    format!("{name}_damping")
}

/// Vector from the first point of `ends` to the second, in the axes of the second body \[m\].
#[doc(hidden)]
pub fn vector_between_ends<S: Scalar>(pose: &dyn PoseContext<S>, ends: &Ends) -> Vec3<S> {
    let from_pose = pose.relative_pose(ends.from.0, ends.to.0);
    pose.arm_to_point(ends.to.0, &ends.to.1)
        - from_pose.point_in_other_body(pose.arm_to_point(ends.from.0, &ends.from.1))
}

/// Line between two points on two bodies, along which a load pulls.
pub(super) struct LineOfAction<S> {
    /// Position of the first point from the pole of its body, in body axes \[m\].
    pub r_from: Vec3<S>,
    /// Position of the second point from the pole of its body, in body axes \[m\].
    pub r_to: Vec3<S>,
    /// Pose of the first body relative to the second.
    pub from_pose: RelativePose<S>,
    /// Vector from the first point to the second, in the axes of the second body \[m\].
    pub span: Vec3<S>,
}

impl<S: Scalar> LineOfAction<S> {
    /// Line between the points of `ends` at the current pose; `name`: the load.
    pub(super) fn between_ends(context: &dyn LoadContext<S>, name: &str, ends: &Ends) -> Self {
        let r_from = context.arm_to_point(ends.from.0, &ends.from.1);
        let r_to = context.arm_to_point(ends.to.0, &ends.to.1);
        let from_pose = context.relative_pose(ends.from.0, ends.to.0);
        let span = (r_to - from_pose.point_in_other_body(r_from)).name_components(&|| format!("{name}_span"));
        LineOfAction { r_from, r_to, from_pose, span }
    }

    /// Distance of the two points \[m\], with a square root; `name`: the load.
    pub(super) fn length(&self, name: &str) -> S {
        let squared = self.span.dot(self.span).suggest_name(&|| format!("{name}_length_sq"));
        squared.sqrt().suggest_name(&|| format!("{name}_length"))
    }

    /// Adds a tension to both bodies of an action; positive pulls the points together.
    /// `tension_by_length`: tension divided by the length of the line.
    pub(super) fn add_tension_to_action(
        &self,
        ends: &Ends,
        mut action: Action<S>,
        tension_by_length: S,
    ) -> Action<S> {
        let f = self.span.scale(tension_by_length);
        if let Some(body) = ends.to.0 {
            action.wrenches.push((body, -Wrench::from_force_at(f, self.r_to)));
        }
        if let Some(body) = ends.from.0 {
            action.wrenches.push((
                body,
                Wrench::from_force_at(self.from_pose.rotation.apply_transposed(f), self.r_from),
            ));
        }
        action
    }
}
