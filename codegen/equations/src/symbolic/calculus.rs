//! Derivatives and substitution of quotients of polynomials.
//!
//! Problem: derivatives of quotients whose variables depend on each other.
//! Method:  polynomials are differentiated by each variable; the chain rule multiplies by the
//!          derivative of the variable, from its meaning (∂s/∂θ = c, ∂c/∂θ = −s, roots by their
//!          squares, the known functions).
//! Limits:  selections, magnitudes and signs have no derivative here, unless their arguments are
//!          constant. Function tables have one except at the knots.

use std::collections::BTreeMap;

use dqdt_polynomials::Rational;

use super::engine::{EngineResult, SymbolicEngine};
use super::error::Reason;
use super::fraction::max_exponent;
use super::variable::{Fraction, Opaque, VariableMeaning};
use dqdt_algebra::{Func, Func2};

/// A direction of differentiation: derivatives of symbols by variable; unlisted symbols are
/// constant. Also caches derivatives of roots, sines and functions.
#[derive(Debug, Default)]
pub(super) struct DerivativeDirection {
    /// Derivative of each listed variable along the direction.
    pub slopes: BTreeMap<usize, Fraction>,
}

impl SymbolicEngine {
    /// The direction of one symbol, for its partial derivative.
    pub fn partial_direction(&self, variable: usize) -> DerivativeDirection {
        DerivativeDirection { slopes: BTreeMap::from([(variable, self.constant_fraction(Rational::ONE))]) }
    }

    /// The derivative of a quotient along a direction, as a quotient, by the chain rule.
    pub fn derivative(
        &mut self,
        a: &Fraction,
        direction: &mut DerivativeDirection,
    ) -> EngineResult<Fraction> {
        let num = self.over_all_variables(&a.num).into_owned();
        let mut result = self.constant_fraction(Rational::ZERO);
        for index in 0..num.variable_count() {
            if !num.contains_variable(index) {
                continue;
            }
            let slope = self.variable_derivative(index, direction)?;
            if slope.is_zero() {
                continue;
            }
            let partial = Fraction { num: num.derivative(index), den: a.den.clone(), degree: a.degree };
            let part = self.mul(&partial, &slope)?;
            result = self.add(&result, &part)?;
        }
        // (n ∏ f^−e)′ contains − e f′/f times the whole for each divisor.
        for (factor, exponent) in a.den.clone() {
            let poly = self.factors[factor].clone();
            let degree = max_exponent(&poly);
            let poly = Fraction { num: poly, den: Vec::new(), degree };
            let slope = self.derivative(&poly, direction)?;
            if slope.is_zero() {
                continue;
            }
            let ratio = self.div(&slope, &poly)?;
            let part = self.mul(a, &ratio)?;
            let part = self.scale(&part, Rational::from(-i64::from(exponent)));
            result = self.add(&result, &part)?;
        }
        Ok(result)
    }

    /// Derivative of a variable along the direction, from the cache if it is known.
    fn variable_derivative(
        &mut self,
        index: usize,
        direction: &mut DerivativeDirection,
    ) -> EngineResult<Fraction> {
        if let Some(known) = direction.slopes.get(&index) {
            return Ok(known.clone());
        }
        let slope = self.differentiate_variable(index, direction)?;
        direction.slopes.insert(index, slope.clone());
        Ok(slope)
    }

    /// Derivative of a variable along the direction, by the chain rule from its meaning.
    fn differentiate_variable(
        &mut self,
        index: usize,
        direction: &mut DerivativeDirection,
    ) -> EngineResult<Fraction> {
        let zero = self.constant_fraction(Rational::ZERO);
        match self.variables[index].meaning.clone() {
            VariableMeaning::Symbol(_) | VariableMeaning::Pi | VariableMeaning::Prime(_) => Ok(zero),
            VariableMeaning::Sin(angle) | VariableMeaning::Cos(angle) => {
                let angle = self.angles[angle].clone();
                let rate = self.derivative(&angle.value, direction)?;
                let sine = index == angle.sin;
                let other = self.variable_fraction(if sine { angle.cos } else { angle.sin });
                let rate = self.mul(&rate, &other)?;
                let sign = if sine { 1 } else { -1 };
                Ok(self.scale(&rate, Rational::ratio(sign, angle.parts)))
            }
            VariableMeaning::Root(inner) => {
                // (√a)′ = a′ √a / (2 a)
                let rate = self.derivative(&inner, direction)?;
                if rate.is_zero() {
                    return Ok(zero);
                }
                let root = self.variable_fraction(index);
                let rate = self.mul(&rate, &root)?;
                let twice = self.scale(&inner, Rational::from(2));
                self.div(&rate, &twice)
            }
            VariableMeaning::Function(f, args) => {
                let mut rates = Vec::with_capacity(args.len());
                for a in &args {
                    rates.push(self.derivative(a, direction)?);
                }
                if rates.iter().all(Fraction::is_zero) {
                    return Ok(zero);
                }
                let value = self.variable_fraction(index);
                let mut result = zero;
                for (position, rate) in rates.iter().enumerate().filter(|(_, r)| !r.is_zero()) {
                    let args: Vec<&Fraction> = args.iter().map(|a| &**a).collect();
                    let partial = self.function_partial_derivative(f, &args, &value, position)?;
                    let part = self.mul(&partial, rate)?;
                    result = self.add(&result, &part)?;
                }
                Ok(result)
            }
        }
    }

    /// Partial derivative of a function by one of its arguments; `value` is the function itself.
    fn function_partial_derivative(
        &mut self,
        f: Opaque,
        a: &[&Fraction],
        value: &Fraction,
        position: usize,
    ) -> EngineResult<Fraction> {
        let one = self.constant_fraction(Rational::ONE);
        let none = || Err(Reason::NoDerivative { function: f.function_name() }.into());
        match (f, a) {
            (Opaque::Func(function), [x]) => match function {
                Func::Exp => Ok(value.clone()),
                Func::Ln => self.inverse(x),
                Func::Sinh => self.apply_function(Func::Cosh, x),
                Func::Cosh => self.apply_function(Func::Sinh, x),
                Func::Tanh => {
                    let square = self.mul(value, value)?;
                    self.sub(&one, &square)
                }
                Func::Atan => {
                    let square = self.mul(x, x)?;
                    let below = self.add(&one, &square)?;
                    self.inverse(&below)
                }
                Func::Asin | Func::Acos => {
                    let square = self.mul(x, x)?;
                    let below = self.sub(&one, &square)?;
                    let root = self.sqrt(&below)?;
                    let slope = self.inverse(&root)?;
                    Ok(if function == Func::Asin { slope } else { self.neg(&slope) })
                }
                Func::Tan | Func::Abs | Func::Sign => none(),
            },
            (Opaque::Table(t), [x]) => {
                let slope = self.tables[t].derivative();
                self.apply_table(&slope, x)
            }
            (Opaque::Func2(Func2::Atan2), [y, x]) => {
                let (xx, yy) = (self.mul(x, x)?, self.mul(y, y)?);
                let below = self.add(&xx, &yy)?;
                let above = if position == 0 { (*x).clone() } else { self.neg(y) };
                self.div(&above, &below)
            }
            (Opaque::Func2(Func2::Pow), [base, exponent]) if position == 0 => {
                let above = self.mul(exponent, value)?;
                self.div(&above, base)
            }
            (Opaque::Func2(Func2::Pow), [base, _]) => {
                let logarithm = self.apply_function(Func::Ln, base)?;
                self.mul(value, &logarithm)
            }
            _ => none(),
        }
    }

    /// Replaces variables by quotients, all at once. Variables inside angles, roots and functions
    /// are not replaced; the caller ensures that there are none.
    pub fn substitute(&mut self, a: &Fraction, by: &BTreeMap<usize, Fraction>) -> EngineResult<Fraction> {
        let mut result = self.substitute_poly(a.num.clone(), a.degree, by)?;
        for (factor, exponent) in a.den.clone() {
            let poly = self.factors[factor].clone();
            let degree = max_exponent(&poly);
            let poly = self.substitute_poly(poly, degree, by)?;
            let poly = self.pow(&poly, -i64::from(exponent))?;
            result = self.mul(&result, &poly)?;
        }
        Ok(result)
    }

    /// Replaces variables of a polynomial by quotients.
    fn substitute_poly(
        &mut self,
        poly: super::variable::Poly,
        degree: u32,
        by: &BTreeMap<usize, Fraction>,
    ) -> EngineResult<Fraction> {
        let poly = self.over_all_variables(&poly).into_owned();
        let present: Vec<usize> = by.keys().copied().filter(|v| poly.contains_variable(*v)).collect();
        if present.is_empty() {
            return Ok(Fraction { num: poly, den: Vec::new(), degree });
        }
        let mut result = self.constant_fraction(Rational::ZERO);
        for (key, num) in poly.coefficients_in(&present) {
            let mut part = Fraction { num, den: Vec::new(), degree };
            for (v, e) in present.iter().zip(key).filter(|(_, e)| *e > 0) {
                let power = self.pow(&by[v], i64::from(e))?;
                part = self.mul(&part, &power)?;
            }
            result = self.add(&result, &part)?;
        }
        Ok(result)
    }

    /// True if a quotient contains a variable, also inside angles, roots and functions.
    pub fn depends(&self, a: &Fraction, variable: usize) -> bool {
        let factors = a.den.iter().map(|(f, _)| &self.factors[*f]);
        std::iter::once(&a.num).chain(factors).any(|poly| {
            (0..poly.variable_count()).any(|index| {
                poly.contains_variable(index) && (index == variable || self.meaning_contains(index, variable))
            })
        })
    }

    /// True if the meaning of a variable (angle, radicand, arguments) contains another variable.
    pub fn meaning_contains(&self, index: usize, variable: usize) -> bool {
        match &self.variables[index].meaning {
            VariableMeaning::Symbol(_) | VariableMeaning::Pi | VariableMeaning::Prime(_) => false,
            VariableMeaning::Sin(a) | VariableMeaning::Cos(a) => {
                self.depends(&self.angles[*a].value, variable)
            }
            VariableMeaning::Root(a) => self.depends(a, variable),
            VariableMeaning::Function(_, args) => args.iter().any(|a| self.depends(a, variable)),
        }
    }
}
