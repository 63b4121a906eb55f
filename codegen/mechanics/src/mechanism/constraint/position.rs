//! A formula of coordinates that is kept at zero.

use super::kind::*;
use super::multiplier_text::*;
use crate::mechanism::formula::Formula;
use dqdt_algebra::Dimension;

/// Holonomic constraint given by a formula: `Φ(q, t) = 0`.
#[derive(Clone, PartialEq, Debug)]
pub struct Position(pub Formula);

impl ConstraintForm for Position {
    fn kind_name(&self) -> &'static str {
        "formula in the coordinates"
    }

    fn row_count(&self) -> usize {
        1
    }

    fn level_and_formula(&self) -> Option<(Level, &Formula)> {
        Some((Level::Positions, &self.0))
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        vec![describer.describe_formula_multiplier(
            0,
            Dimension::MOMENT,
            "on the speeds: λ ∂f/∂q, where f is the formula of the constraint",
        )]
    }
}

impl ConstraintMechanics for Position {
    const WORD: &'static str = "position";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        keys.read_formula(Level::Positions).map(Position)
    }
}
