//! Consistency checks of a program, on which its plan, printers and interpreter rely.
//!
//! Problem: a printer that meets an output without values, or a value that is in no graph, would
//!          omit something or panic.
//! Method:  counts and indices are compared once, before a program is planned. Invariants that a
//!          later stage finds broken are recorded in the graph (`base::Invariants`) and checked
//!          after that stage.

use super::count::needed_roots;
use super::declaration::Returns;
use super::graph::Graph;
use super::program::{Function, Layout, Program};
use dqdt_diagnostics::base::InternalError;

impl Program {
    /// Checks that the program is well-formed and that no stage that made or read it recorded a
    /// broken invariant. After an error, discard the program and all text made from it.
    ///
    /// # Errors
    /// The first broken invariant.
    #[doc(hidden)]
    pub fn check(&self) -> Result<(), InternalError> {
        self.graph.invariants().ensure_unbroken()?;
        self.functions.iter().try_for_each(|f| check_function(f, &self.graph))?;
        check_layout_indices(&self.layout)?;
        let Some(checks) = &self.parameter_checks else { return Ok(()) };
        let values: usize = checks.values.functions.iter().map(|f| f.outputs.len()).sum();
        if values != checks.conditions.len() {
            let what = format!(
                "the program has {} parameter conditions, but its function computes {values} values to check",
                checks.conditions.len()
            );
            return Err(InternalError::new(what));
        }
        checks.values.check()
    }
}

/// Checks that the nodes, shapes and parts of a function's outputs agree with its declaration.
fn check_function(function: &Function, graph: &Graph) -> Result<(), InternalError> {
    let name = function.declaration.name;
    if needed_roots(function).iter().any(|id| id.0 as usize >= graph.len()) {
        return Err(InternalError::new(format!(
            "function `{name}` refers to a node that is not in its graph"
        )));
    }
    for output in &function.outputs {
        let (n, entries) = (output.shape.entries(), output.nodes.len());
        if n != entries {
            let what =
                format!("output `{}` of function `{name}` needs {n} values, but has {entries}", output.name);
            return Err(InternalError::new(what));
        }
    }
    if let Returns::Joint(all) = function.declaration.returns {
        let outputs: usize = function.parts.iter().sum();
        let nested = all.iter().any(|d| matches!(d.returns, Returns::Joint(_)));
        if nested || (function.parts.len(), outputs) != (all.len(), function.outputs.len()) {
            return Err(InternalError::new(format!(
                "the parts of joint function `{name}` do not match its outputs"
            )));
        }
    }
    Ok(())
}

/// Checks that no index of the layout (of independent or driven speeds, of quaternions) goes beyond
/// the vector that it points into.
fn check_layout_indices(l: &Layout) -> Result<(), InternalError> {
    let speeds = l.independent_speeds.iter().chain(&l.driven_speeds).map(|i| (*i, l.v.len()));
    let mut places = speeds.chain(l.quaternions.iter().map(|i| (*i + 3, l.q.len())));
    match places.find(|(i, n)| i >= n) {
        Some((i, n)) => {
            Err(InternalError::new(format!("the layout refers to entry {i} of a vector with {n} entries")))
        }
        None => Ok(()),
    }
}
