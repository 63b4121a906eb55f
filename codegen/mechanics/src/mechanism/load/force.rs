//! Force on a point of a body, with or without a reaction on another body.

use crate::mechanism::ends::VectorFrame;

use super::context::{Action, LoadContext, LoadState, LoadWork, PoseContext};
use super::kind::*;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::{BodyId, SpeedId};
use crate::mechanism::model::Placement;
use dqdt_algebra::{Dimension, Scalar, Wrench};

/// Load: a force on a point of a body \[N\]. With `reaction`, the opposite acts on that body at the
/// same position.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct Force {
    /// Body on which the force acts.
    pub body: BodyId,
    /// Placement of the point at which the force acts.
    pub point: Placement,
    /// Axes in which the components `value` are given.
    pub frame: VectorFrame,
    /// Components of the force \[N\].
    pub value: [Formula; 3],
    /// Body on which the opposite force acts, if any.
    pub reaction: Option<BodyId>,
}

impl LoadForm for Force {
    fn kind_name(&self) -> &'static str {
        "force"
    }

    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Point(self.body, &self.point)
    }

    fn reaction_body(&self) -> Option<BodyId> {
        self.reaction
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        std::iter::once(Dependence::Place(Some(self.body), &self.point))
            .chain(self.frame.vector_dependence(&self.value))
            .collect()
    }

    fn force_law(&self) -> Option<Law<'_>> {
        Some(Law::Vector(&self.value, &self.frame))
    }

    fn force_law_formulas(&self) -> Vec<&Formula> {
        self.value.iter().collect()
    }
}

impl LoadMechanics for Force {
    const WORD: &'static str = "force";
    const DRAWS: usize = 1;

    fn read(keys: &mut dyn LoadKeys) -> Option<Self> {
        let value = keys.read_vector(Dimension::FORCE);
        let frame = keys.read_axes();
        let reaction = keys.read_reaction_body();
        let body = keys.read_body()?;
        Some(Force { body, point: keys.read_point(), frame, value, reaction })
    }

    fn random(draw: &mut dyn DrawLoad) -> Option<Self> {
        let (body, reaction) = (draw.random_body(), draw.random_reaction_body());
        let (point, frame) = (draw.random_placement(), draw.random_axes());
        let value = [draw.random_formula(), draw.random_formula(), draw.random_formula()];
        Some(Force { body, point, frame, value, reaction })
    }

    fn actions<S: Scalar>(&self, name: &str, context: &dyn LoadContext<S>) -> Vec<Action<S>> {
        let mut action = Action::new(name.to_owned());
        let f = context.vector_in_body_axes(self.body, &self.value, &self.frame);
        let r = context.arm_to_point(Some(self.body), &self.point);
        action.wrenches.push((self.body, Wrench::from_force_at(f, r)));
        if let Some(other) = self.reaction {
            let body_pose = context.relative_pose(Some(self.body), Some(other));
            action.wrenches.push((
                other,
                -Wrench::from_force_at(body_pose.rotation.apply(f), body_pose.point_in_other_body(r)),
            ));
        }
        vec![action]
    }

    fn potential<S: Scalar>(&self, _pose: &dyn PoseContext<S>) -> Option<S> {
        None
    }

    fn add_work<S: Scalar>(&self, work: &mut dyn LoadWork<S>) {
        let f = work.vector_in_ground_axes(&self.value, &self.frame);
        let at = work.point_position(Some(self.body), &self.point);
        work.add_force(self.body, at, f);
        if let Some(other) = self.reaction {
            work.add_force(other, at, -f);
        }
    }

    fn effort<S: Scalar>(&self, _state: &dyn LoadState<S>) -> Option<(SpeedId, S)> {
        None
    }
}
