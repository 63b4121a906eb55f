//! Polynomials over the integers, in which products, gcds and factors are computed.

use std::cmp::Ordering;

use super::integer::Integer;
use super::terms::Terms;

/// A polynomial over the integers, the form in which products, gcds and factors are computed.
pub(crate) type Integral = Terms<Integer>;

impl Integral {
    /// The constant polynomial 1 in `width` variables.
    pub fn constant_one(width: usize) -> Self {
        Terms::constant(width, Integer::ONE)
    }

    /// Greatest common divisor of the coefficients, with the sign of the last one; 0 for the zero
    /// polynomial.
    pub fn content(&self) -> Integer {
        let mut content = Integer::ZERO;
        for c in &self.coefficients {
            content = content.gcd(c);
            if content.is_one() {
                break;
            }
        }
        match self.coefficients.last() {
            Some(last) if last.is_negative() => -content,
            _ => content,
        }
    }

    /// The quotient by the content: coefficients are coprime, the last one positive.
    pub fn primitive_part(self) -> Self {
        let content = self.content();
        if content.is_one() || content.is_zero() {
            return self;
        }
        self.map_coefficients(|c| c.div_exact(&content).unwrap_or(Integer::ZERO))
    }

    /// True for the constant polynomials 1 and −1.
    pub fn is_unit(&self) -> bool {
        self.is_constant() && self.coefficients.first().is_some_and(|c| c.abs().is_one())
    }

    /// Variables that occur in some term, in increasing order.
    pub fn occurring_variables(&self) -> Vec<usize> {
        self.degrees().iter().enumerate().filter(|(_, d)| **d > 0).map(|(v, _)| v).collect()
    }

    /// The coefficient of the highest power of a variable, over the same variables.
    pub fn leading_coefficient_in(&self, variable: usize) -> Self {
        let degree = self.degree(variable);
        let mut out = Terms::zero(self.width, 1);
        let mut rest = vec![0; self.width];
        for (monomial, coefficient) in self.iter().filter(|(m, _)| m[variable] == degree) {
            rest.copy_from_slice(monomial);
            rest[variable] = 0;
            out.push_term(&rest, coefficient.clone());
        }
        out
    }

    /// Derivative of the polynomial with respect to a variable.
    pub fn derivative(&self, variable: usize) -> Self {
        let mut out = Terms::zero(self.width, self.len());
        let mut rest = vec![0; self.width];
        for (monomial, coefficient) in self.iter().filter(|(m, _)| m[variable] > 0) {
            rest.copy_from_slice(monomial);
            rest[variable] -= 1;
            out.push_term(&rest, coefficient * &Integer::from(i64::from(monomial[variable])));
        }
        out
    }

    /// Total order of polynomials over the same variables: by number of terms, then by terms from
    /// the highest.
    pub fn compare(&self, other: &Self) -> Ordering {
        self.len().cmp(&other.len()).then_with(|| {
            let pairs = self.iter().rev().zip(other.iter().rev());
            pairs.map(|(a, b)| a.cmp(&b)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
        })
    }
}
