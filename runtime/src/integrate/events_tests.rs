//! Tests of events: times of bounces and zeros with closed forms.

use std::vec::Vec;

use crate::integrate::{
    HybridFlow, HybridTrajectory, IntegrateError, Method, Options, integrate_events, integrate_events_into,
    integrate_events_vec,
};
use crate::{Crossing, Effect, EventRule, HybridSystem, Singular, System};

const TIGHT: Options = Options {
    method: Method::Dop853,
    rtol: 1e-12,
    atol: 1e-12,
    max_steps: 10_000_000,
    longest_step: f64::INFINITY,
    rest_speed: 1e-3,
};

/// Test system, a ball above a floor: x = [height, its rate]. The second event is a ceiling that
/// ends the motion.
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

    fn coordinate_rates(&self, _t: f64, x: &[f64; 2], dx: &mut [f64; 2]) -> Result<(), Singular> {
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
    // Time of rest: √(2 h / g) (1 + e) / (1 − e)
    let rest = (2.0f64 / 9.81).sqrt() * 3.0;
    assert!(
        matches!(end, Err(IntegrateError::EventsAccumulate { t, event: 0 }) if (t - rest).abs() < 1e-5),
        "{end:?}"
    );
    let dead = Ball { restitution: 0.0, ..ball };
    let end = integrate_events(&dead, 0.0, &[1.0, 0.0], &[10.0], |_, _| [], &TIGHT);
    assert!(
        matches!(end, Err(IntegrateError::RestsInContact { t, event: 0 }) if (t - rest / 3.0).abs() < 1e-6),
        "{end:?}"
    );
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

/// Test motion with events, defined by closures.
struct EventMotion<R, V, J> {
    rules: Vec<EventRule>,
    rate: R,
    values: V,
    jump: J,
}

impl<R, V, J> HybridFlow for EventMotion<R, V, J>
where
    R: Fn(f64, &[f64], &mut [f64]),
    V: Fn(f64, &[f64], &mut [f64]),
    J: Fn(usize, &mut [f64]),
{
    fn rate(&self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Singular> {
        (self.rate)(t, x, dx);
        Ok(())
    }

    fn rules(&self) -> &[EventRule] {
        &self.rules
    }

    fn events(&self, t: f64, x: &[f64], values: &mut [f64]) {
        (self.values)(t, x, values);
    }

    fn after_event(&self, event: usize, _t: f64, x: &mut [f64]) -> Result<(), Singular> {
        (self.jump)(event, x);
        Ok(())
    }
}

type Out = (HybridTrajectory<Vec<f64>>, Result<(), IntegrateError>);

fn integrate_event_motion<R, V, J>(
    motion: &EventMotion<R, V, J>,
    x0: &[f64],
    end: f64,
    options: &Options,
) -> Out
where
    R: Fn(f64, &[f64], &mut [f64]),
    V: Fn(f64, &[f64], &mut [f64]),
    J: Fn(usize, &mut [f64]),
{
    let mut out = HybridTrajectory::new();
    let done = integrate_events_vec(motion, (0.0, x0), &[end], options, &mut out);
    (out, done)
}

fn event_rule(crossing: Crossing, effect: Effect) -> EventRule {
    EventRule { crossing, effect }
}

fn event_indices(out: &HybridTrajectory<Vec<f64>>) -> Vec<usize> {
    out.events.iter().map(|e| e.event).collect()
}

#[test]
fn zeros_of_an_oscillator_are_found_either_way() {
    for (crossing, first, period) in
        [(Crossing::Both, 0.5, 1.0), (Crossing::Falling, 0.5, 2.0), (Crossing::Rising, 1.5, 2.0)]
    {
        let motion = EventMotion {
            rules: [event_rule(crossing, Effect::Passes)].to_vec(),
            rate: |_, x: &[f64], dx: &mut [f64]| dx.copy_from_slice(&[x[1], -x[0]]),
            values: |_, x: &[f64], out: &mut [f64]| out[0] = x[0],
            jump: |_, _: &mut [f64]| {},
        };
        let (run, done) = integrate_event_motion(&motion, &[1.0, 0.0], 20.0, &TIGHT);
        done.unwrap();
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

#[test]
fn all_events_of_one_instant_happen_in_their_order() {
    // x = [position, b, c]: two switches at x = 0.5 whose formulas differ by rounding, and a third
    // one later.
    let motion = EventMotion {
        rules: std::vec![event_rule(Crossing::Rising, Effect::Passes); 3],
        rate: |_, _: &[f64], dx: &mut [f64]| dx.copy_from_slice(&[0.3, 0.0, 0.0]),
        values: |_, x: &[f64], out: &mut [f64]| {
            out.copy_from_slice(&[x[0] - 0.5, x[0] / 3.0 - 0.5 / 3.0, x[0] - 0.6]);
        },
        jump: |event, x: &mut [f64]| match event {
            0 => x[1] = 1.0,
            1 => x[2] = x[1] + 1.0,
            _ => x[1] = 7.0,
        },
    };
    let (run, done) = integrate_event_motion(&motion, &[0.1, 0.0, 0.0], 3.0, &TIGHT);
    done.unwrap();
    assert_eq!(event_indices(&run), [0, 1, 2]);
    assert_eq!((run.x[0][1], run.x[0][2]), (7.0, 2.0));
    assert!((run.events[1].t - 0.4 / 0.3).abs() < 1e-12 && run.events[0].t == run.events[1].t);
}

#[test]
fn an_end_on_the_gap_of_a_stop_comes_after_the_impact() {
    // The end is listed before, after, and as a formula that differs by rounding.
    for (stop, end, scale) in [(0, 1, 1.0), (1, 0, 1.0), (0, 1, 1.0 / 3.0), (1, 0, 1.0 / 3.0)] {
        let mut rules = std::vec![event_rule(Crossing::Falling, Effect::Bounces); 2];
        rules[end].effect = Effect::Ends;
        let motion = EventMotion {
            rules,
            rate: |_, x: &[f64], dx: &mut [f64]| dx.copy_from_slice(&[x[1], -9.81]),
            values: |_, x: &[f64], out: &mut [f64]| {
                out[stop] = x[0] - 1.2;
                out[end] = x[0] * scale - 1.2 * scale;
            },
            jump: |event, x: &mut [f64]| x[1] *= if event == stop { -0.5 } else { 1.0 },
        };
        let (run, done) = integrate_event_motion(&motion, &[2.2, 0.0], 3.0, &TIGHT);
        done.unwrap();
        assert_eq!(event_indices(&run), [stop, end], "{scale}");
        assert!(run.ended && run.reached.as_ref().is_some_and(|(t, x)| *t == run.events[1].t && x[1] > 0.0));
    }
}

#[test]
fn a_jump_takes_back_what_was_about_to_happen_and_carries_across_what_was_not() {
    // x = [clock, mode]. At 1 the first event sets the clock back, so the second one on the same
    // clock does not happen. The jump raises the mode through 1.5, which is the third event.
    let motion = EventMotion {
        rules: std::vec![event_rule(Crossing::Rising, Effect::Passes); 3],
        rate: |_, _: &[f64], dx: &mut [f64]| dx.copy_from_slice(&[1.0, 0.0]),
        values: |_, x: &[f64], out: &mut [f64]| {
            out.copy_from_slice(&[x[0] - 1.0, 2.0 * x[0] - 2.0, x[1] - 1.5]);
        },
        jump: |event, x: &mut [f64]| match event {
            0 => (x[0], x[1]) = (0.0, x[1] + 1.0),
            1 => x[1] = 100.0,
            _ => x[1] -= 2.0,
        },
    };
    let (run, done) = integrate_event_motion(&motion, &[0.0, 0.0], 4.5, &TIGHT);
    done.unwrap();
    assert_eq!(event_indices(&run), [0, 0, 2, 0, 0, 2]);
    assert!((run.x[0][0] - 0.5).abs() < 1e-11 && run.x[0][1] == 0.0);
}

#[test]
fn walls_in_a_corner_each_reflect_once_and_two_stops_on_one_gap_together_once() {
    // x = [x, y, x', y'] without forces, into a corner, with a third stop on the gap of the first.
    let motion = EventMotion {
        rules: std::vec![event_rule(Crossing::Falling, Effect::Bounces); 3],
        rate: |_, x: &[f64], dx: &mut [f64]| dx.copy_from_slice(&[x[2], x[3], 0.0, 0.0]),
        values: |_, x: &[f64], out: &mut [f64]| out.copy_from_slice(&[x[0], x[1], x[0]]),
        jump: |event, x: &mut [f64]| x[2 + event % 2] *= -1.0,
    };
    let (run, done) = integrate_event_motion(&motion, &[1.0, 2.0, -0.3, -0.6], 5.0, &TIGHT);
    done.unwrap();
    assert_eq!(event_indices(&run), [0, 1]);
    assert!((run.x[0][0] - 0.5).abs() < 1e-10 && (run.x[0][1] - 1.0).abs() < 1e-10);
}

#[test]
fn a_switch_that_shares_its_instant_with_an_impact_happens_once_each_time() {
    // x = [height, rate, count]: a switch on the gap, and one at the time of the first impact.
    let fall = (2.0f64 / 9.81).sqrt();
    let motion = EventMotion {
        rules: [
            event_rule(Crossing::Falling, Effect::Bounces),
            event_rule(Crossing::Falling, Effect::Passes),
            event_rule(Crossing::Both, Effect::Passes),
        ]
        .to_vec(),
        rate: |_, x: &[f64], dx: &mut [f64]| dx.copy_from_slice(&[x[1], -9.81, 0.0]),
        values: |t: f64, x: &[f64], out: &mut [f64]| out.copy_from_slice(&[x[0], x[0], t - fall]),
        jump: |event, x: &mut [f64]| match event {
            0 => x[1] = -x[1],
            _ => x[2] += 1.0,
        },
    };
    let (run, done) = integrate_event_motion(&motion, &[1.0, 0.0, 0.0], 4.0 * fall, &TIGHT);
    done.unwrap();
    assert_eq!(event_indices(&run), [0, 1, 2, 0, 1]);
    assert_eq!(run.x[0][2], 3.0);
}

#[test]
fn a_ball_that_lies_on_the_floor_is_told_at_once_and_in_few_digits() {
    for height in [0.0, -1e-17] {
        let ball = Ball { restitution: 0.7, ceiling: f64::INFINITY };
        let mut out = HybridTrajectory::new();
        let end = integrate_events_into(&ball, (0.0, &[height, 0.0]), &[10.0], |_, _| [], &TIGHT, &mut out);
        let Err(error @ IntegrateError::RestsInContact { t, event: 0 }) = end else { panic!("{end:?}") };
        assert!(t.abs() < 1e-12 && out.statistics.evaluations < 10_000, "{t} {:?}", out.statistics);
        assert!(std::format!("{error}").len() < 120, "{error}");
    }
    let text = std::format!("{}", IntegrateError::StepTooSmall { t: 2.893_123_456_789e-300 });
    assert!(text.contains("t = 2.89312346e-300 s"), "{text}");
}

/// Integrates a test motion at unit speed until the event with this function ends it.
fn end_with_event(value: fn(f64) -> f64) -> Result<(), IntegrateError> {
    let motion = EventMotion {
        rules: [event_rule(Crossing::Falling, Effect::Ends)].to_vec(),
        rate: |_, _: &[f64], dx: &mut [f64]| dx[0] = 1.0,
        values: move |_, x: &[f64], out: &mut [f64]| out[0] = value(x[0]),
        jump: |_, _: &mut [f64]| {},
    };
    integrate_event_motion(&motion, &[0.0], 10.0, &TIGHT).1
}

#[test]
fn functions_that_are_no_numbers_on_the_far_side_are_errors_with_event_and_time() {
    let beyond: [fn(f64) -> f64; 6] = [
        |x| if x < 2.5 { 1.0 } else { f64::NAN },
        |x| if x < 2.5 { 1.0 } else { f64::NEG_INFINITY },
        |x| (2.5 - x).sqrt() + 1e-3,
        |x| (2.5 - x).ln() + 10.0,
        |x| 1.0 / (2.5 - x),
        |x| if x < 2.5 { f64::INFINITY } else { -1.0 },
    ];
    for (i, value) in beyond.into_iter().enumerate() {
        let end = end_with_event(value);
        match i {
            // The zero comes before the function ceases to be a number: ln 1 at x = 2.5 − e⁻¹⁰.
            3 => assert_eq!(end, Ok(())),
            // Infinite from the start, so the time in the error is that of the last evaluation.
            5 => assert!(matches!(end, Err(IntegrateError::EventNotFinite { event: 0, .. })), "{end:?}"),
            _ => assert!(
                matches!(end, Err(IntegrateError::EventNotFinite { t, event: 0 }) if (t - 2.5).abs() < 1e-9),
                "{i}: {end:?}"
            ),
        }
    }
    assert_eq!(end_with_event(|x| if x < 2.5 { 1.0 } else { -1.0 }), Ok(()), "a step is a crossing");
    assert_eq!(end_with_event(|_| f64::INFINITY), Ok(()), "infinitely far is never");
}

#[test]
fn a_switch_of_a_kilohertz_runs_however_long_the_motion_is_to_be() {
    // x = [clock, count]. An event ends the motion after one second of the requested day.
    let motion = EventMotion {
        rules: [event_rule(Crossing::Rising, Effect::Passes), event_rule(Crossing::Rising, Effect::Ends)]
            .to_vec(),
        rate: |_, _: &[f64], dx: &mut [f64]| dx.copy_from_slice(&[1.0, 0.0]),
        values: |t: f64, x: &[f64], out: &mut [f64]| out.copy_from_slice(&[x[0] - 1e-3, t - 1.0005]),
        jump: |event, x: &mut [f64]| {
            if event == 0 {
                (x[0], x[1]) = (x[0] - 1e-3, x[1] + 1.0);
            }
        },
    };
    let (run, done) = integrate_event_motion(&motion, &[0.0, 0.0], 86_400.0, &Options::default());
    done.unwrap();
    assert!(run.ended && run.events.len() == 1001);
    for (k, event) in run.events[..1000].iter().enumerate() {
        assert!((event.t - 1e-3 * (k + 1) as f64).abs() < 1e-9, "{k}: {}", event.t);
    }
    // The step limit applies to the whole motion, including steps that locate zeros.
    let few = Options { max_steps: 500, ..Options::default() };
    let (run, done) = integrate_event_motion(&motion, &[0.0, 0.0], 86_400.0, &few);
    assert!(matches!(done, Err(IntegrateError::TooManySteps { .. })), "{done:?}");
    assert!(run.statistics.accepted + run.statistics.rejected <= 501 && run.reached.is_some());
}

#[test]
fn what_was_reached_is_kept_when_a_motion_stops() {
    let ball = Ball { restitution: 0.5, ceiling: f64::INFINITY };
    let times: Vec<f64> = (0..100).map(|i| 0.1 * f64::from(i)).collect();
    let mut out = HybridTrajectory::new();
    let end = integrate_events_into(&ball, (0.0, &[1.0, 0.0]), &times, |_, _| [], &TIGHT, &mut out);
    let Err(IntegrateError::EventsAccumulate { t, .. }) = end else { panic!("{end:?}") };
    assert_eq!(out.t.len(), times.iter().filter(|time| **time < t).count());
    assert!(out.x.len() == out.t.len() && !out.ended && out.reached.is_some_and(|(last, _)| last == t));
}
