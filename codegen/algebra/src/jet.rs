//! First-order jets (dual numbers): a value and one directional derivative, exact over any scalar.
//! Jets can be nested.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Cmp, Func, Func2, PiecewiseCubic, Scalar};

/// A dual number `v + d ε` with `ε² = 0`: a scalar that carries its first derivative along one
/// direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet<S> {
    /// The value part of the dual number.
    pub v: S,
    /// The derivative of the value along the caller's direction, the coefficient of ε.
    pub d: S,
}

impl<S: Scalar> Jet<S> {
    /// A dual number from a value and its derivative along the direction.
    pub fn new(v: S, d: S) -> Self {
        Jet { v, d }
    }

    /// A constant as a dual number: its derivative is zero.
    pub fn constant(v: S) -> Self {
        Jet { v, d: S::ZERO }
    }

    /// The independent variable as a dual number: its derivative is one.
    pub fn variable(v: S) -> Self {
        Jet { v, d: S::ONE }
    }

    /// The jet of a function of `self`, from its value and its slope there (chain rule).
    fn apply_chain_rule(self, value: S, slope: S) -> Self {
        Jet { v: value, d: if self.d.is_zero() { S::ZERO } else { slope * self.d } }
    }
}

impl<S: Scalar> Add for Jet<S> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Jet { v: self.v + o.v, d: self.d + o.d }
    }
}

impl<S: Scalar> Sub for Jet<S> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Jet { v: self.v - o.v, d: self.d - o.d }
    }
}

impl<S: Scalar> Mul for Jet<S> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Jet { v: self.v * o.v, d: self.d * o.v + self.v * o.d }
    }
}

impl<S: Scalar> Div for Jet<S> {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let v = self.v / o.v;
        Jet { v, d: (self.d - v * o.d) / o.v }
    }
}

impl<S: Scalar> Neg for Jet<S> {
    type Output = Self;
    fn neg(self) -> Self {
        Jet { v: -self.v, d: -self.d }
    }
}

impl<S: Scalar> Scalar for Jet<S> {
    const ZERO: Self = Jet { v: S::ZERO, d: S::ZERO };
    const ONE: Self = Jet { v: S::ONE, d: S::ZERO };

    /// Names the value only; a name for the derivative would depend on its direction.
    fn suggest_name(self, name: &dyn Fn() -> String) -> Self {
        self.v.suggest_name(name);
        self
    }

    fn suggest_name_with_rate(self, name: &dyn Fn() -> String) -> Self {
        self.v.suggest_name(name);
        self.d.suggest_name(&|| format!("rate_{}", name()));
        self
    }

    fn ratio(n: i32, d: u32) -> Self {
        Jet::constant(S::ratio(n, d))
    }

    fn is_zero(self) -> bool {
        self.v.is_zero() && self.d.is_zero()
    }

    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.v.sin_cos();
        (self.apply_chain_rule(s, c), self.apply_chain_rule(c, -s))
    }

    fn sqrt(self) -> Self {
        let r = self.v.sqrt();
        self.apply_chain_rule(r, S::ratio(1, 2) / r)
    }

    fn apply_function(self, f: Func) -> Self {
        let x = self.v;
        let y = x.apply_function(f);
        if self.d.is_zero() {
            return Jet::constant(y);
        }
        let one = S::ONE;
        let slope = match f {
            Func::Tan => one + y * y,
            Func::Asin => one / (one - x * x).sqrt(),
            Func::Acos => -(one / (one - x * x).sqrt()),
            Func::Atan => one / (one + x * x),
            Func::Sinh => x.apply_function(Func::Cosh),
            Func::Cosh => x.apply_function(Func::Sinh),
            Func::Tanh => one - y * y,
            Func::Exp => y,
            Func::Ln => one / x,
            Func::Abs => x.apply_function(Func::Sign),
            Func::Sign => S::ZERO,
        };
        self.apply_chain_rule(y, slope)
    }

    fn apply_function2(self, f: Func2, o: Self) -> Self {
        let (x, y) = (self.v, o.v);
        let v = x.apply_function2(f, y);
        let d = match f {
            Func2::Atan2 => {
                let r2 = x * x + y * y;
                multiply_slope(y / r2, self.d) - multiply_slope(x / r2, o.d)
            }
            Func2::Pow => {
                let in_base = if self.d.is_zero() {
                    S::ZERO
                } else {
                    y * x.apply_function2(Func2::Pow, y - S::ONE) * self.d
                };
                let in_exponent = if o.d.is_zero() { S::ZERO } else { v * x.apply_function(Func::Ln) * o.d };
                in_base + in_exponent
            }
            Func2::Min => S::select(Cmp::Le, x, y, self.d, o.d),
            Func2::Max => S::select(Cmp::Le, x, y, o.d, self.d),
        };
        Jet { v, d }
    }

    fn select(cmp: Cmp, a: Self, b: Self, yes: Self, no: Self) -> Self {
        Jet { v: S::select(cmp, a.v, b.v, yes.v, no.v), d: S::select(cmp, a.v, b.v, yes.d, no.d) }
    }

    fn interpolate_table(self, table: &PiecewiseCubic) -> Self {
        let value = self.v.interpolate_table(table);
        if self.d.is_zero() {
            return Jet::constant(value);
        }
        let slope = table.derivative();
        if slope.is_zero() {
            Jet::constant(value)
        } else {
            self.apply_chain_rule(value, self.v.interpolate_table(&slope))
        }
    }
}

/// The product `slope · d`; zero, without an operation, if `d` is zero.
fn multiply_slope<S: Scalar>(slope: S, d: S) -> S {
    if d.is_zero() { S::ZERO } else { slope * d }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(f: impl Fn(Jet<f64>) -> Jet<f64>, x: f64) {
        let h = 1e-6;
        let at = |x| f(Jet::constant(x)).v;
        let expected = (at(x + h) - at(x - h)) / (2.0 * h);
        let got = f(Jet::variable(x)).d;
        assert!((got - expected).abs() < 1e-8 * expected.abs().max(1.0), "{got} against {expected}");
    }

    #[test]
    fn every_function_has_the_slope_of_its_finite_difference() {
        use Func::*;
        for f in [Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Exp, Ln, Abs, Sign] {
            check(|x| x.apply_function(f), 0.37);
        }
        let c = Jet::constant(1.7);
        for f in [Func2::Atan2, Func2::Pow, Func2::Min, Func2::Max] {
            check(|x| x.apply_function2(f, c), 0.37);
            check(|x| c.apply_function2(f, x), 0.37);
        }
        check(|x| x.sqrt() / (Jet::ONE + x.powi(-3)), 0.8);
        check(|x| x.sin_cos().0 * x.sin_cos().1, 0.8);
        let table = PiecewiseCubic::natural_spline(&[0.0, 1.0, 2.0], &[0.0, 2.0, 1.0]);
        check(|x| (x * x).interpolate_table(&table), 1.1);
    }

    #[test]
    fn nested_jets_give_second_derivatives() {
        let x = Jet::new(Jet::variable(0.6), Jet::ONE);
        let y = x.sin_cos().0 * x;
        assert!((y.d.d - (2.0 * 0.6f64.cos() - 0.6 * 0.6f64.sin())).abs() < 1e-15);
    }
}
