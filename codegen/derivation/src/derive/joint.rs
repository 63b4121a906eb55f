//! Joint calls: several functions combined in one, which shares their common subexpressions.

use std::sync::{Mutex, PoisonError};

use super::definition::{Definition, Derive};
use dqdt_graph::ir::declaration::{Argument, Declaration, EntryNames, Returns, Solves};

/// Error of [`joint`]: the functions cannot be combined in one call.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JointError {
    /// Fewer than two functions were listed.
    #[error("a joint call requires at least two functions")]
    Few,
    /// The named function is listed twice.
    #[error("`{0}` is listed twice in a joint call")]
    Twice(&'static str),
    /// The named function returns flags of saturated inputs, while others return a result or an
    /// error.
    #[error("`{0}` cannot be part of a joint call: it returns flags of active limits")]
    Limited(&'static str),
    /// The named function is itself a joint call of several functions.
    #[error("`{0}` is a joint call: name its functions instead")]
    Nested(&'static str),
    /// Two functions have different arguments of one name.
    #[error("`{first}` and `{second}` cannot be combined in one call: their arguments `{argument}` differ")]
    Argument {
        /// Name of the argument that denotes different vectors in the two functions.
        argument: &'static str,
        /// Name of the first function with this argument.
        first: &'static str,
        /// Name of the function whose argument differs.
        second: &'static str,
    },
}

/// Returns the function that combines the given functions in one call: `dqdt_and_outputs` for
/// `dqdt` and `outputs`.
///
/// Its arguments are those of all functions, each once. The results of each function go to an
/// argument of their own, in this order. A call costs the operations of the union of the graphs,
/// each once; the values are bitwise equal to those of the single calls. If a divisor of any
/// function vanishes, the call fails and no result is valid.
///
/// # Errors
///
/// Fewer than two functions, a function listed twice, or functions that cannot be combined.
pub fn joint(functions: &[&'static Definition]) -> Result<&'static Definition, JointError> {
    /// Definitions are compared by their declarations, which must live as long as the program.
    static MADE: Mutex<Vec<&'static Definition>> = Mutex::new(Vec::new());
    let arguments = merge_arguments(functions)?;
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = made.iter().find(|d| combines_exactly(d, functions)) {
        return Ok(known);
    }
    let names: Vec<&str> = functions.iter().map(|f| f.name).collect();
    let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let summary = format!(
        "Computes {} in one call: shared intermediate results are computed once, and the values equal those of separate calls.",
        list.join(" and ")
    );
    let parts: &'static [&'static Definition] = Vec::leak(functions.to_vec());
    let declarations: Vec<&'static Declaration> = parts.iter().map(|f| &f.declaration).collect();
    let definition: &'static Definition = Box::leak(Box::new(Definition {
        declaration: Declaration {
            name: String::leak(names.join("_and_")),
            summary: String::leak(summary),
            constraints: None,
            arguments: Vec::leak(arguments),
            returns: Returns::Joint(Vec::leak(declarations)),
            entries: EntryNames::Numbered,
            solves: Solves::Nothing,
            checked: parts.iter().any(|f| f.checked),
            role: None,
            by_default: false,
            in_eval: false,
        },
        derive: Derive::Joint(parts),
    }));
    made.push(definition);
    Ok(definition)
}

/// True if a joint call combines exactly these functions, in this order.
fn combines_exactly(definition: &Definition, functions: &[&'static Definition]) -> bool {
    match definition.derive {
        Derive::Joint(parts) => {
            parts.len() == functions.len() && parts.iter().zip(functions).all(|(a, b)| std::ptr::eq(*a, *b))
        }
        Derive::State(_) | Derive::Divided(_) | Derive::Motion(_) | Derive::MotionDivided(_) => false,
    }
}

/// Arguments of the joint call, each once; an error if the functions cannot be combined.
fn merge_arguments(functions: &[&'static Definition]) -> Result<Vec<Argument>, JointError> {
    if functions.len() < 2 {
        return Err(JointError::Few);
    }
    let mut all: Vec<(Argument, &'static str)> = Vec::new();
    for (i, f) in functions.iter().enumerate() {
        if functions[..i].contains(f) {
            return Err(JointError::Twice(f.name));
        }
        match f.returns {
            Returns::Limited { .. } => return Err(JointError::Limited(f.name)),
            Returns::Joint(_) => return Err(JointError::Nested(f.name)),
            Returns::Array { .. } | Returns::Struct { .. } => {}
        }
        for a in f.arguments {
            match all.iter().find(|(b, _)| b.name == a.name) {
                None => all.push((*a, f.name)),
                Some((b, _)) if b.vector == a.vector => {}
                Some((_, first)) => {
                    return Err(JointError::Argument { argument: a.name, first, second: f.name });
                }
            }
        }
    }
    // In the usual order: accelerations after the state.
    let mut arguments: Vec<Argument> = all.into_iter().map(|(a, _)| a).collect();
    arguments.sort_by_key(|a| a.vector.is_acceleration());
    Ok(arguments)
}
