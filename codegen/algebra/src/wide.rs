//! Exact rationals that do not fit in 64 bits over 64 bits.
//!
//! Constants are copied like doubles, so the digits of a long one are interned for the lifetime of
//! the process, which meets a few thousand at most. A search derives the same mechanism some
//! hundred times, so recent results of operations are cached.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::decimal::Decimal;
use super::{Number, Ratio};

/// Maximum bits of numerator and denominator of a long number: a product of eight numbers of 17
/// digits. Beyond that a result stays an unevaluated operation.
const BITS: u64 = 512;
/// Maximum number of digits of a text that is parsed as an exact number.
const DIGITS: usize = 160;

/// A fraction of long integers in lowest terms, with a positive denominator; interned by [`Wide`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Fraction {
    num: BigInt,
    den: BigInt,
}

/// An exact rational that is too long for a [`Ratio`], interned: a handle that is copied like a
/// number.
#[derive(Clone, Copy, Debug)]
pub struct Wide(&'static Fraction);

// Fractions are interned, so equal ones have the same address.
impl PartialEq for Wide {
    fn eq(&self, o: &Self) -> bool {
        std::ptr::eq(self.0, o.0)
    }
}

impl Eq for Wide {}

impl Hash for Wide {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}

/// An operation on two long numbers, as part of the cache key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Operation {
    Sum,
    Product,
    Quotient,
}

type CacheKey = (Operation, Number, Number);

/// A cache entry: an operation with its operands, and its result.
type CacheEntry = (CacheKey, Option<Number>);

/// Number of entries of the cache of operations on long numbers, a power of two; half a megabyte.
const CACHE_SIZE: usize = 1 << 13;

/// All long fractions of the process, each once.
static INTERNED: Mutex<BTreeSet<&'static Fraction>> = Mutex::new(BTreeSet::new());

/// The cache: direct-mapped by a hash of the operation; a newer entry replaces an older one.
static CACHE: Mutex<Vec<Option<CacheEntry>>> = Mutex::new(Vec::new());

/// The shared copy of a fraction, which lives as long as the process; added on first use.
fn intern_fraction(fraction: Fraction) -> &'static Fraction {
    let mut known = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(old) = known.get(&fraction) {
        return old;
    }
    let new: &'static Fraction = Box::leak(Box::new(fraction));
    known.insert(new);
    new
}

/// The cache of operation results, locked for this thread.
fn lock_cache() -> MutexGuard<'static, Vec<Option<CacheEntry>>> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Result of an operation from the cache; computed and stored if it is not there.
fn look_up_or_compute(key: CacheKey, compute: impl FnOnce() -> Option<Number>) -> Option<Number> {
    let slot = FxBuildHasher.hash_one(key) as usize % CACHE_SIZE;
    if let Some(Some((cached_key, cached_result))) = lock_cache().get(slot)
        && *cached_key == key
    {
        return *cached_result;
    }
    let result = compute();
    let mut cache = lock_cache();
    cache.resize(CACHE_SIZE, None);
    cache[slot] = Some((key, result));
    result
}

/// The greatest common divisor of two long integers. If both fit in 128 bits, native arithmetic is
/// many times faster.
fn greatest_common_divisor(a: &BigInt, b: &BigInt) -> BigInt {
    match (u128::try_from(a.magnitude()), u128::try_from(b.magnitude())) {
        (Ok(a), Ok(b)) => a.gcd(&b).into(),
        _ => a.gcd(b),
    }
}

/// `num / den` reduced to lowest terms, in the smallest representation; `None` if `den` is zero or
/// the result is too long.
fn reduced_number(num: BigInt, den: BigInt) -> Option<Number> {
    if den.sign() == Sign::NoSign {
        return None;
    }
    let divisor = greatest_common_divisor(&num, &den);
    narrowest_number(num / &divisor, den / &divisor)
}

/// The number of a fraction in lowest terms with a nonzero denominator, as 64-bit ratio if it fits;
/// `None` beyond 512 bits.
fn narrowest_number(num: BigInt, den: BigInt) -> Option<Number> {
    let (num, den) = if den.sign() == Sign::Minus { (-num, -den) } else { (num, den) };
    if let (Ok(n), Ok(d)) = (i64::try_from(&num), i64::try_from(&den)) {
        return Ratio::new(i128::from(n), i128::from(d)).map(Number::Rational);
    }
    (num.bits() <= BITS && den.bits() <= BITS)
        .then(|| Number::Wide(Wide(intern_fraction(Fraction { num, den }))))
}

/// Numerator and denominator of a rational; `None` for other constants.
fn numerator_and_denominator(n: Number) -> Option<(BigInt, BigInt)> {
    match n {
        Number::Rational(r) => Some((r.num().into(), r.den().into())),
        Number::Wide(w) => Some((w.0.num.clone(), w.0.den.clone())),
        Number::Pi(_) | Number::Float(_) => None,
    }
}

/// The exact sum. The common divisor of the denominators contains every factor that can cancel.
pub(super) fn cached_sum(a: Number, b: Number) -> Option<Number> {
    look_up_or_compute((Operation::Sum, a, b), || {
        let ((a, b), (c, d)) = (numerator_and_denominator(a)?, numerator_and_denominator(b)?);
        let both = greatest_common_divisor(&b, &d);
        let (b, rest) = (b / &both, &d / &both);
        let num = a * rest + c * &b;
        let divisor = greatest_common_divisor(&num, &both);
        narrowest_number(num / &divisor, b * (d / divisor))
    })
}

/// The exact product, with common factors of each numerator and the other denominator cancelled
/// first.
pub(super) fn cached_product(a: Number, b: Number) -> Option<Number> {
    look_up_or_compute((Operation::Product, a, b), || {
        let ((a, b), (c, d)) = (numerator_and_denominator(a)?, numerator_and_denominator(b)?);
        let (first, second) = (greatest_common_divisor(&a, &d), greatest_common_divisor(&c, &b));
        narrowest_number((a / &first) * (c / &second), (b / second) * (d / first))
    })
}

/// The exact quotient of two rationals; `None` for division by zero.
pub(super) fn cached_quotient(a: Number, b: Number) -> Option<Number> {
    look_up_or_compute((Operation::Quotient, a, b), || {
        let ((a, b), (c, d)) = (numerator_and_denominator(a)?, numerator_and_denominator(b)?);
        reduced_number(a * d, b * c)
    })
}

/// The exact negative of a rational; `None` for other constants.
pub(super) fn negate(a: Number) -> Option<Number> {
    let (num, den) = numerator_and_denominator(a)?;
    narrowest_number(-num, den)
}

/// Order of two rationals of any length; `None` for other constants.
pub(super) fn compare(a: Number, b: Number) -> Option<Ordering> {
    let ((a, b), (c, d)) = (numerator_and_denominator(a)?, numerator_and_denominator(b)?);
    Some((a * d).cmp(&(c * b)))
}

/// The exact square root of a rational of any length, if it is rational.
pub(super) fn exact_sqrt(a: Number) -> Option<Number> {
    let (num, den) = numerator_and_denominator(a)?;
    if num.sign() == Sign::Minus {
        return None;
    }
    let (x, y) = (num.sqrt(), den.sqrt());
    if &x * &x == num && &y * &y == den { reduced_number(x, y) } else { None }
}

/// Parses a decimal literal (`12`, `0.3`, `1e-7`) exactly. `None` if the text is not one, or is too
/// long.
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
    if scale >= 0 { reduced_number(num * power, BigInt::from(1)) } else { reduced_number(num, power) }
}

impl Wide {
    /// The nearest double to the long rational.
    pub(super) fn to_f64(self) -> f64 {
        let Fraction { num, den } = self.0;
        // A quotient of 66 or 67 bits, the last one sticky: a single rounding, to nearest.
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

    /// True for a negative long rational.
    pub fn is_negative(self) -> bool {
        self.0.num.sign() == Sign::Minus
    }

    /// True for a long rational with denominator 1.
    pub fn is_integer(self) -> bool {
        self.0.den == BigInt::from(1)
    }

    /// The digits of numerator and denominator in base 2^32, least significant first, without sign.
    /// Passed to the polynomials with long integers.
    pub fn limbs(self) -> [Vec<u32>; 2] {
        [&self.0.num, &self.0.den].map(|x| x.magnitude().to_u32_digits())
    }

    /// Parses the output of `Display`, `num/den`; the result may be a short rational.
    pub fn parse(text: &str) -> Option<Number> {
        let (num, den) = text.split_once('/').unwrap_or((text, "1"));
        reduced_number(num.parse().ok()?, den.parse().ok()?)
    }
}

// Serialised as the output of `Display`.
impl Serialize for Wide {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Wide {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        match Wide::parse(&String::deserialize(d)?) {
            Some(Number::Wide(wide)) => Ok(wide),
            _ => Err(de::Error::custom("expected a rational number that does not fit in 64-bit integers")),
        }
    }
}

impl fmt::Display for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fraction { num, den } = self.0;
        if self.is_integer() { write!(f, "{num}") } else { write!(f, "{num}/{den}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dqdt_diagnostics::base::Random;

    /// A random integer of at least `bits` bits, some with factors of powers of ten.
    fn any(random: &mut Random, bits: u64) -> BigInt {
        let mut x: BigInt = BigInt::from((random.next_signed() * 1e15) as i64);
        while x.bits() < bits {
            x = x * 1_000_000_007i64 + (1.5e9 + random.next_signed() * 1e9) as i64;
        }
        x * [1, 10, 250, 6][(random.next_signed().abs() * 3.99) as usize]
    }

    #[test]
    fn answers_are_those_of_fractions_that_are_reduced_at_the_end_asked_once_or_again() {
        let mut random = Random::new(5);
        let (mut wide, mut none) = (0, 0);
        for k in 0..2000u64 {
            let bits = 20 + k % 300;
            let [a, b, c, d] = [0; 4].map(|_| any(&mut random, bits));
            // Include sums that vanish, and equal denominators.
            let (c, d) = match k % 5 {
                0 => (-a.clone(), b.clone()),
                1 => (c, b.clone()),
                2 => (b.clone(), a.clone()),
                _ => (c, d),
            };
            let (Some(x), Some(y)) =
                (reduced_number(a.clone(), b.clone()), reduced_number(c.clone(), d.clone()))
            else {
                continue;
            };
            for _ in 0..2 {
                let expected = [
                    (cached_sum(x, y), reduced_number(&a * &d + &c * &b, &b * &d)),
                    (cached_product(x, y), reduced_number(&a * &c, &b * &d)),
                    (cached_quotient(x, y), reduced_number(&a * &d, &b * &c)),
                ];
                for (result, expected) in expected {
                    assert_eq!(result, expected, "{a}/{b}, {c}/{d}");
                    wide += usize::from(matches!(result, Some(Number::Wide(_))));
                    none += usize::from(result.is_none());
                }
            }
        }
        assert!(wide > 1000 && none > 100, "{wide} long ones, {none} too long ones");
    }
}
