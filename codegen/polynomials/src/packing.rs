//! Packs the exponents of a term into a few words, so that multiplying terms adds words and the
//! order of terms is that of the words.
//!
//! Method:  each variable has a bit field for its largest exponent and a guard bit above it, which
//!          stays zero; subtracting a term that does not divide clears a guard (Monagan and Pearce,
//!          Sparse polynomial division using a heap, J. Symbolic Computation 46, 2011, section
//!          5.1). Variables that do not occur have no field.

use super::terms::Terms;

/// Exponents of a term packed into N words, which compare like the terms.
pub(crate) type Packed<const N: usize> = [u64; N];

/// Positions of the bit fields of all variables in the packed exponents of a term.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    fields: Vec<BitField>,
    /// Number of words per packed term.
    pub words: usize,
    variable_count: usize,
}

/// Place of the exponent of one variable in the packed words.
#[derive(Clone, Copy, Debug)]
struct BitField {
    variable: usize,
    word: usize,
    shift: u32,
    bits: u32,
}

impl Packing {
    /// A packing with bit fields for exponents up to these degrees, one per variable that occurs.
    pub fn new(degrees: &[u32]) -> Self {
        let mut fields = Vec::new();
        let (mut word, mut used) = (0, 0);
        for (variable, degree) in degrees.iter().enumerate().filter(|(_, d)| **d > 0) {
            let bits = 32 - degree.leading_zeros();
            if used + bits + 1 > 64 {
                (word, used) = (word + 1, 0);
            }
            used += bits + 1;
            fields.push(BitField { variable, word, shift: 64 - used, bits });
        }
        Packing { fields, words: word + 1, variable_count: degrees.len() }
    }

    /// Number of variables (exponents) of an unpacked term.
    pub fn width(&self) -> usize {
        self.variable_count
    }

    /// Packs the exponents of all terms of a polynomial into N words each.
    pub fn pack_terms<const N: usize, C>(&self, terms: &Terms<C>) -> Vec<Packed<N>> {
        (0..terms.len()).map(|term| self.pack_monomial(terms.term_exponents(term))).collect()
    }

    /// Packs the exponents of one term into N words.
    pub fn pack_monomial<const N: usize>(&self, monomial: &[u16]) -> Packed<N> {
        let mut packed = [0; N];
        for field in &self.fields {
            packed[field.word] |= u64::from(monomial[field.variable]) << field.shift;
        }
        packed
    }

    /// Unpacks a term and appends its exponents, one per variable.
    pub fn unpack_monomial<const N: usize>(&self, packed: &Packed<N>, exponents: &mut Vec<u16>) {
        let start = exponents.len();
        exponents.resize(start + self.variable_count, 0);
        for field in &self.fields {
            let exponent = packed[field.word] >> field.shift & ((1 << field.bits) - 1);
            exponents[start + field.variable] = exponent as u16;
        }
    }

    /// Mask of the guard bits, one above each field, by which a division that fails is detected.
    pub fn guard_mask<const N: usize>(&self) -> Packed<N> {
        let mut guards = [0; N];
        for field in &self.fields {
            guards[field.word] |= 1 << (field.shift + field.bits);
        }
        guards
    }
}

/// Product of two packed monomials; the exponents must fit.
#[inline]
pub(crate) fn multiply_monomials<const N: usize>(a: &Packed<N>, b: &Packed<N>) -> Packed<N> {
    let mut out = [0; N];
    for ((o, a), b) in out.iter_mut().zip(a).zip(b) {
        *o = a.wrapping_add(*b);
    }
    out
}

/// Quotient of two packed monomials; `None` if `b` does not divide `a`.
#[inline]
pub(crate) fn divide_monomials<const N: usize>(
    a: &Packed<N>,
    b: &Packed<N>,
    guards: &Packed<N>,
) -> Option<Packed<N>> {
    let mut out = [0; N];
    let mut divides = true;
    for (((o, a), b), g) in out.iter_mut().zip(a).zip(b).zip(guards) {
        let difference = (a | g).wrapping_sub(*b);
        divides &= difference & g == *g;
        *o = difference & !g;
    }
    divides.then_some(out)
}
