//! Location of zeros of event functions.
//!
//! Problem: between two evaluations of the event functions, some crossed zero or became NaN or
//!          infinite. Which comes first, and when?
//! Method:  each zero is bracketed by integrating again from the start of the step, to times chosen
//!          by regula falsi (Illinois) and bisection, without interpolation. A function that is not
//!          finite at the end of the step is followed to the last time at which it is; a zero
//!          before that counts. A bracket in which the function only grows contains a pole, not a
//!          zero.
//! Units:   seconds; zeros closer than `1e-10` of the step and `8 ε t` are not distinguished.

use core::ops::ControlFlow;
use std::vec::Vec;

use super::event_source::EventSource;
use super::events::with_remaining_steps;
use super::run::{Integration, OdeFlow};
use super::stops::{Contacts, FlowWithStops};
use super::{IntegrateError, Options, Statistics};
use crate::events::Effect;

/// Time, state and values of all event functions after a step.
#[derive(Clone, Debug)]
pub(super) struct EventSample<Y> {
    pub(super) t: f64,
    pub(super) x: Y,
    pub(super) values: Vec<f64>,
    /// Gaps of the open stops with their rates, by the index of their event.
    pub(super) gaps: Vec<(usize, [f64; 2])>,
}

impl<Y: Clone> EventSample<Y> {
    /// Evaluates the event functions at a state.
    pub(super) fn new<F, E>(contacts: &Contacts<'_, F, E>, t: f64, x: &Y) -> Self
    where
        F: OdeFlow<Y>,
        E: EventSource<Y>,
        Y: AsRef<[f64]> + AsMut<[f64]>,
    {
        let mut values = std::vec![0.0; contacts.rules().len()];
        contacts.write_values(t, x, &mut values);
        EventSample { t, x: x.clone(), values, gaps: contacts.open_gaps(t, x) }
    }

    /// Times at which the gaps of stops probably have a negative minimum between two samples, from
    /// cubics through the gaps and their rates; ascending.
    pub(super) fn dips(&self, after: &Self) -> Vec<f64> {
        let step = after.t - self.t;
        let dips = self.gaps.iter().filter_map(|(event, start)| {
            let (_, end) = after.gaps.iter().find(|(other, _)| other == event)?;
            dip_of_cubic([start[0], step * start[1]], [end[0], step * end[1]])
        });
        let mut times: Vec<f64> = dips.map(|share| self.t + share * step).collect();
        times.sort_by(f64::total_cmp);
        times
    }
}

/// Place in (0, 1) of the minimum of a cubic with these values and derivatives at 0 and 1, if it is
/// there and negative.
fn dip_of_cubic([g0, r0]: [f64; 2], [g1, r1]: [f64; 2]) -> Option<f64> {
    // p′ = a s² + b s + c
    let (a, b, c) = (6.0 * (g0 - g1) + 3.0 * (r0 + r1), 6.0 * (g1 - g0) - 4.0 * r0 - 2.0 * r1, r0);
    let root = (b * b - 4.0 * a * c).sqrt();
    // The zero of p′ at which p″ = root > 0, written without cancellation.
    let s = if b <= 0.0 { (root - b) / (2.0 * a) } else { -2.0 * c / (b + root) };
    let inside = s > 1e-6 && s < 1.0 - 1e-6;
    let t = 1.0 - s;
    let value = t * t * ((1.0 + 2.0 * s) * g0 + s * r0) + s * s * ((1.0 + 2.0 * t) * g1 - t * r1);
    (inside && value < 0.0).then_some(s)
}

/// Events whose zeros are so close together that they happen at one instant.
#[derive(Clone, Debug)]
pub(super) struct EventInstant<Y> {
    /// Time and state to which the jumps of the events are applied.
    pub(super) at: (f64, Y),
    /// Sign of each event function after its zero; 0 for events that do not happen at this instant.
    pub(super) signs_after_zero: Vec<f64>,
    /// True if time and state are those before the zeros, as for impacts and ends.
    pub(super) is_before_zeros: bool,
    /// Difference of times below which events are at one instant, in seconds.
    pub(super) resolution: f64,
}

/// Context for locating zeros of event functions within a step.
pub(super) struct Zeros<'c, 'm, F, E, Y> {
    pub(super) contacts: &'c Contacts<'m, F, E>,
    pub(super) options: &'c Options,
    /// Cost of the motion so far, including the location of zeros.
    pub(super) spent: Statistics,
    /// Time, state and event functions at the start of the step.
    pub(super) before: &'c EventSample<Y>,
}

/// Time, state and event function value on one side of a zero.
type ZeroSide<Y> = (f64, Y, f64);

/// Factor by which an event function exceeds its values at both ends of the step if it has a pole
/// instead of a zero.
const POLE: f64 = 1e3;

impl<F, E, Y> Zeros<'_, '_, F, E, Y>
where
    Y: differential_equations::traits::State<f64> + AsRef<[f64]> + AsMut<[f64]>,
    F: OdeFlow<Y>,
    E: EventSource<Y>,
{
    /// Integrates again from the start of the step to time `t`. Returns the state and the value of
    /// an event function there.
    fn sample_event_at(&mut self, event: usize, t: f64) -> Result<ZeroSide<Y>, IntegrateError> {
        let sample = self.sample_at(t)?;
        Ok((t, sample.x, sample.values[event]))
    }

    /// Integrates again from the start of the step to time `t`.
    pub(super) fn sample_at(&mut self, t: f64) -> Result<EventSample<Y>, IntegrateError> {
        let options = with_remaining_steps(self.options, &self.spent);
        let mut run =
            Integration::new(FlowWithStops(self.contacts), self.before.t, &self.before.x, t, &options)?;
        let advanced = run.advance_to(t, |_, _| ControlFlow::Continue(()));
        self.spent = self.spent.add_cost(run.statistics());
        advanced?;
        Ok(EventSample::new(self.contacts, t, &run.projected_state()?))
    }

    /// Finds the last time in the step at which an event function is finite, with state and value.
    fn find_last_finite(&mut self, event: usize, end: f64) -> Result<ZeroSide<Y>, IntegrateError> {
        let mut low = (self.before.t, self.before.x.clone(), self.before.values[event]);
        let mut high = end;
        while high - low.0 > self.narrowest_bracket(end) {
            let t = low.0 + 0.5 * (high - low.0);
            if t <= low.0 || t >= high {
                break;
            }
            let side = self.sample_event_at(event, t)?;
            if side.2.is_finite() { low = side } else { high = t }
        }
        Ok(low)
    }

    /// Width of a bracket of times that rounding cannot make narrower.
    fn narrowest_bracket(&self, end: f64) -> f64 {
        4.0 * f64::EPSILON * end.abs().max(end - self.before.t)
    }

    /// Brackets the zero of an event function between the start of the step and a state beyond it.
    /// Returns both sides.
    fn bracket_zero(
        &mut self,
        event: usize,
        beyond: ZeroSide<Y>,
    ) -> Result<[ZeroSide<Y>; 2], IntegrateError> {
        let side = if beyond.2 < 0.0 { 1.0 } else { -1.0 };
        let start = self.before.values[event];
        let (narrow, largest) = (self.narrowest_bracket(beyond.0), start.abs().max(beyond.2.abs()));
        let mut low = (self.before.t, self.before.x.clone(), side * start);
        let mut high = (beyond.0, beyond.1, side * beyond.2);
        // Weights of the Illinois method: the value at an end that stays is halved.
        let (mut low_weight, mut high_weight) = (1.0f64, 1.0f64);
        for trial in 0..200 {
            let width = high.0 - low.0;
            if width <= narrow {
                break;
            }
            let (a, b) = (low.2 * low_weight, high.2 * high_weight);
            let share = if trial % 3 == 2 { 0.5 } else { (a / (a - b)).clamp(1e-3, 1.0 - 1e-3) };
            let t = low.0 + share * width;
            if t <= low.0 || t >= high.0 {
                break;
            }
            let (t, x, value) = self.sample_event_at(event, t)?;
            if !value.is_finite() {
                return Err(IntegrateError::EventNotFinite { t, event });
            }
            let value = side * value;
            if value >= 0.0 {
                low = (t, x, value);
                low_weight = 1.0;
                high_weight *= 0.5;
            } else {
                high = (t, x, value);
                high_weight = 1.0;
                low_weight *= 0.5;
            }
        }
        if low.2.min(-high.2) > POLE * largest {
            return Err(IntegrateError::EventNotFinite { t: low.0, event });
        }
        Ok([(low.0, low.1, side * low.2), (high.0, high.1, side * high.2)])
    }
}

/// Locates the first instant of events between the last sample and `after`. `None` if all crossings
/// belong to events that happened already (up to the times `served`).
///
/// # Errors
/// [`IntegrateError::EventNotFinite`] if a function ceases to be finite before any event.
pub(super) fn locate_first_event<F, E, Y>(
    zeros: &mut Zeros<'_, '_, F, E, Y>,
    after: &EventSample<Y>,
    served: &[f64],
) -> Result<Option<EventInstant<Y>>, IntegrateError>
where
    Y: differential_equations::traits::State<f64> + AsRef<[f64]> + AsMut<[f64]>,
    F: OdeFlow<Y>,
    E: EventSource<Y>,
{
    let rules = zeros.contacts.rules();
    let mut fault: Option<(f64, usize)> = None;
    let mut crossings: Vec<(usize, [ZeroSide<Y>; 2])> = Vec::new();
    for (event, rule) in rules.iter().enumerate() {
        let (start, value) = (zeros.before.values[event], after.values[event]);
        let crossed = rule.crossing.happened(start, value);
        if !crossed && !value.is_nan() {
            continue;
        }
        let mut beyond = (after.t, after.x.clone(), value);
        if !start.is_finite() || !value.is_finite() {
            let (t, x, last) = if start.is_finite() {
                zeros.find_last_finite(event, after.t)?
            } else {
                (zeros.before.t, zeros.before.x.clone(), start)
            };
            if !rule.crossing.happened(start, last) {
                fault = Some(fault.filter(|f| f.0 <= t).unwrap_or((t, event)));
                continue;
            }
            beyond = (t, x, last);
        }
        match zeros.bracket_zero(event, beyond) {
            Ok(sides) if sides[0].0 <= served[event] => {}
            Ok(sides) => crossings.push((event, sides)),
            Err(IntegrateError::EventNotFinite { t, event }) => {
                fault = Some(fault.filter(|f| f.0 <= t).unwrap_or((t, event)));
            }
            Err(error) => return Err(error),
        }
    }
    let first = crossings.iter().map(|(_, [near, _])| near.0).fold(f64::INFINITY, f64::min);
    if let Some((t, event)) = fault.filter(|f| f.0 < first) {
        return Err(IntegrateError::EventNotFinite { t, event });
    }
    let resolution = 1e-10 * (after.t - zeros.before.t) + 8.0 * f64::EPSILON * after.t.abs();
    // A state beyond one zero must not be beyond a later one.
    let until = (crossings.iter().filter(|(_, [near, _])| near.0 <= first + resolution))
        .map(|(_, [_, far])| far.0)
        .fold(first + resolution, f64::max);
    crossings.retain(|(_, [near, _])| near.0 <= until);
    let mut far = std::vec![0.0; rules.len()];
    crossings.iter().for_each(|(event, [_, beyond])| far[*event] = beyond.2.signum());
    let near = crossings.iter().any(|(event, _)| rules[*event].effect != Effect::Passes);
    let sides = crossings.into_iter().map(|(_, sides)| sides);
    let side = if near {
        sides.map(|[near, _]| near).min_by(|a, b| a.0.total_cmp(&b.0))
    } else {
        sides.map(|[_, far]| far).max_by(|a, b| a.0.total_cmp(&b.0))
    };
    Ok(side.map(|(t, x, _)| EventInstant {
        at: (t, x),
        signs_after_zero: far,
        is_before_zeros: near,
        resolution,
    }))
}

#[cfg(test)]
mod tests {
    use super::dip_of_cubic;

    #[test]
    fn a_cubic_has_its_negative_minimum_where_it_is() {
        // (s − 0.3)² − 0.01 and its opposite, a cubic with a maximum and a minimum, a line.
        let s = dip_of_cubic([0.08, -0.6], [0.48, 1.4]).unwrap();
        assert!((s - 0.3).abs() < 1e-12, "{s}");
        assert_eq!(dip_of_cubic([-0.08, 0.6], [-0.48, -1.4]), None);
        assert_eq!(dip_of_cubic([0.1, -0.6], [0.5, 1.4]), None, "it is not negative");
        // s (s − 0.5) (s − 0.9) + 0.01
        let s = dip_of_cubic([0.01, 0.45], [0.06, 0.65]).unwrap();
        assert!((s - (2.8 + (2.8f64 * 2.8 - 5.4).sqrt()) / 6.0).abs() < 1e-12, "{s}");
        assert_eq!(dip_of_cubic([1.0, -2.0], [-1.0, -2.0]), None);
    }
}
