//! Which stops act: impacts of an instant, and rest after it.
//!
//! Problem: the impulses on closed stops, and the set of stops that holds after them.
//! Method:  the problems of complementarity that `stops` states, by `complementarity`.
//!
//! Not handled: friction.

use std::vec::Vec;

use super::IntegrateError;
use super::complementarity::solve_complementarity;
use super::event_source::EventSource;
use super::events::{Happened, Rest};
use super::run::OdeFlow;
use super::stop_at_state::{StopAtState, add_scaled, coupling};
use super::stops::{Contacts, STILL, StopContact, is_rest};
use crate::singular::{Cause, Singular};

/// Maximum number of stops that are closed at one instant.
const MOST_STOPS: usize = 64;

/// Number of impacts at one instant after which elastic stops are taken to block each other for
/// ever.
const MOST_IMPACTS: usize = 1000;

/// Stops that are hit at an instant, and the sizes of rates before its impacts.
#[derive(Clone, Debug, Default)]
pub(super) struct StopInstant {
    /// Events whose gaps close at this instant.
    hit: Vec<usize>,
    /// Events of the stops whose forces would pull, or whose gaps open.
    released: Vec<usize>,
    /// Largest size of the terms of the rate of each event's gap.
    sizes: Vec<f64>,
    /// True after an impact.
    struck: bool,
}

impl StopInstant {
    /// An instant at which the gaps of some events close, and others pull.
    pub(super) fn new(hit: impl Iterator<Item = usize>, released: impl Iterator<Item = usize>) -> Self {
        StopInstant { hit: hit.collect(), released: released.collect(), ..StopInstant::default() }
    }
}

/// The error of stops that no forces or impulses can keep closed or open.
fn no_forces(t: f64, event: usize) -> IntegrateError {
    IntegrateError::Singular { t, singular: Singular { lanes: true, cause: Cause::Row(event) } }
}

impl<F, E> Contacts<'_, F, E> {
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
            let still = |stop: &StopAtState| self.slow.max(STILL * instant.sizes[stop.event]);
            let Some(first) = stops.iter().find(|s| s.rate < -still(s)).map(|s| s.event) else {
                return Ok(impacts);
            };
            let struck: Vec<&StopAtState> = stops.iter().filter(|s| s.rate <= still(s)).collect();
            let q: Vec<f64> = (struck.iter())
                .map(|s| {
                    let restitution = if -s.rate <= self.rest_speed { 0.0 } else { s.restitution };
                    // Smaller rates are rounding errors, which differ between opposite stops.
                    if s.rate < -still(s) { (1.0 + restitution) * s.rate } else { 0.0 }
                })
                .collect();
            let sizes: Vec<f64> = struck.iter().map(|s| instant.sizes[s.event]).collect();
            let d = coupling(&struck);
            let solution = solve_complementarity(&d, &q, &sizes)
                .filter(|s| s.forces.iter().all(|x| x.is_finite()))
                .ok_or_else(|| no_forces(t, first))?;
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
    fn closed<Y>(&self, t: f64, x: &Y, instant: &StopInstant) -> Result<Vec<StopAtState>, IntegrateError>
    where
        E: EventSource<Y>,
    {
        let mut stops = self.terms(t, x, |_| true)?;
        let holds = |event: usize| self.contact(event) == StopContact::Holding;
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
        let still: Vec<&StopAtState> = (closed.iter())
            .filter(|s| {
                let before = instant.sizes.get(s.event).copied().unwrap_or(0.0);
                let least = self.slow.max(STILL * before.max(s.rate_size(x.as_ref())));
                // A departure that falls back before its gap could be told from zero is none.
                // Otherwise plastic impacts of two legs in turn would never end.
                let acceleration = s.acceleration(dx.as_ref()).0;
                let falls_back =
                    s.rate > 0.0 && acceleration < 0.0 && s.rate * s.rate <= -2.0 * acceleration * self.noise;
                s.rate.abs() <= least || falls_back
            })
            .collect();
        let accelerations: Vec<(f64, f64)> = still.iter().map(|s| s.acceleration(dx.as_ref())).collect();
        let (q, sizes): (Vec<f64>, Vec<f64>) = accelerations.into_iter().unzip();
        let first = still.first().map_or(0, |s| s.event);
        let solution =
            solve_complementarity(&coupling(&still), &q, &sizes).ok_or_else(|| no_forces(t, first))?;
        let mut contacts = std::vec![StopContact::Open; self.event_count()];
        let mut undetermined = std::vec![false; self.event_count()];
        for stop in &still {
            contacts[stop.event] = StopContact::Touching;
        }
        for (k, stop) in still.iter().enumerate() {
            // Without a force, a stop that is to be released does not hold.
            let is_released = instant.released.contains(&stop.event) && solution.forces[k] <= 0.0;
            if is_released {
                continue;
            }
            if solution.holding.contains(&k) {
                contacts[stop.event] = StopContact::Holding;
            } else if solution.dependent.contains(&k) && solution.undetermined[k] {
                contacts[stop.event] = StopContact::Supported;
            }
            undetermined[stop.event] = solution.undetermined[k];
        }
        self.record_rests(t, &contacts, &undetermined, rests);
        *self.contacts.borrow_mut() = contacts;
        *self.undetermined.borrow_mut() = undetermined;
        Ok(())
    }

    /// Records the stops at which rest begins or ends.
    fn record_rests(&self, t: f64, contacts: &[StopContact], undetermined: &[bool], rests: &mut Vec<Rest>) {
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
