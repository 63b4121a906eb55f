//! Tests: derivatives of steps against dual numbers, and differences of states.

use crate::differences::{minus, minus_derivative, plus, plus_derivative};
use crate::discrete::{
    Derivatives, Differentiable, implicit_midpoint_step, rk4_step_adjoint, rk4_step_derivatives, stiffness,
};
use crate::dual::Dual;
use crate::rotation::quaternion_rate;
use crate::{Real, Singular, System, rk4_step};

/// Test system, a gyrostat with a torque about its z: x = [quaternion, angular velocity, angle of a
/// pendulum, its rate].
struct Gyrostat;

const MOMENTS: [f64; 3] = [0.3, 0.7, 1.1];

/// State derivative of the gyrostat.
fn gyrostat_rate<T: Real>(x: &[T; 9], u: &[T; 1]) -> [T; 9] {
    let c = T::from_f64;
    let w = [x[4], x[5], x[6]];
    let e = quaternion_rate([x[0], x[1], x[2], x[3]], w);
    let [a, b, d] = MOMENTS;
    [
        e[0],
        e[1],
        e[2],
        e[3],
        c((b - d) / a) * w[1] * w[2],
        c((d - a) / b) * w[2] * w[0] + x[1] * x[0],
        c((a - b) / d) * w[0] * w[1] + u[0] * c(1.0 / d),
        x[8],
        -c(9.81) * x[7].sin() + u[0] * x[7].cos() - c(0.1) * x[8] * x[4],
    ]
}

impl<T: Real> System<T, 9, 1> for Gyrostat {
    const NQ: usize = 4;
    const NV: usize = 3;
    const QUATERNIONS: &'static [usize] = &[0];

    fn dqdt(&self, _: T, x: &[T; 9], u: &[T; 1], dx: &mut [T; 9]) -> Result<(), Singular<T::Mask>> {
        *dx = gyrostat_rate(x, u);
        Ok(())
    }

    fn coordinate_rates(&self, _: T, x: &[T; 9], dx: &mut [T; 9]) -> Result<(), Singular<T::Mask>> {
        dx[..4].copy_from_slice(&gyrostat_rate(x, &[T::ZERO])[..4]);
        Ok(())
    }

    fn project(&self, x: &mut [T; 9]) {
        crate::normalise_quaternion_at(x, 0);
    }
}

impl Differentiable<f64, 9, 1> for Gyrostat {
    fn dqdt_derivatives(
        &self,
        _: f64,
        x: &[f64; 9],
        u: &[f64; 1],
    ) -> Result<Derivatives<f64, 9, 1>, Singular> {
        let arguments: [f64; 10] = core::array::from_fn(|i| if i < 9 { x[i] } else { u[0] });
        let columns: [[f64; 9]; 10] = core::array::from_fn(|at| {
            let s: [Dual<f64, 1>; 10] = core::array::from_fn(|i| Dual {
                value: arguments[i],
                derivatives: [if i == at { 1.0 } else { 0.0 }],
            });
            gyrostat_rate(&core::array::from_fn(|i| s[i]), &[s[9]]).map(|d| d.derivatives[0])
        });
        Ok(Derivatives {
            rate: gyrostat_rate(x, u),
            by_state: core::array::from_fn(|i| core::array::from_fn(|j| columns[j][i])),
            by_input: core::array::from_fn(|i| [columns[9][i]]),
        })
    }
}

const X: [f64; 9] = [0.5, -0.5, 0.5, 0.5, 1.0, -2.0, 0.7, 0.4, -1.1];

#[test]
fn derivatives_of_a_runge_kutta_step_are_those_of_the_step_itself() {
    let h = 0.05;
    let step = rk4_step_derivatives(&Gyrostat, 0.3, h, &X, &[0.4]).unwrap();
    let mut alone = X;
    rk4_step(&Gyrostat, 0.3, h, &mut alone, &[0.4]).unwrap();
    assert_eq!(step.x, alone);
    // The step over dual numbers, one direction after the other.
    for j in 0..10 {
        let mut x: [Dual<f64, 1>; 9] =
            core::array::from_fn(|i| Dual { value: X[i], derivatives: [if i == j { 1.0 } else { 0.0 }] });
        let u = [Dual { value: 0.4, derivatives: [if j == 9 { 1.0 } else { 0.0 }] }];
        rk4_step(&Gyrostat, Dual::constant(0.3), Dual::constant(h), &mut x, &u).unwrap();
        for i in 0..9 {
            let entry = if j < 9 { step.by_state[i][j] } else { step.by_input[i][0] };
            assert!((entry - x[i].derivatives[0]).abs() < 1e-14, "{i} {j}: {entry} {}", x[i].derivatives[0]);
        }
    }
}

#[test]
fn the_adjoint_of_a_runge_kutta_step_is_its_derivatives_times_the_costates() {
    let (h, costate) = (0.05, [0.3, -1.2, 0.8, 0.1, 2.0, -0.7, 0.4, 1.5, -0.9]);
    let whole = rk4_step_derivatives(&Gyrostat, 0.3, h, &X, &[0.4]).unwrap();
    let adjoint = rk4_step_adjoint(&Gyrostat, 0.3, h, &X, &[0.4], &costate).unwrap();
    assert_eq!(adjoint.x, whole.x);
    let value = |moved: usize, by: f64| -> f64 {
        let (mut x, mut u) = (X, [0.4]);
        if moved < 9 {
            x[moved] += by
        } else {
            u[0] += by
        }
        rk4_step(&Gyrostat, 0.3, h, &mut x, &u).unwrap();
        costate.iter().zip(x).map(|(a, b)| a * b).sum()
    };
    let small = 1e-6;
    for j in 0..10 {
        let weighted: f64 = (0..9)
            .map(|i| costate[i] * if j < 9 { whole.by_state[i][j] } else { whole.by_input[i][0] })
            .sum();
        let entry = if j < 9 { adjoint.by_state[j] } else { adjoint.by_input[0] };
        assert!((entry - weighted).abs() < 1e-14, "{j}: {entry} {weighted}");
        let difference = (value(j, small) - value(j, -small)) / (2.0 * small);
        assert!((entry - difference).abs() < 1e-8, "{j}: {entry} {difference}");
    }
}

#[test]
fn the_implicit_midpoint_rule_fulfils_its_equation_and_its_derivatives_are_those_of_the_root() {
    let (h, u) = (0.1, [0.4]);
    let at = |x: &[f64; 9], u: &[f64; 1]| implicit_midpoint_step(&Gyrostat, 0.0, h, x, u, 8).unwrap();
    let (step, correction) = at(&X, &u);
    assert!(correction < 1e-14, "{correction}");
    let small = 1e-6;
    for j in 0..10 {
        let moved = |by: f64| {
            let (mut x, mut u) = (X, u);
            if j < 9 {
                x[j] += by
            } else {
                u[0] += by
            }
            at(&x, &u).0.x
        };
        let (above, below) = (moved(small), moved(-small));
        for i in 0..9 {
            let entry = if j < 9 { step.by_state[i][j] } else { step.by_input[i][0] };
            let expected = (above[i] - below[i]) / (2.0 * small);
            assert!((entry - expected).abs() < 1e-8, "{i} {j}: {entry} {expected}");
        }
    }
    // The rule conserves the norm of a quaternion, and is its own inverse.
    let (back, _) = implicit_midpoint_step(&Gyrostat, h, -h, &step.x, &u, 8).unwrap();
    for (x, y) in back.x.iter().zip(&X) {
        assert!((x - y).abs() < 1e-13);
    }
}

#[test]
fn differences_lead_there_and_back_and_their_derivatives_are_inverse() {
    let delta = [0.1, -0.2, 0.3, 1.0, 2.0, 3.0, -0.5, 0.25];
    let y: [f64; 9] = plus(&X, &delta, &[0]);
    let norm: f64 = y[..4].iter().map(|e| e * e).sum();
    assert!((norm - 1.0).abs() < 1e-15);
    let back: [f64; 8] = minus(&y, &X, &[0]);
    for (a, b) in back.iter().zip(&delta) {
        assert!((a - b).abs() < 1e-14);
    }
    // The negated quaternion is the same attitude, so the difference is the same.
    let turned: [f64; 9] = core::array::from_fn(|i| if i < 4 { -y[i] } else { y[i] });
    let same: [f64; 8] = minus(&turned, &X, &[0]);
    assert_eq!(same, back);
    let (there, home): ([[f64; 8]; 9], [[f64; 9]; 8]) =
        (plus_derivative(&X, &[0]), minus_derivative(&X, &[0]));
    for i in 0..8 {
        for j in 0..8 {
            let sum: f64 = (0..9).map(|k| home[i][k] * there[k][j]).sum();
            let one = if i == j { 1.0 } else { 0.0 };
            assert!((sum - one).abs() < 1e-15, "{i} {j}: {sum}");
        }
    }
    let small = 1e-7;
    for j in 0..8 {
        let mut delta = [0.0; 8];
        delta[j] = small;
        let y = plus(&X, &delta, &[0]);
        for i in 0..9 {
            assert!(((y[i] - X[i]) / small - there[i][j]).abs() < 1e-6);
        }
    }
}

#[test]
fn stiffness_is_near_the_largest_eigenvalue() {
    // Eigenvalues −100 and −1, of a matrix that is far from normal.
    let a = [[-100.0, 5e3], [0.0, -1.0]];
    let estimate = stiffness(&a, 0.01);
    assert!((1.0..1.5).contains(&estimate), "{estimate}");
    assert_eq!(stiffness(&[[0.0, 1.0], [0.0, 0.0]], 0.1), 0.0);
    assert_eq!(stiffness(&[[0.0f64; 2]; 2], 0.1), 0.0);
    let oscillator = [[0.0f64, 1.0], [-1e4, 0.0]];
    assert!((stiffness(&oscillator, 1e-3) - 0.1).abs() < 0.06);
}
