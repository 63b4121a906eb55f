//! Tests of the steps of fixed length.

use crate::testing::{Pendulum, assert_close};
use crate::{Lanes, Real, Singular, System, rk4_step, semi_implicit_euler_step};

/// Test system, a body that spins about a fixed axis: x = [quaternion, angular speed, filtered
/// speed].
struct Spinner;

impl<T: Real> System<T, 6, 1> for Spinner {
    const NQ: usize = 4;
    const NV: usize = 1;

    fn dqdt(&self, t: T, x: &[T; 6], u: &[T; 1], dx: &mut [T; 6]) -> Result<(), Singular<T::Mask>> {
        self.coordinate_rates(t, x, dx)?;
        dx[4] = u[0];
        dx[5] = x[4] - x[5];
        Ok(())
    }

    fn coordinate_rates(&self, _t: T, x: &[T; 6], dx: &mut [T; 6]) -> Result<(), Singular<T::Mask>> {
        let [q0, q1, q2, q3, w, _] = *x;
        let rate = crate::rotation::quaternion_rate([q0, q1, q2, q3], [T::ZERO, T::ZERO, w]);
        dx[..4].copy_from_slice(&rate);
        Ok(())
    }

    fn project(&self, x: &mut [T; 6]) {
        crate::normalise_quaternion_at(x, 0);
    }
}

/// Test system that is singular beyond x = 1.
struct Wall;

impl<T: Real> System<T, 2, 0> for Wall {
    const NQ: usize = 1;
    const NV: usize = 1;

    fn dqdt(&self, _t: T, x: &[T; 2], _u: &[T; 0], dx: &mut [T; 2]) -> Result<(), Singular<T::Mask>> {
        *dx = [x[1], T::ZERO];
        let pivot = T::select(x[0].is_lt(T::ONE), T::ONE, T::ZERO);
        crate::check_pivots([T::ONE, pivot], [T::ONE; 2], T::from_f64(1e-12)).finish(&[], dx)
    }

    fn coordinate_rates(&self, _t: T, x: &[T; 2], dx: &mut [T; 2]) -> Result<(), Singular<T::Mask>> {
        dx[0] = x[1];
        Ok(())
    }
}

/// State of the pendulum after one second in this number of Runge-Kutta steps.
fn pendulum_state_after_rk4(steps: u32) -> [f64; 2] {
    let mut x = [0.5, 0.0];
    for i in 0..steps {
        let h = 1.0 / f64::from(steps);
        assert!(rk4_step(&Pendulum, f64::from(i) * h, h, &mut x, &[]).is_ok());
    }
    x
}

#[test]
fn the_runge_kutta_step_has_order_four() {
    let exact = pendulum_state_after_rk4(4096);
    let error = |steps| {
        let x = pendulum_state_after_rk4(steps);
        (x[0] - exact[0]).hypot(x[1] - exact[1])
    };
    let ratio = error(100) / error(200);
    assert!((ratio - 16.0).abs() < 1.0, "{ratio}");
}

/// Energy of the pendulum of the tests.
fn pendulum_energy(x: &[f64; 2]) -> f64 {
    0.5 * x[1] * x[1] - 9.81 * x[0].cos()
}

#[test]
fn the_semi_implicit_step_keeps_the_energy_bounded() {
    let mut x = [1.0, 0.0];
    let start = pendulum_energy(&x);
    let mut largest = 0.0_f64;
    for _ in 0..200_000 {
        assert!(semi_implicit_euler_step(&Pendulum, 0.0, 0.01, &mut x, &[]).is_ok());
        largest = largest.max((pendulum_energy(&x) - start).abs());
    }
    assert!(largest < 0.15, "{largest}");
}

#[test]
fn the_semi_implicit_step_moves_speeds_first() {
    let mut x = [1.0, 0.0, 0.0, 0.0, 2.0, 0.5];
    assert!(semi_implicit_euler_step(&Spinner, 0.0, 0.1, &mut x, &[10.0]).is_ok());
    // The new speed is 3, the half angle tan⁻¹(0.15); the filter still uses a speed of 2.
    assert_close(x[4], 3.0, 1e-15);
    assert_close(x[3] / x[0], 0.15, 1e-15);
    assert_close(x[5], 0.65, 1e-15);
    assert_close(x[0] * x[0] + x[3] * x[3], 1.0, 1e-15);
}

#[test]
fn quaternions_stay_of_unit_norm() {
    let mut x = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    for i in 0..1000 {
        assert!(rk4_step(&Spinner, f64::from(i) * 1e-3, 1e-3, &mut x, &[2.0]).is_ok());
    }
    // After one second at 2 rad/s² the angle is 1 rad.
    assert_close(x[0], 0.5_f64.cos(), 1e-12);
    assert_close(x[3], 0.5_f64.sin(), 1e-12);
    assert_close(x[5], 2.0 * (-1.0_f64).exp(), 1e-12);
}

#[test]
fn a_singular_step_leaves_the_state_untouched() {
    let mut x = [0.9, 2.0];
    let cause = rk4_step(&Wall, 0.0, 0.1, &mut x, &[]).map_err(|e| e.cause);
    assert_eq!((cause, x), (Err(crate::Cause::Row(1)), [0.9, 2.0]));
    let mut x = [Lanes([0.0, 1.5]), Lanes([1.0, 1.0])];
    let before = x;
    let t = Lanes::splat(0.0);
    let error = semi_implicit_euler_step(&Wall, t, Lanes::splat(0.1), &mut x, &[]);
    assert_eq!(error.map_err(|e| e.lanes.0), Err([false, true]));
    assert_eq!(x, before);
}

#[test]
fn lanes_take_the_same_steps_as_scalars() {
    let starts = [[0.5, 0.0], [1.0, -1.0], [3.0, 0.1], [-2.0, 4.0]];
    let mut lanes = crate::transpose_in(&starts);
    let h = Lanes::splat(0.01);
    assert!(rk4_step(&Pendulum, Lanes::ZERO, h, &mut lanes, &[]).is_ok());
    for (mut x, lane) in starts.into_iter().zip(crate::transpose_out(&lanes)) {
        assert!(rk4_step(&Pendulum, 0.0, 0.01, &mut x, &[]).is_ok());
        assert_eq!(x, lane);
    }
}
