//! Exact constants: rationals and rational multiples of π.
//!
//! Other constants (√2, the cosine of an angle without an exact value, a product beyond 512 bits)
//! are not numbers but operations on numbers: the graph keeps them unevaluated, so nothing is
//! rounded before emission.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::Ratio;
use super::wide::{self, Wide};

/// A constant of the operation graph: exact, or a double of inexact origin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Number {
    /// An exact constant: a rational of 64-bit numerator and denominator.
    Rational(Ratio),
    /// An exact constant: a rational that does not fit in 64 bits over 64 bits.
    Wide(Wide),
    /// An exact constant: a nonzero rational multiple of π; contains the factor.
    Pi(#[serde(deserialize_with = "nonzero")] Ratio),
    /// The bits of a double from a source without exact values (a solver, a mesh).
    Float(u64),
}

/// Deserialises a nonzero ratio: the factor of a multiple of π.
fn nonzero<'de, D: Deserializer<'de>>(d: D) -> Result<Ratio, D::Error> {
    let ratio = Ratio::deserialize(d)?;
    if ratio == Ratio::ZERO {
        Err(de::Error::custom("the factor of a multiple of pi must not be zero"))
    } else {
        Ok(ratio)
    }
}

impl Number {
    /// The exact constant 0.
    pub const ZERO: Number = Number::Rational(Ratio::ZERO);
    /// The exact constant 1.
    pub const ONE: Number = Number::Rational(Ratio::ONE);

    /// The integer `n` as an exact constant.
    pub const fn integer(n: i64) -> Self {
        Number::Rational(Ratio::integer(n))
    }

    /// The rational `num / den`; `None` if `den` is zero or the reduced value does not fit.
    pub fn ratio(num: i64, den: i64) -> Option<Self> {
        Ratio::new(num as i128, den as i128).map(Number::Rational)
    }

    /// The multiple of π by `factor` as an exact constant.
    pub fn pi(factor: Ratio) -> Self {
        if factor.is_zero() { Number::ZERO } else { Number::Pi(factor) }
    }

    /// A double of inexact origin; one with an integral value below 9e15 becomes an exact integer.
    pub fn float(x: f64) -> Self {
        if x == x.trunc() && x.abs() < 9e15 { Number::integer(x as i64) } else { Number::Float(x.to_bits()) }
    }

    /// The value as a [`Ratio`]; `None` for longer rationals, multiples of π and doubles.
    pub fn as_ratio(self) -> Option<Ratio> {
        match self {
            Number::Rational(r) => Some(r),
            Number::Wide(_) | Number::Pi(_) | Number::Float(_) => None,
        }
    }

    /// The absolute value of a rational; a multiple of π or a double keeps its sign.
    pub fn magnitude(self) -> Self {
        self.checked_neg().filter(|_| self.is_negative()).unwrap_or(self)
    }

    /// True for the exact constant zero.
    pub fn is_zero(self) -> bool {
        self == Number::ZERO
    }

    /// True for the exact constant one.
    pub fn is_one(self) -> bool {
        self == Number::ONE
    }

    /// False for a double of inexact origin, true for rationals and multiples of π.
    pub fn is_exact(self) -> bool {
        !matches!(self, Number::Float(_))
    }

    /// The nearest double; for a multiple of π within one unit in the last place.
    pub fn to_f64(self) -> f64 {
        match self {
            Number::Rational(r) => r.to_f64(),
            Number::Wide(w) => w.to_f64(),
            Number::Pi(r) => r.num() as f64 * std::f64::consts::PI / r.den() as f64,
            Number::Float(bits) => f64::from_bits(bits),
        }
    }

    /// Exact sum; `None` if it has no representation, as 1 + π or a result beyond 512 bits.
    pub fn checked_add(self, o: Self) -> Option<Self> {
        match (self, o) {
            (Number::Rational(a), Number::Rational(b)) => {
                a.checked_add(b).map(Number::Rational).or_else(|| wide::cached_sum(self, o))
            }
            (Number::Pi(a), Number::Pi(b)) => a.checked_add(b).map(Number::pi),
            (a, b) if a.is_zero() => Some(b),
            (a, b) if b.is_zero() => Some(a),
            (a, b) => wide::cached_sum(a, b),
        }
    }

    /// Exact negative; `None` if it has no representation.
    pub fn checked_neg(self) -> Option<Self> {
        match self {
            Number::Rational(a) => a.checked_neg().map(Number::Rational).or_else(|| wide::negate(self)),
            Number::Wide(_) => wide::negate(self),
            Number::Pi(a) => a.checked_neg().map(Number::Pi),
            Number::Float(bits) => Some(Number::Float((-f64::from_bits(bits)).to_bits())),
        }
    }

    /// Exact product; `None` if it has no representation, as π² or a result beyond 512 bits.
    pub fn checked_mul(self, o: Self) -> Option<Self> {
        match (self, o) {
            (Number::Rational(a), Number::Rational(b)) => {
                a.checked_mul(b).map(Number::Rational).or_else(|| wide::cached_product(self, o))
            }
            (Number::Rational(a), Number::Pi(b)) | (Number::Pi(b), Number::Rational(a)) => {
                a.checked_mul(b).map(Number::pi)
            }
            (a, b) if a.is_zero() || b.is_zero() => Some(Number::ZERO),
            (a, b) if a.is_one() => Some(b),
            (a, b) if b.is_one() => Some(a),
            (a, b) => wide::cached_product(a, b),
        }
    }

    /// Exact quotient; `None` if it has no representation, or the divisor is zero.
    pub fn checked_div(self, o: Self) -> Option<Self> {
        match (self, o) {
            (Number::Rational(a), Number::Rational(b)) => {
                a.checked_div(b).map(Number::Rational).or_else(|| wide::cached_quotient(self, o))
            }
            (Number::Pi(a), Number::Rational(b)) => a.checked_div(b).map(Number::pi),
            (Number::Pi(a), Number::Pi(b)) => a.checked_div(b).map(Number::Rational),
            (a, b) if b.is_one() => Some(a),
            (a, b) => wide::cached_quotient(a, b),
        }
    }

    /// Order of two rationals, by which folding decides selections; `None` for other constants.
    pub fn compare(self, o: Self) -> Option<Ordering> {
        match (self, o) {
            (Number::Rational(a), Number::Rational(b)) => Some(a.cmp(&b)),
            (a, b) => wide::compare(a, b),
        }
    }

    /// True for a negative rational; always false for multiples of π and doubles.
    pub fn is_negative(self) -> bool {
        match self {
            Number::Rational(r) => r.num() < 0,
            Number::Wide(w) => w.is_negative(),
            Number::Pi(_) | Number::Float(_) => false,
        }
    }

    /// The exact square root, if the number is a rational whose root is rational.
    pub fn exact_sqrt(self) -> Option<Self> {
        match self {
            Number::Rational(r) => r.exact_sqrt().map(Number::Rational),
            other => wide::exact_sqrt(other),
        }
    }

    /// Parses a decimal literal (`12`, `0.3`, `1e-7`) exactly. `None` if the text is not one, or
    /// has more than about 150 digits written out.
    pub fn parse_decimal(text: &str) -> Option<Self> {
        Ratio::parse_decimal(text).map(Number::Rational).or_else(|| wide::parse_decimal(text))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Rational(r) => r.fmt(f),
            Number::Wide(w) => w.fmt(f),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_survives_serialisation_and_impossible_ones_are_errors() {
        let third = Ratio::new(-1, 3).unwrap();
        let long = read("0.1234567890123456789012345678901234567890123456789");
        assert!(matches!(long, Number::Wide(_)));
        for n in
            [Number::ZERO, Number::Rational(third), long, Number::Pi(third), Number::Float(0.1f64.to_bits())]
        {
            let text = serde_json::to_string(&n).unwrap();
            assert_eq!(serde_json::from_str::<Number>(&text).unwrap(), n, "{text}");
        }
        let smallest = i64::MIN;
        for text in [
            "{\"Rational\":[1,0]}",
            &format!("{{\"Rational\":[{smallest},-1]}}"),
            "{\"Pi\":[0,1]}",
            "{\"Pi\":[1,0]}",
            "{\"Wide\":\"1/3\"}",
            "{\"Wide\":\"1/0\"}",
        ] {
            assert!(serde_json::from_str::<Number>(text).is_err(), "{text}");
        }
        // Not in lowest terms, and with the sign below.
        assert_eq!(serde_json::from_str::<Number>("{\"Rational\":[2,-6]}").unwrap(), Number::Rational(third));
    }

    fn read(text: &str) -> Number {
        Number::parse_decimal(text).unwrap()
    }

    #[test]
    fn seventeen_digits_and_exponents_within_forty_are_exact() {
        // The exact number converts to the same double as the text.
        for text in [
            "0.0003948922971191777",
            "-1.2345678901234567e-40",
            "9.8765432109876543e40",
            "0.21849982996567513",
            "12345678901234567890123456789",
        ] {
            let n = read(text);
            assert!(n.is_exact(), "{text}");
            assert_eq!(n.to_f64(), text.parse::<f64>().unwrap(), "{text}");
        }
    }

    #[test]
    fn products_beyond_64_bits_are_exact_and_come_back() {
        let (a, b) = (read("0.0003948922971191777"), read("-16.843508758000002"));
        let product = a.checked_mul(b).unwrap();
        assert_eq!(product.checked_div(b), Some(a));
        assert_eq!(product.checked_add(product.checked_neg().unwrap()), Some(Number::ZERO));
        assert_eq!(product.checked_mul(product).unwrap().exact_sqrt(), product.checked_neg());
        assert!(product.is_negative() && a.compare(b) == Some(Ordering::Greater));
        // 1/3 of 3 · 2^70 is 2^70: the quotient of two long numbers may be short.
        let long = Number::integer(1 << 62).checked_mul(Number::integer(3 << 40)).unwrap();
        assert_eq!(long.checked_div(Number::integer(3 << 40)), Some(Number::integer(1 << 62)));
    }

    #[test]
    fn what_outgrows_the_limit_is_refused_not_rounded() {
        let mut x = read("1.0000000000000001");
        let grown = (0..12).find(|_| match x.checked_mul(x) {
            Some(square) => {
                x = square;
                false
            }
            None => true,
        });
        assert!(grown.is_some_and(|n| n >= 3), "{grown:?}");
        assert_eq!(Number::parse_decimal(&format!("0.{}1", "0".repeat(300))), None);
    }

    #[test]
    fn a_wide_number_is_rounded_once_and_to_nearest() {
        // Half-way between two doubles, and slightly above: rounds to even, and up.
        let half = read("9007199254740993");
        let above = read("9007199254740993.000000000000000000000000000001");
        assert_eq!((half.to_f64(), above.to_f64()), (9007199254740992.0, 9007199254740994.0));
    }
}
