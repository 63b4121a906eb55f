//! Closed forms of the quantities of a report, arranged for readers.

use super::closed_math::typeset_with_names;
use super::definitions::closed_form_with_names;
use super::spelling::Spelling;
use crate::inspect::clamps::PrintedDefinitions;
use crate::inspect::groups::{ClosedForms, EntryTerm, GroupRole, Quantities};
use crate::symbolic::{
    self, Assumptions, Closed, Expressions, NumberStyle, ParameterOrder, Reason, Simplified, SymbolicError,
    arrange_for_reading,
};
use dqdt_algebra::Dimension;
use dqdt_derivation::symbols::derived_parameters;
use dqdt_graph::ir::{NodeId, SymbolKind};
use dqdt_mechanics::kinematics::quaternion_starts;
use dqdt_mechanics::mechanism::{CoordinateId, Formula, Mechanism, ParameterId, ParameterKind, Variable};
use std::cell::Cell;

/// Largest number of terms of a closed form in a report; longer forms are omitted as not readable.
pub const LIMIT: usize = 400;

/// Message for a missing closed form, with the option that prints the quantity completely.
fn missing_message(reason: &Reason) -> String {
    match reason {
        Reason::TooLarge { .. } => format!("the formula has more than {LIMIT} terms; use --form recursive"),
        other => other.to_string(),
    }
}

/// Assumptions of the symbolic engine for a mechanism: its quaternions have norm 1.
pub fn engine_assumptions(m: &Mechanism) -> Assumptions {
    let quaternions =
        quaternion_starts(m).into_iter().map(|CoordinateId(i)| [i, i + 1, i + 2, i + 3]).collect();
    Assumptions { quaternions, ..Assumptions::default() }
}

/// The closed form of every entry of all groups, in their order, with the expressions that define
/// its symbols. An entry with [`EntryTerm`]s is simplified term by term.
///
/// # Errors
/// If an expression refers to a node that it does not contain.
pub fn entry_closed_forms(
    q: &Quantities,
    m: &Mechanism,
) -> Result<(Expressions, Vec<Result<Closed, String>>), SymbolicError> {
    let mut nodes = Vec::new();
    for group in &q.groups {
        match group.sums.is_empty() {
            true => nodes.extend_from_slice(&group.nodes),
            false => nodes
                .extend(group.sums.iter().flatten().flat_map(|t| [Some(t.coefficient), t.factor]).flatten()),
        }
    }
    let expressions = Expressions::new(&q.graph, &nodes);
    let assumptions = Assumptions { limit: LIMIT, ..engine_assumptions(m) };
    let forms = symbolic::closed_forms(&expressions, &assumptions)?;
    let order = parameter_order(m);
    let mut forms = forms.into_iter().map(|form| match form {
        Simplified::Closed { closed, .. } => Ok(arrange_for_reading(&closed, &order)),
        Simplified::Missing { reason } => Err(missing_message(&reason)),
    });
    let mut next =
        || forms.next().unwrap_or_else(|| Err("fewer closed forms than entries were computed".to_owned()));
    let definitions = PrintedDefinitions::new(m);
    let mut all = Vec::new();
    for group in &q.groups {
        match group.sums.is_empty() {
            true if group.role == GroupRole::Named => all.extend(q.named.iter().map(|kind| {
                let form = next();
                form.map(|form| definition_form(m, &definitions, (*kind, &q.named), form))
            })),
            true => all.extend(group.nodes.iter().map(|_| next())),
            false => all.extend(group.sums.iter().map(|terms| entry_sum(terms, &mut next))),
        }
    }
    shorten_by_factors(q, &assumptions, &order, &mut all)?;
    Ok((expressions, all))
}

/// Length of a closed form above which an equation is also simplified as a whole, not only term by
/// term.
const LONG: usize = 24;

/// Moves common factors of the terms of a long sum in front; replaces the sum by the form of the
/// whole if that is shorter by at least a tenth.
fn shorten_by_factors(
    q: &Quantities,
    assumptions: &Assumptions,
    order: &ParameterOrder,
    forms: &mut [Result<Closed, String>],
) -> Result<(), SymbolicError> {
    let sums = q.groups.iter().flat_map(|g| g.nodes.iter().map(|node| (*node, !g.sums.is_empty())));
    let (places, nodes): (Vec<usize>, Vec<NodeId>) = (sums.enumerate())
        .filter(|(i, (_, is_sum))| *is_sum && forms.get(*i).is_some_and(is_long_form))
        .map(|(i, (node, _))| (i, node))
        .unzip();
    if nodes.is_empty() {
        return Ok(());
    }
    let whole = symbolic::closed_forms(&Expressions::new(&q.graph, &nodes), assumptions)?;
    for (place, form) in places.into_iter().zip(whole) {
        let Simplified::Closed { closed, .. } = form else { continue };
        let (whole, Ok(sum)) = (arrange_for_reading(&closed, order), &forms[place]) else { continue };
        let by_terms = with_common_factors(sum).unwrap_or_else(|| sum.clone());
        if 10 * whole.printed_length() <= 9 * by_terms.printed_length() {
            forms[place] = Ok(sort_by_accelerations(whole));
        } else if by_terms.printed_length() < sum.printed_length() {
            forms[place] = Ok(by_terms);
        }
    }
    Ok(())
}

/// Factors of a term, with powers as repeated factors.
fn repeated_factors(term: &Closed) -> Vec<Closed> {
    match term {
        Closed::Product(factors) => factors.iter().flat_map(repeated_factors).collect(),
        Closed::Power(base, n) => vec![(**base).clone(); *n as usize],
        _ => vec![term.clone()],
    }
}

/// Product of factors, equal ones as powers.
fn product_with_powers(factors: Vec<Closed>) -> Closed {
    let mut counts: Vec<(Closed, u32)> = Vec::new();
    for factor in factors {
        match counts.iter_mut().find(|(known, _)| *known == factor) {
            Some((_, n)) => *n += 1,
            None => counts.push((factor, 1)),
        }
    }
    let powers = counts.into_iter().map(|(base, n)| match n {
        1 => base,
        _ => Closed::Power(Box::new(base), n),
    });
    Closed::product(powers.collect())
}

/// A sum with the factors of all its terms in front; `None` if the terms share none.
fn with_common_factors(form: &Closed) -> Option<Closed> {
    let Closed::Sum(terms) = form else { return None };
    let mut terms: Vec<Vec<Closed>> = terms.iter().map(repeated_factors).collect();
    let mut common = Vec::new();
    for factor in terms.first()?.clone() {
        if matches!(factor, Closed::Number(_)) || !terms.iter().all(|t| t.contains(&factor)) {
            continue;
        }
        for term in &mut terms {
            let place = term.iter().position(|f| *f == factor)?;
            term.remove(place);
        }
        common.push(factor);
    }
    if common.is_empty() {
        return None;
    }
    let rest = Closed::sum(terms.into_iter().map(product_with_powers).collect());
    Some(Closed::product(vec![product_with_powers(common), rest]))
}

/// True if the closed form exists and is longer than [`LONG`].
fn is_long_form(form: &Result<Closed, String>) -> bool {
    form.as_ref().is_ok_and(|form| form.printed_length() > LONG)
}

/// Sorts the terms of every sum: accelerations in the order of speeds, then terms with speeds, then
/// all others.
fn sort_by_accelerations(c: Closed) -> Closed {
    /// Sort key of a term: the first speed whose acceleration it contains.
    fn first_speed(c: &Closed) -> usize {
        let first = Cell::new(usize::MAX);
        c.contains_symbol_where(&|kind| {
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
            let mut terms: Vec<Closed> = terms.into_iter().map(sort_by_accelerations).collect();
            terms.sort_by_key(first_speed);
            Closed::Sum(terms)
        }
        // A bracket starts with a positive term; its sign moves in front of the product.
        Closed::Product(factors) => {
            let mut negative = false;
            let factors = factors.into_iter().map(|factor| match sort_by_accelerations(factor) {
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
fn parameter_order(m: &Mechanism) -> ParameterOrder {
    let free = m.parameter_ids().filter(|i| matches!(m.parameters[*i].kind, ParameterKind::Free(_)));
    let symbols = free.chain(derived_parameters(m));
    ParameterOrder { parameters: symbols.map(|i| parameter_sort_key(m, i)).collect() }
}

/// Rank of a parameter's kind in the order of factors: mass 0, inertia 1, acceleration 2, length 3,
/// others 4.
fn parameter_sort_key(m: &Mechanism, i: ParameterId) -> u8 {
    let formula = Formula::Variable(Variable::Parameter(i));
    match m.parameters[i].dimension {
        Some(Dimension::MASS) => 0,
        Some(d) if d == Dimension::INERTIA || d == Dimension::MASS.times(Dimension::LENGTH) => 1,
        Some(Dimension::ACCELERATION) => 2,
        Some(Dimension::LENGTH) => 3,
        None if m.bodies.iter().any(|b| b.mass == formula) => 0,
        _ => 4,
    }
}

/// The form in which a definition, a prescribed coordinate or a clamp is printed: as in the spec,
/// if the report defines all its names. The rate of a clamp contains its argument as in the spec.
fn definition_form(
    m: &Mechanism,
    definitions: &PrintedDefinitions,
    (kind, defined): (SymbolKind, &[SymbolKind]),
    form: Closed,
) -> Closed {
    let SymbolKind::Named(k) = kind else { return form };
    let definition = definitions.at_place(k / 3);
    let in_spec = definition.and_then(|definition| closed_form_with_names(m, &definition.formula));
    let printed = match k % 3 {
        0 => in_spec,
        _ => in_spec.and_then(|value| form.with_argument_of(&value)),
    };
    printed
        .filter(|c| {
            !c.contains_symbol_where(&|kind| matches!(kind, SymbolKind::Named(_)) && !defined.contains(&kind))
        })
        .unwrap_or(form)
}

/// The sum of the terms of an entry, each a coefficient times its symbol: `a ẍ + b θ̈ + …`.
fn entry_sum(
    terms: &[EntryTerm],
    next: &mut impl FnMut() -> Result<Closed, String>,
) -> Result<Closed, String> {
    let mut sum = Vec::new();
    let mut missing = None;
    for term in terms {
        let coefficient = next();
        let factor = term.factor.map(|_| next()).transpose();
        match (coefficient, factor) {
            // A coefficient can be zero that was not structurally zero before simplification.
            (Ok(coefficient), Ok(_)) if coefficient == Closed::integer(0) => {}
            (Ok(coefficient), Ok(Some(factor))) => sum.push(match coefficient.is_negative() {
                true => Closed::product(vec![coefficient.negated(), factor]).negated(),
                false => Closed::product(vec![coefficient, factor]),
            }),
            (Ok(coefficient), Ok(None)) => sum.push(sort_by_inputs(coefficient)),
            (Err(why), _) | (_, Err(why)) => missing = Some(why),
        }
    }
    missing.map_or(Ok(Closed::sum(sum)), Err)
}

/// Sorts the terms of a sum: terms with inputs first, then those with speeds, then all others.
fn sort_by_inputs(c: Closed) -> Closed {
    /// Sort key of a term: 0 with inputs, 1 with speeds, else 2.
    fn term_sort_key(c: &Closed) -> u8 {
        match () {
            () if c.contains_symbol_where(&|kind| matches!(kind, SymbolKind::Input(_))) => 0,
            () if c.contains_symbol_where(&|kind| matches!(kind, SymbolKind::Speed(_))) => 1,
            () => 2,
        }
    }
    match c {
        Closed::Sum(mut terms) => {
            terms.sort_by_key(term_sort_key);
            Closed::Sum(terms)
        }
        other => other,
    }
}

/// The callback that gives `inspect` the closed forms of a mechanism's quantities, typeset.
pub fn closed_forms(m: &Mechanism) -> Box<ClosedForms<'_>> {
    Box::new(move |q: &Quantities| match entry_closed_forms(q, m) {
        Ok((expressions, forms)) => {
            let spelling = Spelling::for_mechanism(&expressions, m);
            let style = NumberStyle::for_forms(forms.iter().flatten());
            forms
                .into_iter()
                .map(|form| {
                    form.map(|closed| typeset_with_names(&closed, &|name| spelling.printed_name(name), style))
                })
                .collect()
        }
        Err(e) => q.groups.iter().flat_map(|g| &g.nodes).map(|_| Err(e.to_string())).collect(),
    })
}
