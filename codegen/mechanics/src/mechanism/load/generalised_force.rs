//! Generalised force on a speed, without a reaction.

use super::context::{Action, LoadContext, LoadState, LoadWork, PoseContext};
use super::kind::*;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::SpeedId;
use dqdt_algebra::Scalar;

/// Load: a generalised force on a speed, without a reaction on another body.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct GeneralisedForce {
    /// The speed on which the force does work.
    pub speed: SpeedId,
    /// Value of the generalised force, in the unit of power per unit of the speed.
    pub value: Formula,
}

impl LoadForm for GeneralisedForce {
    fn kind_name(&self) -> &'static str {
        "generalised force"
    }

    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Speed(self.speed)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        Vec::new()
    }

    fn force_law(&self) -> Option<Law<'_>> {
        Some(Law::Value(&self.value))
    }

    fn force_law_formulas(&self) -> Vec<&Formula> {
        vec![&self.value]
    }
}

impl LoadMechanics for GeneralisedForce {
    const WORD: &'static str = "generalised_force";
    const DRAWS: usize = 1;

    fn read(keys: &mut dyn LoadKeys) -> Option<Self> {
        let target = keys.read_target(false);
        let value =
            keys.read_formula("value", "value", FormulaNames::All, target.map(|t| t.effort_dimension()));
        Some(GeneralisedForce { speed: target?.speed, value })
    }

    fn random(draw: &mut dyn DrawLoad) -> Option<Self> {
        Some(GeneralisedForce { speed: draw.random_speed()?.0, value: draw.random_formula() })
    }

    fn actions<S: Scalar>(&self, name: &str, context: &dyn LoadContext<S>) -> Vec<Action<S>> {
        let mut action = Action::new(name.to_owned());
        action.efforts.push((self.speed, self.value.eval(context.environment())));
        vec![action]
    }

    fn potential<S: Scalar>(&self, _pose: &dyn PoseContext<S>) -> Option<S> {
        None
    }

    fn add_work<S: Scalar>(&self, _work: &mut dyn LoadWork<S>) {}

    fn effort<S: Scalar>(&self, state: &dyn LoadState<S>) -> Option<(SpeedId, S)> {
        Some((self.speed, self.value.eval(state.environment())))
    }
}
