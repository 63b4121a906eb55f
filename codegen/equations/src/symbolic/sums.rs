//! Sums of two variables as one factor.
//!
//! Problem: `m₁ x + m₂ x + m₂ y` is what people write as `(m₁ + m₂) x + m₂ y`, and `h² z − 2 h s z
//!          + s² z + h y − s y` as `(h − s)² z + (h − s) y`.
//! Method:  a greedy search: `d = a + r b` is put in for `a` or for `b`, of all pairs that stand
//!          beside the same factors the one that leaves the fewest terms, until none leaves fewer.
//!          A sum may be part of another.
//! Limits:  greedy; `r` is a small whole number or its inverse. Sums with many terms are left
//!          alone.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use dqdt_polynomials::Rational;

use super::collect::SHAPES;
use super::conversion::SymbolNames;
use super::engine::{Engine, Exact};
use super::terms::{Atom, Atoms, Product, Terms, add_term, changed, exponent};

/// Above this number of terms nothing is tried.
const MAX_TERMS: usize = 150;
/// Pairs that are tried in a round.
const MAX_PAIRS: usize = 8;
/// Rounds.
const MAX_ROUNDS: usize = 6;
/// The largest whole number in a sum.
const MAX_RATIO: i64 = 4;

/// Which variables make sums.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Joins {
    /// All.
    All,
    /// A coordinate or a speed is one of the two.
    Moving,
}

/// `d = first + ratio · second`.
#[derive(Clone)]
struct Sum {
    first: usize,
    ratio: Rational,
    second: usize,
    /// In how many places both stand beside the same factors: no more terms can go.
    places: usize,
}

/// The shortest sum found by such factors.
pub(super) fn with_sums(
    engine: &Engine,
    names: &SymbolNames,
    atoms: &mut Atoms,
    terms: &Terms,
    joins: Joins,
) -> Exact<Terms> {
    let mut terms = terms.clone();
    if !(3..=MAX_TERMS).contains(&terms.len()) {
        return Ok(terms);
    }
    for _ in 0..MAX_ROUNDS {
        let mut best: Option<(Terms, Sum)> = None;
        // A factor that is not there yet stands behind all others.
        let new = atoms.atoms.len();
        for sum in candidates(atoms, &terms, joins) {
            let gone = best.as_ref().map_or(0, |(other, _)| terms.len() - other.len());
            if sum.places <= gone {
                continue;
            }
            let Sum { first, ratio, second, .. } = &sum;
            let Some(inverse) = Rational::ONE.checked_div(ratio) else { continue };
            let without_first = replaced(&terms, *first, (new, &Rational::ONE), (*second, &-ratio.clone()));
            let without_second = replaced(&terms, *second, (new, &inverse), (*first, &-inverse.clone()));
            for other in [without_first, without_second] {
                let least = best.as_ref().map_or(terms.len(), |(terms, _)| terms.len());
                if other.len() < least {
                    best = Some((other, sum.clone()));
                }
            }
        }
        let Some((other, Sum { first, ratio, second, .. })) = best else { break };
        let atom = atoms.atom(engine, names, Atom::Sum(first, ratio, second))?;
        terms = other.into_iter().map(|(product, value)| (renamed(product, new, atom), value)).collect();
    }
    Ok(terms)
}

/// A product with another number for a factor.
fn renamed(product: Product, from: usize, to: usize) -> Product {
    let mut product: Product =
        product.into_iter().map(|(a, e)| (if a == from { to } else { a }, e)).collect();
    product.sort_unstable();
    product
}

/// Pairs that stand beside the same factors, those that do so most often first.
fn candidates(atoms: &Atoms, terms: &Terms, joins: Joins) -> Vec<Sum> {
    let moves = |a: usize| atoms.closed.get(a).is_some_and(|c| c.rank() >= SHAPES);
    let may_join = |a: usize, b: usize| joins == Joins::All || moves(a) || moves(b);
    let is_single = |a: usize| matches!(atoms.atoms.get(a), Some(Atom::Variable(_) | Atom::Sum(..)));
    let mut used: Vec<usize> = terms.keys().flatten().map(|(a, _)| *a).filter(|a| is_single(*a)).collect();
    used.sort_unstable();
    used.dedup();
    let mut ratios_of: BTreeMap<(usize, usize), Vec<Rational>> = BTreeMap::new();
    for (product, value) in terms {
        for (a, _) in product.iter().filter(|(a, _)| is_single(*a)) {
            for b in used.iter().filter(|b| **b > *a && may_join(*a, **b)) {
                let other = changed(product, &[(*a, -1), (*b, 1)]).and_then(|p| terms.get(&p));
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
        let count = |r: &Rational| ratios.iter().filter(|other| *other == r).count();
        let most = ratios.iter().max_by_key(|r| count(r)).filter(|r| is_small(r));
        tried.extend(most.cloned().filter(|r| !r.abs().is_one()));
        for ratio in tried {
            // A difference begins with what it is a difference from.
            let backward = -ratio.clone() == Rational::ONE
                && atoms.closed[second].cmp_terms(&atoms.closed[first]) == Ordering::Less;
            let (first, second) = if backward { (second, first) } else { (first, second) };
            sums.push(Sum { first, ratio, second, places: ratios.len() });
        }
    }
    sums
}

fn is_small(ratio: &Rational) -> bool {
    let small = |r: &Rational| r.is_integer() && r.abs() <= Rational::from(MAX_RATIO);
    small(ratio) || Rational::ONE.checked_div(ratio).is_some_and(|r| small(&r))
}

/// `α d + β y` put in for `x`.
fn replaced(terms: &Terms, x: usize, (d, alpha): (usize, &Rational), (y, beta): (usize, &Rational)) -> Terms {
    let mut result = Terms::new();
    for (product, value) in terms {
        let e = exponent(product, x);
        // xᵉ = Σ (e over k) (α d)ᵏ (β y)ᵉ⁻ᵏ
        let mut binomial = Rational::ONE;
        for k in 0..=e {
            let changes = [(x, -i32::from(e)), (d, i32::from(k)), (y, i32::from(e - k))];
            if let Some(product) = changed(product, &changes) {
                let factor = &power(alpha, k) * &power(beta, e - k);
                add_term(&mut result, product, &(value * &binomial) * &factor);
            }
            let ratio = Rational::ratio(i64::from(e) - i64::from(k), i64::from(k) + 1);
            binomial = &binomial * &ratio;
        }
    }
    result
}

fn power(base: &Rational, exponent: u16) -> Rational {
    (0..exponent).fold(Rational::ONE, |product, _| &product * base)
}
