//! The scalar type over which emitted functions are generic.
//!
//! Problem: one emitted function must run on `f64`, `f32`, lanes and duals, with and without `std`.
//! Method:  one trait with the elementary functions, and selections instead of branches: a
//!          comparison gives a [`Mask`](crate::Mask), by which [`Real::select`] selects one of two
//!          values.
//! NaN:     passes through every function, including [`min`](Real::min), [`max`](Real::max),
//!          [`powf`](Real::powf) and selections by a comparison. So a sensor that fails gives NaN
//!          or an error at the end, never full force.
//! Units:   angles in radians throughout.

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::mask::Mask;
use crate::part::{self, Part};

/// The scalar type over which emitted functions are generic: a real number, or several in lanes, or
/// one with its derivatives.
///
/// Implemented for `f32`, `f64`, [`Lanes`](crate::Lanes) and [`Dual`](crate::Dual). No method
/// panics. Outside the domain of a function the result is that of IEEE 754 (NaN or an infinity).
///
/// `==` compares the complete value, including derivatives. For control flow use the comparisons
/// [`is_lt`](Self::is_lt) to [`is_eq`](Self::is_eq).
pub trait Real:
    Copy
    + Debug
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + 'static
{
    /// Result of a comparison: `bool`, or one truth value for each lane.
    type Mask: Mask;
    /// The number zero.
    const ZERO: Self;
    /// The number one.
    const ONE: Self;

    /// A constant, rounded to the scalar type. Its derivatives are zero.
    fn from_f64(value: f64) -> Self;

    /// Default tolerance ε of the singularity checks: 1e-12 for doubles, 1e-5 for singles (whose
    /// cosine of the number nearest to π/2 is 4e-8). A quotient by a pivot at this limit keeps
    /// about four digits of doubles, two of singles.
    fn default_epsilon() -> Self;

    /// Square root; NaN for negative numbers.
    fn sqrt(self) -> Self;
    /// Sine and cosine of an angle.
    fn sin_cos(self) -> (Self, Self);
    /// Sine of an angle.
    #[inline]
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    /// Cosine of an angle.
    #[inline]
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    /// Tangent of an angle.
    fn tan(self) -> Self;
    /// Arc sine, in −π/2 to π/2.
    fn asin(self) -> Self;
    /// Arc cosine, in 0 to π.
    fn acos(self) -> Self;
    /// Arc tangent, in −π/2 to π/2.
    fn atan(self) -> Self;
    /// The angle of the point `(x, self)`, in −π to π. The sign of a zero is ignored: π at
    /// `(−1, ±0)`, 0 at `(±0, ±0)`.
    fn atan2(self, x: Self) -> Self;
    /// Hyperbolic sine.
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Exponential function.
    fn exp(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Raises `self` to a real power. NaN if either is NaN, even where IEEE 754 gives one (`1^NaN`,
    /// `NaN^0`).
    fn powf(self, exponent: Self) -> Self;
    /// Raises `self` to an integer power, by repeated squaring; `x.powi(0)` is one.
    #[inline]
    fn powi(self, exponent: i32) -> Self {
        let mut power = Self::ONE;
        let mut square = self;
        let mut left = exponent.unsigned_abs();
        while left > 0 {
            if left & 1 == 1 {
                power *= square;
            }
            left >>= 1;
            if left > 0 {
                square *= square;
            }
        }
        if exponent < 0 { power.recip() } else { power }
    }
    /// Absolute value. Its derivative is [`sign`](Self::sign).
    fn abs(self) -> Self;
    /// The sign: −1, 0 or 1, and NaN for NaN. Its derivative is zero, and NaN for NaN.
    fn sign(self) -> Self;
    /// The smaller of two; NaN if either is NaN. Of equal values the second is taken, with its
    /// derivatives.
    fn min(self, other: Self) -> Self;
    /// The larger of two; NaN if either is NaN. Of equal values the second is taken, with its
    /// derivatives.
    fn max(self, other: Self) -> Self;
    /// Returns `self · factor + summand`.
    ///
    /// Rounded once if `std` and the compilation target have the instruction, otherwise twice:
    /// never a slow library call.
    #[inline(always)]
    fn mul_add(self, factor: Self, summand: Self) -> Self {
        self * factor + summand
    }
    /// Returns `self + a · b`, rounded as by [`Real::mul_add`].
    #[inline(always)]
    fn add_mul(self, a: Self, b: Self) -> Self {
        a.mul_add(b, self)
    }
    /// Returns `self − a · b`, rounded as by [`Real::mul_add`].
    #[inline(always)]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        (-a).mul_add(b, self)
    }
    /// The reciprocal of `self`.
    #[inline(always)]
    fn recip(self) -> Self {
        Self::ONE / self
    }

    /// True where `self < other`.
    fn is_lt(self, other: Self) -> Self::Mask;
    /// True where `self ≤ other`.
    fn is_le(self, other: Self) -> Self::Mask;
    /// True where `self > other`.
    #[inline(always)]
    fn is_gt(self, other: Self) -> Self::Mask {
        other.is_lt(self)
    }
    /// True where `self ≥ other`.
    #[inline(always)]
    fn is_ge(self, other: Self) -> Self::Mask {
        other.is_le(self)
    }
    /// True where `self = other`; derivatives are ignored.
    fn is_eq(self, other: Self) -> Self::Mask;
    /// True where `self` is neither infinite nor NaN. For a dual this includes its derivatives.
    fn is_finite(self) -> Self::Mask;
    /// Returns `if_true` where the mask is true, `if_false` elsewhere. The caller evaluates both.
    ///
    /// A mask does not show that a comparison had no result because one side was NaN.
    /// [`if_lt`](Self::if_lt), [`if_le`](Self::if_le) and [`if_eq`](Self::if_eq) give NaN then.
    fn select(mask: Self::Mask, if_true: Self, if_false: Self) -> Self;

    /// Returns `if_true` where `self < other`, `if_false` where `self ≥ other`, NaN where `self` or
    /// `other` is NaN.
    ///
    /// For a dual the derivatives are NaN there, too.
    #[inline(always)]
    fn if_lt(self, other: Self, if_true: Self, if_false: Self) -> Self {
        nan_unless_comparable(self, other, Self::select(self.is_lt(other), if_true, if_false))
    }
    /// Returns `if_true` where `self ≤ other`, `if_false` where `self > other`, NaN where `self` or
    /// `other` is NaN.
    #[inline(always)]
    fn if_le(self, other: Self, if_true: Self, if_false: Self) -> Self {
        nan_unless_comparable(self, other, Self::select(self.is_le(other), if_true, if_false))
    }
    /// Returns `if_true` where `self = other`, `if_false` where they differ, NaN where `self` or
    /// `other` is NaN.
    #[inline(always)]
    fn if_eq(self, other: Self, if_true: Self, if_false: Self) -> Self {
        nan_unless_comparable(self, other, Self::select(self.is_eq(other), if_true, if_false))
    }

    /// Runs the body of an emitted function with the SIMD instructions of this scalar type.
    ///
    /// Scalars run the body as it is. Packs of an instruction set beyond the compilation target
    /// compile it for that set, so the closure must be `#[inline(always)]`.
    #[inline(always)]
    fn compute<R>(body: impl FnOnce() -> R) -> R {
        body()
    }

    /// Evaluates the same computation for two equal parts of a mechanism: part `k` reads `shared`
    /// and `inputs[i][k]` and returns `outputs[o][k]`.
    ///
    /// `f64` and `f32` evaluate the parts in the lanes of a register, if the target has registers;
    /// other types part by part.
    #[inline(always)]
    fn in_pairs<P: Part<H, I, O>, const H: usize, const I: usize, const O: usize>(
        shared: [Self; H],
        inputs: [[Self; 2]; I],
    ) -> [[Self; 2]; O] {
        part::evaluate_parts_singly::<Self, P, 2, H, I, O>(&shared, &inputs)
    }

    /// Evaluates the same computation for four equal parts of a mechanism: part `k` reads `shared`
    /// and `inputs[i][k]` and returns `outputs[o][k]`.
    ///
    /// `f64` and `f32` evaluate the parts in the lanes of a register, if the target has registers;
    /// other types part by part.
    #[inline(always)]
    fn in_fours<P: Part<H, I, O>, const H: usize, const I: usize, const O: usize>(
        shared: [Self; H],
        inputs: [[Self; 4]; I],
    ) -> [[Self; 4]; O] {
        part::evaluate_parts_singly::<Self, P, 4, H, I, O>(&shared, &inputs)
    }

    /// Evaluates the same computation for eight equal parts of a mechanism: part `k` reads `shared`
    /// and `inputs[i][k]` and returns `outputs[o][k]`.
    ///
    /// `f64` and `f32` evaluate the parts in the lanes of a register, if the target has registers;
    /// other types part by part.
    #[inline(always)]
    fn in_eights<P: Part<H, I, O>, const H: usize, const I: usize, const O: usize>(
        shared: [Self; H],
        inputs: [[Self; 8]; I],
    ) -> [[Self; 8]; O] {
        part::evaluate_parts_singly::<Self, P, 8, H, I, O>(&shared, &inputs)
    }

    /// Finds the piece of a lookup table (piecewise cubic) that contains `self`. Returns its four
    /// coefficients and the distance of `self` from its left knot.
    ///
    /// [`table`](Self::table) is built on this search and documents the arguments.
    fn table_piece(self, knots: &[f64], coefficients: &[[f64; 4]]) -> ([Self; 4], Self);

    /// Evaluates a lookup table, a piecewise cubic function of `self`.
    ///
    /// On `knots[i] ≤ x < knots[i + 1]` the value is `c0 + c1 d + c2 d² + c3 d³` with
    /// `d = x − knots[i]` and `[c0, c1, c2, c3] = coefficients[i]`. Below the first knot it is the
    /// constant `c0` of the first row. From the last knot on it is the constant `c0` of the last
    /// row: there are as many rows as knots.
    ///
    /// Knots increase strictly. A table without knots is zero, and so is a piece whose row is
    /// missing.
    #[inline]
    fn table(self, knots: &[f64], coefficients: &[[f64; 4]]) -> Self {
        let ([c0, c1, c2, c3], d) = self.table_piece(knots, coefficients);
        ((c3 * d + c2) * d + c1) * d + c0
    }

    /// Computes sines and cosines of several angles at once, as emitted functions do.
    ///
    /// For `f64` and `f32` this is a loop without branches that the compiler vectorises; see
    /// [`crate::sin_cos`] for its range and accuracy.
    #[inline]
    fn sin_cos_n<const N: usize>(angles: [Self; N]) -> ([Self; N], [Self; N]) {
        let mut sines = [Self::ZERO; N];
        let mut cosines = [Self::ZERO; N];
        for i in 0..N {
            (sines[i], cosines[i]) = angles[i].sin_cos();
        }
        (sines, cosines)
    }
}

/// Returns `selected` where `a` and `b` can be compared, NaN elsewhere: there one of them is NaN,
/// and so is their sum.
#[inline(always)]
fn nan_unless_comparable<T: Real>(a: T, b: T, selected: T) -> T {
    T::select(a.is_eq(a).and(b.is_eq(b)), selected, a + b)
}
