//! Storage of polynomials: exponents and coefficients in a fixed order.
//!
//! Method:  the exponents of all terms in one array, `width` per term; terms in increasing
//!          lexicographic order of their exponents, the first variable first. No coefficient is
//!          zero, and no two terms have the same exponents.

use super::integer::Integer;
use super::rational::Rational;

/// Coefficients of polynomials: elements of a commutative ring, that is integers or rationals.
pub(crate) trait Coefficient: Clone + PartialEq {
    fn is_zero(&self) -> bool;
    fn sum(&self, other: &Self) -> Self;
    fn difference(&self, other: &Self) -> Self;
    fn opposite(&self) -> Self;
}

macro_rules! coefficient {
    ($Type:ty) => {
        impl Coefficient for $Type {
            fn is_zero(&self) -> bool {
                self.is_zero()
            }

            fn sum(&self, other: &Self) -> Self {
                self + other
            }

            fn difference(&self, other: &Self) -> Self {
                self - other
            }

            fn opposite(&self) -> Self {
                -self
            }
        }
    };
}
coefficient!(Integer);
coefficient!(Rational);

/// The terms of a polynomial with coefficients of type C, in increasing lexicographic order of
/// exponents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Terms<C> {
    /// Number of variables, and of exponents per term.
    pub width: usize,
    /// Exponents of all terms, term by term, `width` for each.
    pub exponents: Vec<u16>,
    /// Coefficients of all terms, one per term, none zero.
    pub coefficients: Vec<C>,
}

impl<C> Terms<C> {
    /// The zero polynomial, with capacity for `room` terms.
    pub fn zero(width: usize, room: usize) -> Self {
        Terms { width, exponents: Vec::with_capacity(room * width), coefficients: Vec::with_capacity(room) }
    }

    /// Number of terms of the polynomial.
    pub fn len(&self) -> usize {
        self.coefficients.len()
    }

    /// True for the zero polynomial, without terms.
    pub fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// True for a constant polynomial, including zero.
    pub fn is_constant(&self) -> bool {
        self.len() <= 1 && self.exponents.iter().all(|e| *e == 0)
    }

    /// The exponents of the term with this index.
    pub fn term_exponents(&self, term: usize) -> &[u16] {
        &self.exponents[term * self.width..(term + 1) * self.width]
    }

    /// Terms in increasing order, as pairs of exponents and coefficient.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&[u16], &C)> + ExactSizeIterator {
        (0..self.len()).map(|term| (self.term_exponents(term), &self.coefficients[term]))
    }

    /// Appends a term to the polynomial; the caller keeps the order.
    pub fn push_term(&mut self, monomial: &[u16], coefficient: C) {
        self.exponents.extend_from_slice(monomial);
        self.coefficients.push(coefficient);
    }

    /// Largest exponent of a variable; 0 for the zero polynomial.
    pub fn degree(&self, variable: usize) -> u16 {
        // For the first variable it is that of the last term.
        if variable == 0 && self.width > 0 {
            return self.len().checked_sub(1).map_or(0, |last| self.term_exponents(last)[0]);
        }
        self.exponents.iter().skip(variable).step_by(self.width.max(1)).copied().max().unwrap_or(0)
    }

    /// Largest exponent of each variable over all terms.
    pub fn degrees(&self) -> Vec<u16> {
        let mut degrees = vec![0; self.width];
        for (monomial, _) in self.iter() {
            degrees.iter_mut().zip(monomial).for_each(|(d, e)| *d = (*d).max(*e));
        }
        degrees
    }

    /// Smallest exponent of each variable over all terms: the monomial that divides the polynomial.
    pub fn smallest_exponents(&self) -> Vec<u16> {
        let mut smallest = self.all_exponents().next().map_or(vec![0; self.width], <[u16]>::to_vec);
        for monomial in self.all_exponents() {
            smallest.iter_mut().zip(monomial).for_each(|(d, e)| *d = (*d).min(*e));
        }
        smallest
    }

    /// The exponents of each term, in increasing order.
    fn all_exponents(&self) -> impl Iterator<Item = &[u16]> {
        (0..self.len()).map(|term| self.term_exponents(term))
    }

    /// The same exponents with mapped coefficients, none of which may become zero.
    pub fn map_coefficients<D>(&self, f: impl FnMut(&C) -> D) -> Terms<D> {
        Terms {
            width: self.width,
            exponents: self.exponents.clone(),
            coefficients: self.coefficients.iter().map(f).collect(),
        }
    }

    /// Divides all terms by a monomial, which must divide each of them.
    pub fn divide_by_monomial(&mut self, monomial: &[u16]) {
        if monomial.iter().all(|e| *e == 0) {
            return;
        }
        for term in self.exponents.chunks_exact_mut(self.width.max(1)) {
            term.iter_mut().zip(monomial).for_each(|(e, d)| *e -= d);
        }
    }
}

impl<C: Clone> Terms<C> {
    /// A nonzero constant polynomial in `width` variables.
    pub fn constant(width: usize, coefficient: C) -> Self {
        Terms { width, exponents: vec![0; width], coefficients: vec![coefficient] }
    }

    /// Restricts the polynomial to these variables: variable i of the result is `variables[i]`. It
    /// must contain no other.
    pub fn restrict_to_variables(&self, variables: &[usize]) -> Self {
        let mut out = Terms::zero(variables.len(), self.len());
        for (monomial, coefficient) in self.iter() {
            out.exponents.extend(variables.iter().map(|v| monomial[*v]));
            out.coefficients.push(coefficient.clone());
        }
        if !variables.is_sorted() {
            out.sort_terms();
        }
        out
    }

    /// Embeds the polynomial in `width` variables: its variable i becomes `variables[i]`.
    pub fn embed_in_variables(&self, variables: &[usize], width: usize) -> Self {
        let mut out =
            Terms { width, exponents: vec![0; width * self.len()], coefficients: self.coefficients.clone() };
        for (to, from) in out.exponents.chunks_exact_mut(width.max(1)).zip(self.all_exponents()) {
            variables.iter().zip(from).for_each(|(v, e)| to[*v] = *e);
        }
        if !variables.is_sorted() {
            out.sort_terms();
        }
        out
    }

    /// Sorts the terms by exponents, which must be distinct.
    pub fn sort_terms(&mut self) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by(|a, b| self.term_exponents(*a).cmp(self.term_exponents(*b)));
        let mut out = Terms::zero(self.width, self.len());
        for term in order {
            out.push_term(self.term_exponents(term), self.coefficients[term].clone());
        }
        *self = out;
    }

    /// Coefficients of the powers of a variable, in increasing order, over the same variables but
    /// without this one.
    pub fn power_coefficients(&self, variable: usize) -> Vec<(u16, Self)> {
        let mut powers: Vec<(u16, Self)> = Vec::new();
        let mut rest = vec![0; self.width];
        for (monomial, coefficient) in self.iter() {
            let power = monomial[variable];
            rest.copy_from_slice(monomial);
            rest[variable] = 0;
            let place = match powers.binary_search_by_key(&power, |(p, _)| *p) {
                Ok(place) => place,
                Err(place) => {
                    powers.insert(place, (power, Terms::zero(self.width, 1)));
                    place
                }
            };
            powers[place].1.push_term(&rest, coefficient.clone());
        }
        powers
    }

    /// Coefficients with respect to several variables, one for each power product of them; over the
    /// same variables but without these.
    pub fn coefficients_in_all(&self, variables: &[usize]) -> Vec<Self> {
        let mut order: Vec<(Vec<u16>, usize)> =
            self.all_exponents().map(|m| variables.iter().map(|v| m[*v]).collect()).zip(0..).collect();
        order.sort_unstable();
        let mut all: Vec<Self> = Vec::new();
        for (i, (key, term)) in order.iter().enumerate() {
            if i == 0 || order[i - 1].0 != *key {
                all.push(Terms::zero(self.width, 1));
            }
            let mut rest = self.term_exponents(*term).to_vec();
            variables.iter().for_each(|v| rest[*v] = 0);
            if let Some(last) = all.last_mut() {
                last.push_term(&rest, self.coefficients[*term].clone());
            }
        }
        all
    }
}

impl<C: Coefficient> Terms<C> {
    /// Sorts the terms and adds those with equal exponents; drops those that cancel.
    pub fn combine_like_terms(&mut self) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by(|a, b| self.term_exponents(*a).cmp(self.term_exponents(*b)));
        let mut out = Terms::zero(self.width, self.len());
        let mut i = 0;
        while i < order.len() {
            let mut sum = self.coefficients[order[i]].clone();
            let monomial = self.term_exponents(order[i]);
            i += 1;
            while i < order.len() && self.term_exponents(order[i]) == monomial {
                sum = sum.sum(&self.coefficients[order[i]]);
                i += 1;
            }
            if !sum.is_zero() {
                out.push_term(monomial, sum);
            }
        }
        *self = out;
    }

    /// The sum `self + other`, or the difference if `is_difference`.
    pub fn add_or_subtract(&self, other: &Self, is_difference: bool) -> Self {
        let mut out = Terms::zero(self.width, self.len() + other.len());
        let (mut i, mut j) = (0, 0);
        let second = |j: usize| match is_difference {
            true => other.coefficients[j].opposite(),
            false => other.coefficients[j].clone(),
        };
        while i < self.len() && j < other.len() {
            match self.term_exponents(i).cmp(other.term_exponents(j)) {
                std::cmp::Ordering::Less => {
                    out.push_term(self.term_exponents(i), self.coefficients[i].clone());
                    i += 1;
                }
                std::cmp::Ordering::Greater => {
                    out.push_term(other.term_exponents(j), second(j));
                    j += 1;
                }
                std::cmp::Ordering::Equal => {
                    let (a, b) = (&self.coefficients[i], &other.coefficients[j]);
                    let sum = if is_difference { a.difference(b) } else { a.sum(b) };
                    if !sum.is_zero() {
                        out.push_term(self.term_exponents(i), sum);
                    }
                    (i, j) = (i + 1, j + 1);
                }
            }
        }
        for i in i..self.len() {
            out.push_term(self.term_exponents(i), self.coefficients[i].clone());
        }
        for j in j..other.len() {
            out.push_term(other.term_exponents(j), second(j));
        }
        out
    }
}
