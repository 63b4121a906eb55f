//! Moment on a body, with or without a reaction on another body.

use crate::mechanism::ends::VectorFrame;

use super::context::{Action, LoadContext, LoadState, LoadWork, PoseContext};
use super::kind::*;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::{BodyId, SpeedId};
use dqdt_algebra::{Dimension, Scalar, Vec3, Wrench};

/// Load: a moment on a body \[N·m\]. With `reaction`, the opposite acts on that body.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct Torque {
    /// Body on which the moment acts.
    pub body: BodyId,
    /// Axes in which the components `value` are given.
    pub frame: VectorFrame,
    /// Components of the moment \[N·m\].
    pub value: [Formula; 3],
    /// Body on which the opposite moment acts, if any.
    pub reaction: Option<BodyId>,
}

impl LoadForm for Torque {
    fn kind_name(&self) -> &'static str {
        "torque"
    }

    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Body(self.body)
    }

    fn reaction_body(&self) -> Option<BodyId> {
        self.reaction
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        self.frame.vector_dependence(&self.value).into_iter().collect()
    }

    fn force_law(&self) -> Option<Law<'_>> {
        Some(Law::Vector(&self.value, &self.frame))
    }

    fn force_law_formulas(&self) -> Vec<&Formula> {
        self.value.iter().collect()
    }
}

impl LoadMechanics for Torque {
    const WORD: &'static str = "torque";
    const DRAWS: usize = 1;

    fn read(keys: &mut dyn LoadKeys) -> Option<Self> {
        let value = keys.read_vector(Dimension::MOMENT);
        let frame = keys.read_axes();
        let reaction = keys.read_reaction_body();
        Some(Torque { body: keys.read_body()?, frame, value, reaction })
    }

    fn random(draw: &mut dyn DrawLoad) -> Option<Self> {
        let (body, reaction, frame) = (draw.random_body(), draw.random_reaction_body(), draw.random_axes());
        let value = [draw.random_formula(), draw.random_formula(), draw.random_formula()];
        Some(Torque { body, frame, value, reaction })
    }

    fn actions<S: Scalar>(&self, name: &str, context: &dyn LoadContext<S>) -> Vec<Action<S>> {
        let mut action = Action::new(name.to_owned());
        let moment = context.vector_in_body_axes(self.body, &self.value, &self.frame);
        action.wrenches.push((self.body, Wrench { f: Vec3::ZERO, m: moment }));
        if let Some(other) = self.reaction {
            let opposite = -context.relative_pose(Some(self.body), Some(other)).rotation.apply(moment);
            action.wrenches.push((other, Wrench { f: Vec3::ZERO, m: opposite }));
        }
        vec![action]
    }

    fn potential<S: Scalar>(&self, _pose: &dyn PoseContext<S>) -> Option<S> {
        None
    }

    fn add_work<S: Scalar>(&self, work: &mut dyn LoadWork<S>) {
        let moment = work.vector_in_ground_axes(&self.value, &self.frame);
        work.add_moment(self.body, moment);
        if let Some(other) = self.reaction {
            work.add_moment(other, -moment);
        }
    }

    fn effort<S: Scalar>(&self, _state: &dyn LoadState<S>) -> Option<(SpeedId, S)> {
        None
    }
}
