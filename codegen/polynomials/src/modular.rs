//! Integers modulo a prime below 2³¹, and dense univariate polynomials over them.

use super::integer::{Integer, is_prime};

/// The field of integers modulo a prime; elements are words below the prime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PrimeField {
    /// The prime modulus, below 2³¹.
    pub p: u64,
}

impl PrimeField {
    /// Sum of two elements modulo the prime.
    #[inline]
    pub fn add(self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.p { sum - self.p } else { sum }
    }

    /// Difference of two elements modulo the prime.
    #[inline]
    pub fn sub(self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.p - b }
    }

    /// Product of two elements modulo the prime.
    #[inline]
    pub fn mul(self, a: u64, b: u64) -> u64 {
        a * b % self.p
    }

    /// Negative of an element modulo the prime.
    pub fn neg(self, a: u64) -> u64 {
        if a == 0 { 0 } else { self.p - a }
    }

    /// Inverse of an element modulo the prime; 0 for 0.
    pub fn inverse(self, a: u64) -> u64 {
        // The extended Euclidean algorithm; a power by Fermat's theorem takes thirty times as many
        // products.
        let (mut r, mut s) = ((self.p as i64, a as i64), (0i64, 1i64));
        while r.1 != 0 {
            let q = r.0 / r.1;
            r = (r.1, r.0 - q * r.1);
            s = (s.1, s.0 - q * s.1);
        }
        if a == 0 { 0 } else { s.0.rem_euclid(self.p as i64) as u64 }
    }

    /// The power `aᵉ` of an element modulo the prime.
    pub fn power(self, mut a: u64, mut e: u64) -> u64 {
        let mut power = 1;
        while e > 0 {
            if e % 2 == 1 {
                power = self.mul(power, a);
            }
            a = self.mul(a, a);
            e /= 2;
        }
        power
    }

    /// Remainder of an integer modulo the prime, from 0 to below the prime.
    pub fn reduce(self, a: &Integer) -> u64 {
        a.rem_u64(self.p)
    }

    /// The integer of smallest magnitude that equals an element modulo the prime.
    pub fn symmetric_representative(self, a: u64) -> i64 {
        if a > self.p / 2 { a as i64 - self.p as i64 } else { a as i64 }
    }
}

/// Odd primes in decreasing order, from the largest below 2³¹; moduli for images of polynomials.
pub(crate) fn descending_primes() -> impl Iterator<Item = u64> {
    (1..1u64 << 31).rev().step_by(2).filter(|n| is_prime(*n))
}

/// A dense univariate polynomial: coefficients from the constant one up, the last one nonzero.
pub(crate) type Dense = Vec<u64>;

/// Removes trailing zero coefficients of a dense polynomial.
pub(crate) fn trim_zeros(a: &mut Dense) {
    while a.last() == Some(&0) {
        a.pop();
    }
}

impl PrimeField {
    /// Difference `a − b` of dense polynomials modulo the prime.
    pub fn dense_sub(self, a: &[u64], b: &[u64]) -> Dense {
        let mut out = a.to_vec();
        out.resize(a.len().max(b.len()), 0);
        out.iter_mut().zip(b).for_each(|(o, s)| *o = self.sub(*o, *s));
        trim_zeros(&mut out);
        out
    }

    /// Product `a b` of dense polynomials modulo the prime.
    pub fn dense_mul(self, a: &[u64], b: &[u64]) -> Dense {
        if a.is_empty() || b.is_empty() {
            return Vec::new();
        }
        let mut out = vec![0; a.len() + b.len() - 1];
        for (i, x) in a.iter().enumerate().filter(|(_, x)| **x > 0) {
            for (o, y) in out[i..].iter_mut().zip(b) {
                *o = (*o + x * y) % self.p;
            }
        }
        out
    }

    /// Multiplies a dense polynomial by the element `k` in place.
    pub fn dense_scale(self, a: &mut [u64], k: u64) {
        a.iter_mut().for_each(|x| *x = self.mul(*x, k));
    }

    /// The dense polynomial divided by its leading coefficient.
    pub fn make_monic(self, mut a: Dense) -> Dense {
        if let Some(lead) = a.last().copied().filter(|lead| *lead != 1) {
            self.dense_scale(&mut a, self.inverse(lead));
        }
        a
    }

    /// Divides `a` by a nonzero dense polynomial: leaves the remainder in `a` and returns the
    /// quotient.
    pub fn dense_div(self, a: &mut Dense, b: &[u64]) -> Dense {
        let Some(lead) = b.last() else { return Vec::new() };
        if a.len() < b.len() {
            return Vec::new();
        }
        let inverse = self.inverse(*lead);
        let mut quotient = vec![0; a.len() - b.len() + 1];
        for shift in (0..quotient.len()).rev() {
            let q = self.mul(a[shift + b.len() - 1], inverse);
            quotient[shift] = q;
            if q > 0 {
                let minus = self.p - q;
                for (x, y) in a[shift..].iter_mut().zip(b) {
                    *x = (*x + minus * y) % self.p;
                }
            }
        }
        trim_zeros(a);
        quotient
    }

    /// Monic greatest common divisor of dense polynomials modulo the prime.
    pub fn dense_gcd(self, a: &[u64], b: &[u64]) -> Dense {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        while !b.is_empty() {
            self.dense_div(&mut a, &b);
            std::mem::swap(&mut a, &mut b);
        }
        self.make_monic(a)
    }

    /// Derivative of a dense polynomial modulo the prime.
    pub fn dense_derivative(self, a: &[u64]) -> Dense {
        let mut out: Dense =
            a.iter().enumerate().skip(1).map(|(i, c)| self.mul(*c, i as u64 % self.p)).collect();
        trim_zeros(&mut out);
        out
    }

    /// The power `base^exponent` modulo a dense polynomial, by repeated squaring.
    pub fn dense_pow(self, base: &[u64], exponent: u64, modulus: &[u64]) -> Dense {
        let mut power = vec![1];
        for bit in (0..64 - exponent.leading_zeros()).rev() {
            power = self.dense_mul(&power, &power);
            self.dense_div(&mut power, modulus);
            if exponent >> bit & 1 == 1 {
                power = self.dense_mul(&power, base);
                self.dense_div(&mut power, modulus);
            }
        }
        power
    }
}

/// Pseudo-random numbers for evaluation points, the same in every run (SplitMix; Steele, Lea, Flood
/// 2014).
#[derive(Clone, Debug)]
pub(crate) struct Draws(pub u64);

impl Draws {
    /// The next 64 pseudo-random bits.
    pub fn next_random(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    /// A pseudo-random number from 1 to below `end`.
    pub fn next_positive(&mut self, end: u64) -> u64 {
        1 + self.next_random() % (end - 1)
    }
}
