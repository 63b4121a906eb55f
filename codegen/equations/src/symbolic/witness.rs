//! Exact points at which a difference is not zero.
//!
//! Problem: refute a claim with numbers that are easy to check: rational values of the symbols,
//!          rational points of the circle for each sine and cosine.
//! Method:  small pseudo-random points. Roots of primes and π remain symbols, whose products are
//!          independent over the rationals; a root of an expression is decomposed at the point into
//!          such roots.
//! Limits:  an angle and its sine are chosen independently, and so are different angles: they are
//!          algebraically independent, so a difference that is not zero at the point is not zero as
//!          a function. Where independence is not known (unknown functions, angles that contain
//!          roots) there is no witness; nor where a root or a divisor of the claim is undefined,
//!          even if it has cancelled from the difference.

use std::collections::BTreeMap;

use dqdt_polynomials::{Integer, Rational};

use super::conversion::{SymbolNames, exact_from_rational};
use super::engine::{EngineResult, SymbolicEngine};
use super::error::Reason;
use super::evaluation::TestPoint;
use super::functions::square_free_root;
use super::text::plain_text;
use super::variable::{Fraction, Poly, VariableMeaning};

/// Exact value of a symbol, sine or cosine in a counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// Text of the symbol, such as `m1` or `sin(theta1)`.
    pub name: String,
    /// Exact value at the counterexample, such as `3/5`.
    pub value: String,
}

/// An exact number `Σ aᵢ √dᵢ πᵏ`: coefficients by square-free `d` and power of π.
type Surd = BTreeMap<(Integer, u16), Rational>;

/// Number of pseudo-random points at which an exact witness of a difference is searched for.
const TRIALS: u64 = 12;

impl SymbolicEngine {
    /// A point at which a quotient is a non-zero exact number, or the reason why there is none.
    pub fn find_witness(
        &self,
        difference: &Fraction,
        names: &SymbolNames,
    ) -> Result<Vec<Assignment>, Reason> {
        let mut used = vec![false; self.variables.len()];
        self.mark_variables(difference, &mut used);
        for index in (0..used.len()).filter(|i| used[*i]) {
            let dependent = match &self.variables[index].meaning {
                VariableMeaning::Function(f, _) => Some(f.function_name()),
                VariableMeaning::Sin(a) | VariableMeaning::Cos(a) if !self.angles[*a].independent => {
                    Some(format!("the angle {}", self.angles[*a].key))
                }
                _ => None,
            };
            if let Some(function) = dependent {
                return Err(Reason::Opaque { function });
            }
        }
        let needed = self.variables_deciding_domain(&used);
        for trial in 1..=TRIALS {
            if let Some(values) = self.exact_values_at_trial(difference, trial, &needed) {
                return self.witness_assignments(&values, &used, names).map_err(|_| Reason::NoWitness);
            }
        }
        Err(Reason::NoWitness)
    }

    /// Marks in `used` the variables of a quotient, including those inside roots.
    fn mark_variables(&self, a: &Fraction, used: &mut [bool]) {
        let factors = a.den.iter().map(|(f, _)| &self.factors[*f]);
        std::iter::once(&a.num).chain(factors).for_each(|poly| self.mark_poly(poly, used));
    }

    /// Marks the variables in a polynomial, including those inside roots.
    fn mark_poly(&self, poly: &Poly, used: &mut [bool]) {
        for index in 0..poly.variable_count() {
            if !used[index] && poly.contains_variable(index) {
                used[index] = true;
                if let VariableMeaning::Root(inner) = &self.variables[index].meaning {
                    self.mark_variables(inner, used);
                }
            }
        }
    }

    /// The variables that decide where a claim is defined: `used` and those of every root and
    /// divisor of the query, even of cancelled ones.
    fn variables_deciding_domain(&self, used: &[bool]) -> Vec<bool> {
        let mut needed = used.to_vec();
        for (index, variable) in self.variables.iter().enumerate() {
            if let VariableMeaning::Root(inner) = &variable.meaning {
                needed[index] = true;
                self.mark_variables(inner, &mut needed);
            }
        }
        self.factors.iter().for_each(|factor| self.mark_poly(factor, &mut needed));
        needed
    }

    /// Values of the variables at a point; `None` if the difference is zero there, or a root or
    /// divisor is undefined.
    fn exact_values_at_trial(
        &self,
        difference: &Fraction,
        trial: u64,
        needed: &[bool],
    ) -> Option<Vec<Option<Surd>>> {
        let mut point = TestPoint::new(trial, &self.settings.quaternions);
        let mut values: Vec<Option<Surd>> = vec![None; self.variables.len()];
        // The radicand of a root has earlier variables only, so one pass in order suffices.
        for index in (0..needed.len()).filter(|i| needed[*i]) {
            values[index] = match &self.variables[index].meaning {
                VariableMeaning::Symbol(kind) => Some(surd_from_rational(point.symbol_value(*kind))),
                VariableMeaning::Pi => Some(Surd::from([((Integer::ONE, 1), Rational::ONE)])),
                // The value of a dependent angle is not a free choice.
                VariableMeaning::Sin(a) | VariableMeaning::Cos(a) if !self.angles[*a].independent => None,
                VariableMeaning::Sin(a) => Some(surd_from_rational(point_on_circle(&point, *a)?.0)),
                VariableMeaning::Cos(a) => Some(surd_from_rational(point_on_circle(&point, *a)?.1)),
                VariableMeaning::Prime(p) => Some(Surd::from([((p.numerator().clone(), 0), Rational::ONE)])),
                VariableMeaning::Root(inner) => Some(self.square_root_surd(inner, &values)?),
                VariableMeaning::Function(..) => None,
            };
        }
        for factor in &self.factors {
            if self.polynomial_value_as_surd(factor, &values)?.is_empty() {
                return None;
            }
        }
        if self.polynomial_value_as_surd(&difference.num, &values)?.is_empty() { None } else { Some(values) }
    }

    /// The root of a quotient whose value is a positive rational; `None` for other values.
    fn square_root_surd(&self, inner: &Fraction, values: &[Option<Surd>]) -> Option<Surd> {
        let mut value = surd_to_rational(self.polynomial_value_as_surd(&inner.num, values)?)?;
        for (factor, exponent) in &inner.den {
            let factor = surd_to_rational(self.polynomial_value_as_surd(&self.factors[*factor], values)?)?;
            value = value.checked_div(&factor.pow(*exponent))?;
        }
        if value.is_zero() || value.is_negative() {
            return None;
        }
        let (outer, primes) = square_free_root(&value)?;
        let free = primes.iter().fold(Integer::ONE, |f, p| &f * p);
        Some(Surd::from([((free, 0), outer)]))
    }

    /// Exact value of a polynomial; `None` if a variable has no value.
    fn polynomial_value_as_surd(&self, poly: &Poly, values: &[Option<Surd>]) -> Option<Surd> {
        let mut sum = Surd::new();
        for term in poly.terms() {
            let mut product = surd_from_rational(term.coefficient.clone());
            for (index, e) in term.exponents.iter().enumerate() {
                for _ in 0..*e {
                    product = multiply_surds(&product, values[index].as_ref()?);
                }
            }
            for (key, value) in product {
                add_surd_term(&mut sum, key, value);
            }
        }
        Some(sum)
    }

    /// Values of the used symbols, sines and cosines, by name.
    fn witness_assignments(
        &self,
        values: &[Option<Surd>],
        used: &[bool],
        names: &SymbolNames,
    ) -> EngineResult<Vec<Assignment>> {
        let mut result = Vec::new();
        for index in (0..used.len()).filter(|i| used[*i]) {
            let is_shown = matches!(
                self.variables[index].meaning,
                VariableMeaning::Symbol(_) | VariableMeaning::Sin(_) | VariableMeaning::Cos(_)
            );
            let value = values[index].as_ref().map(|s| s.values().next().map(exact_from_rational));
            if let (true, Some(value)) = (is_shown, value) {
                let name = plain_text(&self.variable_form(index, names)?);
                let value = value.map_or_else(|| "0".to_owned(), |v| v.to_string());
                result.push(Assignment { name, value });
            }
        }
        result.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(result)
    }
}

/// A rational number as a surd.
fn surd_from_rational(r: Rational) -> Surd {
    if r.is_zero() { Surd::new() } else { Surd::from([((Integer::ONE, 0), r)]) }
}

/// The rational number that a surd is; `None` for other surds.
fn surd_to_rational(s: Surd) -> Option<Rational> {
    match s.len() {
        0 => Some(Rational::ZERO),
        1 => s.get(&(Integer::ONE, 0)).cloned(),
        _ => None,
    }
}

/// A rational point of the unit circle (sine, cosine): `(2t, 1 − t²) / (1 + t²)`.
fn point_on_circle(point: &TestPoint, angle: usize) -> Option<(Rational, Rational)> {
    let t = point.draw_fraction(900_000 + angle as u64, 3);
    let (one, square) = (Rational::ONE, &t * &t);
    let below = &one + &square;
    (&t * &Rational::from(2)).checked_div(&below).zip((&one - &square).checked_div(&below))
}

/// Adds a term to a surd, and removes it if it becomes zero.
fn add_surd_term(sum: &mut Surd, key: (Integer, u16), value: Rational) {
    let total = match sum.remove(&key) {
        Some(old) => &old + &value,
        None => value,
    };
    if !total.is_zero() {
        sum.insert(key, total);
    }
}

/// Product of two surds; `√a √b = g √(ab/g²)`, with `g` the common divisor of square-free numbers.
fn multiply_surds(a: &Surd, b: &Surd) -> Surd {
    let mut result = Surd::new();
    for ((d, k), x) in a {
        for ((e, l), y) in b {
            let common = d.gcd(e);
            // Both quotients are integers.
            let (Some(d), Some(e)) = (d.div_exact(&common), e.div_exact(&common)) else { continue };
            add_surd_term(&mut result, (&d * &e, k + l), &(x * y) * &Rational::from(common));
        }
    }
    result
}
