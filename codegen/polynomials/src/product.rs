//! Products of polynomials over the integers.
//!
//! Method:  terms of the product in increasing order, from a heap with one pending product per term
//!          of the shorter factor (Johnson, Sparse polynomial arithmetic, ACM SIGSAM Bulletin 8,
//!          1974; Monagan and Pearce 2011), on packed exponents; sums in 128 bits if they fit.
//! Cost:    O(n m log n) for n ≤ m terms; memory for the result and n.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::arithmetic::{Arithmetic, Big, Words, to_words};
use super::integer::Integer;
use super::packing::{Packed, Packing, multiply_monomials};
use super::terms::Terms;

/// The product `a b` of two polynomials over the integers.
pub(crate) fn multiply_polynomials(a: &Terms<Integer>, b: &Terms<Integer>) -> Terms<Integer> {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    match few.len() {
        0 => return Terms::zero(a.width, 0),
        1 => return multiply_by_term(many, few.term_exponents(0), &few.coefficients[0]),
        _ => {}
    }
    let degrees: Vec<u32> =
        few.degrees().iter().zip(many.degrees()).map(|(a, b)| u32::from(*a) + u32::from(b)).collect();
    let packing = Packing::new(&degrees);
    match packing.words {
        1 => multiply_packed::<1>(few, many, &packing),
        2 => multiply_packed::<2>(few, many, &packing),
        3 | 4 => multiply_packed::<4>(few, many, &packing),
        5..=8 => multiply_packed::<8>(few, many, &packing),
        9..=32 => multiply_packed::<32>(few, many, &packing),
        _ => multiply_all_pairs(few, many),
    }
}

/// The product of a polynomial and a single term.
pub(crate) fn multiply_by_term(
    a: &Terms<Integer>,
    monomial: &[u16],
    coefficient: &Integer,
) -> Terms<Integer> {
    let mut out = a.map_coefficients(|c| c * coefficient);
    for term in out.exponents.chunks_exact_mut(out.width.max(1)) {
        term.iter_mut().zip(monomial).for_each(|(e, m)| *e += m);
    }
    out
}

/// Number of bits of the largest coefficient, which decides between words and big integers.
fn largest_bits(terms: &Terms<Integer>) -> u64 {
    terms.coefficients.iter().map(Integer::bit_length).max().unwrap_or(0)
}

/// Multiplies on packed exponents in `N` words, in machine words if no sum can overflow, else in
/// big integers.
fn multiply_packed<const N: usize>(
    few: &Terms<Integer>,
    many: &Terms<Integer>,
    packing: &Packing,
) -> Terms<Integer> {
    let (f, g) = (packing.pack_terms::<N, _>(few), packing.pack_terms::<N, _>(many));
    let count = u64::from(64 - (few.len() as u64).leading_zeros());
    if largest_bits(few) + largest_bits(many) + count < 127
        && let (Some(a), Some(b)) = (to_words(&few.coefficients), to_words(&many.coefficients))
    {
        return multiply_with_heap::<N, Words>((&f, &a), (&g, &b), packing);
    }
    multiply_with_heap::<N, Big>((&f, &few.coefficients), (&g, &many.coefficients), packing)
}

/// Terms of the product in increasing order, from a heap with one pending product per term of `f`.
fn multiply_with_heap<const N: usize, A: Arithmetic>(
    (f, a): (&[Packed<N>], &[A::Factor]),
    (g, b): (&[Packed<N>], &[A::Factor]),
    packing: &Packing,
) -> Terms<Integer> {
    let mut out = Terms::zero(packing.width(), f.len() + g.len());
    let mut heap = BinaryHeap::with_capacity(f.len());
    heap.push(Reverse((multiply_monomials(&f[0], &g[0]), 0u32, 0u32)));
    while let Some(&Reverse((key, ..))) = heap.peek() {
        let mut sum = A::ZERO;
        let mut row = None;
        while let Some(mut top) = heap.peek_mut() {
            let Reverse((here, i, j)) = *top;
            if here != key {
                break;
            }
            let (i, j) = (i as usize, j as usize);
            A::add_product(&mut sum, &a[i], &b[j]);
            if j + 1 < g.len() {
                *top = Reverse((multiply_monomials(&f[i], &g[j + 1]), i as u32, j as u32 + 1));
                drop(top);
            } else {
                PeekMut::pop(top);
            }
            if j == 0 {
                row = Some(i + 1);
            }
        }
        // A term of the shorter factor enters the heap once its predecessor has been multiplied by
        // the first term of the longer factor.
        if let Some(i) = row.filter(|i| *i < f.len()) {
            heap.push(Reverse((multiply_monomials(&f[i], &g[0]), i as u32, 0)));
        }
        if !A::is_zero(&sum) {
            packing.unpack_monomial(&key, &mut out.exponents);
            out.coefficients.push(A::integer_value(sum));
        }
    }
    out
}

/// Multiplication for exponents that do not fit in a few packed words.
fn multiply_all_pairs(few: &Terms<Integer>, many: &Terms<Integer>) -> Terms<Integer> {
    let mut out = Terms::zero(few.width, few.len() * many.len());
    for (monomial, coefficient) in few.iter() {
        let row = multiply_by_term(many, monomial, coefficient);
        out.exponents.extend(row.exponents);
        out.coefficients.extend(row.coefficients);
    }
    out.combine_like_terms();
    out
}
