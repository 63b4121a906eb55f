//! Integration through events.
//!
//! Problem: a motion goes on by the same equations until a function of its state crosses zero; then the state jumps, or
//!          the motion ends.
//! Method:  the functions are looked at after every step of the method. Where one crossed, the zero is enclosed by
//!          integrating again from the start of the step, with a time that regula falsi (Illinois) and halving choose:
//!          no interpolation enters. An event that bounces or ends is handed the last state before the zero, so a gap
//!          is never negative; one that passes the first after it, so it is not met again.
//! Order:   the first zero counts; of equal ones that with the lower index, and the others follow.
//! Limits:  two zeros of one function inside a step cancel and are not seen: give a shorter
//!          [`Options::longest_step`]. Forwards in time only. Events that accumulate (a ball that comes to rest) end
//!          the integration with [`IntegrateError::EventsAccumulate`].

use core::ops::ControlFlow;
use std::vec::Vec;

use super::run::{Closures, Driven, Flow, Run};
use super::{IntegrateError, Options, Statistics, check_times};
use crate::events::{Effect, EventRule, HybridSystem};
use crate::singular::Singular;

/// An event that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Happened<X> {
    /// Index of the event.
    pub event: usize,
    /// When, in seconds.
    pub t: f64,
    /// The state right before it.
    pub before: X,
    /// The state right after it.
    pub after: X,
}

/// States along the time, and the events on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct HybridTrajectory<X> {
    /// Times in seconds: those asked for, as far as the motion went.
    pub t: Vec<f64>,
    /// The state at each time.
    pub x: Vec<X>,
    /// In order of time.
    pub events: Vec<Happened<X>>,
    /// True if an event ended the motion; the last of `events` is the one.
    pub ended: bool,
    /// What it cost.
    pub statistics: Statistics,
}

/// What the engine asks about events.
struct Events<'c, V, J> {
    /// `values(t, x, out)`
    values: V,
    rules: &'c [EventRule],
    /// Changes the state.
    jump: J,
}

/// So many events within [`CLOSE`] of the integration are an accumulation.
const MANY: usize = 50;
const CLOSE: f64 = 1e-6;

/// As [`integrate`](super::integrate), through the events of the system.
///
/// # Errors
/// [`IntegrateError`]; [`IntegrateError::EventsAccumulate`] where events follow each other ever faster.
pub fn integrate_events<S, const NX: usize, const NU: usize, const NE: usize>(
    system: &S,
    t0: f64,
    x0: &[f64; NX],
    times: &[f64],
    input: impl Fn(f64, &[f64; NX]) -> [f64; NU],
    options: &Options,
) -> Result<HybridTrajectory<[f64; NX]>, IntegrateError>
where
    S: HybridSystem<f64, NX, NU, NE> + ?Sized,
{
    let values = |t: f64, x: &[f64; NX], out: &mut [f64]| {
        let mut values = [0.0; NE];
        system.events(t, x, &input(t, x), &mut values);
        out.copy_from_slice(&values);
    };
    let jump = |event: usize, t: f64, x: &mut [f64; NX]| {
        let u = input(t, x);
        system.after_event(event, t, x, &u)
    };
    let flow = || Driven { system, input: &input };
    run(flow, &mut Events { values, rules: &S::RULES, jump }, t0, x0, times, options)
}

/// As [`integrate_vec`](super::integrate_vec), through events: `values(t, x, out)` writes one value a rule,
/// `jump(event, t, x)` changes the state. `rows(t, x, out)` appends the rows of the constraints on the speeds, whose rank
/// is watched as in [`integrate_constrained`](super::integrate_constrained), and returns their number of columns; 0 where
/// there are none.
///
/// # Errors
/// As [`integrate_events`].
#[allow(clippy::too_many_arguments)]
pub fn integrate_events_vec(
    dynamics: impl Fn(f64, &[f64], &mut [f64]) -> Result<(), Singular>,
    project: impl Fn(f64, &mut [f64]) -> Result<(), f64>,
    rows: impl Fn(f64, &[f64], &mut Vec<f64>) -> usize,
    values: impl Fn(f64, &[f64], &mut [f64]),
    rules: &[EventRule],
    mut jump: impl FnMut(usize, f64, &mut [f64]) -> Result<(), Singular>,
    t0: f64,
    x0: &[f64],
    times: &[f64],
    options: &Options,
) -> Result<HybridTrajectory<Vec<f64>>, IntegrateError> {
    let flow = || Closures { rate: &dynamics, project: &project, rows: &rows };
    let mut events = Events {
        values: |t: f64, x: &Vec<f64>, out: &mut [f64]| values(t, x, out),
        rules,
        jump: |event: usize, t: f64, x: &mut Vec<f64>| jump(event, t, x),
    };
    run(flow, &mut events, t0, &x0.to_vec(), times, options)
}

fn run<Y, F, V, J>(
    flow: impl Fn() -> F,
    events: &mut Events<'_, V, J>,
    t0: f64,
    x0: &Y,
    times: &[f64],
    options: &Options,
) -> Result<HybridTrajectory<Y>, IntegrateError>
where
    Y: differential_equations::traits::State<f64> + AsRef<[f64]> + AsMut<[f64]>,
    F: Flow<Y>,
    V: Fn(f64, &Y, &mut [f64]),
    J: FnMut(usize, f64, &mut Y) -> Result<(), Singular>,
{
    let mut out = HybridTrajectory {
        t: Vec::with_capacity(times.len()),
        x: Vec::with_capacity(times.len()),
        events: Vec::new(),
        ended: false,
        statistics: Statistics::default(),
    };
    let Some(&end) = times.last() else {
        return Ok(out);
    };
    check_times(t0, times)?;
    if end < t0 {
        return Err(IntegrateError::Times { index: 0 });
    }
    let mut from = (t0, x0.clone());
    let mut next = 0;
    loop {
        let segment = segment(&flow, events, &from, &times[next..], options, &mut out)?;
        next = out.t.len();
        let Some((event, t, before)) = segment else {
            return Ok(out);
        };
        let mut after = before.clone();
        (events.jump)(event, t, &mut after).map_err(|singular| IntegrateError::Singular { t, singular })?;
        out.events.push(Happened { event, t, before, after: after.clone() });
        if events.rules[event].effect == Effect::Ends {
            out.ended = true;
            return Ok(out);
        }
        if let Some(early) = out.events.len().checked_sub(MANY).and_then(|i| out.events.get(i))
            && t - early.t < CLOSE * (end - t0)
        {
            return Err(IntegrateError::EventsAccumulate { t, event });
        }
        from = (t, after);
    }
}

/// Integrates to the last time or to the first event: its index, time and the state before it.
fn segment<Y, F, V, J>(
    flow: &impl Fn() -> F,
    events: &Events<'_, V, J>,
    from: &(f64, Y),
    times: &[f64],
    options: &Options,
    out: &mut HybridTrajectory<Y>,
) -> Result<Option<(usize, f64, Y)>, IntegrateError>
where
    Y: differential_equations::traits::State<f64> + AsRef<[f64]> + AsMut<[f64]>,
    F: Flow<Y>,
    V: Fn(f64, &Y, &mut [f64]),
{
    let n = events.rules.len();
    let Some(&end) = times.last() else { return Ok(None) };
    let mut run = Run::new(flow(), from.0, &from.1, end, options)?;
    let mut before = (from.0, run.state()?, std::vec![0.0; n]);
    (events.values)(before.0, &before.1, &mut before.2);
    let mut found = None;
    for &time in times {
        let mut after = std::vec![0.0; n];
        run.advance(time, |t, x| {
            (events.values)(t, x, &mut after);
            let crossed = (0..n).any(|i| events.rules[i].crossing.happened(before.2[i], after[i]));
            if crossed {
                found = Some((t, x.clone(), after.clone()));
                return ControlFlow::Break(());
            }
            before = (t, x.clone(), after.clone());
            ControlFlow::Continue(())
        })?;
        if found.is_some() {
            break;
        }
        out.t.push(time);
        out.x.push(run.state()?);
    }
    out.statistics = out.statistics.and(run.statistics());
    let Some((t, x, values)) = found else { return Ok(None) };
    let mut first: Option<(usize, f64, Y)> = None;
    for i in (0..n).filter(|i| events.rules[*i].crossing.happened(before.2[*i], values[*i])) {
        let zero = zero(flow, events, i, &before, (t, x.clone(), values[i]), options, &mut out.statistics)?;
        if first.as_ref().is_none_or(|(_, t, _)| zero.0 < *t) {
            first = Some((i, zero.0, zero.1));
        }
    }
    Ok(first)
}

/// Time and state at a zero between two states on either side of it: on the near side, or on the far side if the motion
/// passes.
fn zero<Y, F, V, J>(
    flow: &impl Fn() -> F,
    events: &Events<'_, V, J>,
    event: usize,
    (start, x, values): &(f64, Y, Vec<f64>),
    (end, last, value): (f64, Y, f64),
    options: &Options,
    statistics: &mut Statistics,
) -> Result<(f64, Y), IntegrateError>
where
    Y: differential_equations::traits::State<f64> + AsRef<[f64]> + AsMut<[f64]>,
    F: Flow<Y>,
    V: Fn(f64, &Y, &mut [f64]),
{
    let side = if value < 0.0 { 1.0 } else { -1.0 };
    let mut low = (*start, x.clone(), side * values[event]);
    let mut high = (end, last, side * value);
    // Weights of Illinois: an end that stays is halved.
    let (mut low_weight, mut high_weight) = (1.0f64, 1.0f64);
    let mut out = std::vec![0.0; values.len()];
    for trial in 0.. {
        let width = high.0 - low.0;
        if width <= 4.0 * f64::EPSILON * high.0.abs().max(width) || trial == 120 {
            break;
        }
        let (a, b) = (low.2 * low_weight, high.2 * high_weight);
        let share = if trial % 3 == 2 { 0.5 } else { (a / (a - b)).clamp(1e-3, 1.0 - 1e-3) };
        let t = low.0 + share * width;
        if t <= low.0 || t >= high.0 {
            break;
        }
        let mut run = Run::new(flow(), *start, x, t, options)?;
        run.advance(t, |_, _| ControlFlow::Continue(()))?;
        *statistics = statistics.and(run.statistics());
        let y = run.state()?;
        (events.values)(t, &y, &mut out);
        let value = side * out[event];
        if value >= 0.0 {
            low = (t, y, value);
            low_weight = 1.0;
            high_weight *= 0.5;
        } else {
            high = (t, y, value);
            high_weight = 1.0;
            low_weight *= 0.5;
        }
    }
    Ok(if events.rules[event].effect == Effect::Passes { (high.0, high.1) } else { (low.0, low.1) })
}
