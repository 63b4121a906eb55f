//! Force along the line between two points: a cable, a muscle, a cylinder.

use crate::mechanism::ends::Ends;

use super::context::{Action, LoadContext, LoadState, LoadWork, PoseContext};
use super::kind::*;
use super::line::LineOfAction;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::SpeedId;
use dqdt_algebra::{Dimension, Scalar};

/// Load: a force along the line between two points, such as a cable or a muscle.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct LineForce {
    /// The two points between which the force acts.
    pub ends: Ends,
    /// Tension \[N\]; positive pulls the points together.
    pub tension: Formula,
}

impl LoadForm for LineForce {
    fn kind_name(&self) -> &'static str {
        "force between two points"
    }

    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Ends(&self.ends)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        self.ends.origin_dependences().to_vec()
    }

    fn force_law(&self) -> Option<Law<'_>> {
        Some(Law::Value(&self.tension))
    }

    fn force_law_formulas(&self) -> Vec<&Formula> {
        vec![&self.tension]
    }

    fn divides_by_length(&self, vanishes: &dyn Fn(&Formula) -> bool) -> Option<&Ends> {
        (!vanishes(&self.tension)).then_some(&self.ends)
    }
}

impl LoadMechanics for LineForce {
    const WORD: &'static str = "line_force";
    // Random mechanisms with measures contain one anyway.
    const DRAWS: usize = 0;

    fn read(keys: &mut dyn LoadKeys) -> Option<Self> {
        let tension = keys.read_formula("tension", "tension", FormulaNames::All, Some(Dimension::FORCE));
        Some(LineForce { ends: keys.read_ends(true)?, tension })
    }

    fn random(draw: &mut dyn DrawLoad) -> Option<Self> {
        Some(LineForce { ends: draw.random_ends(), tension: draw.random_formula() })
    }

    fn actions<S: Scalar>(&self, name: &str, context: &dyn LoadContext<S>) -> Vec<Action<S>> {
        let line = LineOfAction::between_ends(context, name, &self.ends);
        let factor = self.tension.eval(context.environment()) / line.length(name);
        vec![line.add_tension_to_action(&self.ends, Action::new(name.to_owned()), factor)]
    }

    fn potential<S: Scalar>(&self, _pose: &dyn PoseContext<S>) -> Option<S> {
        None
    }

    fn add_work<S: Scalar>(&self, work: &mut dyn LoadWork<S>) {
        let tension = self.tension.eval(work.environment());
        work.add_tension(&self.ends, tension);
    }

    fn effort<S: Scalar>(&self, _state: &dyn LoadState<S>) -> Option<(SpeedId, S)> {
        None
    }
}
