//! The fraction with the smallest denominator between two doubles.
//!
//! Problem: a point found in floating point is to be shown, and computed with, as a fraction that
//!          people can read.
//! Method:  continued fractions of both bounds in exact integers, as far as they agree
//!          (Stern–Brocot).

/// Magnitudes between which a double is converted exactly to a fraction of 128-bit integers.
const SMALLEST: f64 = 1e-11;
const LARGEST: f64 = 1e13;

/// Numerator and denominator of the simplest fraction from `low` to `high`; zero if the interval
/// contains zero. Outside of `1e-11` to `1e13` the result is not the simplest fraction but a whole
/// number or a multiple of `2⁻¹⁰⁰` near `high`.
pub fn simplest_fraction(low: f64, high: f64) -> (i128, i128) {
    let (low, high) = (low.min(high), low.max(high));
    if !(low.is_finite() && high.is_finite()) || (low <= 0.0 && high >= 0.0) {
        return (0, 1);
    }
    if high < 0.0 {
        let (num, den) = simplest_fraction(-high, -low);
        return (-num, den);
    }
    if high > LARGEST {
        return (high.min(1e37) as i128, 1);
    }
    if low < SMALLEST {
        let unit = (1i128 << 100) as f64;
        return ((high * unit) as i128, 1i128 << 100);
    }
    simplest_fraction_between(exact_fraction(low), exact_fraction(high))
}

/// A double as a fraction `(numerator, denominator)`; exact for magnitudes from `SMALLEST` to
/// `LARGEST`.
fn exact_fraction(x: f64) -> (u128, u128) {
    let (mut num, mut den) = (x, 1u128);
    while num.fract() != 0.0 && den < 1 << 96 {
        num *= 2.0;
        den <<= 1;
    }
    (num as u128, den)
}

/// The simplest fraction between two positive fractions, by continued fractions of both.
fn simplest_fraction_between((a, b): (u128, u128), (c, d): (u128, u128)) -> (i128, i128) {
    // Convergents by the recurrence h = k h₁ + h₂.
    let (mut low, mut high) = ((a, b), (c, d));
    let (mut h, mut k) = ((1i128, 0i128), (0i128, 1i128));
    loop {
        let whole = low.0 / low.1;
        let last = whole * low.1 == low.0 || whole < high.0 / high.1;
        let digit = (if whole * low.1 == low.0 {
            whole
        } else if last {
            whole + 1
        } else {
            whole
        }) as i128;
        h = (digit * h.0 + h.1, h.0);
        k = (digit * k.0 + k.1, k.0);
        if last {
            return (h.0, k.0);
        }
        // Both bounds have the same whole part: continue with the reciprocals of the remainders,
        // whose order is reversed.
        let rest = |x: (u128, u128)| (x.1, x.0 - whole * x.1);
        (low, high) = (rest(high), rest(low));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_come_back_from_narrow_intervals() {
        for (x, fraction) in [
            (3.0, (3, 1)),
            (0.1, (1, 10)),
            (-0.125, (-1, 8)),
            (53.0 / 97.0, (53, 97)),
            (1e6, (1_000_000, 1)),
            (0.001_25, (1, 800)),
            (-1_234.567_8, (-6_172_839, 5000)),
        ] {
            assert_eq!(simplest_fraction(x - 1e-13 * x, x + 1e-13 * x), fraction, "{x}");
        }
        assert_eq!(simplest_fraction(-1.0, 1.0), (0, 1));
    }

    #[test]
    fn the_fraction_lies_in_the_interval() {
        let mut random = crate::base::Random::new(3);
        for _ in 0..2000 {
            let x = 10f64.powf(random.next_between(-10.0, 12.0)) * random.next_between(0.1, 1.0);
            let width = x * 10f64.powf(random.next_between(-15.0, 0.0));
            let (num, den) = simplest_fraction(x, x + width);
            let value = num as f64 / den as f64;
            assert!(
                value >= x * (1.0 - 1e-15) && value <= (x + width) * (1.0 + 1e-15),
                "{x} {width}: {num}/{den}"
            );
        }
    }
}
