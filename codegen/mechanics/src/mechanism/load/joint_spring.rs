//! Spring and damper of one joint coordinate whose rate is a speed: effort `−k (q − q₀) − d v`.
//!
//! In a joint whose angle is measured from the ground, the spring acts between the child and the
//! ground.

use super::context::{Action, LoadContext, LoadState, LoadWork, PoseContext};
use super::kind::*;
use super::line::damping_part_name;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::{CoordinateId, SpeedId};
use dqdt_algebra::{Dimension, Scalar};

/// Load: linear spring and damper in a joint. Its formulas depend on numbers and parameters only.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct JointSpring {
    /// The joint coordinate q that the spring acts on.
    pub coordinate: CoordinateId,
    /// The joint speed v, which is the rate of the coordinate.
    pub speed: SpeedId,
    /// Stiffness k of the spring \[N·m/rad\] or \[N/m\].
    pub stiffness: Formula,
    /// Coefficient d of the damper \[N·m·s/rad\] or \[N·s/m\].
    pub damping: Formula,
    /// Coordinate q₀ at which the spring is relaxed \[rad\] or \[m\].
    pub rest: Formula,
}

impl LoadForm for JointSpring {
    fn kind_name(&self) -> &'static str {
        "spring and damper of a joint"
    }

    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Speed(self.speed)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        Vec::new()
    }

    fn force_law(&self) -> Option<Law<'_>> {
        let deflection = LawFactor::Deflection(self.coordinate, &self.rest);
        Some(Law::Opposing(vec![
            (&self.stiffness, deflection),
            (&self.damping, LawFactor::Speed(self.speed)),
        ]))
    }

    fn force_law_formulas(&self) -> Vec<&Formula> {
        vec![&self.stiffness, &self.damping, &self.rest]
    }

    fn acts_in_joint(&self) -> bool {
        true
    }
}

impl LoadMechanics for JointSpring {
    const WORD: &'static str = "joint_spring";
    const DRAWS: usize = 1;

    fn read(keys: &mut dyn LoadKeys) -> Option<Self> {
        let target = keys.read_target(true);
        let q = target.and_then(|t| t.coordinate).map_or(Dimension::NONE, |(_, dimension)| dimension);
        let effort = effort_dimension(q);
        let names = FormulaNames::Parameters;
        let stiffness = keys.read_formula("stiffness", "stiffness", names, Some(effort.over(q)));
        let rate = q.over(Dimension::TIME);
        let damping = keys.read_formula("damping", "damping", names, Some(effort.over(rate)));
        let rest = keys.read_formula("rest", "rest position", names, Some(q));
        let target = target?;
        keys.require_relative_speed()?;
        Some(JointSpring { coordinate: target.coordinate?.0, speed: target.speed, stiffness, damping, rest })
    }

    fn random(draw: &mut dyn DrawLoad) -> Option<Self> {
        let (speed, coordinate) = draw.random_speed()?;
        let coordinate = coordinate?;
        let (stiffness, damping) = (draw.random_constant(32, 128), draw.random_constant(8, 64));
        Some(JointSpring { coordinate, speed, stiffness, damping, rest: draw.random_constant(-32, 32) })
    }

    fn parts(&self) -> [Option<Self>; 2] {
        let elastic = JointSpring { damping: Formula::ZERO, ..self.clone() };
        let viscous = JointSpring { stiffness: Formula::ZERO, ..self.clone() };
        [Some(elastic), Some(viscous)]
    }

    fn actions<S: Scalar>(&self, name: &str, context: &dyn LoadContext<S>) -> Vec<Action<S>> {
        let env = context.environment();
        let mut elastic = Action::with_potential(name.to_owned());
        let stretch = env.q[self.coordinate] - self.rest.eval(env);
        elastic.efforts.push((self.speed, -(self.stiffness.eval(env) * stretch)));
        if context.is_identically_zero(&self.damping) {
            return vec![elastic];
        }
        let mut viscous = Action::new(damping_part_name(name));
        viscous.efforts.push((self.speed, -(self.damping.eval(env) * env.v[self.speed])));
        vec![elastic, viscous]
    }

    fn potential<S: Scalar>(&self, pose: &dyn PoseContext<S>) -> Option<S> {
        let env = pose.environment();
        let stretch = env.q[self.coordinate] - self.rest.eval(env);
        Some(S::ratio(1, 2) * self.stiffness.eval(env) * stretch.squared())
    }

    fn add_work<S: Scalar>(&self, _work: &mut dyn LoadWork<S>) {}

    fn effort<S: Scalar>(&self, state: &dyn LoadState<S>) -> Option<(SpeedId, S)> {
        let env = state.environment();
        Some((self.speed, -(self.damping.eval(env) * env.v[self.speed])))
    }
}
