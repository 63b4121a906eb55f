//! Spring and damper between two points.
//!
//! Tension `k (l − l₀) + d l̇` along the line, potential `k (l − l₀)²/2`. The line is expressed in
//! the axes of one of the two bodies, so that the motion that both share does not enter. Without a
//! rest length the elastic force is `k` times the vector between the points, which needs no square
//! root.

use crate::mechanism::ends::Ends;

use super::context::{Action, LoadContext, LoadState, LoadWork, PoseContext};
use super::kind::*;
use super::line::{LineOfAction, damping_part_name, vector_between_ends};
use crate::mechanism::formula::Formula;
use crate::mechanism::index::SpeedId;
use dqdt_algebra::{Dimension, Scalar};

/// Load: linear spring and damper between two points. Stiffness and rest length depend on numbers
/// and parameters only.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct LineSpring {
    /// The two points between which the spring acts.
    pub ends: Ends,
    /// Stiffness k of the spring \[N/m\].
    pub stiffness: Formula,
    /// Coefficient d of the damper \[N·s/m\]: a formula of any variables.
    pub damping: Formula,
    /// Length l₀ at which the spring is relaxed \[m\]; with zero the force is proportional to the
    /// distance.
    pub rest_length: Formula,
}

impl LoadForm for LineSpring {
    fn kind_name(&self) -> &'static str {
        "spring and damper between two points"
    }

    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Ends(&self.ends)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        self.ends.origin_dependences().to_vec()
    }

    fn force_law(&self) -> Option<Law<'_>> {
        let elongation = LawFactor::Elongation(&self.rest_length);
        Some(Law::Tension(vec![(&self.stiffness, elongation), (&self.damping, LawFactor::LengthRate)]))
    }

    fn force_law_formulas(&self) -> Vec<&Formula> {
        vec![&self.stiffness, &self.damping]
    }

    fn length_formulas(&self) -> Vec<&Formula> {
        vec![&self.rest_length]
    }

    fn divides_by_length(&self, vanishes: &dyn Fn(&Formula) -> bool) -> Option<&Ends> {
        let divides = !vanishes(&self.damping) || !(vanishes(&self.stiffness) || vanishes(&self.rest_length));
        divides.then_some(&self.ends)
    }
}

impl LoadMechanics for LineSpring {
    const WORD: &'static str = "spring";
    const DRAWS: usize = 2;

    fn read(keys: &mut dyn LoadKeys) -> Option<Self> {
        let k = Some(Dimension::FORCE.over(Dimension::LENGTH));
        let d = Some(Dimension::FORCE.over(Dimension::VELOCITY));
        let stiffness = keys.read_formula("stiffness", "stiffness", FormulaNames::Parameters, k);
        let damping = keys.read_formula("damping", "damping", FormulaNames::All, d);
        let length = Some(Dimension::LENGTH);
        let rest_length = keys.read_formula("rest_length", "rest length", FormulaNames::Parameters, length);
        Some(LineSpring { ends: keys.read_ends(false)?, stiffness, damping, rest_length })
    }

    fn random(draw: &mut dyn DrawLoad) -> Option<Self> {
        let ends = draw.random_ends();
        let (stiffness, damping) = (draw.random_constant(32, 128), draw.zero_or_random_constant(8, 64));
        Some(LineSpring { ends, stiffness, damping, rest_length: draw.zero_or_random_constant(16, 64) })
    }

    fn parts(&self) -> [Option<Self>; 2] {
        let elastic = LineSpring { damping: Formula::ZERO, ..self.clone() };
        let viscous = LineSpring { stiffness: Formula::ZERO, ..self.clone() };
        [Some(elastic), Some(viscous)]
    }

    fn actions<S: Scalar>(&self, name: &str, context: &dyn LoadContext<S>) -> Vec<Action<S>> {
        let line = LineOfAction::between_ends(context, name, &self.ends);
        let env = context.environment();
        let d = line.span;
        let mut actions = Vec::new();
        if !context.is_identically_zero(&self.stiffness) {
            let k = self.stiffness.eval(env);
            let tension_by_length = if context.is_identically_zero(&self.rest_length) {
                k
            } else {
                let length = line.length(name);
                k * (length - self.rest_length.eval(env)) / length
            };
            actions.push(line.add_tension_to_action(
                &self.ends,
                Action::with_potential(name.to_owned()),
                tension_by_length,
            ));
        }
        if !context.is_identically_zero(&self.damping) {
            let rate = context.point_velocity(self.ends.to.0, line.r_to)
                - line.from_pose.rotation.apply(context.point_velocity(self.ends.from.0, line.r_from));
            let factor =
                self.damping.eval(env) * d.dot(rate.name_components(&|| format!("{name}_rate"))) / d.dot(d);
            actions.push(line.add_tension_to_action(
                &self.ends,
                Action::new(damping_part_name(name)),
                factor,
            ));
        }
        actions
    }

    fn potential<S: Scalar>(&self, pose: &dyn PoseContext<S>) -> Option<S> {
        if pose.is_identically_zero(&self.stiffness) {
            return None;
        }
        let env = pose.environment();
        let d = vector_between_ends(pose, &self.ends);
        let stretch = if pose.is_identically_zero(&self.rest_length) {
            d.dot(d)
        } else {
            (d.dot(d).sqrt() - self.rest_length.eval(env)).squared()
        };
        Some(S::ratio(1, 2) * self.stiffness.eval(env) * stretch)
    }

    fn add_work<S: Scalar>(&self, work: &mut dyn LoadWork<S>) {
        if work.is_identically_zero(&self.damping) {
            return;
        }
        let rate = work.length_rate(&self.ends);
        let tension = self.damping.eval(work.environment()) * rate;
        work.add_tension(&self.ends, tension);
    }

    fn effort<S: Scalar>(&self, _state: &dyn LoadState<S>) -> Option<(SpeedId, S)> {
        None
    }
}
