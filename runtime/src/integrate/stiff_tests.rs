//! Compares the implicit method with closed forms and with the explicit method.

use std::vec;
use std::vec::Vec;

use super::{
    HybridFlow, HybridTrajectory, IntegrateError, Method, Options, Statistics, integrate,
    integrate_differentiable, integrate_events_vec, integrate_vec,
};
use crate::discrete::{Derivatives, Differentiable};
use crate::events::{Crossing, Effect, EventRule};
use crate::singular::{Cause, Singular};
use crate::system::System;

const STIFF: Options = Options {
    method: Method::Radau,
    rtol: 1e-8,
    atol: 1e-10,
    max_steps: 100_000,
    longest_step: f64::INFINITY,
    rest_speed: 1e-3,
};

fn integrate_rate(
    f: impl Fn(f64, &[f64], &mut [f64]),
    x0: &[f64],
    times: &[f64],
    options: &Options,
) -> (Vec<Vec<f64>>, Statistics) {
    integrate_vec(
        |t, x, dx| {
            f(t, x, dx);
            Ok(())
        },
        |_, _| Ok(()),
        0.0,
        x0,
        times,
        options,
    )
    .unwrap()
}

/// State derivative of Robertson's chemical reaction, a stiff test problem.
fn robertson_rate(_: f64, x: &[f64], dx: &mut [f64]) {
    let (slow, fast, quick) = (0.04 * x[0], 3e7 * x[1] * x[1], 1e4 * x[1] * x[2]);
    dx[0] = -slow + quick;
    dx[1] = slow - quick - fast;
    dx[2] = fast;
}

#[test]
fn a_rate_that_pulls_a_million_times_faster_than_the_solution_moves_costs_few_steps() {
    // Prothero and Robinson's equation: the solution is the cosine.
    let (x, cost) =
        integrate_rate(|t, x, dx| dx[0] = -1e6 * (x[0] - t.cos()) - t.sin(), &[1.0], &[1.0, 10.0], &STIFF);
    assert!((x[0][0] - 1.0f64.cos()).abs() < 1e-8 && (x[1][0] - 10.0f64.cos()).abs() < 1e-8, "{x:?}");
    assert!(cost.accepted < 200, "{cost:?}");
}

#[test]
fn an_oscillator_converges_with_the_tolerance() {
    let mut last = f64::INFINITY;
    for rtol in [1e-4, 1e-6, 1e-8, 1e-10] {
        let options = Options { rtol, atol: rtol, ..STIFF };
        let (x, _) =
            integrate_rate(|_, x, dx| (dx[0], dx[1]) = (x[1], -x[0]), &[1.0, 0.0], &[20.0], &options);
        let error = (x[0][0] - 20.0f64.cos()).abs();
        assert!(error < 100.0 * rtol && error < last, "{rtol}: {error}");
        last = error;
    }
}

#[test]
fn both_methods_agree_on_the_reaction_of_robertson() {
    let times = [0.4, 4.0, 40.0];
    let explicit = Options { method: Method::Dop853, rtol: 1e-10, atol: 1e-14, ..STIFF };
    let (expected, explicit_cost) = integrate_rate(robertson_rate, &[1.0, 0.0, 0.0], &times, &explicit);
    let (actual, cost) = integrate_rate(
        robertson_rate,
        &[1.0, 0.0, 0.0],
        &times,
        &Options { rtol: 1e-9, atol: 1e-13, ..STIFF },
    );
    for (expected, actual) in expected.iter().flatten().zip(actual.iter().flatten()) {
        assert!((expected - actual).abs() < 1e-8 * expected.abs(), "{expected} {actual}");
    }
    assert!(10 * cost.accepted < explicit_cost.accepted, "{cost:?} {explicit_cost:?}");
    // After a long time: the mass is conserved, and the fast reactions are in balance.
    let (x, cost) = integrate_rate(robertson_rate, &[1.0, 0.0, 0.0], &[1e9], &STIFF);
    let x = &x[0];
    assert!((x[0] + x[1] + x[2] - 1.0).abs() < 1e-6, "{x:?}");
    assert!((0.04 * x[0] - 1e4 * x[1] * x[2]).abs() < 1e-3 * 0.04 * x[0], "{x:?}");
    assert!(cost.accepted < 1000, "{cost:?}");
}

/// State derivative of Van der Pol's oscillator, a stiff test problem.
fn van_der_pol_rate(_: f64, x: &[f64], dx: &mut [f64]) {
    dx[0] = x[1];
    dx[1] = 1e3 * ((1.0 - x[0] * x[0]) * x[1]) - x[0];
}

#[test]
fn relaxation_oscillations_agree_with_the_explicit_method() {
    let explicit =
        Options { method: Method::Dop853, rtol: 1e-11, atol: 1e-13, max_steps: 10_000_000, ..STIFF };
    let times = [300.0, 820.0];
    let (expected, explicit_cost) = integrate_rate(van_der_pol_rate, &[2.0, 0.0], &times, &explicit);
    let (actual, cost) =
        integrate_rate(van_der_pol_rate, &[2.0, 0.0], &times, &Options { rtol: 1e-9, atol: 1e-11, ..STIFF });
    for (expected, actual) in expected.iter().flatten().zip(actual.iter().flatten()) {
        assert!((expected - actual).abs() < 1e-6 * expected.abs().max(1e-2), "{expected} {actual}");
    }
    assert!(100 * cost.accepted < explicit_cost.accepted, "{cost:?} {explicit_cost:?}");
}

/// Test system, a stiff spring with a damper, and a force as input.
struct Governor;

impl System<f64, 2, 1> for Governor {
    const NQ: usize = 1;
    const NV: usize = 1;

    fn dqdt(&self, _: f64, x: &[f64; 2], u: &[f64; 1], dx: &mut [f64; 2]) -> Result<(), Singular> {
        *dx = [x[1], u[0] - 8e5 * x[0] - 4e4 * x[1]];
        Ok(())
    }

    fn coordinate_rates(&self, _: f64, x: &[f64; 2], dx: &mut [f64; 2]) -> Result<(), Singular> {
        dx[0] = x[1];
        Ok(())
    }
}

#[test]
fn steps_forwards_with_inputs_and_backwards_where_that_is_stable() {
    let explicit = Options { method: Method::Dop853, ..STIFF };
    let [actual, expected] = [&STIFF, &explicit].map(|options| {
        integrate(&Governor, 0.0, &[0.0, 0.0], &[5.0], |t, _| [8e5 * t.sin()], options).unwrap()
    });
    assert!((actual.x[0][0] - expected.x[0][0]).abs() < 1e-7, "{actual:?} {expected:?}");
    assert!(10 * actual.statistics.accepted < expected.statistics.accepted);
    let (x, _) = integrate_rate(|_, x, dx| dx[0] = 1e5 * (x[0] - 1.0), &[3.0], &[-1.0], &STIFF);
    assert!((x[0][0] - 1.0).abs() < 1e-8, "{x:?}");
}

impl Differentiable<f64, 2, 1> for Governor {
    fn dqdt_derivatives(
        &self,
        _: f64,
        x: &[f64; 2],
        u: &[f64; 1],
    ) -> Result<Derivatives<f64, 2, 1>, Singular> {
        Ok(Derivatives {
            rate: [x[1], u[0] - 8e5 * x[0] - 4e4 * x[1]],
            by_state: [[0.0, 1.0], [-8e5, -4e4]],
            by_input: [[0.0], [1.0]],
        })
    }
}

/// Input of a test system that is stiff itself, a controller with high gains.
fn stiff_input(t: f64, x: &[f64; 2]) -> [f64; 1] {
    [8e5 * t.sin() - 3e6 * x[0] - 1e5 * x[1]]
}

#[test]
fn derivatives_of_the_system_take_the_place_of_differences_with_the_law_of_the_inputs() {
    let (x0, times) = ([0.0, 0.0], [1.0, 5.0]);
    let exact = integrate_differentiable(&Governor, 0.0, &x0, &times, stiff_input, &STIFF).unwrap();
    let other = integrate(&Governor, 0.0, &x0, &times, stiff_input, &STIFF).unwrap();
    for (a, b) in exact.x.iter().flatten().zip(other.x.iter().flatten()) {
        assert!((a - b).abs() < 1e-7, "{exact:?} {other:?}");
    }
    assert!(exact.statistics.evaluations < other.statistics.evaluations, "{exact:?} {other:?}");
    let steps = [exact.statistics.accepted, other.statistics.accepted];
    assert!(steps[0] <= steps[1] + 5, "{steps:?}");
}

/// Test motion of a wheel that falls on a stiff tyre, with or without a known Jacobian. An event
/// marks the contact of the tyre.
struct Tyre {
    known: bool,
    rules: [EventRule; 1],
}

impl HybridFlow for Tyre {
    fn rate(&self, _: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Singular> {
        let pressed = x[0] < 0.0;
        dx[0] = x[1];
        dx[1] = -9.81 - if pressed { 1e6 * x[0] + 1e5 * x[1] } else { 0.0 };
        Ok(())
    }

    fn jacobian(&self, _: f64, x: &[f64], rows: &mut [f64]) -> bool {
        let pressed = if x[0] < 0.0 { 1.0 } else { 0.0 };
        rows.copy_from_slice(&[0.0, 1.0, -1e6 * pressed, -1e5 * pressed]);
        self.known
    }

    fn rules(&self) -> &[EventRule] {
        &self.rules
    }

    fn events(&self, _: f64, x: &[f64], values: &mut [f64]) {
        values[0] = x[0];
    }
}

#[test]
fn events_are_found_to_the_tolerance_with_and_without_a_derivative() {
    let rules = [EventRule { crossing: Crossing::Falling, effect: Effect::Passes }];
    let mut heights = vec![];
    for known in [true, false] {
        let mut run = HybridTrajectory::new();
        let tyre = Tyre { known, rules };
        integrate_events_vec(&tyre, (0.0, &[1.0, 0.0]), &[2.0], &STIFF, &mut run).unwrap();
        assert_eq!(run.events.len(), 1, "{run:?}");
        assert!((run.events[0].t - (2.0f64 / 9.81).sqrt()).abs() < 1e-8, "{run:?}");
        assert!(run.statistics.jacobians > 0 && run.statistics.accepted < 2000, "{:?}", run.statistics);
        heights.push(run.x[0][0]);
    }
    // The slow eigenvalue is −k/c: 10 per second.
    let contact = (2.0f64 / 9.81).sqrt();
    let rest = -9.81 / 1e6 - (2.0f64 * 9.81).sqrt() / 1e5 * (-10.0 * (2.0 - contact)).exp();
    for x in heights {
        assert!((x - rest).abs() < 1e-8, "{x} {rest}");
    }
}

fn rate_up_to_wall(_: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Singular> {
    dx[0] = 1.0;
    if x[0] > 0.5 {
        return Err(Singular { lanes: true, cause: Cause::NotFinite });
    }
    Ok(())
}

fn rate_to_infinity(_: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Singular> {
    dx[0] = x[0] * x[0];
    Ok(())
}

#[test]
fn faults_end_the_motion_where_they_are() {
    let end = integrate_vec(rate_up_to_wall, |_, _| Ok(()), 0.0, &[0.0], &[1.0], &STIFF).unwrap_err();
    assert!(matches!(end, IntegrateError::Singular { t, .. } if (t - 0.5).abs() < 1e-6), "{end:?}");
    assert!(integrate_vec(rate_to_infinity, |_, _| Ok(()), 0.0, &[1.0], &[2.0], &STIFF).is_err());
    let few = Options { max_steps: 3, ..STIFF };
    let end = integrate_vec(rate_to_infinity, |_, _| Ok(()), 0.0, &[1.0], &[0.5], &few).unwrap_err();
    assert!(matches!(end, IntegrateError::TooManySteps { .. }), "{end:?}");
    let none: Vec<f64> = vec![];
    assert!(integrate_vec(|_, _, _| Ok(()), |_, _| Ok(()), 0.0, &none, &[1.0], &STIFF).is_ok());
}

/// State derivative of a mass pulled by −3 until it meets a stiff spring with a damper.
fn stiff_stop_rate(_: f64, x: &[f64], dx: &mut [f64]) {
    dx[0] = x[1];
    dx[1] = if x[0] > 0.0 { -3.0 } else { -1e9 * x[0] - 1e4 * x[1] };
}

fn rate_towards_zero(_: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Singular> {
    dx[0] = -2.0 * x[0].signum();
    Ok(())
}

#[test]
fn a_force_that_jumps_is_stepped_over_and_one_that_holds_is_not_chased_for_ever() {
    for tolerance in [1e-6, 1e-9, 1e-11] {
        let options = Options { rtol: tolerance, atol: tolerance, max_steps: 2_000_000, ..STIFF };
        let explicit = Options { method: Method::Dop853, ..options };
        let ([x], [expected]) = [&options, &explicit]
            .map(|o| {
                <[Vec<f64>; 1]>::try_from(integrate_rate(stiff_stop_rate, &[1.0, 0.0], &[0.9], o).0).unwrap()
            })
            .into();
        for (x, expected) in x.iter().zip(&expected) {
            assert!((x - expected).abs() < 1e4 * tolerance, "{tolerance}: {x} {expected}");
        }
    }
    let end = integrate_vec(rate_towards_zero, |_, _| Ok(()), 0.0, &[1.0], &[2.0], &STIFF).unwrap_err();
    assert!(matches!(end, IntegrateError::StepTooSmall { t } if (t - 0.5).abs() < 1e-6), "{end:?}");
}
