//! Friction at a joint speed: effort `−viscous v − coulomb tanh(v / transition)`.
//!
//! In a joint whose speed is measured from the ground, friction acts between the child and the
//! ground.

use super::context::{Action, LoadContext, LoadState, LoadWork, PoseContext};
use super::kind::*;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::SpeedId;
use crate::mechanism::rule::Rule;
use dqdt_algebra::{Dimension, Func, Number, Scalar};

/// Load: viscous and smoothed Coulomb friction at a joint speed.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct Friction {
    /// The joint speed that friction opposes.
    pub speed: SpeedId,
    /// Viscous friction coefficient \[N·m·s/rad\] or \[N·s/m\].
    pub viscous: Formula,
    /// Magnitude of the Coulomb (dry) friction \[N·m\] or \[N\].
    pub coulomb: Formula,
    /// Speed at which the smoothed Coulomb friction reaches 76 % \[rad/s or m/s\].
    pub transition: Formula,
}

impl LoadForm for Friction {
    fn kind_name(&self) -> &'static str {
        "friction"
    }

    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Speed(self.speed)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        Vec::new()
    }

    fn force_law(&self) -> Option<Law<'_>> {
        let direction = LawFactor::Direction(self.speed, &self.transition);
        Some(Law::Opposing(vec![(&self.viscous, LawFactor::Speed(self.speed)), (&self.coulomb, direction)]))
    }

    fn force_law_formulas(&self) -> Vec<&Formula> {
        vec![&self.viscous, &self.coulomb, &self.transition]
    }

    fn validity_conditions(&self) -> Vec<LoadCondition<'_>> {
        let transition = LoadCondition {
            rule: Rule::Positive,
            formula: &self.transition,
            key: "transition",
            is_error: true,
            code: "friction-transition",
            message: ["the transition speed of friction ", " is not positive"],
            label: "with the default parameters, the transition speed is",
            help: "write a small positive speed, such as 1e-3: the dry friction force is coulomb * tanh(v/transition)",
        };
        let mut conditions = Vec::new();
        if !self.coulomb.is_zero() {
            conditions.push(transition);
        }
        conditions.push(warn_if_negative(&self.viscous, "viscous", "the viscous friction of "));
        conditions.push(warn_if_negative(&self.coulomb, "coulomb", "the dry friction of "));
        conditions
    }

    fn acts_in_joint(&self) -> bool {
        true
    }
}

/// Condition that a friction coefficient is not negative; a violation is a warning.
fn warn_if_negative<'l>(formula: &'l Formula, key: &'static str, before: &'static str) -> LoadCondition<'l> {
    LoadCondition {
        rule: Rule::NotNegative,
        formula,
        key,
        is_error: false,
        code: "negative-friction",
        message: [before, " drives the motion"],
        label: "with the default parameters, the coefficient is",
        help: "write a positive coefficient: the friction force already opposes the speed",
    }
}

impl LoadMechanics for Friction {
    const WORD: &'static str = "friction";
    const DRAWS: usize = 1;

    fn read(keys: &mut dyn LoadKeys) -> Option<Self> {
        let target = keys.read_target(false);
        let rate = target.map_or(Dimension::TIME.power(-1), |t| t.dimension);
        let effort = effort_dimension(rate.times(Dimension::TIME));
        let all = FormulaNames::All;
        let viscous = keys.read_formula("viscous", "viscous friction", all, Some(effort.over(rate)));
        let coulomb = keys.read_formula("coulomb", "dry friction", all, Some(effort));
        // The transition speed has no effect without Coulomb friction, but must not be zero.
        let transition = match keys.has_key("transition") {
            true => keys.read_formula("transition", "transition speed", all, Some(rate)),
            false => Formula::ONE,
        };
        let speed = target?.speed;
        keys.require_relative_speed()?;
        Some(Friction { speed, viscous, coulomb, transition })
    }

    fn random(draw: &mut dyn DrawLoad) -> Option<Self> {
        let speed = draw.random_speed()?.0;
        let (viscous, coulomb) = (draw.random_constant(8, 64), draw.random_constant(8, 64));
        let transition = Formula::Number(Number::ratio(1, 2)?);
        Some(Friction { speed, viscous, coulomb, transition })
    }

    fn by_coefficients(&self) -> Vec<Self> {
        // A zero transition speed means that there is no Coulomb friction; its column is zero.
        let dry = !self.transition.is_zero();
        let with = |ones: [i64; 2]| {
            let [viscous, coulomb] = ones.map(|x| Formula::Number(Number::integer(x)));
            Friction { viscous, coulomb, ..self.clone() }
        };
        vec![with([1, 0]), with([0, i64::from(dry)])]
    }

    fn actions<S: Scalar>(&self, name: &str, context: &dyn LoadContext<S>) -> Vec<Action<S>> {
        let env = context.environment();
        let v = env.v[self.speed];
        let mut effort = self.viscous.eval(env) * v;
        if !context.is_identically_zero(&self.coulomb) {
            effort =
                effort + self.coulomb.eval(env) * (v / self.transition.eval(env)).apply_function(Func::Tanh);
        }
        let mut action = Action::new(name.to_owned());
        action.efforts.push((self.speed, -effort));
        vec![action]
    }

    fn potential<S: Scalar>(&self, _pose: &dyn PoseContext<S>) -> Option<S> {
        None
    }

    fn add_work<S: Scalar>(&self, _work: &mut dyn LoadWork<S>) {}

    fn effort<S: Scalar>(&self, state: &dyn LoadState<S>) -> Option<(SpeedId, S)> {
        let env = state.environment();
        let v = env.v[self.speed];
        let viscous = -(self.viscous.eval(env) * v);
        if state.is_identically_zero(&self.coulomb) {
            return Some((self.speed, viscous));
        }
        let smooth = (v / self.transition.eval(env)).apply_function(Func::Tanh);
        Some((self.speed, viscous - self.coulomb.eval(env) * smooth))
    }
}
