//! Detection of endless event sequences and of bodies at rest in contact.
//!
//! Problem: infinitely many events in a finite time (a ball that comes to rest, sliding along a
//!          switch) and bodies that rest on what they bounced off would keep an integrator busy for
//!          ever. A switch at 1 kHz must not be mistaken for that.
//! Method:  all criteria are local and independent of the requested duration. *Shrinking*: the
//!          intervals of one event became shorter, each of them, at least [`MIN_SHRINKING`] times,
//!          down to [`SHRUNK`] of the first of them. *Rest*: [`MAX_TAPS`] times in a row an impact
//!          came at once, compared with the interval before, and changed almost nothing, compared
//!          with its largest change. *Stand-still*: the last [`RECENT_EVENTS`] events of all kinds
//!          lie within the resolution of doubles at that time.
//! Units:   seconds.

use std::collections::VecDeque;
use std::vec::Vec;

use super::IntegrateError;
use crate::events::Effect;

/// Number of intervals in a row, each shorter than the one before, from which events may
/// accumulate.
const MIN_SHRINKING: usize = 8;
/// Fraction of the first interval, of a pause or of the largest jump, below which an interval or a
/// jump counts as almost nothing.
const SHRUNK: f64 = 1e-6;
/// Fraction of the last interval below which an interval is no shrinking, but another kind of
/// motion.
const ABRUPT: f64 = 1e-3;
/// Number of impacts in a row without effect that mean rest in contact.
const MAX_TAPS: usize = 3;
/// Number of events that mean a stand-still if all of them lie within the resolution of time.
const RECENT_EVENTS: usize = 50;
/// Relative resolution of time, within which the last events mean a stand-still.
const RESOLUTION: f64 = 1e-12;

/// Times and jumps of one event so far.
#[derive(Clone, Debug, Default)]
struct EventHistory {
    /// Time at which the event happened last.
    last_time: Option<f64>,
    /// Shrinking intervals in a row: the first, the last, and their number.
    shrinking_run: (f64, f64, usize),
    /// Last interval between two impacts that was not a tap, in seconds.
    last_pause: f64,
    /// Largest change of the state by the event.
    largest_jump: f64,
    /// Number of last impacts in a row that came at once and changed almost nothing.
    taps: usize,
}

/// Records the times of all events of a motion, and detects endless sequences and rest in contact.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    /// Time at which the motion starts.
    start: f64,
    histories: Vec<EventHistory>,
    /// Times of the last events of all kinds.
    recent: VecDeque<f64>,
}

impl Pace {
    pub(super) fn new(events: usize, start: f64) -> Self {
        Pace { start, histories: std::vec![EventHistory::default(); events], recent: VecDeque::new() }
    }

    /// Records an event that changed the state by `jump`. Times that differ by less than
    /// `resolution` are one instant.
    ///
    /// # Errors
    /// An error if events accumulate or a body rests in contact.
    pub(super) fn record_event(
        &mut self,
        event: usize,
        t: f64,
        effect: Effect,
        jump: f64,
        resolution: f64,
    ) -> Result<(), IntegrateError> {
        let history = &mut self.histories[event];
        let interval = t - history.last_time.unwrap_or(self.start);
        let quick = interval <= resolution.max(SHRUNK * history.last_pause);
        if effect == Effect::Bounces && quick && jump <= SHRUNK * history.largest_jump {
            history.taps += 1;
            if history.taps >= MAX_TAPS {
                return Err(IntegrateError::RestsInContact { t, event });
            }
        } else {
            (history.taps, history.last_pause) = (0, interval);
        }
        history.largest_jump = history.largest_jump.max(jump);
        if history.last_time.is_some() {
            let (first, last, count) = history.shrinking_run;
            history.shrinking_run = if interval < last && interval > ABRUPT * last {
                (first, interval, count + 1)
            } else {
                (interval, interval, 1)
            };
            if history.shrinking_run.2 > MIN_SHRINKING && interval < SHRUNK * history.shrinking_run.0 {
                return Err(IntegrateError::EventsAccumulate { t, event });
            }
        }
        history.last_time = Some(t);
        Ok(())
    }

    /// Records an instant at which events happened.
    ///
    /// # Errors
    /// An error if the last instants lie within the resolution of time.
    pub(super) fn record_instant(&mut self, event: usize, t: f64) -> Result<(), IntegrateError> {
        self.recent.push_back(t);
        if self.recent.len() > RECENT_EVENTS {
            let early = self.recent.pop_front().unwrap_or(self.start);
            if t - early <= RESOLUTION * t.abs().max(t - self.start) {
                return Err(IntegrateError::EventsAccumulate { t, event });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record_event_at(pace: &mut Pace, t: f64) -> Result<(), IntegrateError> {
        pace.record_event(0, t, Effect::Passes, 1.0, 1e-12)?;
        pace.record_instant(0, t)
    }

    #[test]
    fn a_steady_switch_never_accumulates_however_late() {
        let mut pace = Pace::new(1, 0.0);
        for k in 0..5000 {
            record_event_at(&mut pace, 86_400.0 + f64::from(k) * 1e-3).unwrap();
        }
        // A pause, then quick steady taps.
        for k in 0..5000 {
            record_event_at(&mut pace, 2e5 + f64::from(k) * 1e-4).unwrap();
        }
    }

    #[test]
    fn intervals_that_shrink_for_ever_accumulate_near_their_limit() {
        for ratio in [0.1f64, 0.5, 0.99] {
            let mut pace = Pace::new(1, 0.0);
            let limit = 3.0 + 1.0 / (1.0 - ratio);
            let (mut t, mut interval) = (3.0, 1.0);
            let error = (0..100_000).find_map(|_| {
                let error = record_event_at(&mut pace, t).err();
                t += interval;
                interval *= ratio;
                error
            });
            let Some(IntegrateError::EventsAccumulate { t, event: 0 }) = error else { panic!("{error:?}") };
            assert!(limit - t < 2e-6 / (1.0 - ratio), "{ratio}: {t} {limit}");
        }
    }

    #[test]
    fn events_that_do_not_advance_accumulate() {
        let mut pace = Pace::new(1, 0.0);
        assert!((0..100).any(|_| record_event_at(&mut pace, 5.0).is_err()));
        let mut pace = Pace::new(1, 0.0);
        assert!((0..100).any(|_| record_event_at(&mut pace, 0.0).is_err()));
    }
}
