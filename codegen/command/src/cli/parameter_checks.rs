//! Checks of parameter values, the same as those of `Params::check()` in emitted code.

use dqdt_graph::ir::{Arguments, Condition, Machine, Program};

/// Prints a warning to standard error for each violated condition on the parameters, such as a
/// negative mass.
pub(super) fn warn_violated_conditions(program: &Program, arguments: &Arguments) {
    for fault in violated_conditions(program, arguments) {
        dqdt_diagnostics::tell!("warning: {fault}");
    }
}

/// Messages of the violated conditions on the parameters, such as a negative mass.
pub(super) fn violated_conditions(program: &Program, arguments: &Arguments) -> Vec<String> {
    let Some(checks) = &program.parameter_checks else { return Vec::new() };
    let Some(function) = checks.values.functions.first() else { return Vec::new() };
    let mut machine = Machine::from_function(&checks.values, function);
    let Ok(values) = machine.call(arguments) else { return Vec::new() };
    (values.iter().zip(&checks.conditions))
        .filter(|(x, (_, condition))| !is_condition_fulfilled(**x, condition))
        .map(|(_, (fault, _))| fault.clone())
        .collect()
}

fn is_condition_fulfilled(x: f64, condition: &Condition) -> bool {
    match condition {
        Condition::Finite => x.is_finite(),
        Condition::NotNegative => x >= 0.0,
        Condition::Positive => x > 0.0,
    }
}
