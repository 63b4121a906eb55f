//! Square roots and functions that algebra does not know.
//!
//! Problem: equal functions of equal arguments must be one variable, and roots must obey their squares.
//! Method:  radicands of numbers are taken apart into primes, each root of a prime a generator; other radicands give
//!          up their rational factor and become a generator keyed by their normal form. Functions are keyed by the
//!          normal forms of their arguments, odd and even ones after choosing one sign.
//! Limits:  `√(x²)` stays a root, not `|x|`: a difference with such roots is never called a refutation.

use std::rc::Rc;

use symbolica::domains::integer::Integer;
use symbolica::domains::rational::Rational;

use super::engine::{Engine, Exact, Meaning, Opaque, Poly};
use super::error::Reason;
use super::fraction::Fraction;
use super::plain::PlainTable;
use crate::algebra::{Cmp, Func, Func2};

impl Engine {
    /// `√a`.
    pub fn sqrt(&mut self, a: &Fraction) -> Exact<Fraction> {
        let a = self.normalized(a)?;
        if let Some(n) = a.as_number() {
            return self.root_of_number(&n);
        }
        let content = content(&a.num);
        let primitive = self.scale(&a, content.inv());
        let root = self.root_of_number(&content)?;
        let key = format!("sqrt({})", self.key(&primitive)?);
        let square = Rc::new(primitive);
        let index = self.variable(&key, || (Meaning::Root(Rc::clone(&square)), Some(Rc::clone(&square))));
        let variable = self.of_variable(index);
        self.mul(&root, &variable)
    }

    /// The root of a rational number, by the primes of its radicand.
    pub fn root_of_number(&mut self, n: &Rational) -> Exact<Fraction> {
        if n.is_negative() {
            return Err(Reason::NotFinite.into());
        }
        if n.is_zero() {
            return Ok(self.number(Rational::zero()));
        }
        // √(n/d) = √(n d) / d
        let mut whole = Rational::from(n.denominator_ref().clone()).inv();
        let radicand = n.numerator_ref() * n.denominator_ref();
        let mut primes = Vec::new();
        for (prime, exponent) in if radicand.is_one() { Vec::new() } else { radicand.factor() } {
            let exponent = exponent.to_i64().ok_or(Reason::Degree)?;
            whole = whole * Rational::from(prime.pow(exponent.unsigned_abs() / 2));
            if exponent % 2 == 1 {
                primes.push(prime);
            }
        }
        primes.sort_unstable();
        let mut result = self.number(whole);
        for prime in primes {
            let root = self.root_of_prime(prime);
            result = self.mul(&result, &root)?;
        }
        Ok(result)
    }

    fn root_of_prime(&mut self, prime: Integer) -> Fraction {
        let value = Rational::from(prime);
        let square = Rc::new(self.number(value.clone()));
        let index = self.variable(&format!("sqrt({value})"), || (Meaning::Prime(value), Some(square)));
        self.of_variable(index)
    }

    /// A function of one argument, the tangent included.
    pub fn func(&mut self, f: Func, a: &Fraction) -> Exact<Fraction> {
        if f == Func::Tan {
            let (s, c) = self.sin_cos(a)?;
            return self.div(&s, &c);
        }
        let a = self.normalized(a)?;
        if let Some(n) = a.as_number()
            && let Some(value) = self.func_of_number(f, &n)
        {
            return Ok(value);
        }
        let odd = matches!(f, Func::Asin | Func::Atan | Func::Sinh | Func::Tanh | Func::Sign);
        let even = matches!(f, Func::Cosh | Func::Abs);
        let flip = (odd || even) && a.num.lcoeff().is_negative();
        let a = if flip { self.neg(&a) } else { a };
        let value = match f {
            Func::Cosh => {
                // cosh² = 1 + sinh²
                let sinh = self.opaque(Opaque::Func(Func::Sinh), vec![a.clone()], None)?;
                let square = self.mul(&sinh, &sinh)?;
                let one = self.number(Rational::one());
                let square = self.add(&one, &square)?;
                self.opaque(Opaque::Func(f), vec![a], Some(square))?
            }
            Func::Abs => {
                let square = self.mul(&a, &a)?;
                self.opaque(Opaque::Func(f), vec![a], Some(square))?
            }
            _ => self.opaque(Opaque::Func(f), vec![a], None)?,
        };
        Ok(if flip && odd { self.neg(&value) } else { value })
    }

    fn func_of_number(&self, f: Func, n: &Rational) -> Option<Fraction> {
        let sign = || Rational::from(i64::from(!n.is_zero()) - 2 * i64::from(n.is_negative()));
        let value = match f {
            Func::Abs => n.abs(),
            Func::Sign => sign(),
            Func::Exp | Func::Cosh if n.is_zero() => Rational::one(),
            Func::Ln if n.is_one() => Rational::zero(),
            Func::Asin | Func::Atan | Func::Sinh | Func::Tanh if n.is_zero() => Rational::zero(),
            _ => return None,
        };
        Some(self.number(value))
    }

    /// A function of two arguments.
    pub fn func2(&mut self, f: Func2, a: &Fraction, b: &Fraction) -> Exact<Fraction> {
        match f {
            Func2::Min | Func2::Max => {
                // max = (a + b + |a − b|) / 2
                let sum = self.add(a, b)?;
                let gap = self.sub(a, b)?;
                let gap = self.func(Func::Abs, &gap)?;
                let twice = if f == Func2::Max { self.add(&sum, &gap)? } else { self.sub(&sum, &gap)? };
                Ok(self.scale(&twice, Rational::from((1, 2))))
            }
            Func2::Pow => {
                let exponent = self.normalized(b)?;
                let halves = exponent.as_number().map(|n| n * Rational::from(2));
                if let Some(n) = halves.filter(Rational::is_integer).and_then(|n| n.numerator_ref().to_i64())
                {
                    if n % 2 == 0 {
                        return self.pow(a, n / 2);
                    }
                    let root = self.sqrt(a)?;
                    return self.pow(&root, n);
                }
                let base = self.normalized(a)?;
                self.opaque(Opaque::Func2(f), vec![base, exponent], None)
            }
            Func2::Atan2 => {
                let (a, b) = (self.normalized(a)?, self.normalized(b)?);
                self.opaque(Opaque::Func2(f), vec![a, b], None)
            }
        }
    }

    /// `yes` where `a cmp b`, else `no`.
    pub fn select(
        &mut self,
        cmp: Cmp,
        a: &Fraction,
        b: &Fraction,
        yes: &Fraction,
        no: &Fraction,
    ) -> Exact<Fraction> {
        let gap = self.sub(a, b)?;
        let gap = self.normalized(&gap)?;
        let (yes, no) = (self.normalized(yes)?, self.normalized(no)?);
        if let Some(n) = gap.as_number() {
            let holds = match cmp {
                Cmp::Lt => n.is_negative(),
                Cmp::Le => n.is_negative() || n.is_zero(),
                Cmp::Eq => n.is_zero(),
            };
            return Ok(if holds { yes } else { no });
        }
        let zero = self.number(Rational::zero());
        self.opaque(Opaque::Select(cmp), vec![gap, zero, yes, no], None)
    }

    /// The value of a table.
    pub fn table(&mut self, table: &PlainTable, a: &Fraction) -> Exact<Fraction> {
        let index = self.tables.iter().position(|t| t == table).unwrap_or_else(|| {
            self.tables.push(table.clone());
            self.tables.len() - 1
        });
        self.inexact = true;
        let a = self.normalized(a)?;
        self.opaque(Opaque::Table(index), vec![a], None)
    }

    /// The variable of a function of normal forms.
    fn opaque(&mut self, f: Opaque, args: Vec<Fraction>, square: Option<Fraction>) -> Exact<Fraction> {
        let mut keys = Vec::with_capacity(args.len());
        for a in &args {
            keys.push(self.key(a)?);
        }
        let key = format!("{}({})", f.name(), keys.join(","));
        let args = args.into_iter().map(Rc::new).collect();
        let index = self.variable(&key, || (Meaning::Function(f, args), square.map(Rc::new)));
        Ok(self.of_variable(index))
    }
}

/// The positive rational that makes all coefficients whole and coprime when divided out.
pub(super) fn content(poly: &Poly) -> Rational {
    let mut result: Option<Rational> = None;
    for c in &poly.coefficients {
        result = Some(match result {
            None => c.abs(),
            Some(r) => {
                let num = r.numerator_ref().gcd(c.numerator_ref());
                let den = r.denominator_ref().lcm(c.denominator_ref());
                Rational::from((num, den)).abs()
            }
        });
    }
    result.filter(|c| !c.is_zero()).unwrap_or_else(Rational::one)
}
