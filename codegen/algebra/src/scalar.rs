//! The scalar type over which the mechanics is generic.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

use serde::{Deserialize, Serialize};

use super::{PiecewiseCubic, Ratio};

/// Functions of one argument in formulas of a spec and in the graph, other than `sqrt`, `sin` and
/// `cos`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Func {
    /// The tangent `tan` of formulas.
    Tan,
    /// The inverse sine `asin` of formulas.
    Asin,
    /// The inverse cosine `acos` of formulas.
    Acos,
    /// The inverse tangent `atan` of formulas.
    Atan,
    /// The hyperbolic sine `sinh` of formulas.
    Sinh,
    /// The hyperbolic cosine `cosh` of formulas.
    Cosh,
    /// The hyperbolic tangent `tanh` of formulas.
    Tanh,
    /// The exponential function `exp` of formulas.
    Exp,
    /// The natural logarithm `ln` of formulas.
    Ln,
    /// The absolute value `abs` of formulas.
    Abs,
    /// The function `sign` of formulas: −1, 0 or 1; NaN at NaN.
    Sign,
}

/// Functions of two arguments in formulas of a spec and in the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Func2 {
    /// The angle `atan2(y, x)` of formulas, in all four quadrants.
    Atan2,
    /// The power `base ^ exponent` of formulas, with a real exponent.
    Pow,
    /// The smaller of two values, `min` of formulas.
    Min,
    /// The larger of two values, `max` of formulas.
    Max,
}

/// Comparison operator of a selection (`if` in formulas).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Cmp {
    /// The condition `a < b` of a selection.
    Lt,
    /// The condition `a <= b` of a selection.
    Le,
    /// The condition `a == b` of a selection.
    Eq,
}

impl Func {
    /// Evaluates the function of one argument in `f64`.
    pub fn eval(self, x: f64) -> f64 {
        match self {
            Func::Tan => x.tan(),
            Func::Asin => x.asin(),
            Func::Acos => x.acos(),
            Func::Atan => x.atan(),
            Func::Sinh => x.sinh(),
            Func::Cosh => x.cosh(),
            Func::Tanh => x.tanh(),
            Func::Exp => x.exp(),
            Func::Ln => x.ln(),
            Func::Abs => x.abs(),
            Func::Sign => {
                if x > 0.0 {
                    1.0
                } else if x < 0.0 {
                    -1.0
                } else {
                    // Zero, or NaN.
                    x
                }
            }
        }
    }

    /// Name of the function in a formula of a spec, such as `tan`.
    pub fn name(self) -> &'static str {
        match self {
            Func::Tan => "tan",
            Func::Asin => "asin",
            Func::Acos => "acos",
            Func::Atan => "atan",
            Func::Sinh => "sinh",
            Func::Cosh => "cosh",
            Func::Tanh => "tanh",
            Func::Exp => "exp",
            Func::Ln => "ln",
            Func::Abs => "abs",
            Func::Sign => "sign",
        }
    }
}

impl Func2 {
    /// Evaluates the function in `f64`; NaN if an argument is NaN.
    pub fn eval(self, x: f64, y: f64) -> f64 {
        match self {
            // Adding zero removes the sign of −0, which depends on how a difference is written.
            Func2::Atan2 => (x + 0.0).atan2(y + 0.0),
            // IEEE 754 and Rust ignore NaN in these three; here NaN propagates.
            _ if x.is_nan() || y.is_nan() => f64::NAN,
            Func2::Pow => x.powf(y),
            Func2::Min => x.min(y),
            Func2::Max => x.max(y),
        }
    }

    /// Name of the function in a formula of a spec, such as `atan2`.
    pub fn name(self) -> &'static str {
        match self {
            Func2::Atan2 => "atan2",
            Func2::Pow => "pow",
            Func2::Min => "min",
            Func2::Max => "max",
        }
    }
}

impl Cmp {
    /// `yes` if the comparison of `a` and `b` is true, else `no`; NaN if `a` or `b` is NaN.
    pub fn select(self, a: f64, b: f64, yes: f64, no: f64) -> f64 {
        let Some(order) = a.partial_cmp(&b) else { return f64::NAN };
        let holds = match self {
            Cmp::Lt => order.is_lt(),
            Cmp::Le => order.is_le(),
            Cmp::Eq => order.is_eq(),
        };
        if holds { yes } else { no }
    }
}

/// The number type of the mechanics code: `f64`, jets, or handles into a graph.
///
/// The mechanics writes literals with [`Scalar::ratio`] only; the caller converts constants of a
/// model. It tests [`Scalar::is_zero`] (structural; always false for `f64`) but never compares
/// values.
pub trait Scalar:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The literal 0 of the scalar type: a structural zero in graphs.
    const ZERO: Self;
    /// The literal 1 of the scalar type.
    const ONE: Self;

    /// The literal `n / d`, the only way in which the mechanics writes numbers.
    fn ratio(n: i32, d: u32) -> Self;
    /// True if the value is known to be zero for all values of the symbols, without any algebra.
    fn is_zero(self) -> bool;
    /// Sine and cosine of the value, an angle in radians.
    fn sin_cos(self) -> (Self, Self);
    /// Square root of the value.
    fn sqrt(self) -> Self;
    /// Applies a function of one argument, such as the tangent.
    fn apply_function(self, f: Func) -> Self;
    /// Applies a function of two arguments, such as `atan2`, with `self` first.
    fn apply_function2(self, f: Func2, other: Self) -> Self;
    /// `yes` where `a cmp b` holds, else `no`; NaN where `a` or `b` is NaN.
    fn select(cmp: Cmp, a: Self, b: Self, yes: Self, no: Self) -> Self;
    /// The value of a tabulated function (piecewise cubic) at `self`.
    fn interpolate_table(self, table: &PiecewiseCubic) -> Self;

    /// Suggests a name for the value, for readers of a recorded graph: quantity, body, axis. Only a
    /// scalar that records evaluates `name`.
    fn suggest_name(self, name: &dyn Fn() -> String) -> Self {
        let _ = name;
        self
    }

    /// Suggests a name for a value whose derivative, if there is one, is its rate along the motion:
    /// a jet then names the derivative with the prefix `rate_`.
    fn suggest_name_with_rate(self, name: &dyn Fn() -> String) -> Self {
        self.suggest_name(name)
    }

    /// Names the value after `other` with the prefix `kind`, as `reduced` after a step of an
    /// elimination; without effect unless the scalar records a graph.
    fn suggest_name_like(self, other: Self, kind: &str) -> Self {
        let _ = (other, kind);
        self
    }

    /// The same values in fewer operations, and identically zero ones as constant zero, for a
    /// scalar that records; otherwise unchanged. Each group may be needed alone. Called for values
    /// on which many others depend.
    fn normal_forms(groups: &[&[Self]]) -> Vec<Vec<Self>> {
        groups.iter().map(|group| group.to_vec()).collect()
    }

    /// The square `self * self` of the value.
    fn squared(self) -> Self {
        self * self
    }

    /// Integer power by repeated squaring; a negative exponent gives the reciprocal.
    fn powi(self, n: i32) -> Self {
        let mut result: Option<Self> = None;
        let mut base = self;
        let mut k = n.unsigned_abs();
        while k > 0 {
            if k & 1 == 1 {
                result = Some(result.map_or(base, |r| r * base));
            }
            k >>= 1;
            if k > 0 {
                base = base * base;
            }
        }
        let r = result.unwrap_or(Self::ONE);
        if n < 0 { Self::ONE / r } else { r }
    }
}

impl Scalar for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    fn ratio(n: i32, d: u32) -> Self {
        f64::from(n) / f64::from(d)
    }
    fn is_zero(self) -> bool {
        false
    }
    fn sin_cos(self) -> (Self, Self) {
        f64::sin_cos(self)
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn apply_function(self, f: Func) -> Self {
        f.eval(self)
    }
    fn apply_function2(self, f: Func2, other: Self) -> Self {
        f.eval(self, other)
    }
    fn select(cmp: Cmp, a: Self, b: Self, yes: Self, no: Self) -> Self {
        cmp.select(a, b, yes, no)
    }
    fn interpolate_table(self, table: &PiecewiseCubic) -> Self {
        table.eval(self)
    }
}

impl Ratio {
    /// The ratio as a literal of any scalar; `None` if it does not fit in 32 bits.
    #[doc(hidden)]
    pub fn to_scalar_literal<S: Scalar>(self) -> Option<S> {
        Some(S::ratio(i32::try_from(self.num()).ok()?, u32::try_from(self.den()).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Jet;

    /// Results of functions and selections with NaN in turn in each argument.
    fn forgetful<S: Scalar>(nan: S, x: S, y: S) -> Vec<S> {
        use Func::*;
        let one =
            [Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Exp, Ln, Abs, Sign].map(|f| nan.apply_function(f));
        let two = [Func2::Atan2, Func2::Pow, Func2::Min, Func2::Max]
            .map(|f| [nan.apply_function2(f, x), x.apply_function2(f, nan)]);
        let choices = [Cmp::Lt, Cmp::Le, Cmp::Eq]
            .map(|cmp| [S::select(cmp, nan, x, x, y), S::select(cmp, x, nan, x, y)]);
        let table = PiecewiseCubic::linear(&[-1.0, 1.0], &[2.0, 3.0]);
        let limited = nan.apply_function2(Func2::Max, x).apply_function2(Func2::Min, y);
        let all = one.into_iter().chain(two.into_iter().flatten()).chain(choices.into_iter().flatten());
        all.chain([nan.interpolate_table(&table), limited]).collect()
    }

    #[test]
    fn nan_passes_through_functions_and_choices_over_doubles_and_jets() {
        assert!(forgetful(f64::NAN, 0.0, 1.0).iter().all(|x| x.is_nan()));
        let jets = forgetful(Jet::variable(f64::NAN), Jet::constant(0.0), Jet::variable(1.0));
        assert!(jets.iter().all(|x| x.v.is_nan()), "{jets:?}");
        // The branch that is not selected has no effect.
        assert_eq!(f64::select(Cmp::Lt, 0.0, 1.0, 2.0, f64::NAN), 2.0);
    }

    #[test]
    fn infinity_keeps_its_meaning_in_limits_and_choices() {
        let inf = f64::INFINITY;
        assert_eq!(
            (
                inf.apply_function2(Func2::Min, 2.0),
                (-inf).apply_function2(Func2::Max, 2.0),
                (-inf).apply_function(Func::Sign)
            ),
            (2.0, 2.0, -1.0)
        );
        assert_eq!(
            (f64::select(Cmp::Lt, -inf, inf, 1.0, 2.0), f64::select(Cmp::Eq, inf, inf, 1.0, 2.0)),
            (1.0, 1.0)
        );
        assert_eq!((-0.0f64).apply_function(Func::Sign), 0.0);
    }
}
