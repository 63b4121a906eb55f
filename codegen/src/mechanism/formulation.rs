//! How the equations of a mechanism are written: choices that change the work and no value.
//!
//! A formulation is found by `optimise` or given by hand, and is an argument of derivation. The mechanism itself never holds it.

mod body_axes;
mod elimination_groups;
mod joint_origins;

pub use body_axes::BodyAxes;
pub use elimination_groups::{EliminationGroups, classes, may_join};
pub use joint_origins::JointOrigins;

use std::borrow::Cow;

use super::whole::Mechanism;

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
    /// The mechanism with the origins of its joints where this formulation has them.
    pub fn placed<'m>(&self, m: &'m Mechanism) -> Cow<'m, Mechanism> {
        match &self.joint_origins {
            Some(origins) if origins.level.contains(&true) => {
                Cow::Owned(Mechanism { joints: origins.placed(&m.joints), ..m.clone() })
            }
            _ => Cow::Borrowed(m),
        }
    }

    /// Whether some body is written in axes that do not turn with its joint.
    pub fn any_unturned(&self) -> bool {
        self.body_axes.as_ref().is_some_and(BodyAxes::any_unturned)
    }
}
