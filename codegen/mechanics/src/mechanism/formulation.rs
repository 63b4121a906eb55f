//! How the equations of a mechanism are written: choices that change the work and no value.
//!
//! A formulation is found by `optimise` or given by hand, and is an argument of derivation. The mechanism itself never holds it.

mod body_axes;
pub(super) mod elimination_groups;
mod joint_origins;

use super::index::{BodyId, JointId};

/// The choices. One that is `None` is open: a search may decide it, and derivation takes what stands beside it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formulation {
    /// Which joints the mixed form eliminates together; open: chains of three joints, counted from the leaves.
    pub elimination_groups: Option<EliminationGroups>,
    /// In which axes the quantities of each body are written; open: every body in its own.
    pub body_axes: Option<BodyAxes>,
    /// Where on its axis each joint has its origin; open: where the spec has it.
    pub joint_origins: Option<JointOrigins>,
    /// How many parameters, the last ones, stand in for numbers of equal limbs (`optimise::equal_limbs`).
    pub stand_ins: usize,
}

impl Formulation {
    /// Whether some body is written in axes that do not turn with its joint.
    pub fn any_unturned(&self) -> bool {
        self.body_axes.as_ref().is_some_and(BodyAxes::any_unturned)
    }
}

/// Which joints are eliminated together, one entry a joint. Where the lists are shorter than the joints, every joint is a group of its own: articulated bodies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EliminationGroups {
    /// For each joint, whether its speeds are eliminated with those of its parent.
    pub joined: Vec<bool>,
    /// For each joint, whether the acceleration that its body has without `v̇` contains that of its parent. Always so in a group.
    pub carried: Vec<bool>,
}

impl EliminationGroups {
    /// Whether a joint belongs to the group of its parent.
    pub fn is_joined(&self, joint: JointId) -> bool {
        self.joined.get(joint.index()) == Some(&true)
    }

    /// Whether the acceleration without `v̇` goes on over a joint that begins a group.
    pub fn is_carried(&self, joint: JointId) -> bool {
        self.carried.get(joint.index()) == Some(&true)
    }
}

/// In which axes bodies are written, one entry a joint.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BodyAxes {
    /// For each body whether its axes do not turn with its joint; where the list is shorter they do.
    pub unturned: Vec<bool>,
    /// For each joint how its axis stands to that of the joint of its parent: along it (1), against it (−1), or neither.
    pub along: Vec<i8>,
}

impl BodyAxes {
    /// Whether the axes of a body do not turn with its joint.
    pub fn is_unturned(&self, body: BodyId) -> bool {
        self.unturned.get(body.index()) == Some(&true)
    }

    /// Whether there is such a body.
    pub fn any_unturned(&self) -> bool {
        self.unturned.contains(&true)
    }

    /// How the axis of a joint stands to that of the joint of its parent: along it (1), against it (−1), or neither (0).
    pub fn along(&self, joint: JointId) -> i8 {
        self.along.get(joint.index()).copied().unwrap_or(0)
    }
}

/// Where the origins of joints stand, one entry a joint.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JointOrigins {
    /// For each joint whether it is level with the pole of its parent; where the list is shorter it stands as the spec has it.
    pub level: Vec<bool>,
}

impl JointOrigins {
    /// Whether a joint is level.
    pub fn is_level(&self, joint: JointId) -> bool {
        self.level.get(joint.index()) == Some(&true)
    }
}
