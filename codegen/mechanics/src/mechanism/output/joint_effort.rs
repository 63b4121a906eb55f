//! Output: efforts at a joint.

use super::kind::*;
use crate::mechanism::index::JointId;
use dqdt_algebra::Scalar;

/// Output: efforts applied at a joint by actuators, springs, dampers and friction along its free
/// speeds, and by the drives of its prescribed ones; one value per speed.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct JointEffort {
    /// Joint whose efforts are the output.
    pub joint: JointId,
}

impl OutputForm for JointEffort {
    fn description(&self) -> OutputDescription<'_> {
        OutputDescription::OfJoint("effort", self.joint)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        Vec::new()
    }

    fn needs_accelerations(&self, is_driven: &dyn Fn(JointId) -> bool) -> bool {
        is_driven(self.joint)
    }

    fn joint_with_drives(&self) -> Option<JointId> {
        Some(self.joint)
    }
}

impl OutputMechanics for JointEffort {
    const WORD: &'static str = "joint_effort";

    fn read(keys: &mut dyn OutputKeys) -> Option<Self> {
        Some(JointEffort { joint: keys.read_joint_with_effort()? })
    }

    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> ValueWithUnit<S> {
        let mut efforts = state.joint_effort(self.joint);
        let mut units: Vec<&str> = efforts.iter().map(|e| if e.is_force { "N" } else { "N*m" }).collect();
        if units.windows(2).all(|pair| pair[0] == pair[1]) {
            units.truncate(1);
        }
        let entries = match efforts.len() {
            1 => OutputEntries::One(efforts.remove(0).effort),
            _ => OutputEntries::Each(efforts.into_iter().map(|e| (e.label, e.effort)).collect()),
        };
        ValueWithUnit { unit: units.join(","), entries }
    }
}
