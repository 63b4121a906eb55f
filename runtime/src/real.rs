//! The scalar that emitted functions are generic over.
//!
//! Problem: one emitted function must run on `f64`, `f32`, lanes and duals, with and without `std`.
//! Method:  one trait with the elementary functions, and choices instead of branches: a comparison gives a
//!          [`Mask`](crate::Mask), [`Real::select`] takes one of two values by it.
//! NaN:     passes through every function, [`min`](Real::min), [`max`](Real::max), [`powf`](Real::powf) and the choices
//!          by a comparison included. So a sensor that fails gives NaN or an error at the end, never a full force.
//! Units:   angles in radians throughout.

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::mask::Mask;
use crate::part::{self, Part};

/// A real number, or several that are computed at once, or one with its derivatives.
///
/// Implemented for `f32`, `f64`, [`Lanes`](crate::Lanes) and [`Dual`](crate::Dual). No method panics; outside the
/// domain of a function the result is what IEEE 754 says (NaN or an infinity).
///
/// `==` compares everything that the value holds; the comparisons that count for control flow are the methods
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
    /// What a comparison gives: `bool`, or one truth value a lane.
    type Mask: Mask;
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;

    /// A constant, rounded to the type; the derivatives of a constant are zero.
    fn from_f64(value: f64) -> Self;

    /// ε of the singularity checks where a model says nothing else: 1e-12 for doubles, 1e-5 for singles (whose cosine
    /// of the nearest number to π/2 is 4e-8): what is divided by a pivot at this limit keeps about two digits of singles,
    /// four of doubles.
    fn default_epsilon() -> Self;

    /// Square root.
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
    /// The angle of the point `(x, self)`, in −π to π. Zeros count without their sign: π at `(−1, ±0)`, 0 at `(±0, ±0)`.
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
    /// `self` to a real power; NaN if one of the two is NaN, also where IEEE 754 says one (`1^NaN`, `NaN^0`).
    fn powf(self, exponent: Self) -> Self;
    /// `self` to an integer power, by repeated squaring; `x.powi(0)` is one.
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
    /// Absolute value; where a derivative is wanted it is [`sign`](Self::sign).
    fn abs(self) -> Self;
    /// −1, 0 or 1; the sign of zero is zero, that of NaN is NaN, the derivative is zero everywhere else.
    fn sign(self) -> Self;
    /// The smaller of two, NaN if one of them is. Of two that are equal the second is taken, with its derivatives.
    fn min(self, other: Self) -> Self;
    /// The larger of two, NaN if one of them is. Of two that are equal the second is taken, with its derivatives.
    fn max(self, other: Self) -> Self;
    /// `self · factor + summand`.
    ///
    /// Rounded once where `std` and the compilation target have the instruction, otherwise twice: never a slow call.
    #[inline(always)]
    fn mul_add(self, factor: Self, summand: Self) -> Self {
        self * factor + summand
    }
    /// `self + a · b`, rounded as by [`Real::mul_add`].
    #[inline(always)]
    fn add_mul(self, a: Self, b: Self) -> Self {
        a.mul_add(b, self)
    }
    /// `self − a · b`, rounded as by [`Real::mul_add`].
    #[inline(always)]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        (-a).mul_add(b, self)
    }
    /// One over `self`.
    #[inline(always)]
    fn recip(self) -> Self {
        Self::ONE / self
    }

    /// Where `self < other`.
    fn is_lt(self, other: Self) -> Self::Mask;
    /// Where `self ≤ other`.
    fn is_le(self, other: Self) -> Self::Mask;
    /// Where `self > other`.
    #[inline(always)]
    fn is_gt(self, other: Self) -> Self::Mask {
        other.is_lt(self)
    }
    /// Where `self ≥ other`.
    #[inline(always)]
    fn is_ge(self, other: Self) -> Self::Mask {
        other.is_le(self)
    }
    /// Where `self = other`; derivatives do not count.
    fn is_eq(self, other: Self) -> Self::Mask;
    /// Where `self` is neither infinite nor NaN; for a dual that includes its derivatives.
    fn is_finite(self) -> Self::Mask;
    /// `if_true` where the mask is true, `if_false` elsewhere. Both are evaluated by the caller.
    ///
    /// A mask cannot tell that a comparison had no answer because one side was NaN: [`if_lt`](Self::if_lt),
    /// [`if_le`](Self::if_le) and [`if_eq`](Self::if_eq) can.
    fn select(mask: Self::Mask, if_true: Self, if_false: Self) -> Self;

    /// `if_true` where `self < other`, `if_false` where `self ≥ other`, NaN where one of these two is NaN.
    ///
    /// For a dual the derivatives are NaN there, too.
    #[inline(always)]
    fn if_lt(self, other: Self, if_true: Self, if_false: Self) -> Self {
        compared(self, other, Self::select(self.is_lt(other), if_true, if_false))
    }
    /// `if_true` where `self ≤ other`, `if_false` where `self > other`, NaN where one of these two is NaN.
    #[inline(always)]
    fn if_le(self, other: Self, if_true: Self, if_false: Self) -> Self {
        compared(self, other, Self::select(self.is_le(other), if_true, if_false))
    }
    /// `if_true` where `self = other`, `if_false` where they differ, NaN where one of these two is NaN.
    #[inline(always)]
    fn if_eq(self, other: Self, if_true: Self, if_false: Self) -> Self {
        compared(self, other, Self::select(self.is_eq(other), if_true, if_false))
    }

    /// Runs the body of a function with the instructions that this scalar has.
    ///
    /// Emitted functions have their bodies in it. A scalar runs them as they are. Registers that the rest of the program is not
    /// compiled for have them compiled for their instruction set; so the closure must be `#[inline(always)]`.
    #[inline(always)]
    fn compute<R>(body: impl FnOnce() -> R) -> R {
        body()
    }

    /// The same computation for two parts of a mechanism: part `k` takes `shared` and `inputs[i][k]` and gives `outputs[o][k]`.
    ///
    /// `f64` and `f32` do it in the lanes of registers, where the target has them; everything else part by part.
    #[inline(always)]
    fn in_pairs<P: Part<H, I, O>, const H: usize, const I: usize, const O: usize>(
        shared: [Self; H],
        inputs: [[Self; 2]; I],
    ) -> [[Self; 2]; O] {
        part::one_by_one::<Self, P, 2, H, I, O>(&shared, &inputs)
    }

    /// The same computation for four parts of a mechanism: part `k` takes `shared` and `inputs[i][k]` and gives `outputs[o][k]`.
    ///
    /// `f64` and `f32` do it in the lanes of registers, where the target has them; everything else part by part.
    #[inline(always)]
    fn in_fours<P: Part<H, I, O>, const H: usize, const I: usize, const O: usize>(
        shared: [Self; H],
        inputs: [[Self; 4]; I],
    ) -> [[Self; 4]; O] {
        part::one_by_one::<Self, P, 4, H, I, O>(&shared, &inputs)
    }

    /// The same computation for eight parts of a mechanism: part `k` takes `shared` and `inputs[i][k]` and gives `outputs[o][k]`.
    ///
    /// `f64` and `f32` do it in the lanes of registers, where the target has them; everything else part by part.
    #[inline(always)]
    fn in_eights<P: Part<H, I, O>, const H: usize, const I: usize, const O: usize>(
        shared: [Self; H],
        inputs: [[Self; 8]; I],
    ) -> [[Self; 8]; O] {
        part::one_by_one::<Self, P, 8, H, I, O>(&shared, &inputs)
    }

    /// The piece of a piecewise cubic that holds `self`: its four coefficients and the distance from its left knot.
    ///
    /// The search that [`table`](Self::table) is built on; the table says what the arguments are.
    fn table_piece(self, knots: &[f64], coefficients: &[[f64; 4]]) -> ([Self; 4], Self);

    /// A piecewise cubic function of `self`.
    ///
    /// On `knots[i] ≤ x < knots[i + 1]` the value is `c0 + c1 d + c2 d² + c3 d³` with `d = x − knots[i]` and
    /// `[c0, c1, c2, c3] = coefficients[i]`. Below the first knot it is the constant `c0` of the first row. From the
    /// last knot on it is the constant `c0` of the last row: there are as many rows as knots.
    ///
    /// Knots rise strictly. A table without knots is zero, and so is a piece whose row is missing.
    #[inline]
    fn table(self, knots: &[f64], coefficients: &[[f64; 4]]) -> Self {
        let ([c0, c1, c2, c3], d) = self.table_piece(knots, coefficients);
        ((c3 * d + c2) * d + c1) * d + c0
    }

    /// Sines and cosines of all angles of a call at once.
    ///
    /// For `f64` and `f32` a loop without branches that the compiler vectorises; see [`crate::sin_cos`] for its
    /// range and accuracy.
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

/// `chosen` where `a` and `b` can be compared; elsewhere one of them is NaN, and so is their sum.
#[inline(always)]
fn compared<T: Real>(a: T, b: T, chosen: T) -> T {
    T::select(a.is_eq(a).and(b.is_eq(b)), chosen, a + b)
}
