//! Integration through events.
//!
//! Problem: a motion follows the same equations until a function of its state crosses zero; then
//!          the state jumps, or the motion ends.
//! Method:  event functions are evaluated after every step. If one has crossed, its zero is
//!          bracketed by integrating again from the start of the step (`zeros`). An impact or an
//!          end gets the last state before the zero, so a gap is never negative; switches alone get
//!          the first state after it.
//! Instant: zeros that a step cannot distinguish are one instant. Its events happen in the order of
//!          the rules, each at most once, ends after all others. After each jump the functions are
//!          evaluated again: an event whose function the jump moved back before zero does not
//!          happen, and one whose function it moved across zero does. Of several impacts the first
//!          happens; the motion then shows whether the others still approach, and they follow.
//! Start:   a function that is zero at the start is on the side that the motion leaves first, and
//!          crosses when it leaves. The function of an impact that is beyond zero by no more than
//!          [`Options::atol`], at the start or after an event, counts as zero: no ball falls
//!          through a floor on which it lies.
//! Faults:  a function that is NaN, or infinite where it changes sign, is
//!          [`IntegrateError::EventNotFinite`]; the event of one that stays infinite never happens.
//!          Events that accumulate, and bodies that rest in contact, end the integration with an
//!          error (`pace`).
//! Steps:   [`Options::max_steps`] counts those of the whole motion, including those that locate
//!          zeros.
//! Limits:  two zeros of one function within a step cancel and are not detected: set a shorter
//!          [`Options::longest_step`]. Forwards in time only.

use core::ops::ControlFlow;
use std::vec::Vec;

use super::event_source::{DrivenEvents, EventSource};
use super::pace::Pace;
use super::run::{Driven, HybridFlowAdapter, Integration, OdeFlow};
use super::stop_decisions::StopInstant;
use super::stops::{Contacts, FlowWithStops};
use super::zeros::{EventInstant, EventSample, Zeros, locate_first_event};
use super::{IntegrateError, Options, Statistics, check_requested_times};
use crate::events::{Effect, EventRule, HybridSystem, StopTerms};
use crate::singular::Singular;

/// An event of the spec that happened during a motion, with the states around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Happened<X> {
    /// Index of the event in spec order.
    pub event: usize,
    /// Time in seconds at which the event happened.
    pub t: f64,
    /// The state right before the event, without its jump.
    pub before: X,
    /// The state right after the event, with its jump.
    pub after: X,
}

/// A time span during which a motion rests on a stop: its gap stays closed.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    /// Index of the event of the stop, in spec order.
    pub event: usize,
    /// Time in seconds from which the motion rests.
    pub from: f64,
    /// Time in seconds at which it leaves the stop; `None` if it rests until the end.
    pub until: Option<f64>,
    /// True if the force of the stop is determined all the time. It is not where stops depend on
    /// each other, as for the legs of a table.
    pub determined: bool,
}

/// Forces of the stops on which a motion rests, one for each event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StopForces {
    /// Force of the stop of each event \[N or N·m\], along the rate of its gap: 0 where the motion
    /// does not rest on it.
    pub forces: Vec<f64>,
    /// True for each event whose force is one choice of many, as for the legs of a table.
    pub undetermined: Vec<bool>,
}

/// Result of an integration through events: states at the requested times, and the events up to
/// then.
#[derive(Clone, Debug, PartialEq)]
pub struct HybridTrajectory<X> {
    /// Times of the states in seconds: the requested ones, as far as the motion went.
    pub t: Vec<f64>,
    /// State at each time in `t`.
    pub x: Vec<X>,
    /// Events that happened, in order of time.
    pub events: Vec<Happened<X>>,
    /// `true` if an event ended the motion; it is the last of `events`.
    pub ended: bool,
    /// Rests on stops, in the order in which they began.
    pub rests: Vec<Rest>,
    /// Forces of the stops at each time in `t`.
    pub stop_forces: Vec<StopForces>,
    /// Last time that the motion reached and the state then, whatever ended the motion.
    pub reached: Option<(f64, X)>,
    /// Cost of the whole integration, including the location of events.
    pub statistics: Statistics,
}

impl<X> HybridTrajectory<X> {
    /// An empty trajectory, without states and events.
    pub fn new() -> Self {
        HybridTrajectory {
            t: Vec::new(),
            x: Vec::new(),
            events: Vec::new(),
            ended: false,
            rests: Vec::new(),
            stop_forces: Vec::new(),
            reached: None,
            statistics: Statistics::default(),
        }
    }
}

impl<X> Default for HybridTrajectory<X> {
    fn default() -> Self {
        Self::new()
    }
}

/// Equations of a motion with events, for a state whose length is known at run time only.
/// Implemented by the simulator of `dqdt-codegen`.
pub trait HybridFlow {
    /// Writes the state derivative `ẋ` at a state.
    ///
    /// # Errors
    /// [`Singular`] where the equations cannot be solved.
    fn rate(&self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Singular>;

    /// Projects a state onto its constraints.
    ///
    /// # Errors
    /// The remaining residual.
    fn project(&self, _t: f64, _x: &mut [f64]) -> Result<(), f64> {
        Ok(())
    }

    /// Appends the rows of the velocity constraints, whose rank is monitored as in
    /// [`integrate_constrained`](super::integrate_constrained). Returns their number of columns, 0
    /// if there are none.
    fn rows(&self, _t: f64, _x: &[f64], _rows: &mut Vec<f64>) -> usize {
        0
    }

    /// Number of components at the end of the state that are integrals along the motion (such as
    /// work), on which the rates do not depend.
    fn integrals(&self) -> usize {
        0
    }

    /// Writes the Jacobian `∂ẋ/∂x`, row by row, for [`Method::Radau`](super::Method::Radau).
    /// Returns `false` if it is unknown; finite differences are used then.
    fn jacobian(&self, _t: f64, _x: &[f64], _rows: &mut [f64]) -> bool {
        false
    }

    /// Crossing direction and effect of each event; none by default.
    fn rules(&self) -> &[EventRule] {
        &[]
    }

    /// Writes the values of the event functions, whose zeros are the events, one for each rule.
    fn events(&self, _t: f64, _x: &[f64], _values: &mut [f64]) {}

    /// Applies the jump of an event to the state.
    ///
    /// # Errors
    /// [`Singular`] where the equations of the impact cannot be solved.
    fn after_event(&self, _event: usize, _t: f64, _x: &mut [f64]) -> Result<(), Singular> {
        Ok(())
    }

    /// Calls `visit` with the terms of each stop, as in [`HybridSystem::stops`]; none by default.
    ///
    /// # Errors
    /// [`Singular`] where the equations cannot be solved.
    fn stops(&self, _t: f64, _x: &[f64], _visit: &mut dyn FnMut(StopTerms<'_, f64>)) -> Result<(), Singular> {
        Ok(())
    }

    /// Adds to the rates of [`HybridFlow::integrals`] what the forces of stops contribute, which
    /// change the accelerations of the speeds by `change`.
    fn add_stop_work(&self, _t: f64, _x: &[f64], _change: &[f64], _dx: &mut [f64]) {}

    /// Adds to the [`HybridFlow::integrals`] in `after` what an impact contributes, between the
    /// states before and after it.
    fn after_impact(&self, _t: f64, _before: &[f64], _after: &mut [f64]) {}
}

/// Integrates like [`integrate`](super::integrate), through the events of the system, and returns
/// the states and events.
///
/// # Errors
/// [`IntegrateError`]. [`integrate_events_into`] keeps the motion before an error.
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
    let mut out = HybridTrajectory::new();
    integrate_events_into(system, (t0, x0), times, input, options, &mut out)?;
    Ok(out)
}

/// Integrates through events like [`integrate_events`]. `out` is overwritten with the motion as far
/// as it went, even after an error.
///
/// # Errors
/// [`IntegrateError`].
pub fn integrate_events_into<S, const NX: usize, const NU: usize, const NE: usize>(
    system: &S,
    (t0, x0): (f64, &[f64; NX]),
    times: &[f64],
    input: impl Fn(f64, &[f64; NX]) -> [f64; NU],
    options: &Options,
    out: &mut HybridTrajectory<[f64; NX]>,
) -> Result<(), IntegrateError>
where
    S: HybridSystem<f64, NX, NU, NE> + ?Sized,
{
    let events = DrivenEvents::<S, _, NU, NE> { system, input: &input };
    integrate_through_events(Driven { system, input: &input }, &events, (t0, x0), times, options, out)
}

/// Integrates through events like [`integrate_events_into`], for a [`HybridFlow`] with a state of
/// any length.
///
/// # Errors
/// [`IntegrateError`].
pub fn integrate_events_vec(
    motion: &impl HybridFlow,
    (t0, x0): (f64, &[f64]),
    times: &[f64],
    options: &Options,
    out: &mut HybridTrajectory<Vec<f64>>,
) -> Result<(), IntegrateError> {
    let (flow, events) = (HybridFlowAdapter(motion), HybridFlowAdapter(motion));
    integrate_through_events(flow, &events, (t0, &x0.to_vec()), times, options, out)
}

/// Integrates a motion through events: from event to event until the last time, or an event that
/// ends it.
fn integrate_through_events<Y, F, E>(
    flow: F,
    source: &E,
    (t0, x0): (f64, &Y),
    times: &[f64],
    options: &Options,
    out: &mut HybridTrajectory<Y>,
) -> Result<(), IntegrateError>
where
    Y: differential_equations::traits::State<f64> + AsRef<[f64]> + AsMut<[f64]>,
    F: OdeFlow<Y>,
    E: EventSource<Y>,
{
    *out = HybridTrajectory::new();
    let Some(&end) = times.last() else { return Ok(()) };
    check_requested_times(t0, times)?;
    if end < t0 {
        return Err(IntegrateError::Times { index: 0 });
    }
    let n = source.rules().len();
    let mut pace = Pace::new(n, t0);
    // Zeros of an event up to this time belong to the event that happened already.
    let mut served = std::vec![f64::NEG_INFINITY; 2 * n];
    let mut at = (t0, x0.clone());
    flow.project_state(t0, &mut at.1)?;
    let contacts = Contacts::new(flow, source, options);
    if contacts.find_stops(t0, &at.1)? {
        let mut stops = StopInstant::default();
        let impacts = contacts.hit(t0, &mut at.1, &mut stops)?;
        out.events.extend(impacts);
        contacts.settle(t0, &at.1, &stops, &mut out.rests)?;
    }
    loop {
        let rest = &times[out.t.len()..];
        let begin = at.clone();
        let instant = integrate_to_next_event(&contacts, &begin, rest, &served, options, out, &mut at);
        out.reached = Some(at.clone());
        let Some(instant) = instant? else { return Ok(()) };
        let first = out.events.len();
        let (t, mut x) = instant.at.clone();
        let done = apply_events(&contacts, &instant, t, &mut x, out, &mut served);
        at = (t, x);
        out.reached = Some(at.clone());
        out.ended = done?;
        if out.ended {
            return Ok(());
        }
        for now in &out.events[first..] {
            let jump = now.before.as_ref().iter().zip(now.after.as_ref());
            let jump = jump.fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
            let effect = source.rules()[now.event].effect;
            if !(contacts.has_stops() && effect == Effect::Bounces) {
                pace.record_event(now.event, t, effect, jump, instant.resolution)?;
            }
        }
        let event = instant.signs_after_zero.iter().position(|x| *x != 0.0).unwrap_or(0);
        pace.record_instant(contacts.event_of(event), t)?;
    }
}

/// Options with the number of steps that remain, since the limit applies to the whole motion.
pub(super) fn with_remaining_steps(options: &Options, spent: &Statistics) -> Options {
    let spent = spent.accepted + spent.rejected;
    Options { max_steps: options.max_steps.saturating_sub(spent), ..*options }
}

/// Integrates to the last time or to the first event, which it returns. `at` becomes the last
/// accepted time and state.
fn integrate_to_next_event<Y, F, E>(
    contacts: &Contacts<'_, F, E>,
    from: &(f64, Y),
    times: &[f64],
    served: &[f64],
    options: &Options,
    out: &mut HybridTrajectory<Y>,
    at: &mut (f64, Y),
) -> Result<Option<EventInstant<Y>>, IntegrateError>
where
    Y: differential_equations::traits::State<f64> + AsRef<[f64]> + AsMut<[f64]>,
    F: OdeFlow<Y>,
    E: EventSource<Y>,
{
    let Some(&end) = times.last() else { return Ok(None) };
    let rules = contacts.rules();
    let steps = with_remaining_steps(options, &out.statistics);
    let mut run = Integration::new(FlowWithStops(contacts), from.0, &from.1, end, &steps)?;
    let start = run.projected_state()?;
    contacts.note_departures(from.0, &start)?;
    let mut before = EventSample::new(contacts, from.0, &start);
    if let Some(event) = before.values.iter().position(|x| x.is_nan()) {
        return Err(IntegrateError::EventNotFinite { t: from.0, event: contacts.event_of(event) });
    }
    contacts.round_to_zero(&mut before.values, out.events.is_empty() && out.rests.is_empty());
    for &time in times {
        loop {
            let mut crossed = None;
            let has_crossed = |before: &EventSample<Y>, after: &EventSample<Y>| {
                (0..rules.len()).any(|i| {
                    after.values[i].is_nan() || rules[i].crossing.happened(before.values[i], after.values[i])
                })
            };
            let advanced = run.advance_to(time, |t, x| {
                let after = EventSample::new(contacts, t, x);
                let dips = before.dips(&after);
                if !dips.is_empty() || has_crossed(&before, &after) {
                    crossed = Some((after, dips));
                    return ControlFlow::Break(());
                }
                contacts.record_gaps(&after.values);
                before = after;
                ControlFlow::Continue(())
            });
            *at = (before.t, before.x.clone());
            if let Err(error) = advanced {
                out.statistics = out.statistics.add_cost(run.statistics());
                return Err(error);
            }
            let Some((after, dips)) = crossed else { break };
            let spent = out.statistics.add_cost(run.statistics());
            let mut zeros = Zeros { contacts, options, spent, before: &before };
            // A gap may be negative in between only.
            let mut probe = None;
            for t in dips {
                probe = Some(zeros.sample_at(t)?).filter(|probe| has_crossed(&before, probe));
                if probe.is_some() {
                    break;
                }
            }
            let instant = match probe.as_ref().or(has_crossed(&before, &after).then_some(&after)) {
                Some(beyond) => locate_first_event(&mut zeros, beyond, served),
                None => Ok(None),
            };
            out.statistics = zeros.spent;
            if let Some(instant) = instant? {
                return Ok(Some(instant));
            }
            // All crossings belong to earlier events, or there are none. The run continues, so its
            // cost so far must not count twice.
            out.statistics = out.statistics.subtract_cost(run.statistics());
            contacts.record_gaps(&after.values);
            before = after;
        }
        let x = run.projected_state()?;
        out.stop_forces.push(contacts.forces(time, &x)?);
        out.t.push(time);
        out.x.push(x);
    }
    out.statistics = out.statistics.add_cost(run.statistics());
    Ok(None)
}

/// Applies the jumps of all events of an instant. Returns `true` if one of them ends the motion.
fn apply_events<Y, F, E>(
    contacts: &Contacts<'_, F, E>,
    instant: &EventInstant<Y>,
    t: f64,
    x: &mut Y,
    out: &mut HybridTrajectory<Y>,
    served: &mut [f64],
) -> Result<bool, IntegrateError>
where
    Y: Clone + AsRef<[f64]> + AsMut<[f64]>,
    F: OdeFlow<Y>,
    E: EventSource<Y>,
{
    let (rules, n) = (contacts.rules(), contacts.event_count());
    let effect = |i: usize| rules[i].effect;
    let mut far = instant.signs_after_zero.clone();
    let mut stops = StopInstant::new(
        (0..n).filter(|i| far[*i] != 0.0 && effect(*i) == Effect::Bounces),
        (0..n).filter(|i| far[n + i] != 0.0),
    );
    // Releases only change what holds, which is decided at the end.
    far.truncate(n);
    let (mut values, mut now) = (std::vec![0.0; 2 * n], std::vec![0.0; 2 * n]);
    contacts.write_values(t, x, &mut values);
    let (mut happened, mut bounced) = (std::vec![false; n], false);
    loop {
        // With terms of the stops, all impacts happen together. Without, a second one waits until
        // the motion shows whether it still approaches.
        let next =
            (0..n).filter(|i| far[*i] != 0.0 && !happened[*i] && !(bounced && effect(*i) == Effect::Bounces));
        let Some(event) = next.min_by_key(|i| (effect(*i) == Effect::Ends, *i)) else { break };
        happened[event] = true;
        if contacts.has_stops() && effect(event) == Effect::Bounces {
            out.events.extend(contacts.hit(t, x, &mut stops)?);
        } else {
            let before = x.clone();
            contacts.apply_jump(event, t, x)?;
            out.events.push(Happened { event, t, before, after: x.clone() });
        }
        if effect(event) == Effect::Ends {
            return Ok(true);
        }
        bounced |= effect(event) == Effect::Bounces;
        contacts.write_values(t, x, &mut now);
        for i in (0..n).filter(|i| !happened[*i]) {
            if now[i].is_nan() {
                return Err(IntegrateError::EventNotFinite { t, event: i });
            }
            if far[i] != 0.0 {
                // Unless the jump changed the function, the event still happens.
                let still_happens = now[i].to_bits() == values[i].to_bits() || far[i] * now[i] >= 0.0;
                far[i] = if still_happens { far[i] } else { 0.0 };
            } else if effect(i) != Effect::Bounces && rules[i].crossing.happened(values[i], now[i]) {
                far[i] = now[i].signum();
            }
        }
        core::mem::swap(&mut values, &mut now);
    }
    if contacts.has_stops() {
        contacts.settle(t, x, &stops, &mut out.rests)?;
    }
    for i in (0..n).filter(|i| happened[*i] && effect(*i) == Effect::Passes) {
        // The event got the state before its zero, which the motion still has to pass.
        if instant.is_before_zeros && instant.signs_after_zero[i] * values[i] <= 0.0 {
            served[i] = t + 10.0 * instant.resolution;
        }
    }
    Ok(false)
}
