//! Joints and initial values.

use super::Build;
use super::formulas::May;
use super::joint_layout::Source;
use super::joint_parts::{attitude, speed_kind, velocity_frame};
use crate::algebra::Dimension;
use crate::mechanism::{AxisVector, Formula, Joint, JointKind, Placement, Slot};
use crate::spec;

impl Build<'_> {
    /// The joints, in the order of the spec.
    pub(super) fn build_joints(&mut self) -> Vec<Joint> {
        let mut out = Vec::new();
        for (j, joint) in self.spec.joints.iter().enumerate() {
            let what = format!("joint `{}`", joint.name.value);
            // Names of bodies have been looked up by the tree, which reported those that do not exist.
            let ends = [(&joint.parent, "parent"), (&joint.child, "child")].map(|(f, end)| {
                let known = f.body.value == "ground" || self.body_names.contains_key(&f.body.value);
                known.then(|| self.frame(f, &format!("the {end} of {what}"))).flatten()
            });
            let [parent, child] = ends.map(|e| e.unwrap_or((None, Placement::IDENTITY)));
            let kind = self.joint_kind(joint, &what);
            let layout = self.layouts.get(j).cloned().unwrap_or_default();
            let coordinates: Vec<Slot> = layout.coordinates.iter().map(|s| self.slot(*s)).collect();
            let speeds: Vec<Slot> = layout.speeds.iter().map(|s| self.slot(*s)).collect();
            let mut armature = vec![None; speeds.len()];
            if let (Some(value), Some(slot)) = (&joint.armature, armature.first_mut()) {
                let unit = match kind {
                    JointKind::Prismatic(_) => Dimension::MASS,
                    _ => Dimension::INERTIA,
                };
                let text = format!("the armature of {what}");
                *slot = Some(self.formula(value, &text, May::Parameters, Some(unit)));
            }
            let rotor = joint.rotor.as_ref().and_then(|r| self.rotor(joint, r, &kind, &what));
            let direction = matches!(kind, JointKind::Direction);
            let absolute = joint.coordinates.from_ground.as_ref().map_or(direction, |g| g.value);
            out.push(Joint {
                name: joint.name.value.clone(),
                kind,
                parent: parent.0.map(|b| self.arena(b)),
                parent_frame: parent.1,
                child_frame: child.1,
                absolute,
                coordinates,
                speeds,
                armature,
                rotor,
            });
        }
        out
    }

    fn slot(&self, source: Source) -> Slot {
        match source {
            Source::Free(i) => Slot::Free(i),
            Source::Prescribed(i) => {
                let formula = self.definitions.get(i).cloned().flatten().map_or(Formula::ZERO, |t| t.formula);
                Slot::Prescribed(formula)
            }
        }
    }

    fn joint_kind(&mut self, joint: &spec::Joint, what: &str) -> JointKind {
        use spec::JointKind as S;
        let axis = |a: &spec::AxisText| AxisVector(a.value);
        match &joint.kind {
            S::Fixed => JointKind::Fixed,
            S::Revolute(a) => JointKind::Revolute(axis(a)),
            S::Prismatic(a) => JointKind::Prismatic(axis(a)),
            S::Helical(a, pitch) => {
                let text = format!("the pitch of {what}");
                JointKind::Helical(
                    axis(a),
                    self.formula(pitch, &text, May::Parameters, Some(Dimension::LENGTH)),
                )
            }
            S::Cylindrical(a) => JointKind::Cylindrical(axis(a)),
            S::Universal(a, b) => JointKind::Universal(axis(a), axis(b)),
            S::Planar(a, b) => JointKind::Planar(axis(a), axis(b)),
            S::Spherical => JointKind::Spherical(attitude(joint), speed_kind(joint)),
            S::Free => JointKind::Free(attitude(joint), speed_kind(joint), velocity_frame(joint)),
            S::Direction => JointKind::Direction,
        }
    }

    /// Turns positions of joints in the spec into positions in the mechanism.
    pub(super) fn number_joints(&mut self) {
        let index: Vec<usize> = self
            .spec
            .joints
            .iter()
            .map(|j| self.body_names.get(&j.child.body.value).map_or(0, |b| self.arena(*b)))
            .collect();
        for c in &mut self.coordinates {
            c.joint = index[c.joint];
        }
        for v in &mut self.speeds {
            v.joint = index[v.joint];
        }
    }
}
