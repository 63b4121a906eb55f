//! Arithmetic and polynomials modulo a large prime.
//!
//! Method:  Mersenne primes, each about twice as long as the one before.

use super::integer::Integer;
use super::integral::Integral;
use super::product::multiply_polynomials;
use super::terms::Terms;

/// Exponents n of the Mersenne primes `2ⁿ − 1` that are used as moduli.
const MERSENNE: [u32; 12] = [61, 127, 521, 1279, 2203, 4423, 9689, 19937, 44497, 86243, 216_091, 756_839];

/// The field of integers modulo a large prime, with elements from 0 to below the prime.
#[derive(Clone, Debug)]
pub(crate) struct LargeField {
    prime: Integer,
}

impl LargeField {
    /// The field of the first prime in the list with more than `bits + 1` bits, else of the largest
    /// prime.
    pub fn with_prime_above_bits(bits: u64) -> Self {
        let fits = MERSENNE.iter().find(|n| u64::from(**n) > bits + 1);
        let exponent = fits.or(MERSENNE.last()).copied().unwrap_or(61);
        LargeField { prime: &Integer::from(2i64).pow(exponent) - &Integer::ONE }
    }

    /// Reduces an integer to its remainder, an element from 0 to below the prime.
    pub fn reduce(&self, a: &Integer) -> Integer {
        if !a.is_negative() && *a < self.prime {
            return a.clone();
        }
        let (_, mut r) = a.div_rem(&self.prime).unwrap_or((Integer::ZERO, Integer::ZERO));
        if r.is_negative() {
            r += &self.prime;
        }
        r
    }

    /// Product of two elements, modulo the prime.
    pub fn mul(&self, a: &Integer, b: &Integer) -> Integer {
        self.reduce(&(a * b))
    }

    /// Inverse of an element modulo the prime; 0 for 0.
    pub fn inverse(&self, a: &Integer) -> Integer {
        let (mut r, mut s) = ((self.prime.clone(), a.clone()), (Integer::ZERO, Integer::ONE));
        while let Some((quotient, rest)) = r.0.div_rem(&r.1) {
            let next = &s.0 - &(&quotient * &s.1);
            r = (r.1, rest);
            s = (s.1, next);
        }
        self.reduce(&s.0)
    }

    /// Reduces the coefficients of a polynomial modulo the prime; zero ones disappear.
    pub fn reduce_coefficients(&self, f: &Integral) -> Integral {
        let mut out = Terms::zero(f.width, f.len());
        for (monomial, c) in f.iter() {
            let c = self.reduce(c);
            if !c.is_zero() {
                out.push_term(monomial, c);
            }
        }
        out
    }

    /// Maps coefficients to the integers of smallest magnitude that equal them modulo the prime.
    pub fn symmetric_coefficients(&self, f: &Integral) -> Integral {
        f.map_coefficients(|c| if c + c > self.prime { c - &self.prime } else { c.clone() })
    }

    /// The product `a b` of polynomials modulo the prime.
    pub fn multiply_polynomials(&self, a: &Integral, b: &Integral) -> Integral {
        self.reduce_coefficients(&multiply_polynomials(a, b))
    }

    /// The difference `a − b` of polynomials modulo the prime.
    pub fn subtract_polynomials(&self, a: &Integral, b: &Integral) -> Integral {
        self.reduce_coefficients(&a.add_or_subtract(b, true))
    }

    /// The sum `a + b` of polynomials modulo the prime.
    pub fn add_polynomials(&self, a: &Integral, b: &Integral) -> Integral {
        self.reduce_coefficients(&a.add_or_subtract(b, false))
    }

    /// Substitutes `x + point` for the variables, so that the point becomes zero.
    pub fn shift_variables(&self, f: &Integral, point: &[i64]) -> Integral {
        let mut f = self.reduce_coefficients(f);
        for (variable, by) in point.iter().enumerate().filter(|(_, by)| **by != 0) {
            let by = Integer::from(*by);
            let mut out = Terms::zero(f.width, f.len());
            let mut term = vec![0; f.width];
            for (monomial, c) in f.iter() {
                // c (x + by)^e by the binomial theorem, from the highest power down.
                let e = monomial[variable];
                let (mut binomial, mut power) = (Integer::ONE, Integer::ONE);
                term.copy_from_slice(monomial);
                for i in 0..=e {
                    term[variable] = e - i;
                    out.push_term(&term, self.reduce(&(&(c * &binomial) * &power)));
                    binomial *= &Integer::from(i64::from(e - i));
                    binomial = binomial.div_exact(&Integer::from(i64::from(i) + 1)).unwrap_or(binomial);
                    power *= &by;
                }
            }
            out.combine_like_terms();
            f = self.reduce_coefficients(&out);
        }
        f
    }
}
