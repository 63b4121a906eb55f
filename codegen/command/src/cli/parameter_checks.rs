//! Checks of parameter values, the same as those of `Params::check()` in emitted code.

use dqdt_graph::ir::{Arguments, Program};
use dqdt_motion::simulate::ParameterConditions;

/// Prints a warning to standard error for each violated condition on the parameters, such as a
/// negative mass.
pub(super) fn warn_violated_conditions(program: &Program, arguments: &Arguments) {
    for fault in violated_conditions(program, arguments) {
        dqdt_diagnostics::tell!("warning: {fault}");
    }
}

/// Messages of the violated conditions on the parameters, such as a negative mass.
pub(super) fn violated_conditions(program: &Program, arguments: &Arguments) -> Vec<String> {
    ParameterConditions::new(program).map_or_else(Vec::new, |c| c.violations(arguments))
}
