//! Closed forms as they are printed.
//!
//! Problem: what a reader copies from a report must be what was derived.
//! Method:  the text of each form is read back, names of the report are replaced by what its tables say of them, and the
//!          result is proved equal to the quantity as it is derived.
//! Not handled: quantities without a closed form; they are counted.

use super::Claim;
use crate::formalism::Formalism;
use crate::inspect::{self, Quantities};
use crate::ir::NodeId;
use crate::mechanism::Mechanism;
use crate::symbolic::{Expressions, Form, Request, Response, SymbolicError, Task, parse_text, text};

/// Every closed form that `inspect` prints, read back from its text, is what it stands for.
///
/// Returns the claim and the number of quantities that have no closed form.
///
/// # Errors
/// Those of the engine.
pub fn printed(
    m: &Mechanism,
    run: impl Fn(Request) -> Result<Response, SymbolicError>,
) -> Result<(Claim, usize), SymbolicError> {
    let definitions = inspect::definitions(m);
    let Quantities { graph, groups } = inspect::quantities(m, Formalism::Kane);
    // What cannot be printed stands for itself on both sides.
    let full = definitions.is_some().then(|| inspect::quantities_in_full(m, Formalism::Kane));
    let known = definitions.unwrap_or_default();
    let nodes: Vec<NodeId> = groups.iter().flat_map(|g| g.nodes.iter().copied()).collect();
    let assumptions = inspect::assumptions(m);
    let expressions = Expressions::new(&graph, &nodes);
    let task = Task::ClosedForms { expressions: expressions.clone() };
    let Response::Forms(forms) = run(Request { assumptions: assumptions.clone(), task })? else {
        return Err(SymbolicError::BadRequest("the answer is of another kind"));
    };
    let (mut kept, mut parsed, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    let (meant, derived) = match &full {
        Some(full) => (full.groups.iter().flat_map(|g| g.nodes.iter().copied()).collect(), &full.graph),
        None => (nodes.clone(), &graph),
    };
    for (node, form) in meant.iter().zip(&forms) {
        if let Form::Closed { closed, .. } = form {
            let printed = text(closed);
            parsed.push(parse_text(&printed, expressions.symbol_names())?.with(&known));
            entries.push(printed);
            kept.push(*node);
        }
    }
    let missing = nodes.len() - kept.len();
    let claim = Claim {
        title: format!("the {} closed forms that `inspect` prints say the same", kept.len()),
        entries,
        task: Task::ProveClosed { expressions: Expressions::new(derived, &kept), forms: parsed },
        assumptions,
        about: None,
    };
    Ok((claim, missing))
}
