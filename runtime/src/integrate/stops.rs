//! Impacts on stops and rest on them, without friction.
//!
//! Problem: stops whose gaps `g` must not become negative, on which a motion bounces, rests, and
//!          from which it departs.
//! Impact:  over all closed stops that are not departing, `γ⁺ = γ⁻ + D Λ`,
//!          `0 ≤ Λ ⊥ γ⁺ + e γ⁻ ≥ 0`, with `D = W Y` and `γ = ġ`; again at the same instant while a
//!          closed stop is still approached. Below [`Options::rest_speed`] e is 0. Kinetic energy
//!          does not grow for 0 ≤ e ≤ 1.
//! Rest:    over all closed stops without a rate, `0 ≤ λ ⊥ g̈ ≥ 0`. Those that hold are rows with
//!          `g̈ = 0`; their gaps and rates are projected to zero. If one of their forces would pull,
//!          the problem is solved again: a stop is only released if no pushing forces hold it.
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

use super::complementarity::{solve_complementarity, solve_held};
use super::events::{EventSource, Happened, Rest, StopForces};
use super::run::OdeFlow;
use super::{IntegrateError, Options};
use crate::events::{Crossing, Effect, EventRule};
use crate::singular::{Cause, Singular};

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
const STILL: f64 = 1e-11;

/// Fraction of the size of its terms below which the acceleration of the gap of a supported stop
/// counts as zero.
const LEFT: f64 = 1e-9;

/// Fraction of [`Options::rest_speed`] below which the rate of a gap counts as zero.
const UNNOTICED: f64 = 1e-6;

/// Maximum number of stops that are closed at one instant.
const MOST_STOPS: usize = 64;

/// Number of impacts at one instant after which elastic stops are taken to block each other for
/// ever.
const MOST_IMPACTS: usize = 1000;

/// Contact of a motion with a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contact {
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
fn is_rest(contact: Contact) -> bool {
    matches!(contact, Contact::Holding | Contact::Supported)
}

/// Terms of a stop, as the equations give them.
#[derive(Clone, Debug)]
struct Terms {
    event: usize,
    gap: f64,
    rate: f64,
    bias: f64,
    restitution: f64,
    row: Vec<f64>,
    displacement: Vec<f64>,
    response: Vec<f64>,
}

impl Terms {
    /// Sum of the products of the row with a vector over the speeds, and the sum of their sizes.
    fn along(&self, speeds: &[f64]) -> (f64, f64) {
        let products = self.row.iter().zip(speeds).map(|(w, v)| w * v);
        products.fold((0.0, 0.0), |(sum, size), x| (sum + x, size + x.abs()))
    }

    /// The part of a state, or of its rate, for the speeds.
    fn speeds<'x>(&self, x: &'x [f64]) -> &'x [f64] {
        &x[self.displacement.len()..][..self.row.len()]
    }

    /// Second derivative of the gap at a state's rate, and the size of its terms.
    fn acceleration(&self, dx: &[f64]) -> (f64, f64) {
        let (sum, size) = self.along(self.speeds(dx));
        (sum + self.bias, size + self.bias.abs())
    }

    /// Size of the terms of the rate of the gap.
    fn rate_size(&self, x: &[f64]) -> f64 {
        let (sum, size) = self.along(self.speeds(x));
        size + (self.rate - sum).abs()
    }
}

/// The matrix `D = W Y` of some stops.
fn coupling(stops: &[&Terms]) -> Vec<Vec<f64>> {
    let entry = |a: &Terms, b: &Terms| a.along(&b.response).0;
    stops.iter().map(|a| stops.iter().map(|b| entry(a, b)).collect()).collect()
}

/// The coordinates in a state of a motion with stops.
fn coordinates<'x>(stops: &[Terms], x: &'x [f64]) -> &'x [f64] {
    &x[..stops.first().map_or(0, |stop| stop.displacement.len())]
}

/// Largest absolute value.
fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Adds a multiple of a vector.
fn add_scaled(to: &mut [f64], factor: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
}

/// Closed stops of an instant: their restitutions and the sizes of rates before its impacts.
#[derive(Clone, Debug, Default)]
pub(super) struct StopInstant {
    /// Events whose gaps close at this instant.
    hit: Vec<usize>,
    /// Largest size of the terms of the rate of each event's gap.
    sizes: Vec<f64>,
    /// True after an impact.
    struck: bool,
}

impl StopInstant {
    /// An instant at which the gaps of these events close.
    pub(super) fn new(hit: impl Iterator<Item = usize>) -> Self {
        StopInstant { hit: hit.collect(), ..StopInstant::default() }
    }
}

/// A motion with its events, of which some may be stops that are touched or hold.
///
/// Its event functions are those of the motion, followed by one for each stop that is positive while
/// it holds: its force.
pub(super) struct Contacts<'m, F, E> {
    flow: F,
    source: &'m E,
    rules: Vec<EventRule>,
    has_stops: Cell<bool>,
    contacts: RefCell<Vec<Contact>>,
    /// True for each event that is a stop with a force that is not unique.
    undetermined: RefCell<Vec<bool>>,
    /// Gap below which touching is not distinguished from departing.
    noise: f64,
    /// Gap below which a stop is closed.
    touch: f64,
    /// Penetration up to which a stop still acts.
    near: f64,
    rest_speed: f64,
    /// Rate of a gap that is not distinguished from zero.
    slow: f64,
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
            contacts: RefCell::new(std::vec![Contact::Open; n]),
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

    /// Sets functions of stops that are beyond zero by little to zero, so that those that approach act
    /// at once. At the start of a motion it may be beyond a stop, which then does not act.
    pub(super) fn round_to_zero(&self, values: &mut [f64], is_start: bool) {
        let beyond = if is_start { 10.0 * self.touch } else { self.near };
        for (rule, value) in self.rules.iter().zip(values).filter(|(r, _)| r.effect == Effect::Bounces) {
            let depth = match rule.crossing {
                Crossing::Falling => -*value,
                Crossing::Rising => *value,
                Crossing::Both => continue,
            };
            if depth > 0.0 && depth <= beyond {
                *value = 0.0;
            }
        }
    }

    /// Event of the motion to which one of the events here belongs.
    pub(super) fn event_of(&self, event: usize) -> usize {
        event % self.event_count().max(1)
    }

    /// True if the stops of the motion have terms.
    pub(super) fn has_stops(&self) -> bool {
        self.has_stops.get()
    }

    fn contact(&self, event: usize) -> Contact {
        self.contacts.borrow()[event]
    }

    /// True if the motion rests on the stop of an event.
    fn rests(&self, event: usize) -> bool {
        is_rest(self.contact(event))
    }

    fn any(&self, contact: Contact) -> bool {
        self.contacts.borrow().contains(&contact)
    }

    /// Opens the stops whose gaps are beyond noise after an accepted step.
    pub(super) fn record_gaps(&self, values: &[f64]) {
        for (contact, value) in self.contacts.borrow_mut().iter_mut().zip(values) {
            if *contact == Contact::Touching && *value > self.noise {
                *contact = Contact::Open;
            }
        }
    }
}

impl<F, E> Contacts<'_, F, E> {
    /// Terms of the stops for which `wanted` is true.
    fn terms<Y>(&self, t: f64, x: &Y, wanted: impl Fn(usize) -> bool) -> Result<Vec<Terms>, IntegrateError>
    where
        E: EventSource<Y>,
    {
        let mut all = Vec::new();
        let visited = self.source.visit_stops(t, x, &mut |stop| {
            if wanted(stop.event) {
                all.push(Terms {
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
    fn holding<Y>(&self, t: f64, x: &Y) -> Result<Vec<Terms>, IntegrateError>
    where
        E: EventSource<Y>,
    {
        if !self.any(Contact::Holding) {
            return Ok(Vec::new());
        }
        self.terms(t, x, |event| self.contact(event) == Contact::Holding)
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
        let open = self.terms(t, x, |event| self.contact(event) == Contact::Open).unwrap_or_default();
        open.iter().map(|stop| (stop.event, [stop.gap, stop.rate])).collect()
    }
}

/// Forces of stops that hold at a rate without them.
fn holding_forces(stops: &[Terms], dx: &[f64]) -> Vec<f64> {
    let stops: Vec<&Terms> = stops.iter().collect();
    let right: Vec<f64> = stops.iter().map(|s| -s.acceleration(dx).0).collect();
    let all: Vec<usize> = (0..stops.len()).collect();
    solve_held(&coupling(&stops), &all, &right)
}

impl<F, E> Contacts<'_, F, E> {
    /// Writes the rate of the motion, with the forces of the stops that hold. Returns these and the
    /// terms of their stops.
    fn write_rate_and_forces<Y>(
        &self,
        t: f64,
        x: &Y,
        dx: &mut Y,
    ) -> Result<(Vec<Terms>, Vec<f64>), IntegrateError>
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
        if self.any(Contact::Holding) {
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
        // The projection of one stop may have moved the gap of another below zero.
        let is_near = |event: usize| {
            self.rules[event].effect == Effect::Bounces && values[event] < 0.0 && values[event] >= -self.near
        };
        let wanted: Vec<bool> =
            (0..contacts.len()).map(|i| contacts[i] != Contact::Open || is_near(i)).collect();
        if !wanted.contains(&true) {
            return;
        }
        let Ok(touching) = self.terms(t, x, |event| wanted[event]) else {
            return values.fill(f64::NAN);
        };
        let rounding = ROUNDING * largest(coordinates(&touching, x.as_ref()));
        let noise = self.noise.max(rounding);
        for stop in &touching {
            let value = &mut values[stop.event];
            if contacts[stop.event] == Contact::Holding {
                *value = f64::INFINITY;
            } else if contacts[stop.event] != Contact::Open && stop.gap.abs() <= noise
                || stop.gap <= noise && stop.gap >= -self.near && stop.rate >= -self.slow
            {
                *value = self.noise;
            }
        }
        if !contacts.contains(&Contact::Holding) {
            return;
        }
        // What is zero at rest, such as a switch on the gap of a stop, does not cross by rounding.
        let others = values.iter_mut().zip(&contacts).filter(|(_, contact)| **contact == Contact::Open);
        others.filter(|(value, _)| value.abs() <= rounding).for_each(|(value, _)| *value = 0.0);
        let mut dx = x.clone();
        if self.flow.write_rate(t, x, &mut dx).is_err() {
            return forces.fill(f64::NAN);
        }
        let (holding, others): (Vec<Terms>, Vec<Terms>) =
            touching.into_iter().partition(|s| contacts[s.event] == Contact::Holding);
        let acting = holding_forces(&holding, dx.as_ref());
        for (stop, force) in holding.iter().zip(&acting) {
            let margin = STILL * stop.acceleration(dx.as_ref()).1 / stop.along(&stop.response).0;
            forces[stop.event] = force + margin;
        }
        // A supported one is left when its gap accelerates although the others hold.
        for stop in others.iter().filter(|s| contacts[s.event] == Contact::Supported) {
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
        let largest_gap = |stops: &[Terms]| stops.iter().fold(0.0f64, |most, s| most.max(s.gap.abs()));
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

    /// Applies the impacts of an instant to the state and returns them.
    ///
    /// # Errors
    /// If no impulse can reverse the rates, or elastic stops block each other.
    pub(super) fn hit<Y>(
        &self,
        t: f64,
        x: &mut Y,
        instant: &mut StopInstant,
    ) -> Result<Vec<Happened<Y>>, IntegrateError>
    where
        E: EventSource<Y>,
        Y: Clone + AsRef<[f64]> + AsMut<[f64]>,
    {
        instant.sizes.resize(self.event_count(), 0.0);
        let mut impacts = Vec::new();
        for _ in 0..MOST_IMPACTS {
            let stops = self.closed(t, x, instant)?;
            for stop in &stops {
                let size = &mut instant.sizes[stop.event];
                *size = size.max(stop.rate_size(x.as_ref()));
            }
            let still = |stop: &Terms| self.slow.max(STILL * instant.sizes[stop.event]);
            let Some(first) = stops.iter().find(|s| s.rate < -still(s)).map(|s| s.event) else {
                return Ok(impacts);
            };
            let struck: Vec<&Terms> = stops.iter().filter(|s| s.rate <= still(s)).collect();
            let elastic = |s: &Terms| if -s.rate <= self.rest_speed { 0.0 } else { s.restitution };
            let q: Vec<f64> = struck.iter().map(|s| (1.0 + elastic(s)) * s.rate.min(0.0)).collect();
            let sizes: Vec<f64> = struck.iter().map(|s| s.rate_size(x.as_ref())).collect();
            let singular = || Singular { lanes: true, cause: Cause::Row(first) };
            let d = coupling(&struck);
            let solution = solve_complementarity(&d, &q, &sizes)
                .filter(|s| s.forces.iter().all(|x| x.is_finite()))
                .ok_or_else(|| IntegrateError::Singular { t, singular: singular() })?;
            let before = x.clone();
            for (stop, impulse) in struck.iter().zip(&solution.forces) {
                add_scaled(&mut x.as_mut()[stop.displacement.len()..], *impulse, &stop.response);
            }
            self.source.after_impact(t, &before, x);
            instant.struck = true;
            for (stop, row) in struck.iter().zip(&d) {
                instant.sizes[stop.event] +=
                    row.iter().zip(&solution.forces).map(|(d, impulse)| (d * impulse).abs()).sum::<f64>();
            }
            for (stop, impulse) in struck.iter().zip(&solution.forces) {
                let jump = impulse * stop.along(&stop.response).0;
                if jump <= self.slow && -stop.rate <= self.slow {
                    continue;
                }
                if !instant.hit.contains(&stop.event) {
                    instant.hit.push(stop.event);
                }
                // A stop on which the motion rests transmits impulses without being an event.
                if !self.rests(stop.event) {
                    impacts.push(Happened { event: stop.event, t, before: before.clone(), after: x.clone() });
                }
            }
        }
        let event = instant.hit.first().copied().unwrap_or(0);
        Err(IntegrateError::EventsAccumulate { t, event })
    }

    /// Terms of the stops that are closed at an instant.
    fn closed<Y>(&self, t: f64, x: &Y, instant: &StopInstant) -> Result<Vec<Terms>, IntegrateError>
    where
        E: EventSource<Y>,
    {
        let mut stops = self.terms(t, x, |_| true)?;
        let holds = |event: usize| self.contact(event) == Contact::Holding;
        stops.retain(|s| s.gap <= self.touch || instant.hit.contains(&s.event) || holds(s.event));
        if stops.len() > MOST_STOPS {
            return Err(IntegrateError::TooManyStops { t, count: stops.len() });
        }
        if !instant.struck {
            // Their rates are projected to zero, so what they have is rounding.
            stops.iter_mut().filter(|s| holds(s.event)).for_each(|s| s.rate = 0.0);
        }
        Ok(stops)
    }

    /// Decides, after the impacts of an instant, which stops hold. Records in `rests` when rest
    /// begins and ends.
    ///
    /// # Errors
    /// If no accelerations satisfy all stops.
    pub(super) fn settle<Y>(
        &self,
        t: f64,
        x: &Y,
        instant: &StopInstant,
        rests: &mut Vec<Rest>,
    ) -> Result<(), IntegrateError>
    where
        F: OdeFlow<Y>,
        E: EventSource<Y>,
        Y: Clone + AsRef<[f64]> + AsMut<[f64]>,
    {
        let closed = self.closed(t, x, instant)?;
        let mut dx = x.clone();
        self.flow.write_rate(t, x, &mut dx)?;
        let size =
            |s: &Terms| instant.sizes.get(s.event).copied().unwrap_or(0.0).max(s.rate_size(x.as_ref()));
        // A departure that falls back before its gap could be told from zero is none. Without this,
        // plastic impacts of two legs in turn would never end.
        let falls_back = |s: &Terms| {
            let acceleration = s.acceleration(dx.as_ref()).0;
            s.rate > 0.0 && acceleration < 0.0 && s.rate * s.rate <= -2.0 * acceleration * self.noise
        };
        let is_still = |s: &&Terms| s.rate.abs() <= self.slow.max(STILL * size(s)) || falls_back(s);
        let still: Vec<&Terms> = closed.iter().filter(is_still).collect();
        let accelerations: Vec<(f64, f64)> = still.iter().map(|s| s.acceleration(dx.as_ref())).collect();
        let (q, sizes): (Vec<f64>, Vec<f64>) = accelerations.into_iter().unzip();
        let singular = || {
            let event = still.first().map_or(0, |s| s.event);
            IntegrateError::Singular { t, singular: Singular { lanes: true, cause: Cause::Row(event) } }
        };
        let solution = solve_complementarity(&coupling(&still), &q, &sizes).ok_or_else(singular)?;
        let mut contacts = std::vec![Contact::Open; self.event_count()];
        let mut undetermined = std::vec![false; self.event_count()];
        for stop in &still {
            contacts[stop.event] = Contact::Touching;
        }
        for (k, stop) in still.iter().enumerate() {
            if solution.holding.contains(&k) {
                contacts[stop.event] = Contact::Holding;
            } else if solution.dependent.contains(&k) && solution.undetermined[k] {
                contacts[stop.event] = Contact::Supported;
            }
            undetermined[stop.event] = solution.undetermined[k];
        }
        self.record_rests(t, &contacts, &undetermined, rests);
        *self.contacts.borrow_mut() = contacts;
        *self.undetermined.borrow_mut() = undetermined;
        Ok(())
    }

    /// Records the stops at which rest begins or ends.
    fn record_rests(&self, t: f64, contacts: &[Contact], undetermined: &[bool], rests: &mut Vec<Rest>) {
        for (event, contact) in contacts.iter().enumerate() {
            let last = rests.iter_mut().rev().find(|r| r.event == event && r.until.is_none());
            match (last, is_rest(*contact)) {
                (Some(rest), true) => rest.determined &= !undetermined[event],
                (Some(rest), false) => rest.until = Some(t),
                (None, true) => {
                    rests.push(Rest { event, from: t, until: None, determined: !undetermined[event] });
                }
                (None, false) => {}
            }
        }
        // Within the resolution of time, nothing rested.
        rests.retain(|r| r.until.is_none_or(|until| until - r.from > 1e-15 + 1e-12 * until.abs()));
    }
}

/// The flow of a motion with the stops that hold.
pub(super) struct Held<'c, 'm, F, E>(pub(super) &'c Contacts<'m, F, E>);

impl<Y, F, E> OdeFlow<Y> for Held<'_, '_, F, E>
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
        !self.0.any(Contact::Holding) && self.0.flow.write_jacobian(t, x, rows)
    }
}
