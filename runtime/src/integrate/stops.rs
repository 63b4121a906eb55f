//! Impacts on stops and rest on them, without friction.
//!
//! Problem: stops whose gaps `g` must not become negative, on which a motion bounces, rests, and
//!          from which it departs.
//! Impact:  over all closed stops that are not departing, `γ⁺ = γ⁻ + D Λ`,
//!          `0 ≤ Λ ⊥ γ⁺ + e γ⁻ ≥ 0`, with `D = W Y` and `γ = ġ`; again at the same instant while a
//!          closed stop is still approached. Below [`Options::rest_speed`] e is 0. Kinetic energy
//!          does not grow for 0 ≤ e ≤ 1.
//! Rest:    over all closed stops without a rate, `0 ≤ λ ⊥ g̈ ≥ 0`. Those that hold are rows with
//!          `g̈ = 0`; their gaps and rates are projected to zero. If one of their forces would
//!          pull, the problem is solved again: a stop is only released if no pushing forces hold
//!          it.
//! Noise:   a closed stop that does not hold only counts as approached beyond a thousandth of
//!          [`Options::atol`].
//! Units:   gaps in m or rad, forces in N or N·m.
//! Cost:    `D` and its factors in each evaluation while a stop holds.
//!
//! Source: J. J. Moreau, *Unilateral contact and dry friction in finite freedom dynamics* (1988);
//! C. Glocker, *Set-Valued Force Laws* (2001), chapters 7 and 8.
//!
//! Not handled: friction.

use core::cell::{Cell, RefCell};
use std::vec::Vec;

use super::complementarity::solve_held;
use super::event_source::EventSource;
use super::events::StopForces;
use super::run::OdeFlow;
use super::stop_at_state::{
    StopAtState, add_scaled, coordinates, coupling, holding_forces, largest, largest_gap,
};
use super::{IntegrateError, Options};
use crate::events::{Crossing, Effect, EventRule};

/// Fraction of [`Options::atol`] below which the gap of a stop that was left, or is touched without
/// a force, is not distinguished from zero.
const NOISE: f64 = 1e-3;

/// Fraction of [`Options::atol`] below which a gap is closed.
const TOUCH: f64 = 0.1;

/// Multiple of [`Options::atol`] by which the projection of one stop may have moved another.
const NEAR: f64 = 1e3;

/// Fraction of the largest coordinate that the rounding error of a gap does not exceed.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Fraction of the size of its terms below which a rate, or a pull, counts as zero.
pub(super) const STILL: f64 = 1e-11;

/// Fraction of the size of its terms below which the acceleration of the gap of a supported stop
/// counts as zero.
const LEFT: f64 = 1e-9;

/// Fraction of [`Options::rest_speed`] below which the rate of a gap counts as zero.
const UNNOTICED: f64 = 1e-6;

/// Contact of a motion with a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopContact {
    /// The gap is open, or has a rate.
    Open,
    /// The gap is closed, or was without a rate when it was closed last, and there is no force.
    Touching,
    /// The gap is closed and stays closed because those of other stops do.
    Supported,
    /// The gap is closed and is kept closed by a force.
    Holding,
}

/// True if a motion rests on the stop of this contact.
pub(super) fn is_rest(contact: StopContact) -> bool {
    matches!(contact, StopContact::Holding | StopContact::Supported)
}

/// A motion with its events, of which some may be stops that are touched or hold.
///
/// Its event functions are those of the motion, followed by one for each stop that is positive
/// while it holds: its force.
pub(super) struct Contacts<'m, F, E> {
    pub(super) flow: F,
    pub(super) source: &'m E,
    rules: Vec<EventRule>,
    has_stops: Cell<bool>,
    pub(super) contacts: RefCell<Vec<StopContact>>,
    /// True for each event that is a stop with a force that is not unique.
    pub(super) undetermined: RefCell<Vec<bool>>,
    /// Gap below which touching is not distinguished from departing.
    pub(super) noise: f64,
    /// Gap below which a stop is closed.
    pub(super) touch: f64,
    /// Penetration up to which a stop still acts.
    pub(super) near: f64,
    pub(super) rest_speed: f64,
    /// Rate of a gap that is not distinguished from zero.
    pub(super) slow: f64,
}

impl<'m, F, E> Contacts<'m, F, E> {
    pub(super) fn new<Y>(flow: F, source: &'m E, options: &Options) -> Self
    where
        E: EventSource<Y>,
    {
        let n = source.rules().len();
        let release = EventRule { crossing: Crossing::Falling, effect: Effect::Passes };
        let mut rules = source.rules().to_vec();
        rules.resize(2 * n, release);
        Contacts {
            flow,
            source,
            rules,
            contacts: RefCell::new(std::vec![StopContact::Open; n]),
            undetermined: RefCell::new(std::vec![false; n]),
            noise: NOISE * options.atol,
            touch: TOUCH * options.atol,
            near: NEAR * options.atol,
            rest_speed: options.rest_speed,
            has_stops: Cell::new(false),
            slow: UNNOTICED * options.rest_speed.max(f64::MIN_POSITIVE),
        }
    }

    /// Rules of the events of the motion, followed by those of the releases of their stops.
    pub(super) fn rules(&self) -> &[EventRule] {
        &self.rules
    }

    /// Number of events of the motion itself.
    pub(super) fn event_count(&self) -> usize {
        self.rules.len() / 2
    }

    /// True if a stop is beyond zero by no more than another's projection may have moved it, and is
    /// not approached.
    fn departs(&self, stop: &StopAtState) -> bool {
        stop.gap >= -self.near && stop.rate >= -self.slow
    }

    /// Sets functions of stops that are beyond zero by little to zero, so that those that approach
    /// act at once. At the start of a motion it may be beyond a stop, which then does not act.
    pub(super) fn round_to_zero(&self, values: &mut [f64], is_start: bool) {
        let beyond = if is_start { 10.0 * self.touch } else { self.near };
        let (gaps, forces) = values.split_at_mut(self.event_count());
        for (rule, value) in self.rules.iter().zip(gaps).filter(|(r, _)| r.effect == Effect::Bounces) {
            let depth = match rule.crossing {
                Crossing::Falling => -*value,
                Crossing::Rising => *value,
                Crossing::Both => continue,
            };
            if depth > 0.0 && depth <= beyond {
                *value = 0.0;
            }
        }
        // A stop that already pulls is released at once.
        forces.iter_mut().filter(|x| **x < 0.0).for_each(|x| *x = 0.0);
    }

    /// Notes the stops that are beyond zero at the start of an interval and are not approached: the
    /// projection of another one moved them.
    pub(super) fn note_departures<Y>(&self, t: f64, x: &Y) -> Result<(), IntegrateError>
    where
        E: EventSource<Y>,
    {
        if self.has_stops.get() {
            for stop in self.terms(t, x, |event| self.contact(event) == StopContact::Open)? {
                if stop.gap < 0.0 && self.departs(&stop) {
                    self.contacts.borrow_mut()[stop.event] = StopContact::Touching;
                }
            }
        }
        Ok(())
    }

    /// Event of the motion to which one of the events here belongs.
    pub(super) fn event_of(&self, event: usize) -> usize {
        event % self.event_count().max(1)
    }

    /// True if the stops of the motion have terms.
    pub(super) fn has_stops(&self) -> bool {
        self.has_stops.get()
    }

    pub(super) fn contact(&self, event: usize) -> StopContact {
        self.contacts.borrow()[event]
    }

    /// True if the motion rests on the stop of an event.
    pub(super) fn rests(&self, event: usize) -> bool {
        is_rest(self.contact(event))
    }

    fn any(&self, contact: StopContact) -> bool {
        self.contacts.borrow().contains(&contact)
    }

    /// Opens the stops whose gaps are beyond noise after an accepted step.
    pub(super) fn record_gaps(&self, values: &[f64]) {
        for (contact, value) in self.contacts.borrow_mut().iter_mut().zip(values) {
            if *contact == StopContact::Touching && *value > self.noise {
                *contact = StopContact::Open;
            }
        }
    }
}

impl<F, E> Contacts<'_, F, E> {
    /// Terms of the stops for which `wanted` is true.
    pub(super) fn terms<Y>(
        &self,
        t: f64,
        x: &Y,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<StopAtState>, IntegrateError>
    where
        E: EventSource<Y>,
    {
        let mut all = Vec::new();
        let visited = self.source.visit_stops(t, x, &mut |stop| {
            if wanted(stop.event) {
                all.push(StopAtState {
                    event: stop.event,
                    gap: stop.gap,
                    rate: stop.rate,
                    bias: stop.bias,
                    restitution: stop.restitution,
                    row: stop.row.to_vec(),
                    displacement: stop.displacement.to_vec(),
                    response: stop.response.to_vec(),
                });
            }
        });
        visited.map_err(|singular| IntegrateError::Singular { t, singular })?;
        Ok(all)
    }

    /// Terms of the stops that hold.
    fn holding<Y>(&self, t: f64, x: &Y) -> Result<Vec<StopAtState>, IntegrateError>
    where
        E: EventSource<Y>,
    {
        if !self.any(StopContact::Holding) {
            return Ok(Vec::new());
        }
        self.terms(t, x, |event| self.contact(event) == StopContact::Holding)
    }

    /// Applies the jump of an event of the motion to a state.
    pub(super) fn apply_jump<Y>(&self, event: usize, t: f64, x: &mut Y) -> Result<(), IntegrateError>
    where
        E: EventSource<Y>,
    {
        self.source.apply_jump(event, t, x).map_err(|singular| IntegrateError::Singular { t, singular })
    }

    /// Finds out whether the stops of the motion have terms; see [`Contacts::has_stops`].
    pub(super) fn find_stops<Y>(&self, t: f64, x: &Y) -> Result<bool, IntegrateError>
    where
        E: EventSource<Y>,
    {
        let bounces = self.source.rules().iter().any(|rule| rule.effect == Effect::Bounces);
        self.has_stops.set(bounces && !self.terms(t, x, |_| true)?.is_empty());
        Ok(self.has_stops.get())
    }

    /// Gaps of the open stops with their rates, by the index of their event; none where they cannot
    /// be evaluated.
    pub(super) fn open_gaps<Y>(&self, t: f64, x: &Y) -> Vec<(usize, [f64; 2])>
    where
        E: EventSource<Y>,
    {
        if !self.has_stops.get() {
            return Vec::new();
        }
        let open = self.terms(t, x, |event| self.contact(event) == StopContact::Open).unwrap_or_default();
        open.iter().map(|stop| (stop.event, [stop.gap, stop.rate])).collect()
    }
}

impl<F, E> Contacts<'_, F, E> {
    /// Writes the rate of the motion, with the forces of the stops that hold. Returns these and the
    /// terms of their stops.
    fn write_rate_and_forces<Y>(
        &self,
        t: f64,
        x: &Y,
        dx: &mut Y,
    ) -> Result<(Vec<StopAtState>, Vec<f64>), IntegrateError>
    where
        F: OdeFlow<Y>,
        E: EventSource<Y>,
        Y: AsRef<[f64]> + AsMut<[f64]>,
    {
        self.flow.write_rate(t, x, dx)?;
        let stops = self.holding(t, x)?;
        if stops.is_empty() {
            return Ok((stops, Vec::new()));
        }
        let forces = holding_forces(&stops, dx.as_ref());
        let mut change = std::vec![0.0; stops[0].row.len()];
        stops.iter().zip(&forces).for_each(|(stop, force)| add_scaled(&mut change, *force, &stop.response));
        add_scaled(&mut dx.as_mut()[stops[0].displacement.len()..], 1.0, &change);
        self.source.add_stop_work(t, x, &change, dx);
        Ok((stops, forces))
    }

    /// Forces of the stops at a state.
    pub(super) fn forces<Y>(&self, t: f64, x: &Y) -> Result<StopForces, IntegrateError>
    where
        F: OdeFlow<Y>,
        E: EventSource<Y>,
        Y: Clone + AsRef<[f64]> + AsMut<[f64]>,
    {
        let mut forces = std::vec![0.0; self.event_count()];
        if self.any(StopContact::Holding) {
            let (stops, values) = self.write_rate_and_forces(t, x, &mut x.clone())?;
            stops.iter().zip(values).for_each(|(stop, force)| forces[stop.event] = force);
        }
        Ok(StopForces { forces, undetermined: self.undetermined.borrow().clone() })
    }

    /// Writes the event functions of the motion, then the forces of stops that hold. NaN where they
    /// cannot be evaluated.
    pub(super) fn write_values<Y>(&self, t: f64, x: &Y, out: &mut [f64])
    where
        F: OdeFlow<Y>,
        E: EventSource<Y>,
        Y: Clone + AsRef<[f64]> + AsMut<[f64]>,
    {
        let (values, forces) = out.split_at_mut(self.event_count());
        self.source.write_values(t, x, values);
        forces.fill(f64::INFINITY);
        let contacts = self.contacts.borrow().clone();
        if contacts.iter().all(|c| *c == StopContact::Open) {
            return;
        }
        let Ok(touching) = self.terms(t, x, |event| contacts[event] != StopContact::Open) else {
            return values.fill(f64::NAN);
        };
        let rounding = ROUNDING * largest(coordinates(&touching, x.as_ref()));
        let noise = self.noise.max(rounding);
        for stop in &touching {
            let value = &mut values[stop.event];
            if contacts[stop.event] == StopContact::Holding {
                *value = f64::INFINITY;
            } else if stop.gap.abs() <= noise || stop.gap <= noise && self.departs(stop) {
                *value = self.noise;
            }
        }
        if !contacts.contains(&StopContact::Holding) {
            return;
        }
        // The function of a switch on the gap of a stop is zero at rest: rounding is no crossing.
        let others = values.iter_mut().zip(&contacts).filter(|(_, contact)| **contact == StopContact::Open);
        others.filter(|(value, _)| value.abs() <= rounding).for_each(|(value, _)| *value = 0.0);
        let mut dx = x.clone();
        if self.flow.write_rate(t, x, &mut dx).is_err() {
            return forces.fill(f64::NAN);
        }
        let (holding, others): (Vec<StopAtState>, Vec<StopAtState>) =
            touching.into_iter().partition(|s| contacts[s.event] == StopContact::Holding);
        let acting = holding_forces(&holding, dx.as_ref());
        for (stop, force) in holding.iter().zip(&acting) {
            let margin = STILL * stop.acceleration(dx.as_ref()).1 / stop.along(&stop.response).0;
            forces[stop.event] = force + margin;
        }
        // A supported one is left when its gap accelerates although the others hold.
        for stop in others.iter().filter(|s| contacts[s.event] == StopContact::Supported) {
            let (free, size) = stop.acceleration(dx.as_ref());
            let terms = holding.iter().zip(&acting).map(|(held, force)| stop.along(&held.response).0 * force);
            let (sum, size) = terms.fold((free, size), |(sum, size), x| (sum + x, size + x.abs()));
            forces[stop.event] = LEFT * size - sum;
        }
    }

    /// Projects gaps and rates of the stops that hold to zero.
    fn project<Y>(&self, t: f64, x: &mut Y) -> Result<(), IntegrateError>
    where
        F: OdeFlow<Y>,
        E: EventSource<Y>,
        Y: AsRef<[f64]> + AsMut<[f64]>,
    {
        self.flow.project_state(t, x)?;
        let mut stops = self.holding(t, x)?;
        if stops.is_empty() {
            return Ok(());
        }
        let all: Vec<usize> = (0..stops.len()).collect();
        let mut remaining = largest_gap(&stops);
        // Newton's method: gaps are at most quadratic over so short a way.
        for _ in 0..4 {
            if remaining == 0.0 {
                break;
            }
            let gaps: Vec<f64> = stops.iter().map(|s| -s.gap).collect();
            let change = solve_held(&coupling(&stops.iter().collect::<Vec<_>>()), &all, &gaps);
            for (stop, change) in stops.iter().zip(&change) {
                add_scaled(x.as_mut(), *change, &stop.displacement);
            }
            self.flow.project_state(t, x)?;
            stops = self.holding(t, x)?;
            let now = largest_gap(&stops);
            let done = now > 0.1 * remaining;
            remaining = now;
            if done {
                break;
            }
        }
        let rates: Vec<f64> = stops.iter().map(|s| -s.rate).collect();
        let change = solve_held(&coupling(&stops.iter().collect::<Vec<_>>()), &all, &rates);
        for (stop, change) in stops.iter().zip(&change) {
            add_scaled(&mut x.as_mut()[stop.displacement.len()..], *change, &stop.response);
        }
        Ok(())
    }
}

/// The flow of a motion with the stops that hold.
pub(super) struct FlowWithStops<'c, 'm, F, E>(pub(super) &'c Contacts<'m, F, E>);

impl<Y, F, E> OdeFlow<Y> for FlowWithStops<'_, '_, F, E>
where
    Y: Clone + AsRef<[f64]> + AsMut<[f64]>,
    F: OdeFlow<Y>,
    E: EventSource<Y>,
{
    fn write_rate(&self, t: f64, x: &Y, dx: &mut Y) -> Result<(), IntegrateError> {
        self.0.write_rate_and_forces(t, x, dx).map(|_| ())
    }

    fn project_state(&self, t: f64, x: &mut Y) -> Result<(), IntegrateError> {
        self.0.project(t, x)
    }

    fn append_constraint_rows(&self, t: f64, x: &Y, rows: &mut Vec<f64>) -> usize {
        self.0.flow.append_constraint_rows(t, x, rows)
    }

    fn projection_residual(&self) -> f64 {
        self.0.flow.projection_residual()
    }

    fn integral_count(&self) -> usize {
        self.0.flow.integral_count()
    }

    fn write_jacobian(&self, t: f64, x: &Y, rows: &mut [f64]) -> bool {
        !self.0.any(StopContact::Holding) && self.0.flow.write_jacobian(t, x, rows)
    }
}
