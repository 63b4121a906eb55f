//! Sums of two variables as one factor.
//!
//! Problem: `m₁ x + m₂ x + m₂ y` is usually written `(m₁ + m₂) x + m₂ y`, and
//!          `h² z − 2 h s z + s² z + h y − s y` as `(h − s)² z + (h − s) y`.
//! Method:  a greedy search: among pairs of variables that multiply the same factors, `a` or `b` is
//!          replaced by `d = a + r b` so that the fewest terms remain, until no replacement
//!          shortens the sum. A sum may be part of another.
//! Limits:  the search is greedy; `r` is a small integer or its inverse. Sums with many terms are
//!          returned unchanged.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use dqdt_polynomials::Rational;

use super::collect::SHAPES;
use super::conversion::SymbolNames;
use super::engine::{EngineResult, SymbolicEngine};
use super::terms::{Atom, AtomProduct, Atoms, Terms, add_term, change_exponents, factor_exponent};

/// Largest number of terms of a sum in which sums of two variables are searched for.
const MAX_TERMS: usize = 150;
/// Largest number of pairs of variables that are tried in a round.
const MAX_PAIRS: usize = 8;
/// Largest number of sums of variables that are introduced, one a round.
const MAX_ROUNDS: usize = 6;
/// Largest integer coefficient `r` in a sum `a + r b` of two variables.
const MAX_RATIO: i64 = 4;

/// Pairs of variables that may be joined to one factor, a sum.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Joins {
    /// All pairs of variables.
    All,
    /// Pairs with at least one factor that depends on the motion, such as a coordinate or a speed.
    Moving,
}

/// The sum `d = first + ratio · second` of two factors.
#[derive(Clone)]
struct FactorSum {
    /// Index of the first factor.
    first: usize,
    /// Coefficient of the second factor.
    ratio: Rational,
    /// Index of the second factor.
    second: usize,
    /// Number of places at which both multiply the same factors, an upper bound on the terms saved.
    places: usize,
}

/// Shortens a sum by new factors that are sums of two factors, `d = a + r b`, as long as terms
/// disappear.
pub(super) fn join_factor_sums(
    engine: &SymbolicEngine,
    names: &SymbolNames,
    atoms: &mut Atoms,
    terms: &Terms,
    joins: Joins,
) -> EngineResult<Terms> {
    let mut terms = terms.clone();
    if !(3..=MAX_TERMS).contains(&terms.len()) {
        return Ok(terms);
    }
    for _ in 0..MAX_ROUNDS {
        let mut best: Option<(Terms, FactorSum)> = None;
        // Provisional index of the new factor, beyond all others.
        let new = atoms.atoms.len();
        for sum in candidate_sums(atoms, &terms, joins) {
            let gone = best.as_ref().map_or(0, |(other, _)| terms.len() - other.len());
            if sum.places <= gone {
                continue;
            }
            let FactorSum { first, ratio, second, .. } = &sum;
            let Some(inverse) = Rational::ONE.checked_div(ratio) else { continue };
            let without_first =
                replace_factor(&terms, *first, (new, &Rational::ONE), (*second, &-ratio.clone()));
            let without_second =
                replace_factor(&terms, *second, (new, &inverse), (*first, &-inverse.clone()));
            for other in [without_first, without_second] {
                let least = best.as_ref().map_or(terms.len(), |(terms, _)| terms.len());
                if other.len() < least {
                    best = Some((other, sum.clone()));
                }
            }
        }
        let Some((other, FactorSum { first, ratio, second, .. })) = best else { break };
        let atom = atoms.find_or_add_atom(engine, names, Atom::Sum(first, ratio, second))?;
        terms =
            other.into_iter().map(|(product, value)| (rename_factor(product, new, atom), value)).collect();
    }
    Ok(terms)
}

/// A product in which one factor's index is replaced by another.
fn rename_factor(product: AtomProduct, from: usize, to: usize) -> AtomProduct {
    let mut product: AtomProduct =
        product.into_iter().map(|(a, e)| (if a == from { to } else { a }, e)).collect();
    product.sort_unstable();
    product
}

/// Pairs that multiply the same factors, most frequent first.
fn candidate_sums(atoms: &Atoms, terms: &Terms, joins: Joins) -> Vec<FactorSum> {
    let moves = |a: usize| atoms.closed.get(a).is_some_and(|c| c.factor_rank() >= SHAPES);
    let is_single = |a: usize| matches!(atoms.atoms.get(a), Some(Atom::Variable(_) | Atom::Sum(..)));
    let mut used: Vec<usize> = terms.keys().flatten().map(|(a, _)| *a).filter(|a| is_single(*a)).collect();
    used.sort_unstable();
    used.dedup();
    let mut ratios_of: BTreeMap<(usize, usize), Vec<Rational>> = BTreeMap::new();
    for (product, value) in terms {
        for (a, _) in product.iter().filter(|(a, _)| is_single(*a)) {
            for b in used.iter().filter(|b| **b > *a && (joins == Joins::All || moves(*a) || moves(**b))) {
                let other = change_exponents(product, &[(*a, -1), (*b, 1)]).and_then(|p| terms.get(&p));
                if let Some(ratio) = other.and_then(|other| other.checked_div(value)) {
                    ratios_of.entry((*a, *b)).or_default().push(ratio);
                }
            }
        }
    }
    let mut pairs: Vec<_> = ratios_of.into_iter().filter(|(_, ratios)| ratios.len() > 1).collect();
    pairs.sort_by_key(|(pair, ratios)| (Reverse(ratios.len()), *pair));
    pairs.truncate(MAX_PAIRS);
    let mut sums = Vec::new();
    for ((first, second), ratios) in pairs {
        let mut tried = vec![Rational::ONE, -Rational::ONE];
        let most = ratios.iter().max_by_key(|r| ratios.iter().filter(|other| other == r).count());
        let most = most.filter(|r| is_small_ratio(r));
        tried.extend(most.cloned().filter(|r| !r.abs().is_one()));
        for ratio in tried {
            // The positive variable of a difference comes first.
            let is_backward = -ratio.clone() == Rational::ONE
                && atoms.closed[second].cmp_terms(&atoms.closed[first]) == Ordering::Less;
            let (first, second) = if is_backward { (second, first) } else { (first, second) };
            sums.push(FactorSum { first, ratio, second, places: ratios.len() });
        }
    }
    sums
}

/// True for a small integer and for the inverse of one.
fn is_small_ratio(ratio: &Rational) -> bool {
    is_small_integer(ratio) || Rational::ONE.checked_div(ratio).is_some_and(|r| is_small_integer(&r))
}

/// True for an integer up to [`MAX_RATIO`] in magnitude.
fn is_small_integer(r: &Rational) -> bool {
    r.is_integer() && r.abs() <= Rational::from(MAX_RATIO)
}

/// Replaces `x` by `α d + β y` in all terms.
fn replace_factor(
    terms: &Terms,
    x: usize,
    (d, alpha): (usize, &Rational),
    (y, beta): (usize, &Rational),
) -> Terms {
    let mut result = Terms::new();
    for (product, value) in terms {
        let e = factor_exponent(product, x);
        // xᵉ = Σ (e over k) (α d)ᵏ (β y)ᵉ⁻ᵏ
        let mut binomial = Rational::ONE;
        for k in 0..=e {
            let changes = [(x, -i32::from(e)), (d, i32::from(k)), (y, i32::from(e - k))];
            if let Some(product) = change_exponents(product, &changes) {
                let factor = &rational_power(alpha, k) * &rational_power(beta, e - k);
                add_term(&mut result, product, &(value * &binomial) * &factor);
            }
            let ratio = Rational::ratio(i64::from(e) - i64::from(k), i64::from(k) + 1);
            binomial = &binomial * &ratio;
        }
    }
    result
}

/// The power of a rational number.
fn rational_power(base: &Rational, exponent: u16) -> Rational {
    (0..exponent).fold(Rational::ONE, |product, _| &product * base)
}
