//! Closed forms for people, by the symbolic engine.

use super::closed_math::math;
use super::groups::ClosedForms;
use crate::ir::{Graph, NodeId};
use crate::kinematics::quaternions;
use crate::mechanism::Mechanism;
use crate::print::report::Math;
use crate::symbolic::{
    self, Assumptions, Expressions, Query, Response, Simplified, SymbolicError, SymbolicRequest,
};

/// Largest number of terms of a closed form that is asked for: what is longer nobody reads.
pub const LIMIT: usize = 400;

/// What the engine may assume about a mechanism.
pub fn assumptions(m: &Mechanism) -> Assumptions {
    let quaternions = quaternions(m).into_iter().map(|i| [i, i + 1, i + 2, i + 3]).collect();
    Assumptions { quaternions, ..Assumptions::default() }
}

/// Closed forms by an engine that `run` reaches: in this process or in a child.
pub fn closed_forms_by<'a>(
    m: &Mechanism,
    run: impl Fn(SymbolicRequest) -> Result<Response, SymbolicError> + 'a,
) -> Box<ClosedForms<'a>> {
    let assumptions = Assumptions { limit: LIMIT, ..assumptions(m) };
    Box::new(move |graph: &Graph, nodes: &[NodeId]| {
        let expressions = Expressions::new(graph, nodes);
        let request =
            SymbolicRequest { assumptions: assumptions.clone(), query: Query::ClosedForms { expressions } };
        match run(request) {
            Ok(Response::Forms(forms)) if forms.len() == nodes.len() => {
                forms.into_iter().map(shown).collect()
            }
            Ok(_) => {
                nodes.iter().map(|_| Err("the symbolic engine gave another answer".to_owned())).collect()
            }
            Err(e) => nodes.iter().map(|_| Err(e.to_string())).collect(),
        }
    })
}

/// Closed forms by the engine in this process, whose licence notice goes to standard output.
pub fn closed_forms(m: &Mechanism) -> Box<ClosedForms<'static>> {
    closed_forms_by(m, symbolic::run_here)
}

fn shown(form: Simplified) -> Result<Math, String> {
    match form {
        Simplified::Closed { closed, .. } => Ok(math(&closed)),
        Simplified::Missing { reason } => Err(reason.to_string()),
    }
}
