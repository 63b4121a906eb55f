//! Saturation of inputs.

use crate::mask::Mask;
use crate::real::Real;

/// Limits an input to its bounds, and reports if a limit acted.
///
/// Returns `lower` below `lower`, `upper` above `upper`, and otherwise the value with a false flag,
/// also at the limits. With `lower > upper` the upper limit wins. If the value or a limit is NaN,
/// the result is NaN and the flag is false. From a limit on, the derivatives of a dual are those of
/// the limit.
///
/// Emitted functions named `saturate` compute the same.
#[inline]
pub fn saturate<T: Real>(value: T, lower: T, upper: T) -> (T, T::Mask) {
    let limited = value.max(lower).min(upper);
    (limited, limited.is_lt(value).or(limited.is_gt(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dual, LaneMask, Lanes};

    #[test]
    fn the_flag_tells_where_a_limit_acted() {
        let (value, acted) =
            saturate(Lanes([-3.0, -1.0, 0.25, 2.0, 2.5]), Lanes::splat(-1.0), Lanes::splat(2.0));
        assert_eq!(value.0, [-1.0, -1.0, 0.25, 2.0, 2.0]);
        assert_eq!(acted, LaneMask([true, false, false, false, true]));
    }

    #[test]
    fn the_derivative_vanishes_on_a_constant_limit() {
        let x = Dual::<f64, 1>::variable(5.0, 0);
        let (value, acted) = saturate(x, Dual::constant(-1.0), Dual::constant(1.0));
        assert_eq!((value, acted), (Dual::constant(1.0), true));
    }

    #[test]
    fn nan_passes_unflagged() {
        for [value, lower, upper] in [[f64::NAN, -1.0, 1.0], [2.0, f64::NAN, 1.0], [0.0, -1.0, f64::NAN]] {
            let (value, acted) = saturate(value, lower, upper);
            assert!(value.is_nan() && !acted);
        }
    }

    #[test]
    fn of_crossed_limits_the_upper_one_wins() {
        assert_eq!(saturate(5.0, 8.0, 3.0), (3.0, true));
        assert_eq!(saturate(2.0, 8.0, 3.0), (3.0, true));
    }
}
