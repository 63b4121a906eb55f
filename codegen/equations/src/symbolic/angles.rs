//! Sines and cosines of sums and rational multiples of angles.
//!
//! Problem: every sine and cosine must be expressed by independent pairs of variables.
//! Method:  the argument's normal form is a sum of rational multiples of products; each product is
//!          an angle, and the finest fraction of it that the query needs is its *base angle*, with
//!          two variables s and c. Addition formulas and repeated multiplication by c + i s give
//!          the rest. A fraction finer than all earlier ones restarts the query. Multiples of π/12
//!          are exact.
//! Limits:  multiples above 64, fractions finer than 1/360 and sums of more than six angles are
//!          treated as angles of their own. Such angles, and angles that contain roots or unknown
//!          functions, may depend on others: a proof of equality with them is valid, but no
//!          difference counts as a refutation.

use std::rc::Rc;

use dqdt_polynomials::Rational;

use super::engine::{EngineResult, StopReason, SymbolicEngine};
use super::variable::{BaseAngle, Fraction, VariableMeaning};

/// Largest multiple of a base angle that is expanded by addition formulas.
const MAX_MULTIPLE: i64 = 64;
/// Finest fraction of an angle that becomes a base angle.
const MAX_PARTS: i64 = 360;
/// Largest number of angles in a sum that is expanded; a longer sum is one angle of its own.
const MAX_SUM: usize = 6;

/// One angle of a sum: a product with a rational coefficient.
struct AngleTerm {
    /// Text that identifies the angle, without its coefficient.
    key: String,
    /// The angle \[rad\] as a quotient, without its coefficient.
    value: Fraction,
    /// Rational multiple of the angle in the sum.
    coefficient: Rational,
    /// True if the angle cannot depend on other angles, so that a difference refutes equality.
    independent: bool,
}

impl SymbolicEngine {
    /// Sine and cosine of a quotient, by the addition formulas.
    pub fn sin_cos(&mut self, argument: &Fraction) -> EngineResult<(Fraction, Fraction)> {
        let mut sin = self.constant_fraction(Rational::ZERO);
        let mut cos = self.constant_fraction(Rational::ONE);
        for part in self.split_into_angles(argument)? {
            let (s, c) = self.sin_cos_of_angle(part)?;
            let sc = self.mul(&sin, &c)?;
            let cs = self.mul(&cos, &s)?;
            let cc = self.mul(&cos, &c)?;
            let ss = self.mul(&sin, &s)?;
            sin = self.add(&sc, &cs)?;
            cos = self.sub(&cc, &ss)?;
        }
        Ok((sin, cos))
    }

    /// Angles of which an argument is the sum, each with its coefficient.
    fn split_into_angles(&mut self, argument: &Fraction) -> EngineResult<Vec<AngleTerm>> {
        let (num, den) = self.normal_form(argument)?;
        let over = if den.is_one() {
            None
        } else {
            let degree = super::fraction::max_exponent(&den);
            let text = self.polynomial_key(&den);
            let den = Fraction { num: den, den: Vec::new(), degree };
            Some((self.inverse(&den)?, text))
        };
        if num.len() > MAX_SUM {
            // The whole sum is one angle, with a normalised sign.
            let (lead, num) = num.split_leading_coefficient();
            let degree = super::fraction::max_exponent(&num);
            let mut key = self.polynomial_key(&num);
            let mut value = Fraction { num, den: Vec::new(), degree };
            if let Some((inverse, text)) = &over {
                value = self.mul(&value, inverse)?;
                key = format!("({key})/({text})");
            }
            return Ok(vec![AngleTerm { key, value, coefficient: lead, independent: false }]);
        }
        let mut parts = Vec::new();
        for term in num.terms() {
            let exponents = term.exponents.to_vec();
            let mut key = self.monomial_key(&exponents);
            if key.is_empty() {
                key.push('1');
            }
            let mut used = exponents.iter().zip(&self.variables).filter(|(e, _)| **e > 0);
            let constant = key == "pi";
            let plain = !constant
                && used.all(|(_, v)| matches!(v.meaning, VariableMeaning::Symbol(_) | VariableMeaning::Pi));
            let degree = exponents.iter().copied().max().map_or(0, u32::from);
            let num = self.monomial_poly(Rational::ONE, exponents);
            let mut value = Fraction { num, den: Vec::new(), degree };
            if let Some((inverse, text)) = &over {
                value = self.mul(&value, inverse)?;
                key = format!("{key}/({text})");
            }
            let independent = plain && over.is_none();
            parts.push(AngleTerm { key, value, coefficient: term.coefficient.clone(), independent });
        }
        Ok(parts)
    }

    /// Sine and cosine of one angle of a sum, times its coefficient, as quotients.
    fn sin_cos_of_angle(&mut self, part: AngleTerm) -> EngineResult<(Fraction, Fraction)> {
        if part.key == "pi"
            && let Some(exact) = self.exact_sin_cos_of_pi(&part.coefficient)?
        {
            return Ok(exact);
        }
        let negative = part.coefficient.is_negative();
        let coefficient = part.coefficient.abs();
        let fraction = coefficient.numerator().to_i64().zip(coefficient.denominator().to_i64());
        let usable = fraction.filter(|(n, d)| *n <= MAX_MULTIPLE && *d <= MAX_PARTS);
        let known = self.fractions.get(&part.key).copied().unwrap_or(1);
        let wanted = usable.and_then(|(n, d)| {
            let parts = least_common_multiple(known, d);
            (parts <= MAX_PARTS && n * (parts / d) <= MAX_MULTIPLE).then(|| (n * (parts / d), parts))
        });
        let (angle, multiple) = match wanted {
            Some((multiple, parts)) => (self.find_or_add_base_angle(part, parts)?, multiple),
            None => {
                let key = format!("{coefficient}*{}", part.key);
                let value = self.scale(&part.value, coefficient);
                let one = Rational::ONE;
                (
                    self.find_or_add_base_angle(
                        AngleTerm { key, value, coefficient: one, independent: false },
                        1,
                    )?,
                    1,
                )
            }
        };
        let (s, c) = self.sin_cos_of_multiple(angle, multiple as usize)?;
        Ok(if negative { (self.neg(&s), c) } else { (s, c) })
    }

    /// Index of the angle with a key and at least `parts` subdivisions; restarts the query if the
    /// known base angle is too coarse.
    fn find_or_add_base_angle(&mut self, part: AngleTerm, parts: i64) -> EngineResult<usize> {
        if let Some(index) = self.angles.iter().position(|a| a.key == part.key) {
            if self.angles[index].parts == parts {
                return Ok(index);
            }
            self.fractions.insert(part.key, parts);
            return Err(StopReason::Restart);
        }
        self.fractions.insert(part.key.clone(), parts);
        let index = self.angles.len();
        self.check_depth(&part.value)?;
        let one = self.constant_fraction(Rational::ONE);
        let (sin_key, cos_key) = (format!("sin({}/{parts})", part.key), format!("cos({}/{parts})", part.key));
        self.angles.push(BaseAngle {
            key: part.key,
            value: Rc::new(part.value),
            parts,
            sin: 0,
            cos: 0,
            independent: part.independent,
            multiples: vec![(self.constant_fraction(Rational::ZERO), one.clone())],
        });
        let sin = self.find_or_add_variable(&sin_key, || (VariableMeaning::Sin(index), None));
        let s = self.variable_fraction(sin);
        let square = self.mul(&s, &s)?;
        let square = Rc::new(self.sub(&one, &square)?);
        let cos = self.find_or_add_variable(&cos_key, || (VariableMeaning::Cos(index), Some(square)));
        self.angles[index].sin = sin;
        self.angles[index].cos = cos;
        Ok(index)
    }

    /// Sine and cosine of `k` times a base angle.
    fn sin_cos_of_multiple(&mut self, angle: usize, k: usize) -> EngineResult<(Fraction, Fraction)> {
        let (s, c) = (self.angles[angle].sin, self.angles[angle].cos);
        let (s, c) = (self.variable_fraction(s), self.variable_fraction(c));
        while self.angles[angle].multiples.len() <= k {
            let last = self.angles[angle].multiples.len() - 1;
            let (sn, cn) = self.angles[angle].multiples[last].clone();
            let sin = self.add(&self.mul(&sn, &c)?, &self.mul(&cn, &s)?)?;
            let cos = self.sub(&self.mul(&cn, &c)?, &self.mul(&sn, &s)?)?;
            self.angles[angle].multiples.push((sin, cos));
        }
        Ok(self.angles[angle].multiples[k].clone())
    }

    /// Exact sine and cosine of `r π`, if `r` is a multiple of 1/12.
    fn exact_sin_cos_of_pi(&mut self, r: &Rational) -> EngineResult<Option<(Fraction, Fraction)>> {
        let steps = r * &Rational::from(12);
        if !steps.is_integer() {
            return Ok(None);
        }
        let k = steps.numerator().rem_u64(24) as i64;
        let sin = self.sine_of_twelfths(k)?;
        let cos = self.sine_of_twelfths((k + 6) % 24)?;
        Ok(Some((sin, cos)))
    }

    /// The value `sin(k π / 12)` for `0 ≤ k < 24`.
    fn sine_of_twelfths(&mut self, k: i64) -> EngineResult<Fraction> {
        let (negative, k) = if k >= 12 { (true, k - 12) } else { (false, k) };
        let k = if k > 6 { 12 - k } else { k };
        let value = match k {
            0 => self.constant_fraction(Rational::ZERO),
            2 => self.ratio_fraction(1, 2),
            3 => self.scaled_root(2, 2)?,
            4 => self.scaled_root(3, 2)?,
            6 => self.constant_fraction(Rational::ONE),
            _ => {
                // sin(π/12) = (√6 − √2)/4, sin(5π/12) = (√6 + √2)/4
                let (a, b) = (self.scaled_root(6, 4)?, self.scaled_root(2, 4)?);
                if k == 1 { self.sub(&a, &b)? } else { self.add(&a, &b)? }
            }
        };
        Ok(if negative { self.neg(&value) } else { value })
    }

    /// The number `√n / d`.
    fn scaled_root(&mut self, n: i64, d: i64) -> EngineResult<Fraction> {
        let root = self.square_root_of_number(&Rational::from(n))?;
        Ok(self.scale(&root, Rational::ratio(1, d)))
    }
}

/// Least common multiple of two positive integers.
fn least_common_multiple(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
