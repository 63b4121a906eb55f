//! Measures the error of [`sin_cos`](crate::sin_cos) against values in twice the precision.

use crate::Real;
use crate::sin_cos::{double, single};
use crate::testing::Random;
use std::vec::Vec;

/// A number in twice the precision, as an unevaluated sum of two: about 106 bits. Reference for the
/// tests.
#[derive(Clone, Copy)]
struct Twice(f64, f64);

impl Twice {
    fn add_exactly(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        let s = a + b;
        let rounded_b = s - a;
        let error = (a - (s - rounded_b)) + (b - rounded_b) + self.1 + other.1;
        Self(s + error, error - ((s + error) - s))
    }

    fn multiply_exactly(self, other: Self) -> Self {
        let p = self.0 * other.0;
        let error = f64::mul_add(self.0, other.0, -p) + (self.0 * other.1 + self.1 * other.0);
        Self(p + error, error - ((p + error) - p))
    }

    fn negate(self) -> Self {
        Self(-self.0, -self.1)
    }

    /// Reference sine and cosine of an angle up to 1e6, by reduction and Taylor's series.
    fn reference_sin_cos(angle: f64) -> (Self, Self) {
        let n = (angle * core::f64::consts::FRAC_2_PI).round();
        let mut r = Self(angle, 0.0);
        for part in [
            1.570_796_326_734_125_6,
            6.077_100_506_303_966e-11,
            2.022_266_248_711_166_5e-21,
            8.478_427_660_368_9e-32,
        ] {
            r = r.add_exactly(Self(n, 0.0).multiply_exactly(Self(-part, 0.0)));
        }
        let mut term = Self(1.0, 0.0);
        let (mut sine, mut cosine) = (Self(0.0, 0.0), term);
        for k in 1..32 {
            let k_real = f64::from(k);
            let inverse = 1.0 / k_real;
            let correction = f64::mul_add(-inverse, k_real, 1.0) / k_real;
            term = term.multiply_exactly(r).multiply_exactly(Self(inverse, correction));
            let signed = if k / 2 % 2 == 1 { Self(-term.0, -term.1) } else { term };
            if k % 2 == 1 {
                sine = sine.add_exactly(signed);
            } else {
                cosine = cosine.add_exactly(signed);
            }
        }
        match n.rem_euclid(4.0) as u8 {
            0 => (sine, cosine),
            1 => (cosine, sine.negate()),
            2 => (sine.negate(), cosine.negate()),
            _ => (cosine.negate(), sine),
        }
    }
}

/// Error of a computed value in units of the last place of the exact one, for a significand of
/// `digits` bits.
fn error_in_ulps(computed: f64, exact: Twice, digits: i32) -> f64 {
    let exponent = ((exact.0.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let unit = f64::powi(2.0, exponent - digits + 1);
    ((computed - exact.0) - exact.1).abs() / unit
}

/// The number with the two next below and above it in `f64`.
fn neighbours_double(x: f64) -> [f64; 5] {
    let bits = x.to_bits();
    [bits - 2, bits - 1, bits, bits + 1, bits + 2].map(f64::from_bits)
}

/// The number with the two next below and above it in `f32`.
fn neighbours_single(x: f64) -> [f64; 5] {
    let bits = (x as f32).to_bits();
    [bits - 2, bits - 1, bits, bits + 1, bits + 2].map(|b| f64::from(f32::from_bits(b)))
}

/// Test angles: multiples of π/4 and their neighbours, powers of two, and random angles up to
/// `limit`.
fn test_angles(limit: f64, neighbours: fn(f64) -> [f64; 5], random: usize) -> Vec<f64> {
    let quarter = core::f64::consts::FRAC_PI_4;
    let mut angles = Vec::new();
    let mut multiple = 1.0;
    while multiple * quarter < limit {
        angles.extend(neighbours(multiple * quarter));
        multiple += 1.0;
    }
    angles.extend((-60..=12).map(|k| f64::powi(2.0, k)));
    let mut source = Random::new(5);
    for k in 0..random {
        let scale = [1.0, 10.0, 1e3, limit][k % 4].min(limit);
        angles.push(source.random_within(-scale, scale));
    }
    angles
}

/// Largest error of sines and cosines at these angles, in units of the last place.
fn largest_error_in_ulps(angles: &[f64], digits: i32, f: impl Fn([f64; 4]) -> ([f64; 4], [f64; 4])) -> f64 {
    let mut largest = 0.0_f64;
    for four in angles.as_chunks::<4>().0 {
        let (sines, cosines) = f(*four);
        for i in 0..4 {
            let (sine, cosine) = Twice::reference_sin_cos(four[i]);
            let error = error_in_ulps(sines[i], sine, digits).max(error_in_ulps(cosines[i], cosine, digits));
            largest = largest.max(error);
        }
    }
    largest
}

#[test]
fn double_is_right_to_an_ulp() {
    let error = largest_error_in_ulps(&test_angles(1e5, neighbours_double, 400_000), 53, double);
    std::println!("f64: {error}");
    assert!(error < 0.9, "{error} ulp");
}

#[test]
fn single_is_right_to_an_ulp() {
    let angles: Vec<f64> =
        test_angles(6e3, neighbours_single, 400_000).iter().map(|&x| f64::from(x as f32)).collect();
    let error = largest_error_in_ulps(&angles, 24, |x| {
        let (s, c) = single(x.map(|x| x as f32));
        (s.map(f64::from), c.map(f64::from))
    });
    std::println!("f32: {error}");
    assert!(error < 0.9, "{error} ulp");
}

#[test]
fn the_reference_is_the_standard_library_where_that_is_rounded_right() {
    for x in [0.5, 1.0, -2.0, 3.0, 100.0, 99_999.0] {
        let (s, c) = Twice::reference_sin_cos(x);
        assert!(error_in_ulps(x.sin(), s, 53) < 0.56 && error_in_ulps(x.cos(), c, 53) < 0.56);
    }
}

#[test]
fn signed_zeros_and_tiny_angles_are_kept() {
    for tiny in [0.0, -0.0, 5e-324, -5e-324, 1e-310, 1e-20, -1e-8] {
        let ([s], [c]) = f64::sin_cos_n([tiny]);
        assert_eq!(s.to_bits(), tiny.to_bits());
        assert_eq!(c, 1.0);
    }
    for tiny in [0.0_f32, -0.0, 1e-45, -1e-40, 1e-20] {
        let ([s], [c]) = f32::sin_cos_n([tiny]);
        assert_eq!(s.to_bits(), tiny.to_bits());
        assert_eq!(c, 1.0);
    }
}

#[test]
fn beyond_the_range_it_is_the_library() {
    let angles = [1.0, 1e5 + 1.0, -1e22, f64::NAN, f64::INFINITY, f64::MAX];
    let (s, c) = f64::sin_cos_n(angles);
    for i in 1..3 {
        assert_eq!((s[i], c[i]), crate::math::double::sin_cos(angles[i]));
    }
    assert!(s[3].is_nan() && c[3].is_nan() && s[4].is_nan() && c[4].is_nan());
    assert_eq!((s[5], c[5]), crate::math::double::sin_cos(f64::MAX));
    assert!((s[0] - 1.0_f64.sin()).abs() < 1e-15);
    let (s, c) = f32::sin_cos_n([1.0, 6.1e3, f32::NEG_INFINITY]);
    assert_eq!((s[1], c[1]), crate::math::single::sin_cos(6.1e3));
    assert!(s[2].is_nan() && c[2].is_nan());
}

#[test]
fn the_result_does_not_depend_on_the_company() {
    let mut random = Random::new(6);
    for _ in 0..1000 {
        let angles: [f64; 7] = core::array::from_fn(|_| random.random_within(-20.0, 20.0));
        let (s, c) = f64::sin_cos_n(angles);
        for i in 0..7 {
            assert_eq!(([s[i]], [c[i]]), f64::sin_cos_n([angles[i]]));
        }
    }
}
