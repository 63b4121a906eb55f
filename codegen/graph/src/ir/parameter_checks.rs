//! Checks of parameter values, the same as those of `Params::check()` in emitted code.

use super::machine::{Arguments, Machine};
use super::program::{Condition, ParameterChecks, Program};

impl Program {
    /// Messages of the violated conditions on the parameters, such as a negative mass.
    pub fn violated_conditions(&self, arguments: &Arguments) -> Vec<String> {
        let conditions = self.parameter_checks.as_ref().and_then(|checks| ParameterConditions::new(checks));
        conditions.map_or_else(Vec::new, |conditions| conditions.violated_conditions(&arguments.p))
    }
}

/// Validity conditions on the parameters, ready to be evaluated without their program.
#[derive(Clone, Debug)]
pub struct ParameterConditions {
    conditions: Vec<(String, Condition)>,
    machine: Machine,
    arguments: Arguments,
}

impl ParameterConditions {
    /// The conditions of checks; `None` if these have no function.
    pub fn new(checks: &ParameterChecks) -> Option<Self> {
        let function = checks.values.functions.first()?;
        Some(ParameterConditions {
            conditions: checks.conditions.clone(),
            machine: Machine::from_function(&checks.values, function),
            arguments: Arguments::defaults(&checks.values),
        })
    }

    /// Messages of the conditions that these values of all parameters violate.
    pub fn violated_conditions(&self, parameters: &[f64]) -> Vec<String> {
        let mut machine = self.machine.clone();
        let arguments = Arguments { p: parameters.to_vec(), ..self.arguments.clone() };
        let Ok(values) = machine.call(&arguments) else { return Vec::new() };
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
