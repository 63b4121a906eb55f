//! Integers of any size.
//!
//! Problem: nearly all coefficients fit in a machine word, some have hundreds of digits.
//! Method:  a word if the value fits, else a big integer of `num-bigint`. The representation is
//!          unique, so equality and hashing are those of the fields.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer as _;
use num_traits::{Pow, Signed, ToPrimitive, Zero};

/// An integer of any size: a coefficient of exact polynomials.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(IntegerForm);

/// Representation of an integer, unique for each value.
#[derive(Clone, PartialEq, Eq, Hash)]
enum IntegerForm {
    /// A value that fits in 64 bits.
    Small(i64),
    /// A value that does not fit in 64 bits.
    Large(Box<BigInt>),
}

use IntegerForm::{Large, Small};

impl Integer {
    /// The integer 0.
    pub const ZERO: Integer = Integer(Small(0));
    /// The integer 1.
    pub const ONE: Integer = Integer(Small(1));

    /// True for the integer 0.
    pub fn is_zero(&self) -> bool {
        self.0 == Small(0)
    }

    /// True for the integer 1.
    pub fn is_one(&self) -> bool {
        self.0 == Small(1)
    }

    /// True for a negative integer.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Small(a) => *a < 0,
            Large(a) => a.is_negative(),
        }
    }

    /// The value as `i64`, if it fits in 64 bits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Small(a) => Some(*a),
            Large(_) => None,
        }
    }

    /// The nearest double; ±∞ beyond the range.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Small(a) => *a as f64,
            Large(a) => a.to_f64().unwrap_or(f64::NAN),
        }
    }

    /// Number of bits of the magnitude of the integer.
    pub fn bit_length(&self) -> u64 {
        match &self.0 {
            Small(a) => 64 - u64::from(a.unsigned_abs().leading_zeros()),
            Large(a) => a.bits(),
        }
    }

    /// Absolute value of the integer.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// Sign of the integer: −1, 0 or 1.
    pub fn signum(&self) -> i64 {
        match &self.0 {
            Small(a) => a.signum(),
            Large(a) => {
                if a.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// The value as a big integer, whatever its representation.
    fn to_big_int(&self) -> BigInt {
        match &self.0 {
            Small(a) => BigInt::from(*a),
            Large(a) => (**a).clone(),
        }
    }

    /// Greatest common divisor, non-negative; `gcd(0, 0) = 0`.
    #[must_use]
    pub fn gcd(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => gcd_u64(a.unsigned_abs(), b.unsigned_abs()).into(),
            // After one step of Euclid's algorithm both are words.
            (Small(0), Large(a)) | (Large(a), Small(0)) => a.abs().into(),
            (Small(a), Large(b)) | (Large(b), Small(a)) => {
                let rest = (&**b % a.unsigned_abs()).magnitude().to_u64().unwrap_or(0);
                gcd_u64(a.unsigned_abs(), rest).into()
            }
            (Large(a), Large(b)) => a.gcd(b).into(),
        }
    }

    /// Least common multiple, non-negative.
    #[must_use]
    pub fn lcm(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Integer::ZERO;
        }
        let common = self.gcd(other);
        let quotient = self.div_exact(&common).unwrap_or(Integer::ZERO);
        (&quotient * other).abs()
    }

    /// Quotient, rounded towards zero, and remainder; `None` for division by 0.
    pub fn div_rem(&self, divisor: &Self) -> Option<(Self, Self)> {
        match (&self.0, &divisor.0) {
            (_, Small(0)) => None,
            (Small(a), Small(b)) => match a.checked_div(*b) {
                Some(q) => Some((q.into(), (a % b).into())),
                // `i64::MIN / −1` overflows.
                None => Some((-self, Integer::ZERO)),
            },
            _ => {
                let (q, r) = self.to_big_int().div_rem(&divisor.to_big_int());
                Some((q.into(), r.into()))
            }
        }
    }

    /// The exact quotient; `None` if the division leaves a remainder or the divisor is 0.
    pub fn div_exact(&self, divisor: &Self) -> Option<Self> {
        if divisor.is_one() {
            return Some(self.clone());
        }
        let (q, r) = self.div_rem(divisor)?;
        r.is_zero().then_some(q)
    }

    /// Non-negative remainder below `modulus`; 0 if `modulus` is 0.
    pub fn rem_u64(&self, modulus: u64) -> u64 {
        match &self.0 {
            _ if modulus == 0 => 0,
            Small(a) => (i128::from(*a)).rem_euclid(i128::from(modulus)) as u64,
            Large(a) => {
                let r = (a.magnitude() % modulus).to_u64().unwrap_or(0);
                if a.is_negative() && r > 0 { modulus - r } else { r }
            }
        }
    }

    /// Integer power `selfⁿ`, exact.
    #[must_use]
    pub fn pow(&self, exponent: u32) -> Self {
        match &self.0 {
            Small(a) => match a.checked_pow(exponent) {
                Some(p) => p.into(),
                None => Pow::pow(BigInt::from(*a), exponent).into(),
            },
            Large(a) => Pow::pow(&**a, exponent).into(),
        }
    }

    /// Integer square root, rounded down; `None` for negative integers.
    pub fn sqrt(&self) -> Option<Self> {
        (!self.is_negative()).then(|| self.to_big_int().sqrt().into())
    }

    /// Prime factors of the magnitude with exponents, in increasing order; `None` for 0, and for a
    /// magnitude beyond 64 bits.
    pub fn prime_factors(&self) -> Option<Vec<(Integer, u32)>> {
        let magnitude = self.bit_length() <= 64 && !self.is_zero();
        let word = magnitude.then(|| self.to_big_int().magnitude().to_u64())??;
        let powers = prime_powers(word);
        Some(powers.into_iter().map(|(p, n)| (p.into(), n)).collect())
    }

    /// Parses decimal digits with an optional sign.
    pub fn parse(digits: &str) -> Option<Self> {
        digits.parse::<BigInt>().ok().map(Integer::from)
    }

    /// Builds an integer from its sign and base-2³² digits, least significant first.
    pub fn from_digits(is_negative: bool, digits: &[u32]) -> Self {
        let magnitude = BigUint::from_slice(digits);
        let sign = match (magnitude.is_zero(), is_negative) {
            (true, _) => Sign::NoSign,
            (_, true) => Sign::Minus,
            _ => Sign::Plus,
        };
        BigInt::from_biguint(sign, magnitude).into()
    }

    /// True for a negative integer; base-2³² digits of the magnitude, least significant first.
    pub fn to_digits(&self) -> (bool, Vec<u32>) {
        (self.is_negative(), self.to_big_int().magnitude().to_u32_digits())
    }

    /// Adds the product `a b` to this integer.
    pub fn add_product(&mut self, a: &Integer, b: &Integer) {
        *self += &(a * b);
    }
}

/// Greatest common divisor of words, by the binary algorithm (Stein 1967).
pub(crate) fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
    }
    a << twos
}

/// Prime factors of a positive word with exponents: small primes by trial division, others by
/// Pollard's rho method (Pollard 1975; Brent 1980).
fn prime_powers(mut n: u64) -> Vec<(u64, u32)> {
    let mut factors: Vec<u64> = Vec::new();
    for p in [2].into_iter().chain((3..1 << 10).step_by(2)) {
        while n.is_multiple_of(p) {
            n /= p;
            factors.push(p);
        }
    }
    let mut open = if n > 1 { vec![n] } else { Vec::new() };
    while let Some(n) = open.pop() {
        if is_prime(n) {
            factors.push(n);
            continue;
        }
        let root = n.isqrt();
        let divisor = if root * root == n { root } else { pollard_divisor(n) };
        open.extend([divisor, n / divisor]);
    }
    factors.sort_unstable();
    let mut powers: Vec<(u64, u32)> = Vec::new();
    for p in factors {
        match powers.last_mut() {
            Some((last, n)) if *last == p => *n += 1,
            _ => powers.push((p, 1)),
        }
    }
    powers
}

/// The product `a b` modulo `n`, through 128 bits.
fn product_modulo(a: u64, b: u64, n: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(n)) as u64
}

/// A proper divisor of an odd number that is neither prime nor a square.
fn pollard_divisor(n: u64) -> u64 {
    for c in 1.. {
        let step = |x: u64| (product_modulo(x, x, n) + c) % n;
        let (mut slow, mut fast, mut divisor) = (2, 2, 1);
        while divisor == 1 {
            slow = step(slow);
            fast = step(step(fast));
            divisor = gcd_u64(slow.abs_diff(fast), n);
        }
        if divisor != n {
            return divisor;
        }
    }
    1
}

/// Miller–Rabin primality test with bases that make it deterministic for all words (Sorenson and
/// Webster 2017).
pub(crate) fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 || BASES.iter().any(|b| n.is_multiple_of(*b)) {
        return BASES.contains(&n);
    }
    let twos = (n - 1).trailing_zeros();
    BASES.iter().all(|base| {
        let (mut power, mut square, mut exponent) = (1, *base, (n - 1) >> twos);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = product_modulo(power, square, n);
            }
            square = product_modulo(square, square, n);
            exponent >>= 1;
        }
        power == 1
            || (0..twos).any(|_| {
                let is_minus_one = power == n - 1;
                power = product_modulo(power, power, n);
                is_minus_one
            })
    })
}

impl From<i64> for Integer {
    fn from(value: i64) -> Self {
        Integer(Small(value))
    }
}

impl From<i32> for Integer {
    fn from(value: i32) -> Self {
        i64::from(value).into()
    }
}

impl From<u64> for Integer {
    fn from(value: u64) -> Self {
        match i64::try_from(value) {
            Ok(small) => small.into(),
            Err(_) => Integer(Large(Box::new(value.into()))),
        }
    }
}

impl From<i128> for Integer {
    fn from(value: i128) -> Self {
        match i64::try_from(value) {
            Ok(small) => small.into(),
            Err(_) => Integer(Large(Box::new(value.into()))),
        }
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Self {
        match value.to_i64() {
            Some(small) => small.into(),
            None => Integer(Large(Box::new(value))),
        }
    }
}

impl Neg for &Integer {
    type Output = Integer;

    fn neg(self) -> Integer {
        match &self.0 {
            Small(a) => match a.checked_neg() {
                Some(n) => n.into(),
                None => (-i128::from(*a)).into(),
            },
            Large(a) => (-&**a).into(),
        }
    }
}

impl Neg for Integer {
    type Output = Integer;

    fn neg(self) -> Integer {
        -&self
    }
}

/// Implements an operator: on words while they do not overflow, else on big integers.
macro_rules! operator {
    ($Trait:ident, $method:ident, $checked:ident, $Assign:ident, $assign:ident) => {
        impl $Trait<&Integer> for &Integer {
            type Output = Integer;

            fn $method(self, other: &Integer) -> Integer {
                match (&self.0, &other.0) {
                    (Small(a), Small(b)) => match a.$checked(*b) {
                        Some(c) => c.into(),
                        None => (i128::from(*a)).$method(i128::from(*b)).into(),
                    },
                    (Small(a), Large(b)) => BigInt::from(*a).$method(&**b).into(),
                    (Large(a), Small(b)) => (&**a).$method(*b).into(),
                    (Large(a), Large(b)) => (&**a).$method(&**b).into(),
                }
            }
        }

        impl $Trait for Integer {
            type Output = Integer;

            fn $method(self, other: Integer) -> Integer {
                (&self).$method(&other)
            }
        }

        impl $Assign<&Integer> for Integer {
            fn $assign(&mut self, other: &Integer) {
                match (&mut self.0, &other.0) {
                    (Small(a), Small(b)) if let Some(c) = a.$checked(*b) => *a = c,
                    (Large(a), b) => {
                        match b {
                            Small(b) => (**a).$assign(*b),
                            Large(b) => (**a).$assign(&**b),
                        }
                        if let Some(small) = a.to_i64() {
                            self.0 = Small(small);
                        }
                    }
                    _ => *self = (&*self).$method(other),
                }
            }
        }
    };
}
operator!(Add, add, checked_add, AddAssign, add_assign);
operator!(Sub, sub, checked_sub, SubAssign, sub_assign);
operator!(Mul, mul, checked_mul, MulAssign, mul_assign);

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Large(a), Large(b)) => a.cmp(b),
            (Small(_), Large(b)) => {
                if b.is_negative() {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Large(a), Small(_)) => {
                if a.is_negative() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(a) => a.fmt(f),
            Large(a) => a.fmt(f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
