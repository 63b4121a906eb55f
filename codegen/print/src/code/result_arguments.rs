//! The arguments to which emitted functions write their results.

use dqdt_graph::ir::declaration::{Declaration, Returns};

/// Name of the argument of emitted functions to which a struct of results is stored.
const RESULT: &str = "y";
/// Name of the argument of emitted functions to which values within limits are stored.
const LIMITED: &str = "limited";

/// Declarations of the functions that a joint call computes together, or of the function itself.
pub fn joined_functions(declaration: &Declaration) -> Vec<&Declaration> {
    match declaration.returns {
        Returns::Joint(all) => all.to_vec(),
        _ => vec![declaration],
    }
}

/// Names of the arguments of an emitted function to which its results are stored. In a joint call a
/// struct is stored in an argument with the name of its function.
pub fn result_argument_names(declaration: &Declaration) -> Vec<&'static str> {
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
