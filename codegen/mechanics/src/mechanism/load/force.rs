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
    fn name(&self) -> &'static str {
        "force"
    }

    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Point(self.body, &self.point)
    }

    fn reaction(&self) -> Option<BodyId> {
        self.reaction
    }

    fn depends_on(&self) -> Vec<Dependence<'_>> {
        std::iter::once(Dependence::Place(Some(self.body), &self.point))
            .chain(self.frame.dependence(&self.value))
            .collect()
    }

    fn law(&self) -> Option<Law<'_>> {
        Some(Law::Vector(&self.value, &self.frame))
    }

    fn formulas(&self) -> Vec<&Formula> {
        self.value.iter().collect()
    }
}

impl LoadMechanics for Force {
    const WORD: &'static str = "force";
    const DRAWS: usize = 1;

    fn read(keys: &mut dyn LoadKeys) -> Option<Self> {
        let value = keys.vector(Dimension::FORCE);
        let frame = keys.axes();
        let reaction = keys.reaction();
        let body = keys.body()?;
        Some(Force { body, point: keys.point(), frame, value, reaction })
    }

    fn random(draw: &mut dyn DrawLoad) -> Option<Self> {
        let (body, reaction) = (draw.body(), draw.reaction());
        let (point, frame) = (draw.placement(), draw.frame());
        let value = [draw.any_formula(), draw.any_formula(), draw.any_formula()];
        Some(Force { body, point, frame, value, reaction })
    }

    fn actions<S: Scalar>(&self, name: &str, context: &dyn LoadContext<S>) -> Vec<Action<S>> {
        let mut action = Action::new(name.to_owned());
        let f = context.in_axes_of(self.body, &self.value, &self.frame);
        let r = context.arm(Some(self.body), &self.point);
        action.wrenches.push((self.body, Wrench::force_at(f, r)));
        if let Some(other) = self.reaction {
            let body_pose = context.relative_pose(Some(self.body), Some(other));
            action.wrenches.push((other, -Wrench::force_at(body_pose.rotation.apply(f), body_pose.point(r))));
        }
        vec![action]
    }

    fn potential<S: Scalar>(&self, _pose: &dyn PoseContext<S>) -> Option<S> {
        None
    }

    fn add_work<S: Scalar>(&self, work: &mut dyn LoadWork<S>) {
        let f = work.in_ground_axes(&self.value, &self.frame);
        let at = work.place(Some(self.body), &self.point);
        work.add_force(self.body, at, f);
        if let Some(other) = self.reaction {
            work.add_force(other, at, -f);
        }
    }

    fn effort<S: Scalar>(&self, _state: &dyn LoadState<S>) -> Option<(SpeedId, S)> {
        None
    }
}
