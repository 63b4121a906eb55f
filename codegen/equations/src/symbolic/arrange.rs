//! One order of factors and terms in all formulas of a document.
//!
//! Problem: `l1^2*m1` and `m2*l2^2` in one line, because the spec names lengths before masses.
//! Method:  factors are sorted by kind: numbers, masses and inertias, accelerations, lengths, other
//!          parameters, inputs, states, coordinates, functions, speeds, accelerations; a bracket is
//!          sorted by its last factor. Within a kind the order is that of the spec. A sum starts
//!          with a positive term, if it has one; if all terms of a bracket are negative, the sign
//!          moves in front of it.

use std::cmp::Ordering;

use super::closed::{Closed, Function};
use dqdt_graph::ir::SymbolKind;

/// Sort key of each parameter by its kind (mass, length, …), for the order of factors in reports;
/// smaller keys come first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ParameterOrder {
    /// Key of each parameter by position; positions beyond the end are other parameters.
    pub parameters: Vec<u8>,
}

/// Sort key of a parameter of any kind without a key of its own.
const OTHER: u8 = 9;

/// The form with its factors and terms in order. A leading minus sign moves into a bracket if
/// possible: `c (b − a)` for `−c (a − b)`.
pub fn arrange_for_reading(c: &Closed, order: &ParameterOrder) -> Closed {
    let form = sort_factors(c, order);
    match form {
        Closed::Sum(mut terms) if terms.iter().all(Closed::is_negative) => {
            if let Some(i) = terms.iter().position(|t| move_sign_into_bracket(t).is_some())
                && let Some(first) = move_sign_into_bracket(&terms[i])
            {
                terms.remove(i);
                terms.insert(0, first);
            }
            Closed::Sum(terms)
        }
        form => move_sign_into_bracket(&form).unwrap_or(form),
    }
}

/// Moves the minus sign of a product into a bracket in which at least half of the terms are
/// negative; `None` if there is no such bracket. `1 − x` keeps its usual form.
fn move_sign_into_bracket(c: &Closed) -> Option<Closed> {
    let Closed::Product(factors) = c else { return None };
    let at = factors.iter().position(is_mostly_negative).filter(|_| c.is_negative())?;
    let Closed::Product(mut factors) = c.clone().negated() else { return None };
    // Negation removed a leading factor −1.
    let at = at - usize::from(c.starts_with_minus_one());
    let Closed::Sum(terms) = factors.get(at)?.clone() else { return None };
    factors[at] = sum_with_positive_first(terms.into_iter().map(Closed::negated).collect());
    Some(Closed::Product(factors))
}

/// True for a bracket without a number in which at least half of the terms are negative.
fn is_mostly_negative(c: &Closed) -> bool {
    match c {
        Closed::Sum(terms) => {
            let negative = terms.iter().filter(|t| t.is_negative()).count();
            2 * negative >= terms.len() && !terms.iter().any(|t| matches!(t, Closed::Number(_)))
        }
        _ => false,
    }
}

/// The form with factors sorted by kind and positive terms first, at every level.
fn sort_factors(c: &Closed, order: &ParameterOrder) -> Closed {
    let part = |c: &Closed| sort_factors(c, order);
    match c {
        Closed::Number(_) | Closed::Pi | Closed::Symbol { .. } => c.clone(),
        Closed::Sum(terms) => sum_with_positive_first(terms.iter().map(part).collect()),
        Closed::Product(factors) => {
            let mut negative = false;
            let mut factors: Vec<Closed> = factors
                .iter()
                .map(|f| match part(f) {
                    Closed::Sum(terms)
                        if terms.iter().all(Closed::is_negative) || is_negative_elongation(&terms) =>
                    {
                        negative = !negative;
                        sum_with_positive_first(terms.into_iter().map(Closed::negated).collect())
                    }
                    other => other,
                })
                .collect();
            factors.sort_by(|a, b| {
                let (key, other) = (factor_sort_key(a, order), factor_sort_key(b, order));
                key.cmp(&other).then_with(|| if key.is_bracket { Ordering::Equal } else { a.cmp(b) })
            });
            let product = Closed::Product(factors);
            if negative { product.negated() } else { product }
        }
        Closed::Power(base, n) => Closed::Power(Box::new(part(base)), *n),
        Closed::Quotient(a, b) => {
            let (a, b) = (part(a), part(b));
            // A sign moves from the denominator to the numerator.
            let (a, b) = if b.is_negative() { (a.negated(), b.negated()) } else { (a, b) };
            // A sign of the numerator moves into a denominator such as `t₁ − t₂`.
            let (a, b) = match b {
                Closed::Sum(terms) if a.is_negative() && is_mostly_negative(&Closed::Sum(terms.clone())) => {
                    let terms = terms.into_iter().map(Closed::negated).collect();
                    (a.negated(), sum_with_positive_first(terms))
                }
                b => (a, b),
            };
            Closed::Quotient(Box::new(a), Box::new(b))
        }
        Closed::Function(f, args) => Closed::Function(*f, args.iter().map(part).collect()),
    }
}

/// A sum that starts with its first positive term, if it has one.
fn sum_with_positive_first(mut terms: Vec<Closed>) -> Closed {
    if let Some(first) = terms.iter().position(|t| !t.is_negative()) {
        let term = terms.remove(first);
        terms.insert(0, term);
    }
    Closed::Sum(terms)
}

/// Sort key of a factor of a product. Brackets follow single factors of the same kind and keep
/// their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct SortKey {
    /// Kind of the factor, as in [`Closed::rank`].
    rank: u32,
    /// Key of [`ParameterOrder`]; 0 for factors other than parameters.
    parameter: u8,
    /// True for a sum in brackets, which follows single factors of its kind.
    is_bracket: bool,
}

fn factor_sort_key(c: &Closed, order: &ParameterOrder) -> SortKey {
    match c {
        Closed::Symbol { kind: SymbolKind::Parameter(i), .. } => {
            let parameter = order.parameters.get(*i).copied().unwrap_or(OTHER);
            SortKey { rank: c.factor_rank(), parameter, is_bracket: false }
        }
        Closed::Power(base, _) => factor_sort_key(base, order),
        Closed::Sum(all) | Closed::Product(all) => {
            let last = all.iter().map(|c| factor_sort_key(c, order)).max().unwrap_or_default();
            SortKey { is_bracket: true, ..last }
        }
        // A quotient by a length is sorted as a function of that length.
        Closed::Quotient(a, b) if is_length(b) => factor_sort_key(a, order).max(factor_sort_key(b, order)),
        Closed::Quotient(a, _) => factor_sort_key(a, order),
        _ => SortKey { rank: c.factor_rank(), ..SortKey::default() },
    }
}

/// True for `l0/ℓ − 1`, the negative relative elongation of a spring; its force is written with
/// `1 − l0/ℓ`.
fn is_negative_elongation(terms: &[Closed]) -> bool {
    match terms {
        [a @ Closed::Quotient(_, length), Closed::Number(n)]
        | [Closed::Number(n), a @ Closed::Quotient(_, length)] => {
            n.negative && !a.is_negative() && is_length(length)
        }
        _ => false,
    }
}

/// True for a root, a letter for a length, or a power of one.
fn is_length(c: &Closed) -> bool {
    match c {
        Closed::Power(base, _) => is_length(base),
        Closed::Symbol { kind, .. } => matches!(kind, SymbolKind::Length(_)),
        _ => matches!(c, Closed::Function(Function::Sqrt, _)),
    }
}
