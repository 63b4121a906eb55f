//! Checks of parameter values, the same as those of `Params::check()` in emitted code.

use super::machine::{Arguments, Machine};
use super::program::{Condition, ParameterChecks, Program};

impl Program {
    /// Messages of the violated conditions on the parameters, such as a negative mass.
    pub fn violated_conditions(&self, arguments: &Arguments) -> Vec<String> {
        self.parameter_checks.as_ref().map_or_else(Vec::new, |checks| checks.violated_conditions(arguments))
    }
}

impl ParameterChecks {
    /// Messages of the violated conditions on the parameters, such as a negative mass.
    pub fn violated_conditions(&self, arguments: &Arguments) -> Vec<String> {
        let Some(function) = self.values.functions.first() else { return Vec::new() };
        let mut machine = Machine::from_function(&self.values, function);
        let Ok(values) = machine.call(arguments) else { return Vec::new() };
        (values.iter().zip(&self.conditions))
            .filter(|(x, (_, condition))| !is_condition_fulfilled(**x, condition))
            .map(|(_, (fault, _))| fault.clone())
            .collect()
    }
}

fn is_condition_fulfilled(x: f64, condition: &Condition) -> bool {
    match condition {
        Condition::Finite => x.is_finite(),
        Condition::NotNegative => x >= 0.0,
        Condition::Positive => x > 0.0,
    }
}
