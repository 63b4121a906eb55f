//! Tests of [`Dual`](crate::Dual) against finite differences, and of nested duals.

use crate::testing::{Random, assert_close};
use crate::{Dual, Real};

type D = Dual<f64, 2>;

/// Compares the derivatives of a function by dual numbers with central differences at random
/// arguments.
fn compare_with_differences(f: fn(D, D) -> D, low: f64, high: f64) {
    let mut random = Random::new(3);
    for _ in 0..50 {
        let [x, y] = [random.random_within(low, high), random.random_within(low, high)];
        let [a, b] = D::variables([x, y]);
        let exact = f(a, b);
        let value = |x, y| f(D::constant(x), D::constant(y)).value;
        let h = 1e-5;
        assert_close(exact.derivatives[0], (value(x + h, y) - value(x - h, y)) / (2.0 * h), 1e-7);
        assert_close(exact.derivatives[1], (value(x, y + h) - value(x, y - h)) / (2.0 * h), 1e-7);
    }
}

#[test]
fn derivatives_agree_with_differences() {
    compare_with_differences(|x, y| x * y - x / y + (-x), 0.5, 2.0);
    compare_with_differences(|x, y| x.sqrt() + y.sin() * x.cos() + y.tan(), 0.1, 1.2);
    compare_with_differences(|x, y| x.asin() * y.acos() + x.atan() + y.atan2(x), -0.9, -0.1);
    compare_with_differences(|x, y| x.sinh() * y.cosh() + (x * y).tanh(), -1.0, 1.0);
    compare_with_differences(|x, y| x.exp() * y.ln() + x.powf(y) + y.powi(-3), 0.3, 2.0);
    compare_with_differences(|x, y| x.abs() * y.sign() + y.mul_add(x, x), 0.1, 1.0);
    compare_with_differences(|x, y| x.min(y + D::from_f64(9.0)) + y.max(x - D::from_f64(9.0)), 0.1, 1.0);
    compare_with_differences(
        |x, y| {
            let ([s, _], [_, c]) = D::sin_cos_n([x * y, x - y]);
            s * c
        },
        -2.0,
        2.0,
    );
}

#[test]
fn compound_assignment_is_the_operator() {
    let [a, b] = D::variables([1.5, 0.75]);
    let mut c = a;
    c += b;
    c -= a * a;
    c *= b;
    c /= a;
    assert_eq!(c, (a + b - a * a) * b / a);
}

#[test]
fn a_constant_exponent_is_differentiated_at_zero_and_below() {
    let x = Dual::<f64, 1>::variable(0.0, 0);
    assert_eq!(x.powf(Real::from_f64(2.0)).derivatives, [0.0]);
    assert_eq!(x.powf(Real::from_f64(0.0)).derivatives, [0.0]);
    let y = Dual::<f64, 1>::variable(-2.0, 0).powf(Real::from_f64(3.0));
    assert_eq!((y.value, y.derivatives), (-8.0, [12.0]));
}

#[test]
fn a_dual_over_a_dual_has_second_derivatives() {
    let inner = Dual::<f64, 1>::variable(0.7, 0);
    let x = Dual::<Dual<f64, 1>, 1>::variable(inner, 0);
    let f = x.sin() * x;
    let (s, c) = (0.7_f64.sin(), 0.7_f64.cos());
    assert_close(f.derivatives[0].value, c * 0.7 + s, 1e-15);
    assert_close(f.derivatives[0].derivatives[0], 2.0 * c - 0.7 * s, 1e-15);
}

#[test]
fn an_index_beyond_the_last_gives_a_constant() {
    assert_eq!(D::variable(2.0, 2), D::constant(2.0));
    assert!(!Dual::<f64, 1>::variable(0.0, 0).sqrt().is_finite());
}
