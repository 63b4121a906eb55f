//! Inputs with limits.

use crate::mask::Mask;
use crate::real::Real;

/// The value within its limits, and where a limit acted.
///
/// Returns `lower` below `lower`, `upper` above `upper`, and the value with a false flag in between and on the limits.
/// With `lower > upper` the lower limit wins. NaN passes unflagged. Where a limit acts the derivatives of a dual are
/// those of the limit.
#[inline]
pub fn saturate<T: Real>(value: T, lower: T, upper: T) -> (T, T::Mask) {
    let below = value.is_lt(lower);
    let above = value.is_gt(upper);
    let limited = T::select(below, lower, T::select(above, upper, value));
    (limited, below.or(above))
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
        let (value, acted) = saturate(f64::NAN, -1.0, 1.0);
        assert!(value.is_nan() && !acted);
    }
}
