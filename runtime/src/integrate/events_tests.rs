//! Tests of events: times of bounces and zeros that are known in closed form.

use std::vec::Vec;

use crate::integrate::{IntegrateError, Options, integrate_events, integrate_events_vec};
use crate::{Crossing, Effect, EventRule, HybridSystem, Singular, System};

const TIGHT: Options =
    Options { rtol: 1e-12, atol: 1e-12, max_steps: 10_000_000, longest_step: f64::INFINITY };

/// A ball over a floor: x = [height, its rate]. The second event is a ceiling that ends the motion.
struct Ball {
    restitution: f64,
    ceiling: f64,
}

impl System<f64, 2, 0> for Ball {
    const NQ: usize = 1;
    const NV: usize = 1;

    fn dqdt(&self, _t: f64, x: &[f64; 2], _u: &[f64; 0], dx: &mut [f64; 2]) -> Result<(), Singular> {
        *dx = [x[1], -9.81];
        Ok(())
    }

    fn rates(&self, _t: f64, x: &[f64; 2], dx: &mut [f64; 2]) -> Result<(), Singular> {
        dx[0] = x[1];
        Ok(())
    }
}

impl HybridSystem<f64, 2, 0, 2> for Ball {
    const RULES: [EventRule; 2] = [
        EventRule { crossing: Crossing::Falling, effect: Effect::Bounces },
        EventRule { crossing: Crossing::Rising, effect: Effect::Ends },
    ];

    fn events(&self, _t: f64, x: &[f64; 2], _u: &[f64; 0], values: &mut [f64; 2]) {
        *values = [x[0], x[0] - self.ceiling];
    }

    fn after_event(&self, event: usize, _t: f64, x: &mut [f64; 2], _u: &[f64; 0]) -> Result<(), Singular> {
        if event == 0 {
            x[1] *= -self.restitution;
        }
        Ok(())
    }
}

#[test]
fn a_ball_bounces_at_the_times_of_the_closed_form() {
    let ball = Ball { restitution: 0.8, ceiling: f64::INFINITY };
    let times: Vec<f64> = (0..=30).map(|i| 0.1 * f64::from(i)).collect();
    let run = integrate_events(&ball, 0.0, &[1.0, 0.0], &times, |_, _| [], &TIGHT).unwrap();
    assert_eq!(run.t, times);
    let fall = (2.0f64 / 9.81).sqrt();
    let mut bounce = fall;
    for (k, event) in run.events.iter().enumerate() {
        assert!((event.t - bounce).abs() < 1e-11, "{k}: {} {bounce}", event.t);
        assert_eq!(event.event, 0);
        assert!(event.before[0] >= 0.0 && event.before[0] < 1e-10);
        assert_eq!(event.after[1], -0.8 * event.before[1]);
        bounce += 2.0 * fall * 0.8f64.powi(k as i32 + 1);
    }
    assert_eq!(run.events.len(), 6);
    assert!(run.x.iter().all(|x| x[0] >= 0.0));
}

#[test]
fn bounces_without_end_are_an_error_and_no_ball_falls_through_the_floor() {
    let ball = Ball { restitution: 0.5, ceiling: f64::INFINITY };
    let end = integrate_events(&ball, 0.0, &[1.0, 0.0], &[10.0], |_, _| [], &TIGHT);
    // √(2 h / g) (1 + e) / (1 − e)
    let rest = (2.0f64 / 9.81).sqrt() * 3.0;
    assert!(
        matches!(end, Err(IntegrateError::EventsAccumulate { t, event: 0 }) if (t - rest).abs() < 1e-4),
        "{end:?}"
    );
    let dead = Ball { restitution: 0.0, ..ball };
    let end = integrate_events(&dead, 0.0, &[1.0, 0.0], &[10.0], |_, _| [], &TIGHT);
    assert!(matches!(end, Err(IntegrateError::EventsAccumulate { .. })), "{end:?}");
}

#[test]
fn an_event_ends_the_motion() {
    let ball = Ball { restitution: 1.0, ceiling: 0.5 };
    let run = integrate_events(&ball, 0.0, &[0.25, 0.0], &[0.1, 5.0], |_, _| [], &TIGHT).unwrap();
    assert!(!run.ended && run.t.len() == 2, "an elastic ball does not rise above its start");
    let run = integrate_events(&ball, 0.0, &[0.25, 3.0], &[0.01, 5.0], |_, _| [], &TIGHT).unwrap();
    let reached = (3.0 - (9.0 - 2.0 * 9.81 * 0.25f64).sqrt()) / 9.81;
    assert!(run.ended && run.t == [0.01]);
    assert!(run.events.len() == 1 && (run.events[0].t - reached).abs() < 1e-11);
}

#[test]
fn zeros_of_an_oscillator_are_found_either_way() {
    let rate = |_: f64, x: &[f64], dx: &mut [f64]| {
        dx.copy_from_slice(&[x[1], -x[0]]);
        Ok(())
    };
    let values = |_: f64, x: &[f64], out: &mut [f64]| out[0] = x[0];
    for (crossing, first, period) in
        [(Crossing::Both, 0.5, 1.0), (Crossing::Falling, 0.5, 2.0), (Crossing::Rising, 1.5, 2.0)]
    {
        let stay = |_: usize, _: f64, _: &mut [f64]| Ok(());
        let run = integrate_events_vec(
            rate,
            |_, _| Ok(()),
            |_, _, _| 0,
            values,
            &[EventRule { crossing, effect: Effect::Passes }],
            stay,
            0.0,
            &[1.0, 0.0],
            &[20.0],
            &TIGHT,
        )
        .unwrap();
        let pi = core::f64::consts::PI;
        let expected: Vec<f64> =
            (0..).map(|k| pi * (first + period * f64::from(k))).take_while(|t| *t < 20.0).collect();
        assert_eq!(run.events.len(), expected.len(), "{crossing:?}");
        for (event, t) in run.events.iter().zip(expected) {
            assert!((event.t - t).abs() < 1e-10, "{crossing:?} {} {t}", event.t);
        }
        assert!((run.x[0][0] - 20.0f64.cos()).abs() < 1e-10);
    }
}
