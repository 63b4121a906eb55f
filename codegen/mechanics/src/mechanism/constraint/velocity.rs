//! A formula of speeds that is kept at zero.

use super::kind::*;
use super::multiplier_text::*;
use crate::mechanism::formula::Formula;
use dqdt_algebra::Dimension;

/// Nonholonomic constraint given by a formula, linear in the speeds: `Ψ(q, v, t) = 0`.
#[derive(Clone, PartialEq, Debug)]
pub struct Velocity(pub Formula);

impl ConstraintForm for Velocity {
    fn kind_name(&self) -> &'static str {
        "formula in the speeds"
    }

    fn row_count(&self) -> usize {
        1
    }

    fn level_and_formula(&self) -> Option<(Level, &Formula)> {
        Some((Level::Speeds, &self.0))
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        vec![describer.describe_formula_multiplier(
            0,
            Dimension::MOMENT.over(Dimension::TIME),
            "on the speeds: λ ∂f/∂v, where f is the formula of the constraint",
        )]
    }
}

impl ConstraintMechanics for Velocity {
    const WORD: &'static str = "velocity";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        keys.read_formula(Level::Speeds).map(Velocity)
    }
}
