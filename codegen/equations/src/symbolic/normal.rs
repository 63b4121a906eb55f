//! The unique normal form of a quotient, and its text as a key.
//!
//! Problem: equal quotients must have equal forms, so that functions of equal arguments are one
//!          variable, and printed forms do not depend on the order of computation.
//! Method:  the numerator is a vector over the products of generators, with coefficients that are
//!          rational functions of the other variables. Generators are removed from a denominator by
//!          multiplication with its conjugate, latest generator first, and then the greatest common
//!          divisor is divided out; the denominator is monic.
//! Limits:  a denominator whose conjugate product vanishes (a root of a square) has no inverse and
//!          is rejected.

use std::fmt::Write;

use dqdt_polynomials::Rational;

use super::engine::{EngineResult, SymbolicEngine};
use super::error::Reason;
use super::fraction::max_exponent;
use super::variable::{Fraction, Poly};

impl SymbolicEngine {
    /// The unique numerator and monic denominator of a quotient: equal quotients have equal ones.
    pub fn normal_form(&self, a: &Fraction) -> EngineResult<(Poly, Poly)> {
        let mut num = self.over_all_variables(&a.num).into_owned();
        let mut den = self.constant_poly(Rational::ONE);
        if a.den.is_empty() || num.is_zero() {
            return Ok((num, den));
        }
        for (factor, exponent) in &a.den {
            for _ in 0..*exponent {
                den = self.mul_poly(&den, &self.factors[*factor])?;
            }
        }
        den = self.reduce_and_scale(den, &mut num)?;
        for &g in &self.generators {
            if !den.contains_variable(g) {
                continue;
            }
            // The conjugate of den = x + g y is x − g y.
            let conjugate = den.substitute_opposite(g);
            let product = self.mul_poly(&num, &conjugate)?;
            let mut unit = self.constant_poly(Rational::ONE);
            num = self.reduce_and_scale(product, &mut unit)?;
            let product = self.mul_poly(&den, &conjugate)?;
            den = self.reduce_and_scale(product, &mut num)?;
            den = self.mul_poly(&den, &unit)?;
            if den.is_zero() {
                return Err(Reason::ZeroDivisor.into());
            }
        }
        let (num, den) =
            (self.over_all_variables(&num).into_owned(), self.over_all_variables(&den).into_owned());
        let common = self.gcd(&num, &den)?;
        let (num, den) = match (num.checked_div(&common), den.checked_div(&common)) {
            (Some(n), Some(d)) => (n, d),
            _ => (num, den),
        };
        let (lead, den) = den.split_leading_coefficient();
        Ok((num.scale(&lead.inverse().ok_or(Reason::DivisionByZero)?), den))
    }

    /// Reduces a polynomial; `other` is multiplied by the divisors that this introduces.
    fn reduce_and_scale(&self, poly: Poly, other: &mut Poly) -> EngineResult<Poly> {
        let (poly, extra) = self.reduce_generator_squares(poly)?;
        for (factor, exponent) in extra {
            for _ in 0..exponent {
                *other = self.mul_poly(other, &self.factors[factor])?;
            }
        }
        Ok(poly)
    }

    /// The normal form as a quotient.
    pub fn normalise_fraction(&mut self, a: &Fraction) -> EngineResult<Fraction> {
        let (num, den) = self.normal_form(a)?;
        let degree = max_exponent(&num);
        let num = Fraction { num, den: Vec::new(), degree };
        if den.is_constant() {
            return Ok(num);
        }
        let degree = max_exponent(&den);
        self.div(&num, &Fraction { num: den, den: Vec::new(), degree })
    }

    /// Text of the normal form, equal for equal quotients of one query.
    pub fn normal_form_key(&self, a: &Fraction) -> EngineResult<String> {
        let (num, den) = self.normal_form(a)?;
        let text = self.polynomial_key(&num);
        Ok(if den.is_one() { text } else { format!("({text})/({})", self.polynomial_key(&den)) })
    }

    /// Text of a polynomial by the keys of its variables.
    pub fn polynomial_key(&self, poly: &Poly) -> String {
        let mut text = String::new();
        for term in poly.terms() {
            if !text.is_empty() {
                text.push('+');
            }
            // Writing to a string cannot fail.
            let _ = write!(text, "{}", term.coefficient);
            let factors = self.monomial_key(term.exponents);
            if !factors.is_empty() {
                text.push('*');
                text.push_str(&factors);
            }
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }

    /// Text of a product of variables, in the order of their keys.
    pub fn monomial_key(&self, exponents: &[u16]) -> String {
        let mut factors: Vec<(&str, u16)> = exponents
            .iter()
            .zip(&self.variables)
            .filter(|(e, _)| **e > 0)
            .map(|(e, v)| (&*v.key, *e))
            .collect();
        factors.sort_unstable();
        let texts: Vec<String> = factors
            .iter()
            .map(|(key, e)| if *e == 1 { (*key).to_owned() } else { format!("{key}^{e}") })
            .collect();
        texts.join("*")
    }
}
