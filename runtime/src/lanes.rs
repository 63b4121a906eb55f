//! Several states at once, in SIMD lanes.
//!
//! Problem: a batch (Monte Carlo, sampling optimiser) evaluates one function at many states.
//! Method:  an array of scalars with loops of constant length, which LLVM turns into vector
//!          instructions where the target has them: two `f64` with SSE2, four with AVX. Arrays
//!          longer than a register are split badly. For these use
//!          [`dqdt_batch`](crate::dqdt_batch), which splits a batch into registers, or the crate
//!          `dqdt-simd`.
//! Limits:  functions other than `+ − · / √ min max abs select` and sine and cosine run lane by
//!          lane.

use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::mask::LaneMask;
use crate::real::Real;

/// A scalar type for emitted functions that holds `N` numbers, one per state, which are computed at
/// once in SIMD lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Lanes<T, const N: usize>(pub [T; N]);

impl<T: Copy, const N: usize> Lanes<T, N> {
    /// Builds lanes with the same value in each.
    #[inline(always)]
    pub fn splat(value: T) -> Self {
        Self([value; N])
    }

    /// The value of one lane; `None` if the index is `N` or more.
    pub fn lane(self, index: usize) -> Option<T> {
        self.0.get(index).copied()
    }

    /// Combines two values lane by lane by a function of two scalars.
    #[inline(always)]
    fn map_lane_pairs(mut self, other: Self, f: impl Fn(T, T) -> T) -> Self {
        for i in 0..N {
            self.0[i] = f(self.0[i], other.0[i]);
        }
        self
    }

    /// Applies a function of one scalar to every lane.
    #[inline(always)]
    fn map_lanes(mut self, f: impl Fn(T) -> T) -> Self {
        for i in 0..N {
            self.0[i] = f(self.0[i]);
        }
        self
    }

    /// Compares two values lane by lane by a function of two scalars.
    #[inline(always)]
    fn compare_lanes(self, other: Self, f: impl Fn(T, T) -> bool) -> LaneMask<N> {
        let mut mask = [false; N];
        for i in 0..N {
            mask[i] = f(self.0[i], other.0[i]);
        }
        LaneMask(mask)
    }
}

impl<T: Real, const N: usize> Lanes<T, N> {
    /// Builds lanes with the same constant in each, rounded to the type.
    #[inline(always)]
    pub fn splat_f64(value: f64) -> Self {
        Self([T::from_f64(value); N])
    }
}

/// Converts an array of states to lanes, as arguments of an emitted function:
/// `lanes[i].0[k] = states[k][i]`.
///
/// Shapes: `N` states of length `M` in, `M` lanes out.
#[inline]
pub fn transpose_in<T: Real, const M: usize, const N: usize>(states: &[[T; M]; N]) -> [Lanes<T, N>; M] {
    core::array::from_fn(|i| Lanes(core::array::from_fn(|k| states[k][i])))
}

/// Converts lanes, such as results of an emitted function, to an array of states: the inverse of
/// [`transpose_in`].
#[inline]
pub fn transpose_out<T: Real, const M: usize, const N: usize>(lanes: &[Lanes<T, N>; M]) -> [[T; M]; N] {
    core::array::from_fn(|k| core::array::from_fn(|i| lanes[i].0[k]))
}

macro_rules! operator {
    ($($name:ident $method:ident $assign:ident $assign_method:ident $op:tt),+) => {$(
        impl<T: Real, const N: usize> $name for Lanes<T, N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.map_lane_pairs(other, |a, b| a $op b)
            }
        }
        impl<T: Real, const N: usize> $assign for Lanes<T, N> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = *self $op other;
            }
        }
    )+};
}

operator!(
    Add add AddAssign add_assign +,
    Sub sub SubAssign sub_assign -,
    Mul mul MulAssign mul_assign *,
    Div div DivAssign div_assign /
);

impl<T: Real, const N: usize> Neg for Lanes<T, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map_lanes(|x| -x)
    }
}

macro_rules! each {
    ($($name:ident),+) => {$(
        #[inline(always)]
        fn $name(self) -> Self {
            self.map_lanes(T::$name)
        }
    )+};
}

macro_rules! zip {
    ($($name:ident),+) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            self.map_lane_pairs(other, T::$name)
        }
    )+};
}

macro_rules! choose {
    ($($name:ident),+) => {$(
        #[inline(always)]
        fn $name(self, other: Self, if_true: Self, if_false: Self) -> Self {
            let mut selected = self;
            for i in 0..N {
                selected.0[i] = self.0[i].$name(other.0[i], if_true.0[i], if_false.0[i]);
            }
            selected
        }
    )+};
}

impl<T: Real<Mask = bool>, const N: usize> Real for Lanes<T, N> {
    type Mask = LaneMask<N>;
    const ZERO: Self = Self([T::ZERO; N]);
    const ONE: Self = Self([T::ONE; N]);

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self::splat_f64(value)
    }
    #[inline(always)]
    fn default_epsilon() -> Self {
        Self([T::default_epsilon(); N])
    }

    each!(sqrt, tan, asin, acos, atan, sinh, cosh, tanh, exp, ln, abs, sign, recip);
    zip!(atan2, powf, min, max);

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sines, cosines) = T::sin_cos_n(self.0);
        (Self(sines), Self(cosines))
    }
    #[inline(always)]
    fn mul_add(mut self, factor: Self, summand: Self) -> Self {
        for i in 0..N {
            self.0[i] = self.0[i].mul_add(factor.0[i], summand.0[i]);
        }
        self
    }
    #[inline(always)]
    fn is_lt(self, other: Self) -> LaneMask<N> {
        self.compare_lanes(other, T::is_lt)
    }
    #[inline(always)]
    fn is_le(self, other: Self) -> LaneMask<N> {
        self.compare_lanes(other, T::is_le)
    }
    #[inline(always)]
    fn is_eq(self, other: Self) -> LaneMask<N> {
        self.compare_lanes(other, T::is_eq)
    }
    #[inline(always)]
    fn is_finite(self) -> LaneMask<N> {
        self.compare_lanes(self, |x, _| x.is_finite())
    }
    choose!(if_lt, if_le, if_eq);
    #[inline(always)]
    fn select(mask: LaneMask<N>, if_true: Self, if_false: Self) -> Self {
        let mut selected = if_false;
        for i in 0..N {
            selected.0[i] = T::select(mask.0[i], if_true.0[i], if_false.0[i]);
        }
        selected
    }
    #[inline]
    fn table_piece(self, knots: &[f64], coefficients: &[[f64; 4]]) -> ([Self; 4], Self) {
        let mut rows = [Self::ZERO; 4];
        let mut distances = Self::ZERO;
        for i in 0..N {
            let (row, distance) = self.0[i].table_piece(knots, coefficients);
            for (lanes, c) in rows.iter_mut().zip(row) {
                lanes.0[i] = c;
            }
            distances.0[i] = distance;
        }
        (rows, distances)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn lanes_compute_what_the_scalar_computes() {
        let mut random = Random::new(7);
        for _ in 0..200 {
            let a: [f64; 4] = core::array::from_fn(|_| random.random_within(-3.0, 3.0));
            let b: [f64; 4] = core::array::from_fn(|_| random.random_within(0.5, 3.0));
            let (x, y) = (Lanes(a), Lanes(b));
            let f = (x * y - y / x + x.abs().sqrt()).mul_add(y, x.max(y) - x.min(y)) + -x;
            let (s, c) = x.sin_cos();
            let selected = Lanes::select(x.is_lt(y), x, y);
            for i in 0..4 {
                let (p, q) = (a[i], b[i]);
                let scalar = Real::mul_add(p * q - q / p + p.abs().sqrt(), q, p.max(q) - p.min(q)) + -p;
                assert_eq!(f.0[i], scalar);
                assert_eq!(selected.0[i], if p < q { p } else { q });
                let ([sine], [cosine]) = f64::sin_cos_n([p]);
                assert_eq!((s.0[i], c.0[i]), (sine, cosine));
            }
        }
    }

    #[test]
    fn states_are_transposed_there_and_back() {
        let states = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        let lanes = transpose_in(&states);
        assert_eq!(lanes[1].0, [2.0, 5.0]);
        assert_eq!(lanes[1].lane(1), Some(5.0));
        assert_eq!(transpose_out(&lanes), states);
    }
}
