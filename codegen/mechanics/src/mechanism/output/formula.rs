//! Output: value of a formula.

use super::kind::*;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Dimension, Scalar};

/// Output: value of a formula of any variables.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct FormulaOutput {
    /// The formula whose value is the output.
    pub formula: Formula,
    /// Dimension of the formula, if known.
    pub dimension: Option<Dimension>,
}

impl OutputForm for FormulaOutput {
    fn description(&self) -> OutputDescription<'_> {
        OutputDescription::Formula(&self.formula, self.dimension)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        Vec::new()
    }
}

impl OutputMechanics for FormulaOutput {
    const WORD: &'static str = "formula";

    fn read(keys: &mut dyn OutputKeys) -> Option<Self> {
        let unit = keys.read_unit_dimension("unit");
        let (formula, dimension) = keys.read_formula("value", unit)?;
        Some(FormulaOutput { formula, dimension })
    }

    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> ValueWithUnit<S> {
        let unit = self.dimension.map_or(String::new(), |d| d.to_string());
        ValueWithUnit::with_single_entry(unit, state.evaluate_formula(&self.formula))
    }
}
