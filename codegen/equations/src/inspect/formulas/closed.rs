//! Closed forms of the quantities of a report, arranged for readers.

use super::closed_math::spelled;
use super::definitions::by_names;
use super::spelling::Spelling;
use crate::inspect::groups::{ClosedForms, GroupRole, Quantities, Term};
use crate::symbolic::{
    self, Assumptions, Closed, Expressions, Order, Reason, Simplified, Style, SymbolicError, arranged,
};
use dqdt_algebra::Dimension;
use dqdt_derivation::symbols::derived_parameters;
use dqdt_graph::ir::{NodeId, SymbolKind};
use dqdt_mechanics::kinematics::quaternions;
use dqdt_mechanics::mechanism::{CoordinateId, Formula, Mechanism, ParameterId, ParameterKind, Variable};
use std::cell::Cell;

/// Largest number of terms of a closed form; longer forms are not readable and are omitted.
pub const LIMIT: usize = 400;

/// Message for a missing closed form, with the option that prints the quantity completely.
fn missing(reason: &Reason) -> String {
    match reason {
        Reason::TooLarge { .. } => format!("more than {LIMIT} terms; complete with --form recursive"),
        other => other.to_string(),
    }
}

/// Assumptions of the symbolic engine for a mechanism: its quaternions have norm 1.
pub fn assumptions(m: &Mechanism) -> Assumptions {
    let quaternions = quaternions(m).into_iter().map(|CoordinateId(i)| [i, i + 1, i + 2, i + 3]).collect();
    Assumptions { quaternions, ..Assumptions::default() }
}

/// The closed form of every entry of all groups, in their order, with the expressions that define
/// its symbols. An entry with [`Term`]s is simplified term by term.
///
/// # Errors
/// If an expression refers to a node that it does not contain.
pub fn entries(
    q: &Quantities,
    m: &Mechanism,
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
    let forms = symbolic::closed_forms(&expressions, &assumptions)?;
    let order = order(m);
    let mut forms = forms.into_iter().map(|form| match form {
        Simplified::Closed { closed, .. } => Ok(arranged(&closed, &order)),
        Simplified::Missing { reason } => Err(missing(&reason)),
    });
    let mut next = || forms.next().unwrap_or_else(|| Err("there are fewer forms than entries".to_owned()));
    let mut all = Vec::new();
    for group in &q.groups {
        match group.sums.is_empty() {
            true if group.role == GroupRole::Named => all.extend(q.named.iter().map(|kind| {
                let form = next();
                form.map(|form| as_written(m, *kind).unwrap_or(form))
            })),
            true => all.extend(group.nodes.iter().map(|_| next())),
            false => all.extend(group.sums.iter().map(|terms| side_by_side(terms, &mut next))),
        }
    }
    factored(q, &assumptions, &order, &mut all)?;
    Ok((expressions, all))
}

/// Length above which an equation is also simplified as a whole.
const LONG: usize = 24;

/// Replaces a long sum of terms by the form of the whole, with common factors in front, if that is
/// shorter by at least a fifth.
fn factored(
    q: &Quantities,
    assumptions: &Assumptions,
    order: &Order,
    forms: &mut [Result<Closed, String>],
) -> Result<(), SymbolicError> {
    let sums = q.groups.iter().flat_map(|g| g.nodes.iter().map(|node| (*node, !g.sums.is_empty())));
    let long = |form: &Result<Closed, String>| form.as_ref().is_ok_and(|f| f.length() > LONG);
    let (places, nodes): (Vec<usize>, Vec<NodeId>) = (sums.enumerate())
        .filter(|(i, (_, is_sum))| *is_sum && forms.get(*i).is_some_and(long))
        .map(|(i, (node, _))| (i, node))
        .unzip();
    if nodes.is_empty() {
        return Ok(());
    }
    let whole = symbolic::closed_forms(&Expressions::new(&q.graph, &nodes), assumptions)?;
    for (place, form) in places.into_iter().zip(whole) {
        let Simplified::Closed { closed, .. } = form else { continue };
        let (whole, Ok(apart)) = (arranged(&closed, order), &forms[place]) else { continue };
        if 5 * whole.length() <= 4 * apart.length() {
            forms[place] = Ok(by_motion(whole));
        }
    }
    Ok(())
}

/// Sorts the terms of every sum: accelerations in the order of speeds, then terms with speeds, then
/// all others.
fn by_motion(c: Closed) -> Closed {
    /// Sort key of a term: the first speed whose acceleration it contains.
    fn place(c: &Closed) -> usize {
        let first = Cell::new(usize::MAX);
        c.has(&|kind| {
            match kind {
                SymbolKind::Acceleration(i) => first.set(first.get().min(i)),
                SymbolKind::Speed(_) => first.set(first.get().min(usize::MAX - 1)),
                _ => {}
            }
            false
        });
        first.get()
    }
    match c {
        Closed::Sum(terms) => {
            let mut terms: Vec<Closed> = terms.into_iter().map(by_motion).collect();
            terms.sort_by_key(place);
            Closed::Sum(terms)
        }
        // A bracket starts with a positive term; its sign moves in front of the product.
        Closed::Product(factors) => {
            let mut negative = false;
            let factors = factors.into_iter().map(|factor| match by_motion(factor) {
                Closed::Sum(terms) if terms.first().is_some_and(Closed::is_negative) => {
                    negative = !negative;
                    Closed::Sum(terms.into_iter().map(Closed::negated).collect())
                }
                other => other,
            });
            let product = Closed::product(factors.collect());
            if negative { product.negated() } else { product }
        }
        other => other,
    }
}

/// Order of parameters in products: masses, inertias, accelerations, lengths, others, by unit or,
/// without a unit, by use in the spec.
fn order(m: &Mechanism) -> Order {
    let kind = |i: ParameterId| {
        let alone = |f: &Formula| *f == Formula::Variable(Variable::Parameter(i));
        match m.parameters[i].dimension {
            Some(Dimension::MASS) => 0,
            Some(d) if d == Dimension::INERTIA || d == Dimension::MASS.times(Dimension::LENGTH) => 1,
            Some(Dimension::ACCELERATION) => 2,
            Some(Dimension::LENGTH) => 3,
            None if m.bodies.iter().any(|b| alone(&b.mass)) => 0,
            _ => 4,
        }
    };
    let free = |i: &ParameterId| matches!(m.parameters[*i].kind, ParameterKind::Free(_));
    let symbols = m.parameter_ids().filter(free).chain(derived_parameters(m));
    Order { parameters: symbols.map(kind).collect() }
}

/// A definition or a prescribed coordinate, with its formula as in the spec.
fn as_written(m: &Mechanism, kind: SymbolKind) -> Option<Closed> {
    let SymbolKind::Named(k) = kind else { return None };
    // Positions after those of the formulas belong to measures.
    let f = m.named_formulas.get(k / 3).filter(|_| k % 3 == 0)?;
    by_names(m, &f.formula)
}

/// The sum of the terms of an entry, each a coefficient times its symbol: `a ẍ + b θ̈ + …`.
fn side_by_side(terms: &[Term], next: &mut impl FnMut() -> Result<Closed, String>) -> Result<Closed, String> {
    let mut sum = Vec::new();
    let mut missing = None;
    for term in terms {
        let coefficient = next();
        let of = term.of.map(|_| next()).transpose();
        match (coefficient, of) {
            // A coefficient can be zero that was not structurally zero before simplification.
            (Ok(coefficient), Ok(_)) if coefficient == Closed::integer(0) => {}
            (Ok(coefficient), Ok(Some(of))) => sum.push(match coefficient.is_negative() {
                true => Closed::product(vec![coefficient.negated(), of]).negated(),
                false => Closed::product(vec![coefficient, of]),
            }),
            (Ok(coefficient), Ok(None)) => sum.push(by_cause(coefficient)),
            (Err(why), _) | (_, Err(why)) => missing = Some(why),
        }
    }
    missing.map_or(Ok(Closed::sum(sum)), Err)
}

/// Sorts the terms of a sum: terms with inputs first, then those with speeds, then all others.
fn by_cause(c: Closed) -> Closed {
    let cause = |c: &Closed| {
        let has = |wanted: &dyn Fn(SymbolKind) -> bool| c.has(wanted);
        match () {
            () if has(&|k| matches!(k, SymbolKind::Input(_))) => 0,
            () if has(&|k| matches!(k, SymbolKind::Speed(_))) => 1,
            () => 2,
        }
    };
    match c {
        Closed::Sum(mut terms) => {
            terms.sort_by_key(cause);
            Closed::Sum(terms)
        }
        other => other,
    }
}

/// The callback that gives `inspect` the closed forms of a mechanism's quantities, typeset.
pub fn closed_forms(m: &Mechanism) -> Box<ClosedForms<'_>> {
    Box::new(move |q: &Quantities| match entries(q, m) {
        Ok((expressions, forms)) => {
            let spelling = Spelling::of(&expressions, m);
            let letter = |name: &str| spelling.letter(name);
            let style = Style::of(forms.iter().flatten());
            forms.into_iter().map(|form| form.map(|closed| spelled(&closed, &letter, style))).collect()
        }
        Err(e) => q.groups.iter().flat_map(|g| &g.nodes).map(|_| Err(e.to_string())).collect(),
    })
}
