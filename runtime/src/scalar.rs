//! Implements [`Real`] for `f32` and `f64`.

use crate::math::{double, single};
use crate::real::Real;
#[cfg(all(feature = "registers", any(target_feature = "sse2", target_feature = "neon")))]
use crate::{
    part::Part,
    registers::{Register, Two},
};
use crate::{sin_cos, table};

macro_rules! scalar {
    ($scalar:ident, $math:ident, $two:ident, $four:ident, $eight:ty) => {
        impl Real for $scalar {
            type Mask = bool;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as Self
            }
            #[inline(always)]
            fn default_epsilon() -> Self {
                if Self::DIGITS < 10 { 1e-5 } else { 1e-12 }
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                $math::sqrt(self)
            }
            #[inline]
            fn sin_cos(self) -> (Self, Self) {
                let ([sine], [cosine]) = sin_cos::$math([self]);
                (sine, cosine)
            }
            #[inline]
            fn tan(self) -> Self {
                $math::tan(self)
            }
            #[inline]
            fn asin(self) -> Self {
                $math::asin(self)
            }
            #[inline]
            fn acos(self) -> Self {
                $math::acos(self)
            }
            #[inline]
            fn atan(self) -> Self {
                $math::atan(self)
            }
            #[inline]
            fn atan2(self, x: Self) -> Self {
                // −0 + 0 is 0: the sign of a zero has no meaning here.
                $math::atan2(self + 0.0, x + 0.0)
            }
            #[inline]
            fn sinh(self) -> Self {
                $math::sinh(self)
            }
            #[inline]
            fn cosh(self) -> Self {
                $math::cosh(self)
            }
            #[inline]
            fn tanh(self) -> Self {
                $math::tanh(self)
            }
            #[inline]
            fn exp(self) -> Self {
                $math::exp(self)
            }
            #[inline]
            fn ln(self) -> Self {
                $math::ln(self)
            }
            #[inline]
            fn powf(self, exponent: Self) -> Self {
                let power = $math::powf(self, exponent);
                if self.is_nan() || exponent.is_nan() { self + exponent } else { power }
            }
            #[inline(always)]
            fn abs(self) -> Self {
                <$scalar>::abs(self)
            }
            #[inline(always)]
            fn sign(self) -> Self {
                if self > 0.0 {
                    1.0
                } else if self < 0.0 {
                    -1.0
                } else {
                    self
                }
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                // One instruction that gives `other` if either is NaN, then a selection if `self`
                // is.
                let smaller = if self < other { self } else { other };
                if self.is_nan() { self } else { smaller }
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                let larger = if self > other { self } else { other };
                if self.is_nan() { self } else { larger }
            }
            #[inline(always)]
            fn mul_add(self, factor: Self, summand: Self) -> Self {
                $math::mul_add(self, factor, summand)
            }
            #[inline(always)]
            fn is_lt(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn is_le(self, other: Self) -> bool {
                self <= other
            }
            #[inline(always)]
            fn is_eq(self, other: Self) -> bool {
                self == other
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                <$scalar>::is_finite(self)
            }
            #[inline(always)]
            fn select(mask: bool, if_true: Self, if_false: Self) -> Self {
                if mask { if_true } else { if_false }
            }
            #[inline]
            fn table_piece(self, knots: &[f64], coefficients: &[[f64; 4]]) -> ([Self; 4], Self) {
                let (row, distance) = table::find_table_piece(f64::from(self), knots, coefficients);
                (row.map(|c| c as Self), distance as Self)
            }
            #[inline]
            fn sin_cos_n<const N: usize>(angles: [Self; N]) -> ([Self; N], [Self; N]) {
                sin_cos::$math(angles)
            }
            #[cfg(all(feature = "registers", any(target_feature = "sse2", target_feature = "neon")))]
            #[inline(always)]
            fn in_fours<P: Part<H, I, O>, const H: usize, const I: usize, const O: usize>(
                shared: [Self; H],
                inputs: [[Self; 4]; I],
            ) -> [[Self; 4]; O] {
                P::part::<Self, Register<wide::$four>, 4>(shared, inputs)
            }
            #[cfg(all(feature = "registers", any(target_feature = "sse2", target_feature = "neon")))]
            #[inline(always)]
            fn in_eights<P: Part<H, I, O>, const H: usize, const I: usize, const O: usize>(
                shared: [Self; H],
                inputs: [[Self; 8]; I],
            ) -> [[Self; 8]; O] {
                P::part::<Self, $eight, 8>(shared, inputs)
            }
            #[cfg(all(feature = "registers", any(target_feature = "sse2", target_feature = "neon")))]
            #[inline(always)]
            fn in_pairs<P: Part<H, I, O>, const H: usize, const I: usize, const O: usize>(
                shared: [Self; H],
                inputs: [[Self; 2]; I],
            ) -> [[Self; 2]; O] {
                P::part::<Self, Register<wide::$two>, 2>(shared, inputs)
            }
        }
    };
}

scalar!(f64, double, f64x2, f64x4, Two<Register<wide::f64x4>>);
scalar!(f32, single, f32x4, f32x4, Register<wide::f32x8>);

#[cfg(test)]
mod tests {
    use crate::testing::assert_close;
    use crate::{Mask, Real};

    /// Checks identities of the elementary functions for one scalar type.
    fn check_identities<T: Real>(lift: impl Fn(f64) -> T, value: impl Fn(T) -> f64, tolerance: f64) {
        let near = |a: T, b: f64| assert_close(value(a), b, tolerance);
        let x = lift(0.625);
        near(x.sin() * x.sin() + x.cos() * x.cos(), 1.0);
        near(x.tan() - x.sin() / x.cos(), 0.0);
        near(x.sin().asin(), 0.625);
        near(x.cos().acos(), 0.625);
        near(x.tan().atan(), 0.625);
        near(x.sin().atan2(x.cos()), 0.625);
        near((-x.sin()).atan2(-x.cos()), 0.625 - core::f64::consts::PI);
        for zero in [lift(0.0), -lift(0.0)] {
            near(zero.atan2(-x), core::f64::consts::PI);
        }
        near(x.cosh() * x.cosh() - x.sinh() * x.sinh() - x.tanh().powi(0), 0.0);
        near(x.exp().ln(), 0.625);
        near(x.powf(lift(1.5)) - x.sqrt() * x, 0.0);
        near(x.powi(-3) * x.powi(3), 1.0);
        near(x.powi(5), 0.625_f64 * 0.625 * 0.625 * 0.625 * 0.625);
        near(x.mul_add(lift(2.0), lift(-1.0)), 0.25);
        near(x.recip(), 1.6);
        near((-x).abs() + T::ZERO.sign() + (-x).sign() + x.sign(), 0.625);
        near(x.min(T::ONE) - x.max(T::ONE), -0.375);
        assert!(x.is_lt(T::ONE).all() && x.is_le(x).all() && T::ONE.is_gt(x).all());
        assert!(x.is_ge(x).all() && x.is_eq(x).all() && !x.is_eq(T::ONE).any());
        assert!(x.is_finite().all() && !(x / T::ZERO).is_finite().any());
        near(T::select(x.is_lt(T::ONE), x, T::ONE), 0.625);
        near(T::select(x.is_gt(T::ONE), x, T::ONE), 1.0);
    }

    #[test]
    fn every_scalar_fulfils_the_identities() {
        use crate::{Dual, Lanes};
        check_identities(|x| x, |x| x, 1e-14);
        check_identities(|x| x as f32, f64::from, 1e-5);
        check_identities(Dual::<f64, 2>::constant, |x| x.value + x.derivatives[0] + x.derivatives[1], 1e-14);
        check_identities(Lanes::<f64, 4>::splat, |x| x.0[3], 1e-14);
        check_identities(Lanes::<f32, 8>::splat_f64, |x| f64::from(x.0[7]), 1e-5);
        check_identities(|x| Dual::<Lanes<f64, 2>, 1>::constant(Lanes([x, x])), |x| x.value.0[1], 1e-14);
        check_identities(|x| Lanes::<Dual<f64, 1>, 2>::splat(Dual::constant(x)), |x| x.0[1].value, 1e-14);
    }

    #[test]
    fn the_angle_of_nothing_is_zero_whatever_the_signs() {
        for (y, x) in [(0.0f64, 0.0f64), (-0.0, 0.0), (0.0, -0.0), (-0.0, -0.0)] {
            assert_eq!(Real::atan2(y, x).to_bits(), 0.0f64.to_bits());
        }
    }

    /// Checks that NaN passes through every function of [`Real`] that might lose it, with NaN in
    /// each argument in turn.
    fn check_nan_passes<T: Real>(lift: impl Fn(f64) -> T, all_nan: impl Fn(T) -> bool) {
        let [nan, x, y] = [f64::NAN, 0.0, 1.0].map(lift);
        let knots = [-1.0, 1.0];
        for value in [
            nan.abs(),
            nan.sign(),
            nan.min(x),
            x.min(nan),
            nan.max(x),
            x.max(nan),
            nan.max(x).min(y),
            x.max(nan).min(y),
            x.max(x).min(nan),
            nan.powf(x),
            y.powf(nan),
            nan.powi(2),
            nan.atan2(y),
            y.atan2(nan),
            nan.tanh(),
            nan.exp(),
            nan.sin(),
            nan.cos(),
            T::sin_cos_n([nan, x]).0[0],
            T::sin_cos_n([x, nan]).1[1],
            nan.if_lt(x, x, y),
            x.if_lt(nan, x, y),
            nan.if_le(x, x, y),
            x.if_le(nan, x, y),
            nan.if_eq(x, x, y),
            x.if_eq(nan, x, y),
            nan.table(&knots, &[[1.0, 0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0]]),
            crate::saturate(nan, x, y).0,
            crate::saturate(x, nan, y).0,
            crate::saturate(x, x, nan).0,
        ]
        .iter()
        .enumerate()
        {
            assert!(all_nan(*value.1), "number {}: {:?}", value.0, value.1);
        }
        // The branch that is not taken may be NaN.
        assert!(!equals_itself(x.if_lt(y, nan, y)) && !equals_itself(y.if_le(x, x, nan)));
        assert!(equals_itself(x.if_lt(y, y, nan)) && equals_itself(x.if_eq(y, nan, y)));
    }

    fn equals_itself<T: Real>(x: T) -> bool {
        x.is_eq(x).all()
    }

    #[test]
    fn nan_passes_through_every_scalar() {
        use crate::{Dual, Lanes};
        check_nan_passes(|x| x, f64::is_nan);
        check_nan_passes(|x| x as f32, f32::is_nan);
        check_nan_passes(Lanes::<f64, 4>::splat, |x| x.0.iter().all(|x| x.is_nan()));
        check_nan_passes(|x| Lanes([x as f32, 0.5]), |x| x.0[0].is_nan() && !x.0[1].is_nan());
        check_nan_passes(Dual::<f64, 2>::constant, |x| {
            x.value.is_nan() && x.derivatives.iter().all(|d| d.is_nan())
        });
        check_nan_passes(
            |x| Dual::<Lanes<f64, 2>, 1>::constant(Lanes([x, 0.5])),
            |x| x.value.0[0].is_nan() && x.derivatives[0].0[0].is_nan() && !x.value.0[1].is_nan(),
        );
        check_nan_passes(Lanes::<f32, 3>::splat_f64, |x| x.0.iter().all(|x| x.is_nan()));
    }

    #[test]
    fn infinity_keeps_its_meaning() {
        use crate::saturate;
        let inf = f64::INFINITY;
        assert_eq!((Real::min(inf, 2.0), Real::max(-inf, 2.0), Real::sign(-inf)), (2.0, 2.0, -1.0));
        assert_eq!((Real::max(inf, 2.0), Real::min(2.0, -inf), Real::abs(-inf)), (inf, -inf, inf));
        assert_eq!(
            (inf.if_lt(inf, 1.0, 2.0), inf.if_le(inf, 1.0, 2.0), (-inf).if_lt(inf, 1.0, 2.0)),
            (2.0, 1.0, 1.0)
        );
        assert_eq!((saturate(inf, -1.0, 1.0), saturate(-inf, -1.0, 1.0)), ((1.0, true), (-1.0, true)));
        assert_eq!(saturate(5.0, -inf, inf), (5.0, false));
        assert_eq!((Real::powf(2.0, -inf), Real::powf(0.5, inf)), (0.0, 0.0));
    }

    #[test]
    fn the_sign_of_zero_is_zero_and_integer_powers_do_not_overflow() {
        assert_eq!(Real::sign(0.0_f64), 0.0);
        assert_eq!(Real::powi(1.0_f64, i32::MIN), 1.0);
        assert_eq!(Real::powi(0.0_f64, 0), 1.0);
        assert_eq!(Real::powi(2.0_f64, -1), 0.5);
    }
}
