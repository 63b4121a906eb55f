//! A SIMD register as a scalar of emitted functions.

use core::fmt;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use dqdt::sin_cos::Turn;
use dqdt::{Mask, Pack, Part, Real};

use crate::part;
use crate::register::{Lane, Register};

/// A SIMD register as a scalar type, for which batches compile emitted functions: one state per
/// lane.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Packed<R>(pub R);

/// Result of a comparison of [`Packed`] registers: one truth value per lane.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct PackedMask<R: Register>(R::Mask);

impl<R: Register> Packed<R> {
    /// Applies a function of one scalar to every lane of the register.
    #[inline]
    fn map_lanes(self, f: impl Fn(R::Scalar) -> R::Scalar) -> Self {
        let mut lanes = self.0.array();
        for lane in lanes.as_mut() {
            *lane = f(*lane);
        }
        Self(R::from_array(lanes))
    }

    /// Combines two registers lane by lane by a function of two scalars.
    #[inline]
    fn map_lane_pairs(self, other: Self, f: impl Fn(R::Scalar, R::Scalar) -> R::Scalar) -> Self {
        let (mut lanes, others) = (self.0.array(), other.0.array());
        for (lane, other) in lanes.as_mut().iter_mut().zip(others.as_ref()) {
            *lane = f(*lane, *other);
        }
        Self(R::from_array(lanes))
    }

    /// The lanes whose angles are within the range of the sine and cosine kernel.
    #[inline(always)]
    fn lanes_in_range(self) -> PackedMask<R> {
        self.abs().is_le(Self::splat(R::Scalar::LIMIT))
    }

    /// Replaces sine and cosine by the library functions in lanes whose angles are outside the
    /// range of the kernel.
    #[cold]
    #[inline(never)]
    fn repair_lanes(self, sine: &mut Self, cosine: &mut Self) {
        let (mut sines, mut cosines) = (sine.0.array(), cosine.0.array());
        let results = sines.as_mut().iter_mut().zip(cosines.as_mut());
        for ((sine, cosine), angle) in results.zip(self.0.array().as_ref()) {
            let inside = angle.abs().is_le(R::Scalar::LIMIT);
            if !inside {
                (*sine, *cosine) = angle.sin_cos();
            }
        }
        (*sine, *cosine) = (Self(R::from_array(sines)), Self(R::from_array(cosines)));
    }
}

impl<R: Register> fmt::Debug for Packed<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.array().fmt(f)
    }
}

impl<R: Register> PartialEq for Packed<R> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.is_eq(*other).all()
    }
}

impl<R: Register> fmt::Debug for PackedMask<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0width$b}", R::mask_bits(self.0), width = R::LANES)
    }
}

impl<R: Register> PartialEq for PackedMask<R> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        R::mask_bits(self.0) == R::mask_bits(other.0)
    }
}

impl<R: Register> Mask for PackedMask<R> {
    #[inline]
    fn and(self, other: Self) -> Self {
        Self(R::mask_and(self.0, other.0))
    }
    #[inline]
    fn or(self, other: Self) -> Self {
        Self(R::mask_or(self.0, other.0))
    }
    #[inline]
    fn not(self) -> Self {
        Self(R::mask_not(self.0))
    }
    #[inline]
    fn any(self) -> bool {
        R::mask_bits(self.0) != 0
    }
    #[inline]
    fn all(self) -> bool {
        R::mask_bits(self.0) == (1 << R::LANES) - 1
    }
    #[inline]
    fn splat(value: bool) -> Self {
        Self(R::mask(value))
    }
}

macro_rules! operators {
    ($($name:ident $method:ident $assign:ident $assign_method:ident),+) => {$(
        impl<R: Register> $name for Packed<R> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                // SAFETY: a pack exists only where the processor has its instructions.
                unsafe { R::$method(self, other) }
            }
        }
        impl<R: Register> $assign for Packed<R> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                // SAFETY: a pack exists only where the processor has its instructions.
                *self = unsafe { R::$method(*self, other) };
            }
        }
    )+};
}

operators!(
    Add add AddAssign add_assign,
    Sub sub SubAssign sub_assign,
    Mul mul MulAssign mul_assign,
    Div div DivAssign div_assign
);

impl<R: Register> Neg for Packed<R> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        // SAFETY: a pack exists only where the processor has its instructions.
        unsafe { R::neg(self) }
    }
}

impl<R: Register> Turn for Packed<R> {
    #[inline(always)]
    fn turn(shifted: Self, sine: Self, cosine: Self) -> (Self, Self) {
        let (sine, cosine) = R::turn(shifted.0, sine.0, cosine.0);
        (Self(sine), Self(cosine))
    }
}

impl<R: Register> Pack for Packed<R> {
    type Scalar = R::Scalar;
    const LANES: usize = R::LANES;

    #[inline]
    fn splat(value: R::Scalar) -> Self {
        // SAFETY: a pack exists only where the processor has its instructions.
        unsafe { R::splat(value) }
    }
    #[inline(always)]
    fn load(values: &[R::Scalar]) -> Self {
        if let Some(whole) = R::load(values) {
            return Self(whole);
        }
        let mut lanes = R::ZERO.array();
        if let Some(last) = values.last() {
            lanes.as_mut().fill(*last);
            lanes.as_mut().iter_mut().zip(values).for_each(|(lane, value)| *lane = *value);
        }
        Self(R::from_array(lanes))
    }
    #[inline(always)]
    fn store(self, to: &mut [R::Scalar]) {
        to.iter_mut().zip(self.0.array().as_ref()).for_each(|(to, from)| *to = *from);
    }
    #[inline(always)]
    fn store_mask(mask: PackedMask<R>, to: &mut [bool]) {
        let bits = R::mask_bits(mask.0);
        to.iter_mut().take(R::LANES).enumerate().for_each(|(k, to)| *to = bits >> k & 1 == 1);
    }
}

macro_rules! lane_by_lane {
    ($($name:ident),+) => {$(
        fn $name(self) -> Self {
            self.map_lanes(Real::$name)
        }
    )+};
}

impl<R: Register> Real for Packed<R> {
    type Mask = PackedMask<R>;
    const ZERO: Self = Self(R::ZERO);
    const ONE: Self = Self(R::ONE);

    #[inline]
    fn from_f64(value: f64) -> Self {
        Self::splat(R::Scalar::from_f64(value))
    }
    #[inline]
    fn default_epsilon() -> Self {
        Self::splat(R::Scalar::default_epsilon())
    }
    #[inline(always)]
    fn compute<F>(body: impl FnOnce() -> F) -> F {
        R::compute(body)
    }

    #[inline(always)]
    fn in_pairs<P: Part<H, I, O>, const H: usize, const I: usize, const O: usize>(
        shared: [Self; H],
        inputs: [[Self; 2]; I],
    ) -> [[Self; 2]; O] {
        part::evaluate_two_parts::<R, P, H, I, O>(shared, inputs)
    }
    #[inline(always)]
    fn in_fours<P: Part<H, I, O>, const H: usize, const I: usize, const O: usize>(
        shared: [Self; H],
        inputs: [[Self; 4]; I],
    ) -> [[Self; 4]; O] {
        part::evaluate_parts_in_loop::<R, P, 4, H, I, O>(shared, inputs)
    }
    #[inline(always)]
    fn in_eights<P: Part<H, I, O>, const H: usize, const I: usize, const O: usize>(
        shared: [Self; H],
        inputs: [[Self; 8]; I],
    ) -> [[Self; 8]; O] {
        part::evaluate_parts_in_loop::<R, P, 8, H, I, O>(shared, inputs)
    }

    #[inline]
    fn sqrt(self) -> Self {
        // SAFETY: a pack exists only where the processor has its instructions.
        unsafe { R::sqrt(self) }
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let ([sine], [cosine]) = Self::sin_cos_n([self]);
        (sine, cosine)
    }
    #[inline(always)]
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    #[inline(always)]
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    #[inline(always)]
    fn sin_cos_n<const N: usize>(angles: [Self; N]) -> ([Self; N], [Self; N]) {
        let (mut sines, mut cosines) = ([Self::ZERO; N], [Self::ZERO; N]);
        let mut inside = PackedMask::splat(true);
        for i in 0..N {
            inside = inside.and(angles[i].lanes_in_range());
            (sines[i], cosines[i]) = R::Scalar::sin_cos_inside(angles[i]);
        }
        if !inside.all() {
            for i in 0..N {
                angles[i].repair_lanes(&mut sines[i], &mut cosines[i]);
            }
        }
        (sines, cosines)
    }
    lane_by_lane!(tan, asin, acos, atan, sinh, cosh, tanh, exp, ln);
    fn atan2(self, x: Self) -> Self {
        self.map_lane_pairs(x, Real::atan2)
    }
    fn powf(self, exponent: Self) -> Self {
        self.map_lane_pairs(exponent, Real::powf)
    }
    #[inline]
    fn abs(self) -> Self {
        Self(self.0.abs())
    }
    #[inline(always)]
    fn sign(self) -> Self {
        let not_positive = Self::select(self.is_lt(Self::ZERO), -Self::ONE, self);
        Self::select(self.is_gt(Self::ZERO), Self::ONE, not_positive)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // One instruction that gives `other` if either is NaN, then a selection if `self` is: as
        // for scalars.
        // SAFETY: a pack exists only where the processor has its instructions.
        let smaller = unsafe { R::min(self, other) };
        Self::select(self.is_eq(self), smaller, self)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: a pack exists only where the processor has its instructions.
        let larger = unsafe { R::max(self, other) };
        Self::select(self.is_eq(self), larger, self)
    }
    #[inline]
    fn mul_add(self, factor: Self, summand: Self) -> Self {
        // SAFETY: a pack exists only where the processor has its instructions.
        unsafe { R::mul_add(self, factor, summand) }
    }

    #[inline]
    fn is_lt(self, other: Self) -> PackedMask<R> {
        PackedMask(self.0.less(other.0))
    }
    #[inline]
    fn is_le(self, other: Self) -> PackedMask<R> {
        PackedMask(self.0.less_or_equal(other.0))
    }
    #[inline]
    fn is_eq(self, other: Self) -> PackedMask<R> {
        PackedMask(self.0.equal(other.0))
    }
    #[inline(always)]
    fn is_finite(self) -> PackedMask<R> {
        // NaN if the number is infinite or NaN.
        let zero = self * Self::ZERO;
        zero.is_eq(zero)
    }
    #[inline]
    fn select(mask: PackedMask<R>, if_true: Self, if_false: Self) -> Self {
        Self(R::select(mask.0, if_true.0, if_false.0))
    }
    fn table_piece(self, knots: &[f64], coefficients: &[[f64; 4]]) -> ([Self; 4], Self) {
        let (mut rows, mut distances) = ([R::ZERO.array(); 4], R::ZERO.array());
        for (k, x) in self.0.array().as_ref().iter().enumerate() {
            let (row, distance) = x.table_piece(knots, coefficients);
            for (lanes, c) in rows.iter_mut().zip(row) {
                lanes.as_mut()[k] = c;
            }
            distances.as_mut()[k] = distance;
        }
        (rows.map(|lanes| Self(R::from_array(lanes))), Self(R::from_array(distances)))
    }
}
