//! Closed forms for people, by the symbolic engine.

use super::closed_math::math;
use super::groups::{ClosedForms, Quantities, Term};
use crate::kinematics::quaternions;
use crate::mechanism::Mechanism;
use crate::symbolic::{
    self, Assumptions, Closed, Expressions, Query, Response, Simplified, SymbolicError, SymbolicRequest,
};

/// Largest number of terms of a closed form that is asked for: what is longer nobody reads.
pub const LIMIT: usize = 400;

/// What the engine may assume about a mechanism.
pub fn assumptions(m: &Mechanism) -> Assumptions {
    let quaternions = quaternions(m).into_iter().map(|i| [i, i + 1, i + 2, i + 3]).collect();
    Assumptions { quaternions, ..Assumptions::default() }
}

/// The closed form of every entry of all groups, in their order: where an entry is a sum whose terms keep their places, the
/// terms side by side. With the expressions whose names the forms have.
///
/// # Errors
/// Those of the engine.
pub fn entries(
    q: &Quantities,
    m: &Mechanism,
    run: impl Fn(SymbolicRequest) -> Result<Response, SymbolicError>,
) -> Result<(Expressions, Vec<Result<Closed, String>>), SymbolicError> {
    let mut nodes = Vec::new();
    for group in &q.groups {
        match group.sums.is_empty() {
            true => nodes.extend_from_slice(&group.nodes),
            false => {
                nodes.extend(group.sums.iter().flatten().flat_map(|t| [Some(t.coefficient), t.of]).flatten())
            }
        }
    }
    let expressions = Expressions::new(&q.graph, &nodes);
    let assumptions = Assumptions { limit: LIMIT, ..assumptions(m) };
    let query = Query::ClosedForms { expressions: expressions.clone() };
    let Response::Forms(forms) = run(SymbolicRequest { assumptions, query })? else {
        return Err(SymbolicError::BadRequest("the answer is of another kind"));
    };
    let mut forms = forms.into_iter().map(|form| match form {
        Simplified::Closed { closed, .. } => Ok(closed),
        Simplified::Missing { reason } => Err(reason.to_string()),
    });
    let mut next =
        || forms.next().unwrap_or_else(|| Err("the symbolic engine gave too few answers".to_owned()));
    let mut all = Vec::new();
    for group in &q.groups {
        match group.sums.is_empty() {
            true => all.extend(group.nodes.iter().map(|_| next())),
            false => all.extend(group.sums.iter().map(|terms| side_by_side(terms, &mut next))),
        }
    }
    Ok((expressions, all))
}

/// `a ẍ + b θ̈ + …`
fn side_by_side(terms: &[Term], next: &mut impl FnMut() -> Result<Closed, String>) -> Result<Closed, String> {
    let mut sum = Vec::new();
    let mut missing = None;
    for term in terms {
        let coefficient = next();
        let of = term.of.map(|_| next()).transpose();
        match (coefficient, of) {
            (Ok(coefficient), Ok(of)) => sum.push(match of {
                Some(of) => Closed::product(vec![coefficient, of]),
                None => coefficient,
            }),
            (Err(why), _) | (_, Err(why)) => missing = Some(why),
        }
    }
    missing.map_or(Ok(Closed::sum(sum)), Err)
}

/// Closed forms by an engine that `run` reaches: in this process or in a child.
pub fn closed_forms_by<'a>(
    m: &'a Mechanism,
    run: impl Fn(SymbolicRequest) -> Result<Response, SymbolicError> + 'a,
) -> Box<ClosedForms<'a>> {
    Box::new(move |q: &Quantities| match entries(q, m, &run) {
        Ok((_, forms)) => forms.into_iter().map(|form| form.map(|closed| math(&closed))).collect(),
        Err(e) => q.groups.iter().flat_map(|g| &g.nodes).map(|_| Err(e.to_string())).collect(),
    })
}

/// Closed forms by the engine in this process, whose licence notice goes to standard output.
pub fn closed_forms(m: &Mechanism) -> Box<ClosedForms<'_>> {
    closed_forms_by(m, symbolic::run_here)
}
