//! Actuator in a joint: an effort on a joint speed, with its opposite on the parent.
//!
//! If the speed is relative to the parent, the effort includes the opposite on the parent. In a
//! joint with absolute angles the opposite is a separate moment on the parent, since the speed does
//! not include the parent's motion.

use super::context::{Action, LoadContext, LoadState, LoadWork, PoseContext};
use super::kind::*;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::SpeedId;
use dqdt_algebra::{Scalar, Vec3, Wrench};

/// Motor in a joint: an effort on a joint speed, with its opposite on the parent.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct Actuator {
    /// The joint speed on which the effort does work.
    pub speed: SpeedId,
    /// Effort of the motor \[N·m or N\]: a formula of any variables.
    pub effort: Formula,
}

impl LoadForm for Actuator {
    fn kind_name(&self) -> &'static str {
        "actuator"
    }

    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Speed(self.speed)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        Vec::new()
    }

    fn force_law(&self) -> Option<Law<'_>> {
        Some(Law::Value(&self.effort))
    }

    fn force_law_formulas(&self) -> Vec<&Formula> {
        vec![&self.effort]
    }

    fn acts_in_joint(&self) -> bool {
        true
    }

    fn acts_back_on_parent(&self) -> bool {
        true
    }
}

impl LoadMechanics for Actuator {
    const WORD: &'static str = "actuator";
    const DRAWS: usize = 1;

    fn read(keys: &mut dyn LoadKeys) -> Option<Self> {
        let target = keys.read_target(false);
        let effort =
            keys.read_formula("effort", "effort", FormulaNames::All, target.map(|t| t.effort_dimension()));
        Some(Actuator { speed: target?.speed, effort })
    }

    fn random(draw: &mut dyn DrawLoad) -> Option<Self> {
        Some(Actuator { speed: draw.random_speed()?.0, effort: draw.random_formula() })
    }

    fn actions<S: Scalar>(&self, name: &str, context: &dyn LoadContext<S>) -> Vec<Action<S>> {
        let mut action = Action::new(name.to_owned());
        let effort = self.effort.eval(context.environment());
        action.efforts.push((self.speed, effort));
        if let Some((parent, moment)) = context.opposite_moment(self.speed) {
            action.wrenches.push((parent, Wrench { f: Vec3::ZERO, m: -moment.scale(effort) }));
        }
        vec![action]
    }

    fn potential<S: Scalar>(&self, _pose: &dyn PoseContext<S>) -> Option<S> {
        None
    }

    fn add_work<S: Scalar>(&self, work: &mut dyn LoadWork<S>) {
        work.add_opposite_effort(self.speed, &self.effort);
    }

    fn effort<S: Scalar>(&self, state: &dyn LoadState<S>) -> Option<(SpeedId, S)> {
        Some((self.speed, self.effort.eval(state.environment())))
    }
}
