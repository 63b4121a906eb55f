//! Real numbers with 100 decimal digits.
//!
//! Method:  binary floats of one fixed length (`astro-float`), so that every operation has all
//!          digits. Constants such as π are computed once per thread; functions are correctly
//!          rounded, so values do not depend on earlier computations.

use std::cell::RefCell;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub};

use astro_float::{BigFloat, Consts, RoundingMode};
use dqdt_polynomials::{Integer, Rational};

/// Length of the mantissa of a [`Float`] in bits: 100 decimal digits (332 bits) with a margin for
/// rounding.
const BITS: usize = 448;
/// Rounding of all operations: to nearest, ties to even.
const ROUND: RoundingMode = RoundingMode::ToEven;

thread_local! {
    static CONSTANTS: RefCell<Option<Consts>> = RefCell::new(Consts::new().ok());
}

/// Calls a function with the constants of this thread; `None` if they could not be allocated.
fn with_thread_constants<R>(f: impl FnOnce(&mut Consts) -> R) -> Option<R> {
    CONSTANTS.with_borrow_mut(|constants| constants.as_mut().map(f))
}

/// A real number with 100 decimal digits; possibly NaN or infinite. Used to compare sides without
/// an exact decision.
#[derive(Clone, Debug)]
pub(super) struct Float(BigFloat);

impl Float {
    pub fn zero() -> Self {
        Float(BigFloat::from_u32(0, BITS))
    }

    pub fn one() -> Self {
        Float(BigFloat::from_u32(1, BITS))
    }

    pub fn pi() -> Self {
        Float::with_constants(|c| c.pi(BITS, ROUND))
    }

    /// The float nearest to a rational.
    pub fn nearest(r: &Rational) -> Self {
        let (num, den) = (Float::from_integer(r.numerator()), Float::from_integer(r.denominator()));
        if r.is_integer() { num } else { num / &den }
    }

    /// The float nearest to an integer of any size.
    fn from_integer(n: &Integer) -> Self {
        match n.to_i64() {
            Some(n) => Float(BigFloat::from_i64(n, BITS)),
            None => {
                // Digits beyond the length of the float are rounded away.
                let scale = Float(BigFloat::from_u64(1 << 32, BITS));
                let (is_negative, digits) = n.to_digits();
                let size = digits.iter().rev().fold(Float::zero(), |sum, digit| {
                    sum * &scale + &Float(BigFloat::from_u32(*digit, BITS))
                });
                if is_negative { -size } else { size }
            }
        }
    }

    /// False for NaN and infinities.
    pub fn is_finite(&self) -> bool {
        !self.0.is_nan() && !self.0.is_inf()
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// True for numbers below zero.
    pub fn is_negative(&self) -> bool {
        self.0.is_negative() && !self.0.is_zero()
    }

    /// Result of a computation with the constants of this thread; NaN if they could not be
    /// allocated.
    fn with_constants(f: impl FnOnce(&mut Consts) -> BigFloat) -> Self {
        Float(with_thread_constants(f).unwrap_or(astro_float::NAN))
    }

    pub fn sqrt(&self) -> Self {
        Float(self.0.sqrt(BITS, ROUND))
    }

    pub fn sin(&self) -> Self {
        Float::with_constants(|c| self.0.sin(BITS, ROUND, c))
    }

    pub fn cos(&self) -> Self {
        Float::with_constants(|c| self.0.cos(BITS, ROUND, c))
    }

    pub fn asin(&self) -> Self {
        Float::with_constants(|c| self.0.asin(BITS, ROUND, c))
    }

    pub fn acos(&self) -> Self {
        Float::with_constants(|c| self.0.acos(BITS, ROUND, c))
    }

    /// The angle of the point (x, self), in (−π, π]; 0 at the origin.
    pub fn atan2(&self, x: &Float) -> Self {
        let quarter = Float::pi() / &Float(BigFloat::from_u32(2, BITS));
        if x.is_zero() {
            return match (self.is_zero(), self.is_negative()) {
                (true, _) => Float::zero(),
                (_, true) => -quarter,
                _ => quarter,
            };
        }
        let angle = Float::with_constants(|c| (self.clone() / x).0.atan(BITS, ROUND, c));
        match (x.is_negative(), self.is_negative()) {
            (false, _) => angle,
            (true, true) => angle - &Float::pi(),
            (true, false) => angle + &Float::pi(),
        }
    }

    pub fn sinh(&self) -> Self {
        Float::with_constants(|c| self.0.sinh(BITS, ROUND, c))
    }

    pub fn cosh(&self) -> Self {
        Float::with_constants(|c| self.0.cosh(BITS, ROUND, c))
    }

    pub fn tanh(&self) -> Self {
        Float::with_constants(|c| self.0.tanh(BITS, ROUND, c))
    }

    pub fn exp(&self) -> Self {
        Float::with_constants(|c| self.0.exp(BITS, ROUND, c))
    }

    pub fn ln(&self) -> Self {
        Float::with_constants(|c| self.0.ln(BITS, ROUND, c))
    }

    pub fn pow(&self, exponent: &Float) -> Self {
        Float::with_constants(|c| self.0.pow(&exponent.0, BITS, ROUND, c))
    }

    pub fn powi(&self, exponent: usize) -> Self {
        Float(self.0.powi(exponent, BITS, ROUND))
    }

    /// The power 10ⁿ.
    pub fn power_of_ten(exponent: i32) -> Self {
        let ten = Float(BigFloat::from_u32(10, BITS)).powi(exponent.unsigned_abs() as usize);
        if exponent < 0 { Float::one() / &ten } else { ten }
    }

    /// Decimal digits with an exponent: `1.25e-3`.
    pub fn to_decimal(&self) -> String {
        let text = with_thread_constants(|c| self.0.format(astro_float::Radix::Dec, ROUND, c).ok());
        text.flatten().unwrap_or_else(|| "NaN".to_owned())
    }
}

impl Neg for Float {
    type Output = Float;

    fn neg(self) -> Float {
        Float(self.0.neg())
    }
}

macro_rules! operator {
    ($Trait:ident, $method:ident) => {
        impl $Trait<&Float> for Float {
            type Output = Float;

            fn $method(self, other: &Float) -> Float {
                Float(self.0.$method(&other.0, BITS, ROUND))
            }
        }
    };
}
operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl AddAssign<&Float> for Float {
    fn add_assign(&mut self, other: &Float) {
        self.0 = self.0.add(&other.0, BITS, ROUND);
    }
}

impl MulAssign<&Float> for Float {
    fn mul_assign(&mut self, other: &Float) {
        self.0 = self.0.mul(&other.0, BITS, ROUND);
    }
}
