//! Arithmetic of quotients: a numerator over a product of known divisors.
//!
//! Problem: exact arithmetic modulo the squares of the generators, without growth of denominators.
//! Method:  a denominator is a list of indices of divisors with exponents, so that common divisors
//!          are found by comparing indices, without greatest common divisors of polynomials at each
//!          step. Numerators are reduced after each product.
//! Limits:  equal quotients may have different representations; their difference still has
//!          numerator zero. The unique form is in `normal`.

use dqdt_polynomials::{Budget, Exhausted, Rational};

use super::engine::{EngineResult, SymbolicEngine};
use super::error::Reason;
use super::variable::{Fraction, Poly, VariableMeaning};

/// Largest exponent of a variable in the engine's polynomials; exponents are stored in 16 bits.
const MAX_DEGREE: u32 = 10_000;

/// Largest number of products of terms in one multiplication of polynomials, as a multiple of the
/// limit of terms.
const WORK: usize = 256;

/// Work of a product of two 64-bit words of long coefficients, relative to a product of terms with
/// short ones.
const WEIGHT: u64 = 8;
/// Number of pairs of terms above which the length of coefficients counts in the work of a product.
const LONG: u64 = 1 << 12;

impl SymbolicEngine {
    /// A rational constant.
    pub fn constant_fraction(&self, value: Rational) -> Fraction {
        Fraction { num: self.constant_poly(value), den: Vec::new(), degree: 0 }
    }

    /// A small rational constant.
    pub fn ratio_fraction(&self, num: i64, den: i64) -> Fraction {
        self.constant_fraction(Rational::ratio(num, den))
    }

    /// The quotient, if its numerator is within the limit of terms.
    fn check_term_limit(&self, num: Poly, den: Vec<(usize, u32)>, degree: u32) -> EngineResult<Fraction> {
        if num.is_zero() {
            return Ok(Fraction { num, den: Vec::new(), degree: 0 });
        }
        if num.len() > self.settings.limit {
            let polynomial = format!(
                "a sum of {} in {}",
                count_with_noun(num.len(), "term"),
                self.variable_count_text(&[&num])
            );
            return Err(Reason::TooLarge { limit: self.settings.limit, polynomial }.into());
        }
        Ok(Fraction { num, den, degree })
    }

    /// Number of variables in these polynomials, with the noun, for messages.
    fn variable_count_text(&self, all: &[&Poly]) -> String {
        let variables = (0..self.variables.len())
            .filter(|v| all.iter().any(|p| *v < p.variable_count() && p.contains_variable(*v)));
        count_with_noun(variables.count(), "variable")
    }

    /// Adds the work of a product or division of two polynomials: pairs of terms, weighted by the
    /// length of their coefficients.
    ///
    /// # Errors
    /// `Reason::Work` if the work of the run exceeds its limit.
    pub fn charge_work(&self, a: &Poly, b: &Poly) -> EngineResult<()> {
        let pairs = (a.len() as u64).saturating_mul(b.len() as u64);
        let each = if pairs > LONG {
            1 + WEIGHT.saturating_mul(coefficient_words(a) - 1).saturating_mul(coefficient_words(b) - 1)
        } else {
            1
        };
        let spent = self.spent.get().saturating_add(pairs.saturating_mul(each));
        self.spent.set(spent);
        if spent > self.settings.work { Err(Reason::Work.into()) } else { Ok(()) }
    }

    /// The product `a b`, not reduced. Products that would be too large are rejected before they
    /// are computed.
    pub fn mul_poly(&self, a: &Poly, b: &Poly) -> EngineResult<Poly> {
        let work = a.len().saturating_mul(b.len());
        if work > self.settings.limit.saturating_mul(WORK) {
            let terms = format!("{} and {}", a.len(), count_with_noun(b.len(), "term"));
            let polynomial =
                format!("a product of polynomials of {terms} in {}", self.variable_count_text(&[a, b]));
            return Err(Reason::TooLarge { limit: self.settings.limit, polynomial }.into());
        }
        self.charge_work(a, b)?;
        a.checked_mul(b).ok_or_else(|| Reason::Degree.into())
    }

    /// The greatest common divisor of two polynomials, with integer coprime coefficients.
    pub fn gcd(&self, a: &Poly, b: &Poly) -> EngineResult<Poly> {
        self.run_within_budget(|budget| a.gcd(b, budget))
    }

    /// Runs an operation on polynomials within the remaining work of this run, and adds its work.
    fn run_within_budget<R>(&self, work: impl FnOnce(&Budget) -> Result<R, Exhausted>) -> EngineResult<R> {
        let left = self.settings.work.saturating_sub(self.spent.get());
        let budget = Budget::new(left);
        let result = work(&budget);
        self.spent.set(self.spent.get() + (left - budget.left()));
        result.map_err(|_| Reason::Work.into())
    }

    /// The negated quotient, `−a`.
    pub fn neg(&self, a: &Fraction) -> Fraction {
        Fraction { num: -&a.num, den: a.den.clone(), degree: a.degree }
    }

    /// The scaled quotient, `k a`.
    pub fn scale(&self, a: &Fraction, k: Rational) -> Fraction {
        if k.is_zero() {
            return self.constant_fraction(k);
        }
        Fraction { num: a.num.scale(&k), den: a.den.clone(), degree: a.degree }
    }

    /// The sum `a + b`.
    pub fn add(&self, a: &Fraction, b: &Fraction) -> EngineResult<Fraction> {
        if a.is_zero() {
            return Ok(b.clone());
        }
        if b.is_zero() {
            return Ok(a.clone());
        }
        let degree = a.degree.max(b.degree);
        if a.den == b.den {
            let sum = &*self.over_all_variables(&a.num) + &*self.over_all_variables(&b.num);
            let sum = self.check_term_limit(sum, a.den.clone(), degree)?;
            return Ok(self.cancel_divisors(sum));
        }
        let den = merge_factor_lists(&a.den, &b.den, |x, y| x.max(y));
        let (x, dx) = self.numerator_over(a, &den)?;
        let (y, dy) = self.numerator_over(b, &den)?;
        let (num, extra) =
            self.reduce_generator_squares(&*self.over_all_variables(&x) + &*self.over_all_variables(&y))?;
        let sum = self.check_term_limit(num, merge_factor_lists(&den, &extra, |x, y| x + y), dx.max(dy))?;
        Ok(self.cancel_divisors(sum))
    }

    /// The difference `a − b`.
    pub fn sub(&self, a: &Fraction, b: &Fraction) -> EngineResult<Fraction> {
        self.add(a, &self.neg(b))
    }

    /// Numerator over a larger denominator, and a bound on its exponents.
    fn numerator_over(&self, a: &Fraction, den: &[(usize, u32)]) -> EngineResult<(Poly, u32)> {
        let mut num = a.num.clone();
        let mut degree = a.degree;
        for (factor, exponent) in den {
            let has = a.den.iter().find(|(f, _)| f == factor).map_or(0, |(_, e)| *e);
            for _ in has..*exponent {
                let factor = &self.factors[*factor];
                degree += max_exponent(factor);
                num = self.mul_poly(&num, factor)?;
            }
        }
        if degree > MAX_DEGREE {
            return Err(Reason::Degree.into());
        }
        Ok((num, degree))
    }

    /// The product `a b`, reduced.
    pub fn mul(&self, a: &Fraction, b: &Fraction) -> EngineResult<Fraction> {
        if a.is_zero() || b.is_zero() {
            return Ok(self.constant_fraction(Rational::ZERO));
        }
        if let Some(k) = a.constant_value() {
            return Ok(self.scale(b, k));
        }
        if let Some(k) = b.constant_value() {
            return Ok(self.scale(a, k));
        }
        let degree = a.degree + b.degree;
        if degree > MAX_DEGREE {
            return Err(Reason::Degree.into());
        }
        let (num, extra) = self.reduce_generator_squares(self.mul_poly(&a.num, &b.num)?)?;
        let den = merge_factor_lists(&merge_factor_lists(&a.den, &b.den, |x, y| x + y), &extra, |x, y| x + y);
        let product = self.check_term_limit(num, den, degree)?;
        Ok(self.cancel_divisors(product))
    }

    /// The inverse `1 / a`.
    pub fn inverse(&mut self, a: &Fraction) -> EngineResult<Fraction> {
        if a.is_zero() {
            return Err(Reason::DivisionByZero.into());
        }
        // 1 / (n / d) = d / n; n is split into number, variables, known divisors and the rest.
        let mut result = self.constant_fraction(Rational::ONE);
        let den = a.den.clone();
        let (num, degree) = self.numerator_over(&result, &den)?;
        let (num, extra) = self.reduce_generator_squares(num)?;
        result = Fraction { num, den: extra, degree };
        let mut rest = self.over_all_variables(&a.num).into_owned();
        let common = rest.smallest_exponents();
        rest = rest.split_monomial().1;
        for (index, exponent) in common.iter().enumerate().filter(|(_, e)| **e > 0) {
            let variable = self.variable_fraction(index).num;
            match self.variables[index].square.clone() {
                // 1 / √a = √a / a
                Some(square) if !self.stays_in_denominator(index) => {
                    let root = self.variable_fraction(index);
                    let inverse = self.inverse(&square)?;
                    let inverse = self.mul(&inverse, &root)?;
                    result = self.mul(&result, &inverse)?;
                }
                _ => {
                    let factor = self.find_or_add_divisor(variable);
                    result.den =
                        merge_factor_lists(&result.den, &[(factor, u32::from(*exponent))], |x, y| x + y);
                }
            }
        }
        for index in 0..self.factors.len() {
            while let Some(quotient) = self.divide_by_factor(&rest, index) {
                rest = quotient;
                result.den = merge_factor_lists(&result.den, &[(index, 1)], |x, y| x + y);
            }
        }
        let (lead, monic) = rest.split_leading_coefficient();
        if !monic.is_constant() {
            let factor = self.find_or_add_divisor(monic);
            result.den = merge_factor_lists(&result.den, &[(factor, 1)], |x, y| x + y);
        }
        result = self.scale(&result, lead.inverse().ok_or(Reason::DivisionByZero)?);
        Ok(self.cancel_divisors(result))
    }

    /// The quotient `a / b`.
    pub fn div(&mut self, a: &Fraction, b: &Fraction) -> EngineResult<Fraction> {
        let inverse = self.inverse(b)?;
        self.mul(a, &inverse)
    }

    /// The power `aⁿ`, also for negative n.
    pub fn pow(&mut self, a: &Fraction, n: i64) -> EngineResult<Fraction> {
        if n.unsigned_abs() > u64::from(MAX_DEGREE) {
            return Err(Reason::Degree.into());
        }
        let mut base = if n < 0 { self.inverse(a)? } else { a.clone() };
        let mut result = self.constant_fraction(Rational::ONE);
        let mut k = n.unsigned_abs();
        while k > 0 {
            if k & 1 == 1 {
                result = self.mul(&result, &base)?;
            }
            k >>= 1;
            if k > 0 {
                base = self.mul(&base, &base)?;
            }
        }
        Ok(result)
    }

    /// True for cosines and quaternion components, which remain in denominators.
    fn stays_in_denominator(&self, index: usize) -> bool {
        matches!(self.variables[index].meaning, VariableMeaning::Cos(_) | VariableMeaning::Symbol(_))
    }

    /// Index of a monic divisor, added if it is new.
    pub fn find_or_add_divisor(&mut self, poly: Poly) -> usize {
        let place =
            self.factors.iter().position(|f| *self.over_all_variables(f) == *self.over_all_variables(&poly));
        place.unwrap_or_else(|| {
            self.factors.push(poly);
            self.factors.len() - 1
        })
    }

    /// The quotient `poly / factor`, if the division has no remainder.
    fn divide_by_factor(&self, poly: &Poly, factor: usize) -> Option<Poly> {
        let factor = &self.factors[factor];
        if factor.len() > poly.len() {
            return None;
        }
        let (poly, factor) = (self.over_all_variables(poly), self.over_all_variables(factor));
        // Every variable of the divisor must occur in the dividend; this cheap test rules out most
        // divisors.
        let absent =
            (0..factor.variable_count()).any(|v| factor.contains_variable(v) && !poly.contains_variable(v));
        // Without remaining work the divisor is kept; the next product ends the run.
        if absent {
            None
        } else {
            self.run_within_budget(|budget| poly.checked_div_within(&factor, budget)).ok().flatten()
        }
    }

    /// Cancels divisors that divide the numerator.
    fn cancel_divisors(&self, mut a: Fraction) -> Fraction {
        if a.den.is_empty() {
            return a;
        }
        for (factor, exponent) in &mut a.den {
            while *exponent > 0
                && let Some(quotient) = self.divide_by_factor(&a.num, *factor)
            {
                a.num = quotient;
                *exponent -= 1;
            }
        }
        a.den.retain(|(_, e)| *e > 0);
        a
    }

    /// Replaces squares of generators by their values; also returns the divisors that these
    /// introduce.
    pub fn reduce_generator_squares(&self, poly: Poly) -> EngineResult<(Poly, Vec<(usize, u32)>)> {
        let mut poly = self.over_all_variables(&poly).into_owned();
        let mut den = Vec::new();
        for &g in &self.generators {
            let Some(square) = &self.variables[g].square else { continue };
            while !poly.is_zero() && poly.degree_in(g) >= 2 {
                let (mut low, high) = poly.split_at_power(g, 2);
                let high = self.mul_poly(&high, &square.num)?;
                for (factor, exponent) in &square.den {
                    for _ in 0..*exponent {
                        low = self.mul_poly(&low, &self.factors[*factor])?;
                    }
                }
                den = merge_factor_lists(&den, &square.den, |x, y| x + y);
                poly = &low + &high;
            }
        }
        Ok((poly, den))
    }
}

/// A count with its noun, such as `3 terms`.
fn count_with_noun(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// Estimated length of the coefficients of a polynomial in 64-bit words: the longest of the first,
/// the middle and the last.
fn coefficient_words(poly: &Poly) -> u64 {
    let middle = poly.coefficients().get(poly.len() / 2);
    let ends = [poly.coefficients().first(), middle, poly.coefficients().last()];
    ends.into_iter().flatten().map(|c| 1 + c.numerator().bit_length() / 64).max().unwrap_or(1)
}

/// The largest exponent in a polynomial.
pub(super) fn max_exponent(poly: &Poly) -> u32 {
    u32::from(poly.max_exponent())
}

/// Merges two increasing lists of factors; `both` combines the exponents of common factors.
fn merge_factor_lists(
    a: &[(usize, u32)],
    b: &[(usize, u32)],
    both: impl Fn(u32, u32) -> u32,
) -> Vec<(usize, u32)> {
    let (mut i, mut j) = (0, 0);
    let mut result = Vec::with_capacity(a.len() + b.len());
    while i < a.len() || j < b.len() {
        match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) if x.0 == y.0 => {
                result.push((x.0, both(x.1, y.1)));
                (i, j) = (i + 1, j + 1);
            }
            (Some(x), Some(y)) if x.0 > y.0 => {
                result.push(*y);
                j += 1;
            }
            (Some(x), _) => {
                result.push(*x);
                i += 1;
            }
            (None, Some(y)) => {
                result.push(*y);
                j += 1;
            }
            (None, None) => break,
        }
    }
    result
}
