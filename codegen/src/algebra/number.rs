//! Exact constants: a rational, or a rational multiple of π.
//!
//! Other constants (√2, the cosine of an angle that has no exact value, a product that outgrows 64 bits) are not
//! numbers but operations on numbers: the graph keeps them unevaluated, so nothing is rounded before emission.

use std::fmt;

use super::Ratio;

/// An exact constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Number {
    /// A rational.
    Rational(Ratio),
    /// A rational multiple of π, never zero.
    Pi(Ratio),
    /// A double from a source that had no exact value (a solver, a mesh); the bits.
    Float(u64),
}

impl Number {
    /// Zero.
    pub const ZERO: Number = Number::Rational(Ratio::ZERO);
    /// One.
    pub const ONE: Number = Number::Rational(Ratio::ONE);

    /// An integer.
    pub const fn integer(n: i64) -> Self {
        Number::Rational(Ratio::integer(n))
    }

    /// A rational `num / den`; `None` if `den` is zero or it does not fit.
    pub fn ratio(num: i64, den: i64) -> Option<Self> {
        Ratio::new(num as i128, den as i128).map(Number::Rational)
    }

    /// A multiple of π.
    pub fn pi(factor: Ratio) -> Self {
        if factor.is_zero() { Number::ZERO } else { Number::Pi(factor) }
    }

    /// A double of inexact origin. Whole doubles become exact.
    pub fn float(x: f64) -> Self {
        if x == x.trunc() && x.abs() < 9e15 { Number::integer(x as i64) } else { Number::Float(x.to_bits()) }
    }

    /// The rational, if it is one.
    pub fn as_ratio(self) -> Option<Ratio> {
        match self {
            Number::Rational(r) => Some(r),
            Number::Pi(_) | Number::Float(_) => None,
        }
    }

    /// True for exact zero.
    pub fn is_zero(self) -> bool {
        self == Number::ZERO
    }

    /// True for exact one.
    pub fn is_one(self) -> bool {
        self == Number::ONE
    }

    /// False for a double of inexact origin.
    pub fn is_exact(self) -> bool {
        !matches!(self, Number::Float(_))
    }

    /// The nearest double (for multiples of π: within one unit in the last place).
    pub fn to_f64(self) -> f64 {
        match self {
            Number::Rational(r) => r.to_f64(),
            Number::Pi(r) => r.num() as f64 * std::f64::consts::PI / r.den() as f64,
            Number::Float(bits) => f64::from_bits(bits),
        }
    }

    /// Exact sum, if there is one.
    pub fn checked_add(self, o: Self) -> Option<Self> {
        match (self, o) {
            (Number::Rational(a), Number::Rational(b)) => a.checked_add(b).map(Number::Rational),
            (Number::Pi(a), Number::Pi(b)) => a.checked_add(b).map(Number::pi),
            (a, b) if a.is_zero() => Some(b),
            (a, b) if b.is_zero() => Some(a),
            _ => None,
        }
    }

    /// Exact opposite, if it fits.
    pub fn checked_neg(self) -> Option<Self> {
        match self {
            Number::Rational(a) => a.checked_neg().map(Number::Rational),
            Number::Pi(a) => a.checked_neg().map(Number::Pi),
            Number::Float(bits) => Some(Number::Float((-f64::from_bits(bits)).to_bits())),
        }
    }

    /// Exact product, if there is one.
    pub fn checked_mul(self, o: Self) -> Option<Self> {
        match (self, o) {
            (Number::Rational(a), Number::Rational(b)) => a.checked_mul(b).map(Number::Rational),
            (Number::Rational(a), Number::Pi(b)) | (Number::Pi(b), Number::Rational(a)) => {
                a.checked_mul(b).map(Number::pi)
            }
            (a, b) if a.is_zero() || b.is_zero() => Some(Number::ZERO),
            (a, b) if a.is_one() => Some(b),
            (a, b) if b.is_one() => Some(a),
            _ => None,
        }
    }

    /// Exact quotient, if there is one.
    pub fn checked_div(self, o: Self) -> Option<Self> {
        match (self, o) {
            (Number::Rational(a), Number::Rational(b)) => a.checked_div(b).map(Number::Rational),
            (Number::Pi(a), Number::Rational(b)) => a.checked_div(b).map(Number::pi),
            (Number::Pi(a), Number::Pi(b)) => a.checked_div(b).map(Number::Rational),
            (a, b) if b.is_one() => Some(a),
            _ => None,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Rational(r) => r.fmt(f),
            Number::Pi(r) => match (r.num(), r.den()) {
                (1, 1) => write!(f, "pi"),
                (-1, 1) => write!(f, "-pi"),
                (n, 1) => write!(f, "{n}*pi"),
                (1, d) => write!(f, "pi/{d}"),
                (-1, d) => write!(f, "-pi/{d}"),
                (n, d) => write!(f, "{n}*pi/{d}"),
            },
            Number::Float(bits) => f64::from_bits(*bits).fmt(f),
        }
    }
}
