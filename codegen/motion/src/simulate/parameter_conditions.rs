//! Conditions on the parameters, the same as those of `Params::check()` in emitted code.

use dqdt_graph::ir::{Arguments, Condition, Machine, Program};

/// Conditions on the parameters of a mechanism, such as positive masses.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct ParameterConditions {
    /// Computes the values of the conditions.
    machine: Machine,
    /// Message for a violation, and bound of each value.
    conditions: Vec<(String, Condition)>,
}

impl ParameterConditions {
    /// Conditions of a program; `None` if there are none.
    pub fn new(program: &Program) -> Option<Self> {
        let checks = program.parameter_checks.as_ref()?;
        let function = checks.values.functions.first()?;
        let machine = Machine::from_function(&checks.values, function);
        Some(ParameterConditions { machine, conditions: checks.conditions.clone() })
    }

    /// Messages of the conditions that these parameters violate, such as a negative mass.
    pub fn violations(&self, arguments: &Arguments) -> Vec<String> {
        let mut machine = self.machine.clone();
        let Ok(values) = machine.call(arguments) else { return Vec::new() };
        let violated =
            values.iter().zip(&self.conditions).filter(|(x, (_, condition))| !is_fulfilled(**x, condition));
        violated.map(|(_, (message, _))| message.clone()).collect()
    }
}

fn is_fulfilled(x: f64, condition: &Condition) -> bool {
    match condition {
        Condition::Finite => x.is_finite(),
        Condition::NotNegative => x >= 0.0,
        Condition::Positive => x > 0.0,
    }
}
