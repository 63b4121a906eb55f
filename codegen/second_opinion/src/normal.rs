//! Normal forms of quotients with sines, cosines, square roots and unit quaternions.
//!
//! Problem: decide if the difference of two expressions is zero.
//! Method:  sines and cosines of sums of angles become polynomials in sines and cosines of single
//! angles. These and square roots are replaced by variables. The numerator of the quotient is
//! reduced by the known squares: `s² = 1 − c²`, `w² = x` of a root, `e₀² = 1 − e₁² − e₂² − e₃²`.
//! Limits:  fractions of angles, numbers as angles, and roots of quotients are not supported. With
//! roots a non-zero form decides nothing, because roots can depend on each other.

use std::collections::BTreeMap;
use std::sync::Arc;

use symbolica::atom::{Atom, AtomCore, AtomView, Symbol};
use symbolica::domains::integer::Z;
use symbolica::domains::rational::Q;
use symbolica::poly::PolyVariable;
use symbolica::symbol;

use crate::verdict::EntryVerdict;

/// Maximum number of characters of a nonzero difference in a message.
const SHOWN: usize = 400;

/// Variables that replace sines, cosines and roots in polynomials, with rules for their squares.
pub(crate) struct NormalForms {
    /// Variables of sine and cosine of an angle, by its text.
    angles: BTreeMap<String, (Symbol, Symbol)>,
    /// Variables of square roots, by text of the radicand.
    roots: BTreeMap<String, Symbol>,
    /// Variables with the polynomials that replace their squares; these contain only earlier
    /// variables.
    square_rules: Vec<(Symbol, Atom)>,
}

/// The square of a variable.
fn square_variable(variable: Symbol) -> Atom {
    Atom::var(variable) * Atom::var(variable)
}

impl NormalForms {
    /// Normal forms with the rule that these quaternions have norm one.
    pub(crate) fn new(quaternions: &[[String; 4]]) -> Self {
        let squares = quaternions.iter().map(|q| {
            let [e0, e1, e2, e3] = q.each_ref().map(|name| symbol!(name));
            (e0, Atom::num(1) - square_variable(e1) - square_variable(e2) - square_variable(e3))
        });
        NormalForms { angles: BTreeMap::new(), roots: BTreeMap::new(), square_rules: squares.collect() }
    }

    /// Decides by normal forms if two expressions are equal.
    pub(crate) fn compare_expressions(&mut self, a: &Atom, b: &Atom) -> EntryVerdict {
        let difference = match self.replace_functions((a - b).as_view()) {
            Ok(difference) => self.reduced_numerator(&difference),
            Err(reason) => return EntryVerdict::Open { reason },
        };
        if difference.is_zero() {
            EntryVerdict::Equal
        } else if !self.roots.is_empty() {
            let reason = "the difference contains square roots that may depend on each other".to_owned();
            EntryVerdict::Open { reason }
        } else {
            EntryVerdict::Different { numerator: difference.to_string().chars().take(SHOWN).collect() }
        }
    }

    /// Numerator of a quotient of polynomials, with the squares of variables replaced: zero if the
    /// quotient is.
    fn reduced_numerator(&self, quotient: &Atom) -> Atom {
        let numerator = quotient.to_rational_polynomial::<_, _, u16>(&Q, &Z, None).numerator.to_expression();
        self.square_rules.iter().rev().fold(numerator, |x, (variable, square)| {
            let variables = Arc::new(vec![PolyVariable::Symbol(*variable)]);
            let by_power = x.to_polynomial_in_vars::<u16>(&variables);
            let mut sum = Atom::num(0);
            for term in &by_power {
                let power = term.exponents[0];
                let rest = if power % 2 == 1 { Atom::var(*variable) } else { Atom::num(1) };
                sum += term.coefficient.clone() * square.pow(Atom::num(i64::from(power / 2))) * rest;
            }
            sum.expand()
        })
    }

    /// An expression as a quotient of polynomials, with variables in place of sines, cosines and
    /// roots.
    fn replace_functions(&mut self, x: AtomView<'_>) -> Result<Atom, String> {
        Ok(match x {
            AtomView::Num(_) | AtomView::Var(_) => x.to_owned(),
            AtomView::Add(terms) => {
                let mut sum = Atom::num(0);
                for term in terms {
                    sum += self.replace_functions(term)?;
                }
                sum
            }
            AtomView::Mul(factors) => {
                let mut product = Atom::num(1);
                for factor in factors {
                    product *= self.replace_functions(factor)?;
                }
                product
            }
            AtomView::Pow(power) => {
                let (base, exponent) = power.get_base_exp();
                let twice = i64::try_from((exponent.to_owned() * Atom::num(2)).as_view())
                    .map_err(|_| format!("a power with the exponent {exponent} is not supported"))?;
                let base = self.replace_functions(base)?;
                if twice % 2 == 0 {
                    base.pow(Atom::num(twice / 2))
                } else {
                    self.root_variable(&base)?.pow(Atom::num(twice))
                }
            }
            AtomView::Fun(f) => {
                let name = f.get_symbol();
                let argument = match (f.iter().next(), f.get_nargs()) {
                    (Some(argument), 1) => self.replace_functions(argument)?,
                    _ => return Err(format!("the function {name} is not supported")),
                };
                let known = [Symbol::SIN, Symbol::COS, Symbol::SQRT];
                match known.iter().position(|k| *k == name) {
                    Some(0) => self.expand_sin_cos(&argument)?.0,
                    Some(1) => self.expand_sin_cos(&argument)?.1,
                    Some(_) => self.root_variable(&argument)?,
                    None => return Err(format!("the function {name} is not supported")),
                }
            }
        })
    }

    /// The variable that replaces the square root of `radicand`.
    fn root_variable(&mut self, radicand: &Atom) -> Result<Atom, String> {
        let radicand = radicand.to_rational_polynomial::<_, _, u16>(&Q, &Z, None);
        if !radicand.denominator.is_one() {
            return Err("the square root of a quotient is not supported".to_owned());
        }
        let square = self.reduced_numerator(&radicand.numerator.to_expression());
        let (key, count) = (square.to_string(), self.roots.len());
        let variable = *self.roots.entry(key).or_insert_with(|| symbol!(format!("root{count}")));
        if self.roots.len() > count {
            self.square_rules.push((variable, square));
        }
        Ok(Atom::var(variable))
    }

    /// Sine and cosine of a sum of angles, expanded into variables of single angles.
    fn expand_sin_cos(&mut self, argument: &Atom) -> Result<(Atom, Atom), String> {
        let (mut sine, mut cosine) = (Atom::num(0), Atom::num(1));
        let polynomial = argument.to_polynomial::<_, u16>(&Q, None);
        for term in &polynomial {
            let mut monomial = Atom::num(1);
            for (variable, exponent) in polynomial.get_vars_ref().iter().zip(term.exponents) {
                monomial *= variable.to_atom().pow(Atom::num(i64::from(*exponent)));
            }
            let coefficient = term.coefficient.clone();
            let (times, key) = if term.exponents.iter().all(|e| *e == 0) {
                // Sines of different numbers can depend on each other.
                return Err("a sine or cosine of an angle that is a number is not supported".to_owned());
            } else if coefficient.is_integer() {
                let times = coefficient
                    .numerator()
                    .to_i64()
                    .ok_or("a multiple of an angle with a large factor is not supported")?;
                (times, monomial.to_string())
            } else {
                return Err("a fraction of an angle is not supported".to_owned());
            };
            let (s, c) = self.angle_variables(key);
            let s = if times < 0 { -Atom::var(s) } else { Atom::var(s) };
            for _ in 0..times.unsigned_abs() {
                let c = Atom::var(c);
                (sine, cosine) = (&sine * &c + &cosine * &s, &cosine * &c - &sine * &s);
            }
        }
        Ok((sine.expand(), cosine.expand()))
    }

    /// Variables that replace sine and cosine of a single angle, by its text.
    fn angle_variables(&mut self, key: String) -> (Symbol, Symbol) {
        let count = self.angles.len();
        let (s, c) = *self
            .angles
            .entry(key)
            .or_insert_with(|| (symbol!(format!("s{count}")), symbol!(format!("c{count}"))));
        if self.angles.len() > count {
            self.square_rules.push((s, Atom::num(1) - Atom::var(c) * Atom::var(c)));
        }
        (s, c)
    }
}
