//! Exact division of polynomials over the integers.
//!
//! Method:  quotient terms from the highest one down, with the products still to be subtracted in a
//!          heap (Johnson 1974; Monagan and Pearce, Sparse polynomial division using a heap, 2011);
//!          stops at the first term that is not divisible.
//! Cost:    O(q n log q) for q terms of the quotient and n of the divisor; one unit of budget per
//!          eight of the q n products.

use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::arithmetic::{Arithmetic, Big, Overflow, Words, to_words};
use super::budget::{Budget, Exhausted};
use super::integer::Integer;
use super::packing::{Packed, Packing, divide_monomials, multiply_monomials};
use super::product;
use super::terms::Terms;

/// The exact quotient `a / b`; `None` if it is not a polynomial over the integers.
pub(crate) fn exact_quotient(a: &Terms<Integer>, b: &Terms<Integer>) -> Option<Terms<Integer>> {
    exact_quotient_within(a, b, &Budget::unlimited()).ok().flatten()
}

/// The exact quotient `a / b` within a budget of work; `None` if it is not a polynomial over the
/// integers, an error if the budget is exhausted.
pub(crate) fn exact_quotient_within(
    a: &Terms<Integer>,
    b: &Terms<Integer>,
    budget: &Budget,
) -> Result<Option<Terms<Integer>>, Exhausted> {
    match divide_exactly(a, b, budget) {
        Some(Ok(quotient)) => Ok(Some(quotient)),
        Some(Err(DivisionFailure::Exhausted)) => Err(Exhausted),
        Some(Err(DivisionFailure::Overflow)) | None => Ok(None),
    }
}

/// Reason why an exact division stops early.
enum DivisionFailure {
    /// Coefficients do not fit in machine words; big integers are tried next.
    Overflow,
    /// The budget is spent.
    Exhausted,
}

impl From<Overflow> for DivisionFailure {
    fn from(_: Overflow) -> Self {
        DivisionFailure::Overflow
    }
}

impl From<Exhausted> for DivisionFailure {
    fn from(_: Exhausted) -> Self {
        DivisionFailure::Exhausted
    }
}

/// Number of products of coefficients that cost one unit of the budget.
const PER_UNIT: usize = 8;

/// True if every exponent of `a` is at least that of `b`: the monomial b divides the monomial a.
fn is_monomial_multiple(a: &[u16], b: &[u16]) -> bool {
    a.iter().zip(b).all(|(a, b)| a >= b)
}

/// Divides on packed exponents in as few words as fit; `None` if the quotient is not a polynomial
/// over the integers.
fn divide_exactly(
    a: &Terms<Integer>,
    b: &Terms<Integer>,
    budget: &Budget,
) -> Option<Result<Terms<Integer>, DivisionFailure>> {
    let (last, lead) = (a.len().checked_sub(1)?, b.len().checked_sub(1)?);
    // The first and last terms of a product are the products of the first and last terms.
    for (i, j) in [(last, lead), (0, 0)] {
        if !is_monomial_multiple(a.term_exponents(i), b.term_exponents(j)) {
            return None;
        }
        a.coefficients[i].div_exact(&b.coefficients[j])?;
    }
    if lead == 0 {
        return divide_by_term(a, b.term_exponents(0), &b.coefficients[0]).map(Ok);
    }
    let (degrees, divisor) = (a.degrees(), b.degrees());
    if !is_monomial_multiple(&degrees, &divisor) {
        return None;
    }
    let packing = Packing::new(&degrees.iter().map(|d| u32::from(*d)).collect::<Vec<_>>());
    let bounds: Vec<u16> = degrees.iter().zip(&divisor).map(|(a, b)| a - b).collect();
    match packing.words {
        1 => divide_packed::<1>(a, b, (&bounds, budget), &packing),
        2 => divide_packed::<2>(a, b, (&bounds, budget), &packing),
        3 | 4 => divide_packed::<4>(a, b, (&bounds, budget), &packing),
        5..=8 => divide_packed::<8>(a, b, (&bounds, budget), &packing),
        9..=32 => divide_packed::<32>(a, b, (&bounds, budget), &packing),
        _ => divide_by_subtraction(a, b, (&bounds, budget)),
    }
}

/// The quotient by a single term; `None` if it does not divide every term.
fn divide_by_term(a: &Terms<Integer>, monomial: &[u16], coefficient: &Integer) -> Option<Terms<Integer>> {
    if a.smallest_exponents().iter().zip(monomial).any(|(e, m)| e < m) {
        return None;
    }
    let mut out = Terms {
        width: a.width,
        exponents: a.exponents.clone(),
        coefficients: a.coefficients.iter().map(|c| c.div_exact(coefficient)).collect::<Option<_>>()?,
    };
    out.divide_by_monomial(monomial);
    Some(out)
}

/// Divides on packed exponents in `N` words: in machine words first, after an overflow in big
/// integers. No quotient exponent may exceed `bounds`.
fn divide_packed<const N: usize>(
    a: &Terms<Integer>,
    b: &Terms<Integer>,
    (bounds, budget): (&[u16], &Budget),
    packing: &Packing,
) -> Option<Result<Terms<Integer>, DivisionFailure>> {
    let (f, g) = (packing.pack_terms::<N, _>(a), packing.pack_terms::<N, _>(b));
    let bounds = packing.pack_monomial(bounds);
    if let (Some(x), Some(y)) = (to_words(&a.coefficients), to_words(&b.coefficients)) {
        match divide_with_heap::<N, Words>((&f, &x), (&g, &y), (&bounds, budget), packing) {
            Ok(quotient) => return quotient.map(|q| Ok(q.map_coefficients(|c| Integer::from(*c)))),
            Err(DivisionFailure::Exhausted) => return Some(Err(DivisionFailure::Exhausted)),
            Err(DivisionFailure::Overflow) => {}
        }
    }
    let (a, b) = (&a.coefficients[..], &b.coefficients[..]);
    divide_with_heap::<N, Big>((&f, a), (&g, b), (&bounds, budget), packing).transpose()
}

/// Quotient terms from the highest one down, with a heap of the products still to be subtracted.
fn divide_with_heap<const N: usize, A: Arithmetic>(
    (f, a): (&[Packed<N>], &[A::Factor]),
    (g, b): (&[Packed<N>], &[A::Factor]),
    (bounds, budget): (&Packed<N>, &Budget),
    packing: &Packing,
) -> Result<Option<Terms<A::Factor>>, DivisionFailure> {
    let guards = packing.guard_mask();
    let lead = g.len() - 1;
    let mut keys: Vec<Packed<N>> = Vec::new();
    let mut values: Vec<A::Factor> = Vec::new();
    let mut heap: BinaryHeap<(Packed<N>, u32, u32)> = BinaryHeap::new();
    let mut rest = f.len();
    loop {
        let next = rest.checked_sub(1).map(|i| f[i]);
        let Some(key) = next.max(heap.peek().map(|top| top.0)) else { break };
        let mut sum = A::ZERO;
        if next == Some(key) {
            rest -= 1;
            sum = A::from_factor(&a[rest]);
        }
        while let Some(mut top) = heap.peek_mut() {
            let (here, i, j) = *top;
            if here != key {
                break;
            }
            let (i, j) = (i as usize, j as usize);
            A::subtract_product(&mut sum, &values[i], &b[j])?;
            if j > 0 {
                *top = (multiply_monomials(&keys[i], &g[j - 1]), i as u32, j as u32 - 1);
            } else {
                PeekMut::pop(top);
            }
        }
        if A::is_zero(&sum) {
            continue;
        }
        let Some(quotient) = divide_monomials(&key, &g[lead], &guards) else { return Ok(None) };
        if divide_monomials(bounds, &quotient, &guards).is_none() {
            return Ok(None);
        }
        let Some(value) = A::divide_exactly(sum, &b[lead])? else { return Ok(None) };
        budget.spend(1 + lead / PER_UNIT)?;
        heap.push((multiply_monomials(&quotient, &g[lead - 1]), keys.len() as u32, lead as u32 - 1));
        keys.push(quotient);
        values.push(value);
    }
    let mut out = Terms::zero(packing.width(), keys.len());
    for key in keys.iter().rev() {
        packing.unpack_monomial(key, &mut out.exponents);
    }
    values.reverse();
    out.coefficients = values;
    Ok(Some(out))
}

/// Division by repeated subtraction, for exponents that do not fit in a few packed words.
fn divide_by_subtraction(
    a: &Terms<Integer>,
    b: &Terms<Integer>,
    (bounds, budget): (&[u16], &Budget),
) -> Option<Result<Terms<Integer>, DivisionFailure>> {
    let lead = b.len().checked_sub(1)?;
    let mut rest = a.clone();
    let mut out = Terms::zero(a.width, 0);
    while let Some(last) = rest.len().checked_sub(1) {
        let (high, low) = (rest.term_exponents(last), b.term_exponents(lead));
        let monomial: Vec<u16> =
            high.iter().zip(low).map(|(a, b)| a.checked_sub(*b)).collect::<Option<_>>()?;
        // The product with the divisor would have a higher degree than the dividend.
        if monomial.iter().zip(bounds).any(|(e, bound)| e > bound) {
            return None;
        }
        if let Err(stop) = budget.spend(1 + lead / PER_UNIT + rest.len()) {
            return Some(Err(stop.into()));
        }
        let coefficient = rest.coefficients[last].div_exact(&b.coefficients[lead])?;
        rest = rest.add_or_subtract(&product::multiply_by_term(b, &monomial, &coefficient), true);
        out.push_term(&monomial, coefficient);
    }
    out.sort_terms();
    Some(Ok(out))
}
