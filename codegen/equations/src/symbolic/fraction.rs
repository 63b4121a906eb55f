//! Arithmetic of quotients: a numerator over a product of known divisors.
//!
//! Problem: exact arithmetic modulo the squares of the generators, without swelling denominators.
//! Method:  a denominator is a list of interned divisors with exponents, so that a common one is found by comparing
//!          numbers, and the greatest common divisor of polynomials is not needed on the way. Numerators are reduced
//!          after each product.
//! Limits:  two equal quotients may look different; their difference has numerator zero all the same. The unique form
//!          is in `normal`.

use symbolica::domains::rational::Rational;

use super::engine::{Engine, Exact};
use super::error::Reason;
use super::float::float;
use super::variable::{Fraction, Meaning, Poly};

/// Largest exponent of a variable; exponents are stored in 16 bits.
const MAX_DEGREE: u32 = 10_000;

/// Largest number of products of terms in one multiplication, in units of the limit of terms.
const WORK: usize = 256;

/// Work of a product of two words in a long coefficient, in products of terms with short ones.
const WEIGHT: u64 = 8;
/// Decimal digits of a word.
const DIGITS: u64 = 19;
/// Number of pairs of terms above which the length of coefficients is looked at.
const LONG: u64 = 1 << 12;

/// Up to this number of terms a factor is multiplied term by term: the engine's own product may walk over a large
/// array of mostly zeros, which took most of the time in unoptimised builds.
const FEW: usize = 12;

impl Engine {
    /// A rational constant.
    pub fn number(&self, value: Rational) -> Fraction {
        Fraction { num: self.constant_poly(value), den: Vec::new(), degree: 0 }
    }

    /// A small rational constant.
    pub fn ratio(&self, num: i64, den: i64) -> Fraction {
        self.number(Rational::from((num, den)))
    }

    fn checked(&self, num: Poly, den: Vec<(usize, u32)>, degree: u32) -> Exact<Fraction> {
        if num.is_zero() {
            return Ok(Fraction { num, den: Vec::new(), degree: 0 });
        }
        if num.nterms() > self.settings.limit {
            return Err(Reason::TooLarge { limit: self.settings.limit }.into());
        }
        Ok(Fraction { num, den, degree })
    }

    /// Counts the work of a product or division of two polynomials: pairs of terms, by the length of their coefficients.
    ///
    /// # Errors
    /// `Reason::Work` once the run has spent what it may.
    pub fn charge(&self, a: &Poly, b: &Poly) -> Exact<()> {
        let pairs = (a.nterms() as u64).saturating_mul(b.nterms() as u64);
        let long = |x: &Poly| words(x) - 1;
        let each = if pairs > LONG { 1 + WEIGHT.saturating_mul(long(a)).saturating_mul(long(b)) } else { 1 };
        let spent = self.spent.get().saturating_add(pairs.saturating_mul(each));
        self.spent.set(spent);
        if spent > self.settings.work { Err(Reason::Work.into()) } else { Ok(()) }
    }

    /// `a b`, not reduced; refuses before the work is done what would be too large after it.
    pub fn mul_poly(&self, a: &Poly, b: &Poly) -> Exact<Poly> {
        let work = a.nterms().saturating_mul(b.nterms());
        if work > self.settings.limit.saturating_mul(WORK) {
            return Err(Reason::TooLarge { limit: self.settings.limit }.into());
        }
        self.charge(a, b)?;
        let (few, many) = if a.nterms() < b.nterms() { (a, b) } else { (b, a) };
        let (few, many) = (self.over_all_variables(few), self.over_all_variables(many));
        if few.nterms() > FEW {
            return Ok(&*few * &*many);
        }
        let mut sum = self.empty_poly(0);
        for term in &*few {
            sum = sum + many.clone().into_owned().mul_monomial(term.coefficient, term.exponents);
        }
        Ok(sum)
    }

    /// `−a`.
    pub fn neg(&self, a: &Fraction) -> Fraction {
        Fraction { num: -a.num.clone(), den: a.den.clone(), degree: a.degree }
    }

    /// `k a`.
    pub fn scale(&self, a: &Fraction, k: Rational) -> Fraction {
        if k.is_zero() {
            return self.number(k);
        }
        Fraction { num: a.num.clone().mul_coeff(k), den: a.den.clone(), degree: a.degree }
    }

    /// `a + b`.
    pub fn add(&self, a: &Fraction, b: &Fraction) -> Exact<Fraction> {
        if a.is_zero() {
            return Ok(b.clone());
        }
        if b.is_zero() {
            return Ok(a.clone());
        }
        let degree = a.degree.max(b.degree);
        if a.den == b.den {
            let sum = &*self.over_all_variables(&a.num) + &*self.over_all_variables(&b.num);
            let sum = self.checked(sum, a.den.clone(), degree)?;
            return Ok(self.cancel(sum));
        }
        let den = merge(&a.den, &b.den, |x, y| x.max(y));
        let (x, dx) = self.over(a, &den)?;
        let (y, dy) = self.over(b, &den)?;
        let (num, extra) = self.reduce(&*self.over_all_variables(&x) + &*self.over_all_variables(&y))?;
        let sum = self.checked(num, merge(&den, &extra, |x, y| x + y), dx.max(dy))?;
        Ok(self.cancel(sum))
    }

    /// `a − b`.
    pub fn sub(&self, a: &Fraction, b: &Fraction) -> Exact<Fraction> {
        self.add(a, &self.neg(b))
    }

    /// The numerator over a larger denominator, and the bound of its exponents.
    fn over(&self, a: &Fraction, den: &[(usize, u32)]) -> Exact<(Poly, u32)> {
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

    /// `a b`.
    pub fn mul(&self, a: &Fraction, b: &Fraction) -> Exact<Fraction> {
        if a.is_zero() || b.is_zero() {
            return Ok(self.number(Rational::zero()));
        }
        if let Some(k) = a.as_number() {
            return Ok(self.scale(b, k));
        }
        if let Some(k) = b.as_number() {
            return Ok(self.scale(a, k));
        }
        let degree = a.degree + b.degree;
        if degree > MAX_DEGREE {
            return Err(Reason::Degree.into());
        }
        let (num, extra) = self.reduce(self.mul_poly(&a.num, &b.num)?)?;
        let den = merge(&merge(&a.den, &b.den, |x, y| x + y), &extra, |x, y| x + y);
        let product = self.checked(num, den, degree)?;
        Ok(self.cancel(product))
    }

    /// `1 / a`.
    pub fn inverse(&mut self, a: &Fraction) -> Exact<Fraction> {
        if a.is_zero() {
            return Err(Reason::DivisionByZero.into());
        }
        // 1 / (n / d) = d / n, and n is taken apart: number, variables, known divisors, the rest.
        let mut result = self.number(Rational::one());
        let den = a.den.clone();
        let (num, degree) = self.over(&result, &den)?;
        let (num, extra) = self.reduce(num)?;
        result = Fraction { num, den: extra, degree };
        let mut rest = self.over_all_variables(&a.num).into_owned();
        let common = common_exponents(&rest);
        for (index, exponent) in common.iter().enumerate().filter(|(_, e)| **e > 0) {
            let mut single = vec![0; common.len()];
            single[index] = 1;
            let variable = self.monomial_poly(Rational::one(), single);
            for _ in 0..*exponent {
                if let Some(quotient) = rest.try_div(&variable) {
                    rest = quotient;
                }
            }
            match self.variables[index].square.clone() {
                // 1 / √a = √a / a
                Some(square) if !self.on_a_sphere(index) => {
                    let root = self.of_variable(index);
                    let inverse = self.inverse(&square)?;
                    let inverse = self.mul(&inverse, &root)?;
                    result = self.mul(&result, &inverse)?;
                }
                _ => {
                    let factor = self.factor(variable);
                    result.den = merge(&result.den, &[(factor, u32::from(*exponent))], |x, y| x + y);
                }
            }
        }
        for index in 0..self.factors.len() {
            while let Some(quotient) = self.divided(&rest, index) {
                rest = quotient;
                result.den = merge(&result.den, &[(index, 1)], |x, y| x + y);
            }
        }
        let lead = rest.lcoeff();
        if !rest.is_constant() {
            let factor = self.factor(rest.mul_coeff(lead.inv()));
            result.den = merge(&result.den, &[(factor, 1)], |x, y| x + y);
        }
        result = self.scale(&result, lead.inv());
        Ok(self.cancel(result))
    }

    /// `a / b`.
    pub fn div(&mut self, a: &Fraction, b: &Fraction) -> Exact<Fraction> {
        let inverse = self.inverse(b)?;
        self.mul(a, &inverse)
    }

    /// `aⁿ`.
    pub fn pow(&mut self, a: &Fraction, n: i64) -> Exact<Fraction> {
        if n.unsigned_abs() > u64::from(MAX_DEGREE) {
            return Err(Reason::Degree.into());
        }
        let mut base = if n < 0 { self.inverse(a)? } else { a.clone() };
        let mut result = self.number(Rational::one());
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

    /// True for cosines and quaternion components, which stay in denominators as they are.
    fn on_a_sphere(&self, index: usize) -> bool {
        matches!(self.variables[index].meaning, Meaning::Cos(_) | Meaning::Symbol(_))
    }

    /// The position of a monic divisor.
    pub fn factor(&mut self, poly: Poly) -> usize {
        let found =
            self.factors.iter().position(|f| *self.over_all_variables(f) == *self.over_all_variables(&poly));
        found.unwrap_or_else(|| {
            self.factors.push(poly);
            self.factors.len() - 1
        })
    }

    /// `poly / factor`, if it divides.
    fn divided(&self, poly: &Poly, factor: usize) -> Option<Poly> {
        let factor = &self.factors[factor];
        if factor.nterms() > poly.nterms() {
            return None;
        }
        let (poly, factor) = (self.over_all_variables(poly), self.over_all_variables(factor));
        // What occurs in the divisor occurs in the product; cheap to ask, and mostly the answer is no.
        let absent = (0..factor.nvars()).any(|v| factor.contains(v) && !poly.contains(v));
        if absent { None } else { poly.try_div(&factor) }
    }

    /// Removes divisors that divide the numerator as it stands.
    fn cancel(&self, mut a: Fraction) -> Fraction {
        if a.den.is_empty() {
            return a;
        }
        for (factor, exponent) in &mut a.den {
            while *exponent > 0
                && let Some(quotient) = self.divided(&a.num, *factor)
            {
                a.num = quotient;
                *exponent -= 1;
            }
        }
        a.den.retain(|(_, e)| *e > 0);
        a
    }

    /// Replaces squares of generators by what they are; also returns the divisors that this brings in.
    pub fn reduce(&self, poly: Poly) -> Exact<(Poly, Vec<(usize, u32)>)> {
        let mut poly = self.over_all_variables(&poly).into_owned();
        let mut den = Vec::new();
        for &g in &self.generators {
            let Some(square) = &self.variables[g].square else { continue };
            while !poly.is_zero() && poly.degree(g) >= 2 {
                let (mut low, mut high) = (self.empty_poly(poly.nterms()), self.empty_poly(poly.nterms()));
                let mut exponents = vec![0; poly.nvars()];
                // Taking two from one exponent of each keeps the order of terms only among equals: sort again.
                let mut unordered = false;
                let mut seen = None;
                for term in &poly {
                    let e = term.exponents[g];
                    if e < 2 {
                        low.append_monomial_back(term.coefficient.clone(), term.exponents);
                    } else {
                        exponents.copy_from_slice(term.exponents);
                        exponents[g] = e - 2;
                        unordered |= seen.is_some_and(|s| s != e);
                        seen = Some(e);
                        high.append_monomial_back(term.coefficient.clone(), &exponents);
                    }
                }
                if unordered {
                    high = Poly::from_coefficient_list(
                        high.coefficients.clone(),
                        high.exponents.clone(),
                        high.get_vars(),
                        &symbolica::domains::rational::Q,
                    );
                }
                let high = self.mul_poly(&high, &square.num)?;
                for (factor, exponent) in &square.den {
                    for _ in 0..*exponent {
                        low = self.mul_poly(&low, &self.factors[*factor])?;
                    }
                }
                den = merge(&den, &square.den, |x, y| x + y);
                poly = &low + &high;
            }
        }
        Ok((poly, den))
    }
}

/// Length of the coefficients of a polynomial in words of 64 bits: the longest of the first, the middle and the last.
fn words(poly: &Poly) -> u64 {
    let n = poly.nterms();
    let places = if n == 0 { Vec::new() } else { vec![0, n / 2, n - 1] };
    let length = |i: usize| {
        let size = format!("{:e}", float(&poly.coefficients[i].abs()));
        let digits = size.split_once('e').and_then(|(_, e)| e.parse::<i64>().ok());
        1 + digits.map_or(0, i64::unsigned_abs) / DIGITS
    };
    places.into_iter().map(length).max().unwrap_or(1)
}

/// The largest exponent in a polynomial.
pub(super) fn max_exponent(poly: &Poly) -> u32 {
    poly.exponents.iter().copied().max().map_or(0, u32::from)
}

/// The smallest exponent of each variable over all terms.
pub(super) fn common_exponents(poly: &Poly) -> Vec<u16> {
    let mut common: Option<Vec<u16>> = None;
    for term in poly {
        match &mut common {
            None => common = Some(term.exponents.to_vec()),
            Some(c) => c.iter_mut().zip(term.exponents).for_each(|(c, e)| *c = (*c).min(*e)),
        }
    }
    common.unwrap_or_default()
}

/// Two increasing lists of factors as one.
fn merge(a: &[(usize, u32)], b: &[(usize, u32)], both: impl Fn(u32, u32) -> u32) -> Vec<(usize, u32)> {
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
