//! The arguments to which emitted functions write their results.

use dqdt_graph::ir::declaration::{Declaration, Returns};

/// Name of the argument to which a struct of results is written.
const RESULT: &str = "y";
/// Name of the argument to which values within limits are written.
const LIMITED: &str = "limited";

/// The functions that a joint call computes together, or the function itself.
pub fn joined_functions(declaration: &Declaration) -> Vec<&Declaration> {
    match declaration.returns {
        Returns::Joint(all) => all.to_vec(),
        _ => vec![declaration],
    }
}

/// The argument to which each result is written. In a joint call a struct is written to an argument
/// with the name of its function.
pub fn result_arguments(declaration: &Declaration) -> Vec<&'static str> {
    let is_joint = matches!(declaration.returns, Returns::Joint(_));
    let mut arguments: Vec<&'static str> = Vec::new();
    for d in joined_functions(declaration) {
        let name = match d.returns {
            Returns::Array { name, .. } => name,
            Returns::Limited { .. } => LIMITED,
            Returns::Struct { .. } | Returns::Joint(_) if is_joint => d.name,
            Returns::Struct { .. } | Returns::Joint(_) => RESULT,
        };
        arguments.push(if arguments.contains(&name) { d.name } else { name });
    }
    arguments
}
