//! Rational numbers of any size.
//!
//! Method:  coprime numerator and positive denominator; the representation is unique.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::integer::Integer;

/// A rational number of any size in lowest terms: a coefficient of a
/// [`Polynomial`](super::Polynomial).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: Integer,
    denominator: Integer,
}

impl Rational {
    /// The rational number 0.
    pub const ZERO: Rational = Rational { numerator: Integer::ZERO, denominator: Integer::ONE };
    /// The rational number 1.
    pub const ONE: Rational = Rational { numerator: Integer::ONE, denominator: Integer::ONE };

    /// The quotient in lowest terms; `None` if the denominator is 0.
    pub fn new(numerator: Integer, denominator: Integer) -> Option<Self> {
        if denominator.is_one() {
            return Some(numerator.into());
        }
        if denominator.is_zero() {
            return None;
        }
        let mut common = numerator.gcd(&denominator);
        if denominator.is_negative() {
            common = -common;
        }
        Some(Rational {
            numerator: numerator.div_exact(&common)?,
            denominator: denominator.div_exact(&common)?,
        })
    }

    /// The quotient of two integers; 0 if the denominator is 0.
    pub fn ratio(numerator: impl Into<Integer>, denominator: impl Into<Integer>) -> Self {
        Rational::new(numerator.into(), denominator.into()).unwrap_or(Rational::ZERO)
    }

    /// The exact value of a double; `None` for infinities and NaN.
    pub fn from_f64(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        let bits = value.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32;
        let fraction = (bits & ((1 << 52) - 1)) as i64;
        let (magnitude, power) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        let numerator = Integer::from(if value < 0.0 { -magnitude } else { magnitude });
        let power_of_two = Integer::from(2i64).pow(power.unsigned_abs());
        match power {
            0.. => Some((&numerator * &power_of_two).into()),
            _ => Rational::new(numerator, power_of_two),
        }
    }

    /// The numerator of the number in lowest terms, with the sign.
    pub fn numerator(&self) -> &Integer {
        &self.numerator
    }

    /// The denominator of the number in lowest terms, positive.
    pub fn denominator(&self) -> &Integer {
        &self.denominator
    }

    /// True for the number 0.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// True for the number 1.
    pub fn is_one(&self) -> bool {
        self.numerator.is_one() && self.denominator.is_one()
    }

    /// True for a number with denominator 1.
    pub fn is_integer(&self) -> bool {
        self.denominator.is_one()
    }

    /// True for a negative number.
    pub fn is_negative(&self) -> bool {
        self.numerator.is_negative()
    }

    /// Absolute value of the number.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The reciprocal `1 / self` of the number; `None` for 0.
    pub fn inverse(&self) -> Option<Self> {
        match self.numerator.signum() {
            0 => None,
            1 => Some(Rational { numerator: self.denominator.clone(), denominator: self.numerator.clone() }),
            _ => Some(Rational { numerator: -&self.denominator, denominator: -&self.numerator }),
        }
    }

    /// The quotient `self / divisor`; `None` for division by 0.
    pub fn checked_div(&self, divisor: &Self) -> Option<Self> {
        Some(self * &divisor.inverse()?)
    }

    /// Integer power `selfⁿ`, exact.
    #[must_use]
    pub fn pow(&self, exponent: u32) -> Self {
        Rational { numerator: self.numerator.pow(exponent), denominator: self.denominator.pow(exponent) }
    }

    /// The largest rational that divides both numbers with integer quotients; `gcd(0, 0) = 0`.
    #[must_use]
    pub fn gcd(&self, other: &Self) -> Self {
        Rational {
            numerator: self.numerator.gcd(&other.numerator),
            denominator: self.denominator.lcm(&other.denominator),
        }
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Self {
        Integer::from(value).into()
    }
}

impl From<Integer> for Rational {
    fn from(value: Integer) -> Self {
        Rational { numerator: value, denominator: Integer::ONE }
    }
}

/// The sum or difference of two rationals; `combine` adds or subtracts integers over a common
/// denominator.
fn combine_fractions(
    a: &Rational,
    b: &Rational,
    combine: impl Fn(&Integer, &Integer) -> Integer,
) -> Rational {
    if a.denominator.is_one() && b.denominator.is_one() {
        return combine(&a.numerator, &b.numerator).into();
    }
    if a.denominator == b.denominator {
        let sum = combine(&a.numerator, &b.numerator);
        return reduce_fraction(sum, a.denominator.clone());
    }
    let sum = combine(&(&a.numerator * &b.denominator), &(&b.numerator * &a.denominator));
    reduce_fraction(sum, &a.denominator * &b.denominator)
}

/// Reduces to lowest terms; the denominator must be positive.
fn reduce_fraction(numerator: Integer, denominator: Integer) -> Rational {
    let common = numerator.gcd(&denominator);
    if common.is_one() {
        return Rational { numerator, denominator };
    }
    let exact = |a: &Integer| a.div_exact(&common).unwrap_or(Integer::ZERO);
    Rational { numerator: exact(&numerator), denominator: exact(&denominator) }
}

impl Add<&Rational> for &Rational {
    type Output = Rational;

    fn add(self, other: &Rational) -> Rational {
        combine_fractions(self, other, |a, b| a + b)
    }
}

impl Sub<&Rational> for &Rational {
    type Output = Rational;

    fn sub(self, other: &Rational) -> Rational {
        combine_fractions(self, other, |a, b| a - b)
    }
}

impl Mul<&Rational> for &Rational {
    type Output = Rational;

    fn mul(self, other: &Rational) -> Rational {
        let numerator = &self.numerator * &other.numerator;
        if self.denominator.is_one() && other.denominator.is_one() {
            return numerator.into();
        }
        reduce_fraction(numerator, &self.denominator * &other.denominator)
    }
}

impl Neg for &Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        Rational { numerator: -&self.numerator, denominator: self.denominator.clone() }
    }
}

impl Neg for Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        Rational { numerator: -self.numerator, denominator: self.denominator }
    }
}

macro_rules! by_value {
    ($Trait:ident, $method:ident, $Assign:ident, $assign:ident) => {
        impl $Trait for Rational {
            type Output = Rational;

            fn $method(self, other: Rational) -> Rational {
                (&self).$method(&other)
            }
        }

        impl $Assign<&Rational> for Rational {
            fn $assign(&mut self, other: &Rational) {
                if self.denominator.is_one() && other.denominator.is_one() {
                    self.numerator.$assign(&other.numerator);
                } else {
                    *self = (&*self).$method(other);
                }
            }
        }
    };
}
by_value!(Add, add, AddAssign, add_assign);
by_value!(Sub, sub, SubAssign, sub_assign);
by_value!(Mul, mul, MulAssign, mul_assign);

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_integer() {
            return self.numerator.fmt(f);
        }
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
