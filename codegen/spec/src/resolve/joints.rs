//! Resolves joints.

use super::Build;
use super::formulas::PermittedNames;
use super::joint_layout::VariableSource;
use super::joint_parts::{angular_speed_kind, joint_attitude, velocity_frame};
use crate::spec;
use dqdt_algebra::Dimension;
use dqdt_mechanics::mechanism::joint::{Fixed, JointKeyValues, JointKind};
use dqdt_mechanics::mechanism::{
    AxisVector, BodyId, CoordinateId, Formula, Joint, JointId, JointVariable, Placement,
};

impl Build<'_> {
    /// Resolves the section `[joints]`, in the order of the spec.
    pub(super) fn build_joints(&mut self) -> Vec<Joint> {
        let mut out = Vec::new();
        for (j, joint) in self.spec.joints.iter().enumerate() {
            let what = format!("joint `{}`", joint.name.value);
            // Unknown bodies were reported when the tree was built.
            let ends = [(&joint.parent, "parent"), (&joint.child, "child")].map(|(f, end)| {
                let known = f.body.value == "ground" || self.body_names.contains_key(&f.body.value);
                known.then(|| self.resolve_frame(f, &format!("the {end} of {what}"))).flatten()
            });
            let [parent, child] = ends.map(|e| e.unwrap_or((None, Placement::IDENTITY)));
            let kind = self.resolve_joint_kind(joint, &what);
            let layout = self.layouts.get(j).cloned().unwrap_or_default();
            let coordinates: Vec<_> = layout.coordinates.iter().map(|s| self.joint_variable(*s)).collect();
            let speeds: Vec<_> = layout.speeds.iter().map(|s| self.joint_variable(*s)).collect();
            let mut armature = vec![None; speeds.len()];
            if let (Some(value), Some(slot)) = (&joint.armature, armature.first_mut()) {
                let slides = is_effort_a_force(&kind);
                let unit = if slides { Dimension::MASS } else { Dimension::INERTIA };
                let text = format!("the armature of {what}");
                *slot = Some(self.resolve_formula(value, &text, PermittedNames::Parameters, Some(unit)));
            }
            let rotor = joint.rotor.as_ref().and_then(|r| self.resolve_rotor(joint, r, &kind, &what));
            let limits = self.resolve_joint_limits(&joint.limits, &kind, &what);
            let line = kind.form().leaves_roll_undefined();
            let absolute = joint.coordinates.from_ground.as_ref().map_or(line, |g| g.value);
            out.push(Joint {
                name: joint.name.value.clone(),
                kind,
                parent: parent.0.map(|b| self.body_id(b)),
                parent_frame: parent.1,
                child_frame: child.1,
                absolute,
                coordinates,
                names: layout.coordinates.iter().map(|s| self.coordinate_name(*s)).collect(),
                speeds,
                armature,
                rotor,
                limits,
            });
        }
        out
    }

    /// The variable of a joint for the mechanism: a free one, or its prescribed formula.
    fn joint_variable<I>(&self, source: VariableSource<I>) -> JointVariable<I> {
        match source {
            VariableSource::Free(i) => JointVariable::Free(i),
            VariableSource::Prescribed(i) => {
                let formula = self.definitions.get(i).cloned().flatten().map_or(Formula::ZERO, |t| t.formula);
                JointVariable::Prescribed(formula)
            }
        }
    }

    /// Name of a coordinate, free or prescribed.
    fn coordinate_name(&self, source: VariableSource<CoordinateId>) -> String {
        let name = match source {
            VariableSource::Free(i) => self.coordinates.get(i.index()).map(|c| c.name.clone()),
            VariableSource::Prescribed(i) => self.definition_sources.get(i).map(|d| d.name.value.clone()),
        };
        name.unwrap_or_default()
    }

    /// Resolves the type of a joint, with its axes and values such as a pitch.
    fn resolve_joint_kind(&mut self, joint: &spec::Joint, what: &str) -> JointKind {
        build_joint_kind(joint, &mut |key: &'static str, dimension: Dimension| {
            let Some((_, value)) = joint.kind.values.iter().find(|(k, _)| *k == key) else {
                return Formula::ZERO;
            };
            let text = format!("the {key} of {what}");
            self.resolve_formula(value, &text, PermittedNames::Parameters, Some(dimension))
        })
    }

    /// The type of a joint before formulas can be resolved: its values, such as a pitch, are zero.
    /// The number of coordinates and the axes do not depend on them.
    pub(super) fn joint_kind_without_values(&self, joint: &spec::Joint) -> JointKind {
        build_joint_kind(joint, &mut |_, _| Formula::ZERO)
    }

    /// Replaces joint indices of the spec by those of the mechanism, which has joints in the order
    /// of the tree.
    pub(super) fn renumber_joints(&mut self) {
        let index: Vec<JointId> = self
            .spec
            .joints
            .iter()
            .map(|j| {
                self.body_names
                    .get(&j.child.body.value)
                    .map_or(BodyId(0), |b| self.body_id(*b))
                    .inboard_joint()
            })
            .collect();
        for c in &mut self.coordinates {
            c.joint = index[c.joint];
        }
        for v in &mut self.speeds {
            v.joint = index[v.joint];
        }
    }
}

/// True if the first coordinate of a joint is a length, so that its effort is a force rather than a
/// moment.
pub(super) fn is_effort_a_force(kind: &JointKind) -> bool {
    kind.form().coordinate_components().first().is_some_and(|c| c.dimension == Dimension::LENGTH)
}

/// The type of a joint, with its axes; `value` resolves the values of its keys.
fn build_joint_kind(
    joint: &spec::Joint,
    value: &mut dyn FnMut(&'static str, Dimension) -> Formula,
) -> JointKind {
    let axes: Vec<AxisVector> = joint.kind.axes.iter().map(|a| AxisVector(a.value)).collect();
    let mut keys = JointKeyValues {
        axes: &axes,
        attitude: joint_attitude(joint),
        speeds: angular_speed_kind(joint),
        frame: velocity_frame(joint),
        value,
    };
    // Every word that the reader accepts has a kind; a test compares the two lists.
    JointKind::read(joint.kind.word, &mut keys).unwrap_or(Fixed.into())
}
