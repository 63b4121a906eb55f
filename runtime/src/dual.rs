//! Dual numbers: a value with its first derivatives.
//!
//! Problem: exact derivatives of an emitted function (linearisation, gradients) without a second
//!          program.
//! Method:  forward-mode automatic differentiation. `Dual` carries the derivatives by `N` variables
//!          and obeys the chain rule. Duals nest: a dual over a dual has second derivatives. Cost:
//!          about `1 + N` times the function.
//! Limits:  where a derivative does not exist (√ at 0, asin at ±1) it is infinite or NaN, as IEEE
//!          754 computes it.

use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::mask::Mask;
use crate::real::Real;

/// A dual number: a value with its derivatives by `N` variables, for exact derivatives of emitted
/// functions.
///
/// Comparisons of [`Real`] consider the value only; `==` compares the derivatives as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<T, const N: usize> {
    /// The value itself, without derivatives.
    pub value: T,
    /// Derivatives by the `N` variables, in the unit of the value over the unit of the variable.
    pub derivatives: [T; N],
}

impl<T: Real, const N: usize> Dual<T, N> {
    /// A dual number for a constant: all derivatives are zero.
    #[inline(always)]
    pub fn constant(value: T) -> Self {
        Self { value, derivatives: [T::ZERO; N] }
    }

    /// A dual number for the variable with this index: its derivative by itself is one. An index
    /// from `N` on gives a constant.
    #[inline]
    pub fn variable(value: T, index: usize) -> Self {
        let mut variable = Self::constant(value);
        if let Some(derivative) = variable.derivatives.get_mut(index) {
            *derivative = T::ONE;
        }
        variable
    }

    /// Dual numbers for all variables at once: entry `i` has the value `x[i]` and is variable `i`.
    #[inline]
    pub fn variables(x: [T; N]) -> [Self; N] {
        core::array::from_fn(|i| Self::variable(x[i], i))
    }

    /// Applies the chain rule for a function of one argument, from its value and slope at
    /// `self.value`.
    #[inline(always)]
    fn apply_chain_rule(self, value: T, slope: T) -> Self {
        Self { value, derivatives: self.derivatives.map(|d| d * slope) }
    }

    /// Applies the chain rule for a function of two arguments, from its value and both slopes.
    #[inline(always)]
    fn apply_chain_rule_2(self, other: Self, value: T, slope: T, other_slope: T) -> Self {
        let mut derivatives = self.derivatives;
        for (d, e) in derivatives.iter_mut().zip(other.derivatives) {
            *d = *d * slope + e * other_slope;
        }
        Self { value, derivatives }
    }
}

impl<T: Real, const N: usize> Add for Dual<T, N> {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl<T: Real, const N: usize> Sub for Dual<T, N> {
    type Output = Self;
    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        self -= other;
        self
    }
}

impl<T: Real, const N: usize> Mul for Dual<T, N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.apply_chain_rule_2(other, self.value * other.value, other.value, self.value)
    }
}

impl<T: Real, const N: usize> Div for Dual<T, N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let slope = other.value.recip();
        let value = self.value / other.value;
        self.apply_chain_rule_2(other, value, slope, -value * slope)
    }
}

impl<T: Real, const N: usize> Neg for Dual<T, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { value: -self.value, derivatives: self.derivatives.map(|d| -d) }
    }
}

impl<T: Real, const N: usize> AddAssign for Dual<T, N> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.value += other.value;
        for (d, e) in self.derivatives.iter_mut().zip(other.derivatives) {
            *d += e;
        }
    }
}

impl<T: Real, const N: usize> SubAssign for Dual<T, N> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        self.value -= other.value;
        for (d, e) in self.derivatives.iter_mut().zip(other.derivatives) {
            *d -= e;
        }
    }
}

impl<T: Real, const N: usize> MulAssign for Dual<T, N> {
    #[inline(always)]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl<T: Real, const N: usize> DivAssign for Dual<T, N> {
    #[inline(always)]
    fn div_assign(&mut self, other: Self) {
        *self = *self / other;
    }
}

macro_rules! choose {
    ($($name:ident),+) => {$(
        #[inline]
        fn $name(self, other: Self, if_true: Self, if_false: Self) -> Self {
            // Each derivative is selected by the values, so that it is NaN where these cannot be
            // compared.
            let of = |yes: T, no: T| self.value.$name(other.value, yes, no);
            let mut derivatives = if_false.derivatives;
            for (d, e) in derivatives.iter_mut().zip(if_true.derivatives) {
                *d = of(e, *d);
            }
            Self { value: of(if_true.value, if_false.value), derivatives }
        }
    )+};
}

impl<T: Real, const N: usize> Real for Dual<T, N> {
    type Mask = T::Mask;
    const ZERO: Self = Self { value: T::ZERO, derivatives: [T::ZERO; N] };
    const ONE: Self = Self { value: T::ONE, derivatives: [T::ZERO; N] };

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self::constant(T::from_f64(value))
    }
    #[inline(always)]
    fn default_epsilon() -> Self {
        Self::constant(T::default_epsilon())
    }
    #[inline]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.apply_chain_rule(root, T::from_f64(0.5) / root)
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.value.sin_cos();
        (self.apply_chain_rule(s, c), self.apply_chain_rule(c, -s))
    }
    #[inline]
    fn tan(self) -> Self {
        let t = self.value.tan();
        self.apply_chain_rule(t, T::ONE + t * t)
    }
    #[inline]
    fn asin(self) -> Self {
        let x = self.value;
        self.apply_chain_rule(x.asin(), ((T::ONE - x) * (T::ONE + x)).sqrt().recip())
    }
    #[inline]
    fn acos(self) -> Self {
        let x = self.value;
        self.apply_chain_rule(x.acos(), -((T::ONE - x) * (T::ONE + x)).sqrt().recip())
    }
    #[inline]
    fn atan(self) -> Self {
        let x = self.value;
        self.apply_chain_rule(x.atan(), (T::ONE + x * x).recip())
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        let square = self.value * self.value + x.value * x.value;
        self.apply_chain_rule_2(x, self.value.atan2(x.value), x.value / square, -self.value / square)
    }
    #[inline]
    fn sinh(self) -> Self {
        self.apply_chain_rule(self.value.sinh(), self.value.cosh())
    }
    #[inline]
    fn cosh(self) -> Self {
        self.apply_chain_rule(self.value.cosh(), self.value.sinh())
    }
    #[inline]
    fn tanh(self) -> Self {
        let t = self.value.tanh();
        self.apply_chain_rule(t, (T::ONE - t) * (T::ONE + t))
    }
    #[inline]
    fn exp(self) -> Self {
        let e = self.value.exp();
        self.apply_chain_rule(e, e)
    }
    #[inline]
    fn ln(self) -> Self {
        self.apply_chain_rule(self.value.ln(), self.value.recip())
    }
    /// The derivative by the exponent is zero where the base is not positive.
    #[inline]
    fn powf(self, exponent: Self) -> Self {
        let (x, y) = (self.value, exponent.value);
        let power = x.powf(y);
        let slope = y.if_eq(T::ZERO, T::ZERO, y * x.powf(y - T::ONE));
        let by_exponent = T::ZERO.if_lt(x, power * x.ln(), T::ZERO);
        self.apply_chain_rule_2(exponent, power, slope, by_exponent)
    }
    #[inline]
    fn abs(self) -> Self {
        self.apply_chain_rule(self.value.abs(), self.value.sign())
    }
    #[inline]
    fn sign(self) -> Self {
        let slope = self.value.if_eq(self.value, T::ZERO, T::ZERO);
        Self { value: self.value.sign(), derivatives: [slope; N] }
    }
    #[inline]
    fn min(self, other: Self) -> Self {
        self.if_lt(other, self, other)
    }
    #[inline]
    fn max(self, other: Self) -> Self {
        other.if_lt(self, self, other)
    }
    #[inline(always)]
    fn is_lt(self, other: Self) -> T::Mask {
        self.value.is_lt(other.value)
    }
    #[inline(always)]
    fn is_le(self, other: Self) -> T::Mask {
        self.value.is_le(other.value)
    }
    #[inline(always)]
    fn is_eq(self, other: Self) -> T::Mask {
        self.value.is_eq(other.value)
    }
    #[inline]
    fn is_finite(self) -> T::Mask {
        let start = self.value.is_finite();
        self.derivatives.iter().fold(start, |mask, d| mask.and(d.is_finite()))
    }
    #[inline]
    fn select(mask: T::Mask, if_true: Self, if_false: Self) -> Self {
        let mut derivatives = if_false.derivatives;
        for (d, e) in derivatives.iter_mut().zip(if_true.derivatives) {
            *d = T::select(mask, e, *d);
        }
        Self { value: T::select(mask, if_true.value, if_false.value), derivatives }
    }
    choose!(if_lt, if_le, if_eq);
    #[inline]
    fn table_piece(self, knots: &[f64], coefficients: &[[f64; 4]]) -> ([Self; 4], Self) {
        let (row, distance) = self.value.table_piece(knots, coefficients);
        (row.map(Self::constant), self.apply_chain_rule(distance, T::ONE))
    }
    #[inline]
    fn sin_cos_n<const M: usize>(angles: [Self; M]) -> ([Self; M], [Self; M]) {
        let (s, c) = T::sin_cos_n(angles.map(|angle| angle.value));
        (
            core::array::from_fn(|i| angles[i].apply_chain_rule(s[i], c[i])),
            core::array::from_fn(|i| angles[i].apply_chain_rule(c[i], -s[i])),
        )
    }
}
