//! Formulation of the equations: choices that change the number of operations and no value.
//!
//! A formulation is found by `optimise` or specified by hand, and is an argument of derivation. It
//! is not part of the mechanism.

mod body_axes;
pub(super) mod elimination_groups;
mod joint_origins;

use super::index::{BodyId, JointId};

/// Choices that affect only the cost of the equations: elimination groups, body axes, joint
/// origins. With `None` a search may choose; without a search, derivation uses the default that the
/// field's comment names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formulation {
    /// Groups of joints that the mixed form (between ABA and CRBA) eliminates together. Default:
    /// chains of three joints, counted from the leaves.
    pub elimination_groups: Option<EliminationGroups>,
    /// Axes in which the quantities of each body are written. Default: the axes of the body frame
    /// in the spec.
    pub body_axes: Option<BodyAxes>,
    /// Origin of each joint on its axis. Default: the origin in the spec.
    pub joint_origins: Option<JointOrigins>,
    /// Number of trailing parameters that temporarily replace numeric constants, so that equal
    /// limbs have the same equations (`optimise::equal_limbs`).
    pub stand_ins: usize,
}

impl Formulation {
    /// True if the formulation writes some body in axes that do not rotate with its joint.
    pub fn has_unrotated_axes(&self) -> bool {
        self.body_axes.as_ref().is_some_and(BodyAxes::has_unrotated_axes)
    }
}

/// Groups of joints that the mixed form eliminates together, one entry a joint. A joint beyond the
/// end of the lists is a group of its own, as in ABA.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EliminationGroups {
    /// Flags by joint: true if the joint's speeds are eliminated together with those of its parent.
    pub joined: Vec<bool>,
    /// Flags by joint: true if the body's bias acceleration (at `v̇ = 0`) includes that of its
    /// parent. Within a group it always does.
    pub carried: Vec<bool>,
}

impl EliminationGroups {
    /// True if a joint is eliminated in the group of its parent.
    pub fn is_grouped_with_parent(&self, joint: JointId) -> bool {
        self.joined.get(joint.index()) == Some(&true)
    }

    /// True if the bias acceleration is carried across this joint although it begins a group.
    pub fn carries_bias_acceleration(&self, joint: JointId) -> bool {
        self.carried.get(joint.index()) == Some(&true)
    }
}

/// Axes in which bodies are written: those of the body, or axes that do not rotate with its joint.
/// One entry a joint.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BodyAxes {
    /// Flags by body: true if the body's axes do not rotate with its joint. Bodies beyond the end
    /// of the list use their own axes.
    pub unturned: Vec<bool>,
    /// Direction of each joint's axis relative to that of the parent's joint: parallel (1),
    /// antiparallel (−1), or neither (0).
    pub axis_relative_to_parent: Vec<i8>,
}

impl BodyAxes {
    /// True if the axes of a body do not rotate with its joint.
    pub fn is_unrotated(&self, body: BodyId) -> bool {
        self.unturned.get(body.index()) == Some(&true)
    }

    /// True if any body has axes that do not rotate with its joint.
    pub fn has_unrotated_axes(&self) -> bool {
        self.unturned.contains(&true)
    }

    /// Direction of the joint's axis relative to that of the parent's joint: parallel (1),
    /// antiparallel (−1), or neither (0).
    pub fn along(&self, joint: JointId) -> i8 {
        self.axis_relative_to_parent.get(joint.index()).copied().unwrap_or(0)
    }
}

/// Origins of joints along their axes: as in the spec, or level with the parent's pole. One entry a
/// joint.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JointOrigins {
    /// Flags by joint: true if the origin is moved along the joint's axis until it is level with
    /// the parent's pole. Joints beyond the end of the list keep the origin of the spec.
    pub level: Vec<bool>,
}

impl JointOrigins {
    /// True if a joint's origin is moved along its axis to be level with the parent's pole.
    pub fn is_level_with_parent(&self, joint: JointId) -> bool {
        self.level.get(joint.index()) == Some(&true)
    }
}
