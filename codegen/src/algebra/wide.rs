//! Exact rationals that do not fit in 64 bits over 64 bits.
//!
//! Constants are copied about like doubles, so the digits of a long one are kept once, for as long as the process lives: a
//! run meets some thousands of them at most.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;

use super::decimal::Decimal;
use super::{Number, Ratio};

/// Numerator and denominator have at most this many bits: a product of eight numbers of 17 digits. Beyond that a result
/// stays an operation on numbers.
const BITS: u64 = 512;
/// Longer texts are not read as exact numbers.
const DIGITS: usize = 160;

/// In lowest terms, the denominator positive.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Fraction {
    num: BigInt,
    den: BigInt,
}

/// A rational that [`Ratio`] cannot hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wide(&'static Fraction);

static KNOWN: Mutex<Option<BTreeSet<&'static Fraction>>> = Mutex::new(None);

fn kept(fraction: Fraction) -> &'static Fraction {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(old) = known.get(&fraction) {
        return old;
    }
    let new: &'static Fraction = Box::leak(Box::new(fraction));
    known.insert(new);
    new
}

/// The greatest common divisor; where 128 bits hold both, by their arithmetic, which is many times faster.
fn common(a: &BigInt, b: &BigInt) -> BigInt {
    match (u128::try_from(a.magnitude()), u128::try_from(b.magnitude())) {
        (Ok(a), Ok(b)) => a.gcd(&b).into(),
        _ => a.gcd(b),
    }
}

/// `num / den` in its narrowest form; `None` if `den` is zero or it is too long.
fn number(num: BigInt, den: BigInt) -> Option<Number> {
    if den.sign() == Sign::NoSign {
        return None;
    }
    let divisor = common(&num, &den);
    let divisor = if den.sign() == Sign::Minus { -divisor } else { divisor };
    let (num, den) = (num / &divisor, den / &divisor);
    if let (Ok(n), Ok(d)) = (i64::try_from(&num), i64::try_from(&den)) {
        return Ratio::new(i128::from(n), i128::from(d)).map(Number::Rational);
    }
    (num.bits() <= BITS && den.bits() <= BITS).then(|| Number::Wide(Wide(kept(Fraction { num, den }))))
}

/// Numerator and denominator of a rational.
fn parts(n: Number) -> Option<(BigInt, BigInt)> {
    match n {
        Number::Rational(r) => Some((r.num().into(), r.den().into())),
        Number::Wide(w) => Some((w.0.num.clone(), w.0.den.clone())),
        Number::Pi(_) | Number::Float(_) => None,
    }
}

pub(super) fn sum(a: Number, b: Number) -> Option<Number> {
    let ((a, b), (c, d)) = (parts(a)?, parts(b)?);
    number(a * &d + c * &b, b * d)
}

pub(super) fn product(a: Number, b: Number) -> Option<Number> {
    let ((a, b), (c, d)) = (parts(a)?, parts(b)?);
    number(a * c, b * d)
}

pub(super) fn quotient(a: Number, b: Number) -> Option<Number> {
    let ((a, b), (c, d)) = (parts(a)?, parts(b)?);
    number(a * d, b * c)
}

pub(super) fn opposite(a: Number) -> Option<Number> {
    let (num, den) = parts(a)?;
    number(-num, den)
}

pub(super) fn compare(a: Number, b: Number) -> Option<Ordering> {
    let ((a, b), (c, d)) = (parts(a)?, parts(b)?);
    Some((a * d).cmp(&(c * b)))
}

/// The exact square root of a square of a rational.
pub(super) fn exact_sqrt(a: Number) -> Option<Number> {
    let (num, den) = parts(a)?;
    if num.sign() == Sign::Minus {
        return None;
    }
    let (x, y) = (num.sqrt(), den.sqrt());
    if &x * &x == num && &y * &y == den { number(x, y) } else { None }
}

/// Reads a decimal literal (`12`, `0.3`, `1e-7`) exactly. `None` if it is none or is too long.
pub(super) fn parse_decimal(text: &str) -> Option<Number> {
    let Decimal { negative, digits, scale } = Decimal::parse(text)?;
    let significant: Vec<u8> = digits.into_iter().skip_while(|digit| *digit == 0).collect();
    if significant.is_empty() {
        return Some(Number::ZERO);
    }
    if significant.len() > DIGITS || scale.unsigned_abs() as usize > DIGITS {
        return None;
    }
    let value = BigUint::from_radix_be(&significant, 10)?;
    let num = BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, value);
    let power = BigInt::from(10).pow(scale.unsigned_abs());
    if scale >= 0 { number(num * power, BigInt::from(1)) } else { number(num, power) }
}

impl Wide {
    /// The nearest double.
    pub(super) fn to_f64(self) -> f64 {
        let Fraction { num, den } = self.0;
        // 66 bits or 67 of the quotient, the last one standing for all that follow: one rounding, to nearest.
        let shift = 66 + i64::try_from(den.bits()).unwrap_or(0) - i64::try_from(num.bits()).unwrap_or(0);
        let (mut n, mut d) = (num.magnitude().clone(), den.magnitude().clone());
        if shift >= 0 {
            n <<= shift.unsigned_abs();
        } else {
            d <<= shift.unsigned_abs();
        }
        let (quotient, rest) = n.div_rem(&d);
        let sticky = u128::from(rest != BigUint::ZERO);
        let bits = u128::try_from(quotient).unwrap_or(u128::MAX) | sticky;
        let magnitude = bits as f64 * 2f64.powi(-(shift as i32));
        if num.sign() == Sign::Minus { -magnitude } else { magnitude }
    }

    /// True below zero.
    pub fn is_negative(self) -> bool {
        self.0.num.sign() == Sign::Minus
    }

    /// True for whole numbers.
    pub fn is_integer(self) -> bool {
        self.0.den == BigInt::from(1)
    }

    /// The digits of numerator and denominator in the base 2^32, the least first, without a sign.
    pub fn limbs(self) -> [Vec<u32>; 2] {
        [&self.0.num, &self.0.den].map(|x| x.magnitude().to_u32_digits())
    }

    /// Reads what `Display` writes.
    pub fn parse(text: &str) -> Option<Number> {
        let (num, den) = text.split_once('/').unwrap_or((text, "1"));
        number(num.parse().ok()?, den.parse().ok()?)
    }
}

impl fmt::Display for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fraction { num, den } = self.0;
        if self.is_integer() { write!(f, "{num}") } else { write!(f, "{num}/{den}") }
    }
}
