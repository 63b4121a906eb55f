//! Terms of a polynomial: exponents and coefficients, in a fixed order.
//!
//! Method:  exponents of all terms in one array, `width` each; terms in increasing lexicographic
//! order of their exponents, the first variable first. No coefficient is zero and no two terms have
//! the same exponents.

use super::integer::Integer;
use super::rational::Rational;

/// A commutative ring of coefficients.
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

/// The terms of a polynomial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Terms<C> {
    /// Number of variables.
    pub width: usize,
    /// Exponents, term by term.
    pub exponents: Vec<u16>,
    /// Coefficients.
    pub coefficients: Vec<C>,
}

impl<C> Terms<C> {
    /// The zero polynomial, with room for some terms.
    pub fn zero(width: usize, room: usize) -> Self {
        Terms { width, exponents: Vec::with_capacity(room * width), coefficients: Vec::with_capacity(room) }
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.coefficients.len()
    }

    /// True for zero.
    pub fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// True without a variable.
    pub fn is_constant(&self) -> bool {
        self.len() <= 1 && self.exponents.iter().all(|e| *e == 0)
    }

    /// Exponents of a term.
    pub fn monomial(&self, term: usize) -> &[u16] {
        &self.exponents[term * self.width..(term + 1) * self.width]
    }

    /// Terms in increasing order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&[u16], &C)> + ExactSizeIterator {
        (0..self.len()).map(|term| (self.monomial(term), &self.coefficients[term]))
    }

    /// Appends a term that follows all others.
    pub fn push(&mut self, monomial: &[u16], coefficient: C) {
        self.exponents.extend_from_slice(monomial);
        self.coefficients.push(coefficient);
    }

    /// Largest exponent of a variable.
    pub fn degree(&self, variable: usize) -> u16 {
        // Of the first variable the last term has it.
        if variable == 0 && self.width > 0 {
            return self.len().checked_sub(1).map_or(0, |last| self.monomial(last)[0]);
        }
        self.exponents.iter().skip(variable).step_by(self.width.max(1)).copied().max().unwrap_or(0)
    }

    /// Largest exponent of each variable.
    pub fn degrees(&self) -> Vec<u16> {
        let mut degrees = vec![0; self.width];
        for (monomial, _) in self.iter() {
            degrees.iter_mut().zip(monomial).for_each(|(d, e)| *d = (*d).max(*e));
        }
        degrees
    }

    /// Smallest exponent of each variable.
    pub fn smallest_exponents(&self) -> Vec<u16> {
        let mut smallest = self.monomials().next().map_or(vec![0; self.width], <[u16]>::to_vec);
        for monomial in self.monomials() {
            smallest.iter_mut().zip(monomial).for_each(|(d, e)| *d = (*d).min(*e));
        }
        smallest
    }

    fn monomials(&self) -> impl Iterator<Item = &[u16]> {
        (0..self.len()).map(|term| self.monomial(term))
    }

    /// The same exponents with other coefficients, none of which becomes zero.
    pub fn map<D>(&self, f: impl FnMut(&C) -> D) -> Terms<D> {
        Terms {
            width: self.width,
            exponents: self.exponents.clone(),
            coefficients: self.coefficients.iter().map(f).collect(),
        }
    }

    /// Divides all terms by a product of variables, of which each has at least these exponents.
    pub fn shift_down(&mut self, monomial: &[u16]) {
        if monomial.iter().all(|e| *e == 0) {
            return;
        }
        for term in self.exponents.chunks_exact_mut(self.width.max(1)) {
            term.iter_mut().zip(monomial).for_each(|(e, d)| *e -= d);
        }
    }
}

impl<C: Clone> Terms<C> {
    /// A constant; `coefficient` is not zero.
    pub fn constant(width: usize, coefficient: C) -> Self {
        Terms { width, exponents: vec![0; width], coefficients: vec![coefficient] }
    }

    /// The polynomial over these variables, each of which was `variables[i]` before; it contains no
    /// other.
    pub fn select(&self, variables: &[usize]) -> Self {
        let mut out = Terms::zero(variables.len(), self.len());
        for (monomial, coefficient) in self.iter() {
            out.exponents.extend(variables.iter().map(|v| monomial[*v]));
            out.coefficients.push(coefficient.clone());
        }
        if !variables.is_sorted() {
            out.sort();
        }
        out
    }

    /// The polynomial over `width` variables, of which `variables[i]` is what variable `i` was.
    pub fn spread(&self, variables: &[usize], width: usize) -> Self {
        let mut out =
            Terms { width, exponents: vec![0; width * self.len()], coefficients: self.coefficients.clone() };
        for (to, from) in out.exponents.chunks_exact_mut(width.max(1)).zip(self.monomials()) {
            variables.iter().zip(from).for_each(|(v, e)| to[*v] = *e);
        }
        if !variables.is_sorted() {
            out.sort();
        }
        out
    }

    /// Puts terms in order; their exponents are different.
    pub fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by(|a, b| self.monomial(*a).cmp(self.monomial(*b)));
        let mut out = Terms::zero(self.width, self.len());
        for term in order {
            out.push(self.monomial(term), self.coefficients[term].clone());
        }
        *self = out;
    }

    /// Coefficients of the powers of a variable, from low to high powers; each without the variable
    /// but over the same ones.
    pub fn coefficients_of(&self, variable: usize) -> Vec<(u16, Self)> {
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
            powers[place].1.push(&rest, coefficient.clone());
        }
        powers
    }

    /// Coefficients of all products of some variables, each without these variables.
    pub fn coefficients_of_all(&self, variables: &[usize]) -> Vec<Self> {
        let mut order: Vec<(Vec<u16>, usize)> =
            self.monomials().map(|m| variables.iter().map(|v| m[*v]).collect()).zip(0..).collect();
        order.sort_unstable();
        let mut all: Vec<Self> = Vec::new();
        for (i, (key, term)) in order.iter().enumerate() {
            if i == 0 || order[i - 1].0 != *key {
                all.push(Terms::zero(self.width, 1));
            }
            let mut rest = self.monomial(*term).to_vec();
            variables.iter().for_each(|v| rest[*v] = 0);
            if let Some(last) = all.last_mut() {
                last.push(&rest, self.coefficients[*term].clone());
            }
        }
        all
    }
}

impl<C: Coefficient> Terms<C> {
    /// Puts terms in order and adds those with equal exponents.
    pub fn collect(&mut self) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by(|a, b| self.monomial(*a).cmp(self.monomial(*b)));
        let mut out = Terms::zero(self.width, self.len());
        let mut i = 0;
        while i < order.len() {
            let mut sum = self.coefficients[order[i]].clone();
            let monomial = self.monomial(order[i]);
            i += 1;
            while i < order.len() && self.monomial(order[i]) == monomial {
                sum = sum.sum(&self.coefficients[order[i]]);
                i += 1;
            }
            if !sum.is_zero() {
                out.push(monomial, sum);
            }
        }
        *self = out;
    }

    /// `self + other`, or `self − other`.
    pub fn merged(&self, other: &Self, is_difference: bool) -> Self {
        let mut out = Terms::zero(self.width, self.len() + other.len());
        let (mut i, mut j) = (0, 0);
        let second = |j: usize| match is_difference {
            true => other.coefficients[j].opposite(),
            false => other.coefficients[j].clone(),
        };
        while i < self.len() && j < other.len() {
            match self.monomial(i).cmp(other.monomial(j)) {
                std::cmp::Ordering::Less => {
                    out.push(self.monomial(i), self.coefficients[i].clone());
                    i += 1;
                }
                std::cmp::Ordering::Greater => {
                    out.push(other.monomial(j), second(j));
                    j += 1;
                }
                std::cmp::Ordering::Equal => {
                    let (a, b) = (&self.coefficients[i], &other.coefficients[j]);
                    let sum = if is_difference { a.difference(b) } else { a.sum(b) };
                    if !sum.is_zero() {
                        out.push(self.monomial(i), sum);
                    }
                    (i, j) = (i + 1, j + 1);
                }
            }
        }
        for i in i..self.len() {
            out.push(self.monomial(i), self.coefficients[i].clone());
        }
        for j in j..other.len() {
            out.push(other.monomial(j), second(j));
        }
        out
    }
}
