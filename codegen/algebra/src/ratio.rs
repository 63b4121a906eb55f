//! Exact rationals with 64-bit numerator and denominator.
//!
//! Every operation is checked: `None` means that the exact result does not fit, and the caller
//! keeps the operation unevaluated. No operation rounds.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::decimal::Decimal;

/// An exact rational `num / den` in lowest terms, `den > 0`, of 64-bit integers; the constants of
/// formulas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ratio {
    num: i64,
    den: i64,
}

/// Greatest common divisor by Euclid's algorithm, in 64 bits where both numbers fit; reduces ratios
/// to lowest terms.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    if let (Ok(mut a), Ok(mut b)) = (u64::try_from(a), u64::try_from(b)) {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        return a.into();
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

// Serialised as a pair of numerator and denominator.
impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        (self.num, self.den).serialize(s)
    }
}

impl<'de> Deserialize<'de> for Ratio {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let (num, den) = <(i64, i64)>::deserialize(d)?;
        Ratio::new(num.into(), den.into()).ok_or_else(|| {
            de::Error::custom("expected a ratio of two 64-bit integers with a nonzero denominator")
        })
    }
}

impl Ratio {
    /// The exact rational 0.
    pub const ZERO: Ratio = Ratio { num: 0, den: 1 };
    /// The exact rational 1.
    pub const ONE: Ratio = Ratio { num: 1, den: 1 };

    /// `num / den` in lowest terms. `None` if `den` is zero or the reduced value does not fit.
    pub fn new(num: i128, den: i128) -> Option<Self> {
        if den == 0 {
            return None;
        }
        let g = gcd(num.unsigned_abs(), den.unsigned_abs()) as i128;
        let sign = if den < 0 { -1 } else { 1 };
        Some(Ratio { num: i64::try_from(sign * num / g).ok()?, den: i64::try_from(sign * den / g).ok()? })
    }

    /// The integer `n` as a ratio with denominator 1.
    pub const fn integer(n: i64) -> Self {
        Ratio { num: n, den: 1 }
    }

    /// The numerator of the rational, with the sign.
    pub fn num(self) -> i64 {
        self.num
    }

    /// The denominator of the rational, positive.
    pub fn den(self) -> i64 {
        self.den
    }

    /// True for the rational 0.
    pub fn is_zero(self) -> bool {
        self.num == 0
    }

    /// True for the rational 1.
    pub fn is_one(self) -> bool {
        self.num == 1 && self.den == 1
    }

    /// True for a rational with denominator 1.
    pub fn is_integer(self) -> bool {
        self.den == 1
    }

    /// Exact sum; `None` if numerator or denominator does not fit in 64 bits.
    pub fn checked_add(self, o: Self) -> Option<Self> {
        // Most ratios are integers, and need no division.
        if self.den == 1 && o.den == 1 {
            return self.num.checked_add(o.num).map(Ratio::integer);
        }
        let (a, b, c, d) = (self.num as i128, self.den as i128, o.num as i128, o.den as i128);
        Ratio::new(a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?, b.checked_mul(d)?)
    }

    /// Exact difference; `None` if numerator or denominator does not fit in 64 bits.
    pub fn checked_sub(self, o: Self) -> Option<Self> {
        self.checked_add(o.checked_neg()?)
    }

    /// Exact product; `None` if numerator or denominator does not fit in 64 bits.
    pub fn checked_mul(self, o: Self) -> Option<Self> {
        if self.den == 1 && o.den == 1 {
            return self.num.checked_mul(o.num).map(Ratio::integer);
        }
        Ratio::new(self.num as i128 * o.num as i128, self.den as i128 * o.den as i128)
    }

    /// Exact quotient; `None` if it does not fit in 64 bits, or `o` is zero.
    pub fn checked_div(self, o: Self) -> Option<Self> {
        Ratio::new(self.num as i128 * o.den as i128, self.den as i128 * o.num as i128)
    }

    /// Exact negative; `None` for the numerator `i64::MIN`.
    pub fn checked_neg(self) -> Option<Self> {
        Some(Ratio { num: self.num.checked_neg()?, den: self.den })
    }

    /// The exact square root, if the ratio is not negative and its root is rational.
    pub fn exact_sqrt(self) -> Option<Self> {
        if self.num < 0 {
            return None;
        }
        Some(Ratio { num: exact_integer_root(self.num)?, den: exact_integer_root(self.den)? })
    }

    /// The nearest double, rounded once.
    pub fn to_f64(self) -> f64 {
        let exact = 1i64 << 53;
        if self.num.abs() <= exact && self.den <= exact {
            return self.num as f64 / self.den as f64;
        }
        // Both integers exactly representable give one rounding; otherwise divide in 128 bits
        // first.
        let (n, d) = (self.num.unsigned_abs() as u128, self.den as u128);
        let mut shift = 0i32;
        let mut scaled = n;
        while scaled.leading_zeros() > 1 {
            scaled <<= 1;
            shift += 1;
        }
        let quotient = scaled / d;
        let sticky = u128::from(scaled % d != 0);
        let magnitude = ((quotient << 1) | sticky) as f64 * 2f64.powi(-shift - 1);
        if self.num < 0 { -magnitude } else { magnitude }
    }

    /// Parses a decimal literal (`12`, `0.3`, `1e-7`) exactly. `None` if the text is not one, or
    /// the value does not fit.
    pub fn parse_decimal(text: &str) -> Option<Self> {
        let Decimal { negative, digits, scale } = Decimal::parse(text)?;
        let mut num: i128 = 0;
        for digit in digits {
            num = num.checked_mul(10)?.checked_add(i128::from(digit))?;
        }
        if num == 0 {
            return Some(Ratio::ZERO);
        }
        let power = 10i128.checked_pow(scale.unsigned_abs())?;
        let num = if negative { -num } else { num };
        if scale >= 0 { Ratio::new(num.checked_mul(power)?, 1) } else { Ratio::new(num, power) }
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

impl Ord for Ratio {
    fn cmp(&self, o: &Self) -> Ordering {
        (self.num as i128 * o.den as i128).cmp(&(o.num as i128 * self.den as i128))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == 1 { write!(f, "{}", self.num) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}

/// Square root of a non-negative integer, if it is an integer.
fn exact_integer_root(n: i64) -> Option<i64> {
    let root = n.isqrt();
    (root * root == n).then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_exactly() {
        assert_eq!(Ratio::parse_decimal("9.807"), Ratio::new(9807, 1000));
        assert_eq!(Ratio::parse_decimal("-1e-3"), Ratio::new(-1, 1000));
        assert_eq!(Ratio::parse_decimal("1_000.50"), Ratio::new(2001, 2));
        assert_eq!(Ratio::parse_decimal("0.5_0_1"), Ratio::new(501, 1000));
        assert_eq!(Ratio::parse_decimal("0.0"), Some(Ratio::ZERO));
        for bad in ["", ".", "e5", "1e", "x", "1e400", "--1"] {
            assert_eq!(Ratio::parse_decimal(bad), None, "{bad}");
        }
    }

    #[test]
    fn large_ratios_round_to_the_nearest_double() {
        let r = Ratio::new(i64::MAX as i128, 3).unwrap();
        assert_eq!(r.to_f64(), 3074457345618258602.3333);
        assert_eq!(Ratio::new(1, i64::MAX as i128).unwrap().to_f64(), 1.0842021724855044e-19);
        assert_eq!(Ratio::new(-i64::MAX as i128, 7).unwrap().to_f64(), -1317624576693539401.0);
    }

    #[test]
    fn overflow_is_refused_not_rounded() {
        let big = Ratio::integer(i64::MAX);
        assert_eq!(big.checked_mul(big), None);
        assert_eq!(big.checked_add(Ratio::ONE), None);
        assert_eq!(Ratio::ONE.checked_div(Ratio::ZERO), None);
    }
}
