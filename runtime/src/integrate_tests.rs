//! Tests of the adaptive integration.

use std::string::ToString;
use std::vec::Vec;

use crate::integrate::{
    IntegrateError, Method, Options, Trajectory, integrate, integrate_constrained, integrate_steps,
    integrate_vec,
};
use crate::testing::{Pendulum, assert_close};
use crate::{ConstrainedSystem, Singular, System};

const TIGHT: Options = Options {
    method: Method::Dop853,
    rtol: 1e-12,
    atol: 1e-12,
    max_steps: 10_000_000,
    longest_step: f64::INFINITY,
    rest_speed: 1e-3,
};

/// Test system, a unit mass on a line, pushed by its input. Singular from `wall` on.
struct Mass {
    stiffness: f64,
    wall: f64,
}

const FREE: Mass = Mass { stiffness: 0.0, wall: f64::INFINITY };
const OSCILLATOR: Mass = Mass { stiffness: 1.0, wall: f64::INFINITY };

impl System<f64, 2, 1> for Mass {
    const NQ: usize = 1;
    const NV: usize = 1;

    fn dqdt(&self, _t: f64, x: &[f64; 2], u: &[f64; 1], dx: &mut [f64; 2]) -> Result<(), Singular> {
        *dx = [x[1], u[0] - self.stiffness * x[0]];
        let pivot = f64::from(u8::from(x[0] < self.wall));
        crate::check_pivots([1.0, pivot], [1.0; 2], 1e-12).finish(&[], dx)
    }

    fn coordinate_rates(&self, _t: f64, x: &[f64; 2], dx: &mut [f64; 2]) -> Result<(), Singular> {
        dx[0] = x[1];
        Ok(())
    }
}

/// Test system, a body that spins at a constant rate about z, with a quaternion of any norm.
struct Spinner;

impl System<f64, 4, 0> for Spinner {
    const NQ: usize = 4;
    const NV: usize = 0;

    fn dqdt(&self, t: f64, x: &[f64; 4], _u: &[f64; 0], dx: &mut [f64; 4]) -> Result<(), Singular> {
        self.coordinate_rates(t, x, dx)
    }

    fn coordinate_rates(&self, _t: f64, x: &[f64; 4], dx: &mut [f64; 4]) -> Result<(), Singular> {
        *dx = crate::rotation::quaternion_rate(*x, [0.0, 0.0, 2.0]);
        Ok(())
    }

    fn project(&self, x: &mut [f64; 4]) {
        crate::normalise_quaternion(x);
    }
}

/// Equally spaced times from 0 to `end`.
fn equally_spaced_times(end: f64, count: u32) -> Vec<f64> {
    (0..=count).map(|i| end * f64::from(i) / f64::from(count)).collect()
}

#[test]
fn an_oscillator_is_right_at_every_time_asked_for() {
    for (end, count) in [(20.0, 54), (20.0, 7), (20.0, 4000), (-20.0, 54)] {
        let times = equally_spaced_times(end, count);
        let run = integrate(&OSCILLATOR, 0.0, &[1.0, 0.0], &times, |_, _| [0.0], &TIGHT);
        let run = run.unwrap();
        assert_eq!(run.t, times);
        for (t, x) in run.t.iter().zip(&run.x) {
            assert_close(x[0], t.cos(), 1e-11);
            assert_close(x[1], -t.sin(), 1e-11);
        }
    }
}

#[test]
fn the_input_function_sees_time_and_state() {
    // ẍ = cos t − x with the spring in the input: x = t sin t / 2 from rest.
    let times = equally_spaced_times(10.0, 25);
    let run = integrate(&FREE, 0.0, &[0.0, 0.0], &times, |t, x| [t.cos() - x[0]], &TIGHT).unwrap();
    for (t, x) in run.t.iter().zip(&run.x) {
        assert_close(x[0], 0.5 * t * t.sin(), 1e-11);
    }
}

/// Integrates a free oscillation of the test mass.
fn integrate_oscillation(times: &[f64], options: &Options) -> Result<Trajectory<2>, IntegrateError> {
    integrate(&OSCILLATOR, 0.0, &[1.0, 0.0], times, |_, _| [0.0], options)
}

#[test]
fn times_do_not_shorten_the_steps_in_between() {
    let [few, more] = [std::vec![100.0], equally_spaced_times(100.0, 10)]
        .map(|times| integrate_oscillation(&times, &TIGHT).unwrap().statistics);
    assert!(more.accepted <= few.accepted + 11, "{few:?} {more:?}");
    assert!(few.evaluations >= 12 * few.accepted && few.evaluations < 20 * few.accepted);
    assert!(few.accepted > 50 && few.accepted < 1000, "{few:?}");
}

#[test]
fn every_step_is_a_point_of_the_motion() {
    let run = integrate_steps(&OSCILLATOR, 1.0, &[1.0, 0.0], 9.0, |_, _| [0.0], &TIGHT).unwrap();
    assert_eq!(run.t.len(), run.statistics.accepted + 1);
    assert_eq!((run.t[0], run.t.last()), (1.0, Some(&9.0)));
    assert!(run.t.is_sorted());
    for (t, x) in run.t.iter().zip(&run.x) {
        assert_close(x[0], (t - 1.0).cos(), 1e-11);
    }
}

/// Energy of the pendulum of the tests.
fn pendulum_energy(x: &[f64; 2]) -> f64 {
    0.5 * x[1] * x[1] - 9.81 * x[0].cos()
}

#[test]
fn a_pendulum_keeps_its_energy() {
    let run = integrate_steps(&Pendulum, 0.0, &[2.0, 0.0], 60.0, |_, _| [], &TIGHT).unwrap();
    for x in &run.x {
        assert_close(pendulum_energy(x), pendulum_energy(&[2.0, 0.0]), 1e-10);
    }
}

#[test]
fn a_singular_pose_on_the_way_is_an_error() {
    let blocked = Mass { stiffness: 0.0, wall: 1.0 };
    let run = integrate(&blocked, 0.0, &[0.0, 1.0], &[0.5, 3.0], |_, _| [0.0], &TIGHT);
    let Err(IntegrateError::Singular { t, singular }) = run else {
        panic!("{run:?}");
    };
    assert!((t - 1.0).abs() < 1e-8, "{t}");
    assert_eq!(singular.cause, crate::Cause::Row(1));
    let error = IntegrateError::Singular { t: 0.5, singular };
    assert!(error.to_string().starts_with("at t = 0.5 s: the equations"));
    // A singular start is an error, too; a motion that ends before the wall is none.
    let run = integrate(&blocked, 0.0, &[2.0, 0.0], &[1.0], |_, _| [0.0], &TIGHT);
    assert!(matches!(run, Err(IntegrateError::Singular { t: 0.0, .. })));
    let run = integrate(&blocked, 0.0, &[0.0, 1.0], &[0.999], |_, _| [0.0], &TIGHT);
    assert_close(run.unwrap().x[0][0], 0.999, 1e-14);
}

#[test]
fn what_is_not_finite_is_an_error() {
    let run =
        integrate(&FREE, 0.0, &[0.0, 1.0], &[2.0], |t, _| [if t < 1.0 { 0.0 } else { f64::NAN }], &TIGHT);
    assert!(matches!(run, Err(IntegrateError::NotFinite { t }) if (t - 1.0).abs() < 1e-8));
    let run = integrate(&FREE, 0.0, &[f64::NAN, 1.0], &[2.0], |_, _| [0.0], &TIGHT);
    assert_eq!(run, Err(IntegrateError::NotFinite { t: 0.0 }));
}

#[test]
fn quaternions_come_out_of_unit_norm() {
    let times = equally_spaced_times(10.0, 20);
    let loose = Options { rtol: 1e-5, atol: 1e-5, ..TIGHT };
    for (options, tolerance) in [(TIGHT, 1e-11), (loose, 1e-4)] {
        let run = integrate(&Spinner, 0.0, &[3.0, 0.0, 0.0, 0.0], &times, |_, _| [], &options);
        let run = run.unwrap();
        for (t, x) in run.t.iter().zip(&run.x) {
            assert_close(x.iter().map(|part| part * part).sum(), 1.0, 1e-15);
            assert_close(x[0], t.cos(), tolerance);
            assert_close(x[3], t.sin(), tolerance);
        }
    }
}

#[test]
fn limits_and_times_are_checked() {
    assert_eq!(integrate_oscillation(&[], &TIGHT).unwrap().x.len(), 0);
    assert_eq!(integrate_oscillation(&[0.0, 0.0], &TIGHT).unwrap().x, [[1.0, 0.0]; 2]);
    assert_eq!(integrate_oscillation(&[0.0, 1e-9, 1e-9], &TIGHT).unwrap().x.len(), 3);
    assert_eq!(integrate_oscillation(&[1.0, 0.5], &TIGHT), Err(IntegrateError::Times { index: 1 }));
    assert_eq!(integrate_oscillation(&[1.0, f64::NAN], &TIGHT), Err(IntegrateError::Times { index: 1 }));
    let none = Options { rtol: 0.0, atol: 0.0, ..TIGHT };
    assert_eq!(integrate_oscillation(&[1.0], &none), Err(IntegrateError::Options));
    let short = Options { max_steps: 5, ..TIGHT };
    assert!(matches!(integrate_oscillation(&[100.0], &short), Err(IntegrateError::TooManySteps { .. })));
    let small = Options { longest_step: 0.01, ..TIGHT };
    assert!(integrate_oscillation(&[1.0], &small).unwrap().statistics.accepted >= 99);
}

#[test]
fn many_steps_are_no_obstacle() {
    let small = Options { longest_step: 1e-3, ..TIGHT };
    let run = integrate(&OSCILLATOR, 0.0, &[1.0, 0.0], &[30.0], |_, _| [0.0], &small).unwrap();
    assert!(run.statistics.accepted >= 29_000);
    assert_close(run.x[0][0], 30.0_f64.cos(), 1e-10);
}

#[test]
fn stiff_equations_take_many_steps_and_come_out_right() {
    let run = integrate(&FREE, 0.0, &[0.0, 1.0], &[2.0], |_, x| [-1e4 * x[1]], &TIGHT).unwrap();
    assert_close(run.x[0][0], 1e-4, 1e-11);
    assert!(run.statistics.accepted > 2000);
}

#[test]
fn growth_is_not_mistaken_for_stiffness() {
    // With ẋ = x the solver's own test for stiffness nearly divides by zero.
    let small = Options { longest_step: 5e-3, ..TIGHT };
    let times = equally_spaced_times(20.0, 20);
    let run = integrate(&FREE, 0.0, &[1.0, 1.0], &times, |_, x| [x[0]], &small).unwrap();
    assert!(run.statistics.rejected > 0, "the solver's test never spoke");
    for (t, x) in run.t.iter().zip(&run.x) {
        assert!((x[0] / t.exp() - 1.0).abs() < 1e-11);
    }
}

/// Test system with an empty state.
struct Nothing;

impl System<f64, 0, 0> for Nothing {
    const NQ: usize = 0;
    const NV: usize = 0;

    fn dqdt(&self, _t: f64, _x: &[f64; 0], _u: &[f64; 0], _dx: &mut [f64; 0]) -> Result<(), Singular> {
        Ok(())
    }

    fn coordinate_rates(&self, _t: f64, _x: &[f64; 0], _dx: &mut [f64; 0]) -> Result<(), Singular> {
        Ok(())
    }
}

#[test]
fn an_empty_state_is_integrated_at_once() {
    let run = integrate(&Nothing, 0.0, &[], &[1.0, 2.0], |_, _| [], &TIGHT).unwrap();
    assert_eq!((run.t, run.x), (std::vec![1.0, 2.0], std::vec![[]; 2]));
}

/// State derivative of the test oscillator under a constant force.
fn pushed_oscillator_rate(t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Singular> {
    let mut rate = [0.0; 2];
    OSCILLATOR.dqdt(t, &[x[0], x[1]], &[0.25], &mut rate)?;
    dx.copy_from_slice(&rate);
    Ok(())
}

#[test]
fn a_state_of_run_time_length_moves_like_an_array() {
    let times = equally_spaced_times(3.0, 10);
    let array = integrate(&OSCILLATOR, 0.0, &[1.0, 0.0], &times, |_, _| [0.25], &TIGHT).unwrap();
    let (states, statistics) =
        integrate_vec(pushed_oscillator_rate, |_, _| Ok(()), 0.0, &[1.0, 0.0], &times, &TIGHT).unwrap();
    assert_eq!(statistics, array.statistics);
    assert!(states.iter().zip(&array.x).all(|(a, b)| a[..] == b[..]));
}

/// Test system, a unit mass on two lines that cross: `x y = 0`. The constraint has no gradient at
/// the origin.
struct CrossingLines;

impl System<f64, 4, 0> for CrossingLines {
    const NQ: usize = 2;
    const NV: usize = 2;

    fn dqdt(
        &self,
        _t: f64,
        &[x, y, vx, vy]: &[f64; 4],
        _u: &[f64; 0],
        dx: &mut [f64; 4],
    ) -> Result<(), Singular> {
        let square = x * x + y * y;
        let lambda = -2.0 * vx * vy / square;
        *dx = [vx, vy, lambda * y, lambda * x];
        crate::check_pivots([1.0, square], [1.0; 2], 1e-12).finish(&[], dx)
    }

    fn coordinate_rates(&self, _t: f64, x: &[f64; 4], dx: &mut [f64; 4]) -> Result<(), Singular> {
        dx[..2].copy_from_slice(&x[2..]);
        Ok(())
    }
}

impl ConstrainedSystem<f64, 4, 0, 1, 1> for CrossingLines {
    fn position(
        &self,
        _t: f64,
        &[x, y, ..]: &[f64; 4],
        residual: &mut [f64; 1],
        jacobian: &mut [[f64; 4]; 1],
    ) {
        (*residual, *jacobian) = ([x * y], [[y, x, 0.0, 0.0]]);
    }

    fn velocity(
        &self,
        _t: f64,
        &[x, y, vx, vy]: &[f64; 4],
        residual: &mut [f64; 1],
        jacobian: &mut [[f64; 4]; 1],
    ) {
        (*residual, *jacobian) = ([y * vx + x * vy], [[0.0, 0.0, y, x]]);
    }
}

#[test]
fn a_crossing_of_branches_ends_the_motion_wherever_the_steps_lie() {
    for rtol in [1e-4, 1e-7, 1e-10] {
        for times in [&[3.0][..], &[0.9, 1.1, 3.0], &[1.0 - 1e-5, 2.0], &[1.0 - 1e-3, 2.0]] {
            let options = Options { rtol, atol: rtol, ..Options::default() };
            let start = (0.0, &[-1.0, 0.0, 1.0, 0.0]);
            let error =
                integrate_constrained(&CrossingLines, start, times, |_, _| [], &options, 1e-12).unwrap_err();
            let IntegrateError::SingularPose { t, row: 0 } = error else { panic!("{error}") };
            assert!((1.0 - t).abs() < 20.0 * rtol.sqrt(), "{rtol}: {t}");
        }
    }
    // Rejected steps count.
    let few = Options { max_steps: 2, ..Options::default() };
    let run =
        integrate_constrained(&CrossingLines, (0.0, &[-1.0, 0.0, 1.0, 0.0]), &[3.0], |_, _| [], &few, 1e-12);
    assert!(matches!(run, Err(IntegrateError::TooManySteps { .. })), "{run:?}");
    assert_eq!(
        IntegrateError::SingularPose { t: 0.5, row: 0 }.to_string(),
        "at t = 0.5 s: the motion reaches a singular pose, in which row 0 of the velocity constraints follows \
         from the others, so the continuation of the motion is not determined"
    );
}

/// Test system with two coordinates whose sum is one, one of which drifts: projection distributes
/// its error over both.
struct Drifting;

impl System<f64, 2, 0> for Drifting {
    const NQ: usize = 2;
    const NV: usize = 0;

    fn dqdt(&self, _t: f64, _x: &[f64; 2], _u: &[f64; 0], dx: &mut [f64; 2]) -> Result<(), Singular> {
        *dx = [1e-10, 0.0];
        Ok(())
    }

    fn coordinate_rates(&self, t: f64, x: &[f64; 2], dx: &mut [f64; 2]) -> Result<(), Singular> {
        self.dqdt(t, x, &[], dx)
    }
}

impl ConstrainedSystem<f64, 2, 0, 1, 0> for Drifting {
    fn position(&self, _t: f64, x: &[f64; 2], residual: &mut [f64; 1], jacobian: &mut [[f64; 2]; 1]) {
        (*residual, *jacobian) = ([x[0] + x[1] - 1.0], [[1.0, 1.0]]);
    }

    fn velocity(&self, _t: f64, _x: &[f64; 2], _residual: &mut [f64; 0], _jacobian: &mut [[f64; 2]; 0]) {}
}

#[test]
fn a_correction_that_a_component_of_zero_shares_does_not_end_a_motion() {
    let options = Options { rtol: 1e-9, atol: 1e-16, ..Options::default() };
    let run = integrate_constrained(&Drifting, (0.0, &[1.0, 0.0]), &[1.0], |_, _| [], &options, 1e-15);
    assert_close(run.unwrap().x[0][0], 1.0 + 0.5e-10, 1e-15);
}
