//! Square roots and transcendental functions as variables of the engine.
//!
//! Problem: equal functions of equal arguments must be one variable, and roots must satisfy their
//!          squares.
//! Method:  numeric radicands are factorised, each root of a prime being a generator; other
//!          radicands lose their rational factor and become a generator keyed by their normal form.
//!          Functions are keyed by the normal forms of their arguments, odd and even ones after
//!          normalising the sign.
//! Limits:  `√(x²)` remains a root, not `|x|`: a difference with such roots is never called a
//!          refutation.

use std::rc::Rc;

use dqdt_polynomials::{Integer, Rational};

use super::engine::{EngineResult, SymbolicEngine};
use super::error::Reason;
use super::expressions::SerialTable;
use super::variable::{Fraction, Opaque, VariableMeaning};
use dqdt_algebra::{Cmp, Func, Func2};

impl SymbolicEngine {
    /// The square root `√a`.
    pub fn sqrt(&mut self, a: &Fraction) -> EngineResult<Fraction> {
        let a = self.normalise_fraction(a)?;
        if let Some(n) = a.constant_value() {
            return self.square_root_of_number(&n);
        }
        self.check_depth(&a)?;
        let (content, num) = a.num.split_content();
        let primitive = Fraction { num, ..a };
        let root = self.square_root_of_number(&content)?;
        let key = format!("sqrt({})", self.normal_form_key(&primitive)?);
        let square = Rc::new(primitive);
        let index = self.find_or_add_variable(&key, || {
            (VariableMeaning::Root(Rc::clone(&square)), Some(Rc::clone(&square)))
        });
        let variable = self.variable_fraction(index);
        self.mul(&root, &variable)
    }

    /// The root of a rational number, by the prime factors of its radicand.
    pub fn square_root_of_number(&mut self, n: &Rational) -> EngineResult<Fraction> {
        if n.is_negative() {
            return Err(Reason::NotFinite.into());
        }
        if n.is_zero() {
            return Ok(self.constant_fraction(Rational::ZERO));
        }
        let (whole, primes) = square_free_root(n).ok_or(Reason::Radicand)?;
        let mut result = self.constant_fraction(whole);
        for prime in primes {
            let root = self.square_root_of_prime(prime);
            result = self.mul(&result, &root)?;
        }
        Ok(result)
    }

    /// The square root of a prime, a variable of the engine.
    fn square_root_of_prime(&mut self, prime: Integer) -> Fraction {
        let value = Rational::from(prime);
        let square = Rc::new(self.constant_fraction(value.clone()));
        let index = self.find_or_add_variable(&format!("sqrt({value})"), || {
            (VariableMeaning::Prime(value), Some(square))
        });
        self.variable_fraction(index)
    }

    /// A function of one argument; the tangent becomes a quotient of sine and cosine.
    pub fn apply_function(&mut self, f: Func, a: &Fraction) -> EngineResult<Fraction> {
        if f == Func::Tan {
            let (s, c) = self.sin_cos(a)?;
            return self.div(&s, &c);
        }
        let a = self.normalise_fraction(a)?;
        if let Some(n) = a.constant_value()
            && let Some(value) = self.function_of_number(f, &n)
        {
            return Ok(value);
        }
        let odd = matches!(f, Func::Asin | Func::Atan | Func::Sinh | Func::Tanh | Func::Sign);
        let even = matches!(f, Func::Cosh | Func::Abs);
        let flip = (odd || even) && a.num.leading_coefficient().is_negative();
        let a = if flip { self.neg(&a) } else { a };
        let value = match f {
            Func::Cosh => {
                // cosh² = 1 + sinh²
                let sinh = self.function_variable(Opaque::Func(Func::Sinh), vec![a.clone()], None)?;
                let square = self.mul(&sinh, &sinh)?;
                let one = self.constant_fraction(Rational::ONE);
                let square = self.add(&one, &square)?;
                self.function_variable(Opaque::Func(f), vec![a], Some(square))?
            }
            Func::Abs => {
                let square = self.mul(&a, &a)?;
                self.function_variable(Opaque::Func(f), vec![a], Some(square))?
            }
            _ => self.function_variable(Opaque::Func(f), vec![a], None)?,
        };
        Ok(if flip && odd { self.neg(&value) } else { value })
    }

    /// Rational value of a function of a rational number; `None` if it is not rational.
    fn function_of_number(&self, f: Func, n: &Rational) -> Option<Fraction> {
        let value = match f {
            Func::Abs => n.abs(),
            Func::Sign => Rational::from(i64::from(!n.is_zero()) - 2 * i64::from(n.is_negative())),
            Func::Exp | Func::Cosh if n.is_zero() => Rational::ONE,
            Func::Ln if n.is_one() => Rational::ZERO,
            Func::Asin | Func::Atan | Func::Sinh | Func::Tanh if n.is_zero() => Rational::ZERO,
            _ => return None,
        };
        Some(self.constant_fraction(value))
    }

    /// A function of two arguments.
    pub fn apply_binary_function(&mut self, f: Func2, a: &Fraction, b: &Fraction) -> EngineResult<Fraction> {
        match f {
            Func2::Min | Func2::Max if self.settings.as_written => {
                let (a, b) = (self.normalise_fraction(a)?, self.normalise_fraction(b)?);
                if let (Some(x), Some(y)) = (a.constant_value(), b.constant_value()) {
                    let below = (x - y).is_negative();
                    return Ok(if below == (f == Func2::Min) { a } else { b });
                }
                if self.sub(&a, &b)?.is_zero() {
                    return Ok(a);
                }
                self.function_variable(Opaque::Func2(f), vec![a, b], None)
            }
            Func2::Min | Func2::Max => {
                // max = (a + b + |a − b|) / 2
                let sum = self.add(a, b)?;
                let difference = self.sub(a, b)?;
                let difference = self.apply_function(Func::Abs, &difference)?;
                let twice =
                    if f == Func2::Max { self.add(&sum, &difference)? } else { self.sub(&sum, &difference)? };
                Ok(self.scale(&twice, Rational::ratio(1, 2)))
            }
            Func2::Pow => {
                let exponent = self.normalise_fraction(b)?;
                let halves = exponent.constant_value().map(|n| n * Rational::from(2));
                if let Some(n) = halves.filter(Rational::is_integer).and_then(|n| n.numerator().to_i64()) {
                    if n % 2 == 0 {
                        return self.pow(a, n / 2);
                    }
                    let root = self.sqrt(a)?;
                    return self.pow(&root, n);
                }
                let base = self.normalise_fraction(a)?;
                self.function_variable(Opaque::Func2(f), vec![base, exponent], None)
            }
            Func2::Atan2 => {
                let (a, b) = (self.normalise_fraction(a)?, self.normalise_fraction(b)?);
                self.function_variable(Opaque::Func2(f), vec![a, b], None)
            }
        }
    }

    /// The selection of `yes` if `a cmp b` holds, else of `no`.
    pub fn apply_selection(
        &mut self,
        cmp: Cmp,
        a: &Fraction,
        b: &Fraction,
        yes: &Fraction,
        no: &Fraction,
    ) -> EngineResult<Fraction> {
        let difference = self.sub(a, b)?;
        let difference = self.normalise_fraction(&difference)?;
        let (yes, no) = (self.normalise_fraction(yes)?, self.normalise_fraction(no)?);
        if let Some(n) = difference.constant_value() {
            let holds = match cmp {
                Cmp::Lt => n.is_negative(),
                Cmp::Le => n.is_negative() || n.is_zero(),
                Cmp::Eq => n.is_zero(),
            };
            return Ok(if holds { yes } else { no });
        }
        if self.settings.as_written {
            let (a, b) = (self.normalise_fraction(a)?, self.normalise_fraction(b)?);
            return self.function_variable(Opaque::Select(cmp), vec![a, b, yes, no], None);
        }
        let zero = self.constant_fraction(Rational::ZERO);
        self.function_variable(Opaque::Select(cmp), vec![difference, zero, yes, no], None)
    }

    /// Value of a function table for an argument.
    pub fn apply_table(&mut self, table: &SerialTable, a: &Fraction) -> EngineResult<Fraction> {
        let index = self.tables.iter().position(|t| t == table).unwrap_or_else(|| {
            self.tables.push(table.clone());
            self.tables.len() - 1
        });
        self.inexact = true;
        let a = self.normalise_fraction(a)?;
        self.function_variable(Opaque::Table(index), vec![a], None)
    }

    /// The variable of a function without further rules, of arguments in normal form.
    fn function_variable(
        &mut self,
        f: Opaque,
        args: Vec<Fraction>,
        square: Option<Fraction>,
    ) -> EngineResult<Fraction> {
        let mut keys = Vec::with_capacity(args.len());
        for a in &args {
            self.check_depth(a)?;
            keys.push(self.normal_form_key(a)?);
        }
        let key = format!("{}({})", f.function_name(), keys.join(","));
        let args = args.into_iter().map(Rc::new).collect();
        let index =
            self.find_or_add_variable(&key, || (VariableMeaning::Function(f, args), square.map(Rc::new)));
        Ok(self.variable_fraction(index))
    }
}

/// `√n = whole · √∏ primes` for a positive rational, with different, increasing primes; `None` if n
/// is too large to factorise.
pub(super) fn square_free_root(n: &Rational) -> Option<(Rational, Vec<Integer>)> {
    let mut whole = Rational::ONE;
    let mut primes = Vec::new();
    for (part, below) in [(n.numerator(), false), (n.denominator(), true)] {
        for (prime, exponent) in prime_factors(part.clone())? {
            // √(1/p) = √p / p
            let odd = exponent % 2;
            let power = prime.pow(exponent / 2 + if below { odd } else { 0 });
            whole *= &if below { Rational::ratio(1, power) } else { power.into() };
            if odd == 1 {
                primes.push(prime);
            }
        }
    }
    primes.sort_unstable();
    Some((whole, primes))
}

/// Prime factors: small ones by trial division, the rest if it fits in 64 bits.
fn prime_factors(mut n: Integer) -> Option<Vec<(Integer, u32)>> {
    let mut result = Vec::new();
    for p in (2..1000i64).filter(|p| (2..*p).take_while(|d| d * d <= *p).all(|d| p % d != 0)) {
        let prime = Integer::from(p);
        let mut exponent = 0;
        while let Some(quotient) = n.div_exact(&prime) {
            n = quotient;
            exponent += 1;
        }
        if exponent > 0 {
            result.push((prime, exponent));
        }
        if n.is_one() {
            return Some(result);
        }
    }
    n.to_i64()?;
    result.extend(n.prime_factors()?);
    Some(result)
}
