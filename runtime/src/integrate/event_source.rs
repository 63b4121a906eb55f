//! Events of a motion and their stops, as the integration through events calls them.

use std::vec::Vec;

use super::events::HybridFlow;
use super::run::HybridFlowAdapter;
use crate::events::{EventRule, HybridSystem, StopTerms};
use crate::singular::Singular;

/// Events of a motion and their stops, over arrays or vectors, as the integration through events
/// calls them.
pub(super) trait EventSource<Y> {
    /// Crossing direction and effect of each event.
    fn rules(&self) -> &[EventRule];

    /// Writes the event functions.
    fn write_values(&self, t: f64, x: &Y, values: &mut [f64]);

    /// Applies the jump of an event to a state.
    fn apply_jump(&self, event: usize, t: f64, x: &mut Y) -> Result<(), Singular>;

    /// Calls `visit` with the terms of each stop.
    fn visit_stops(&self, t: f64, x: &Y, visit: &mut dyn FnMut(StopTerms<'_, f64>)) -> Result<(), Singular>;

    /// Adds to the rates of integrals along the motion what the forces of stops contribute, which
    /// change the accelerations of the speeds by `change`.
    fn add_stop_work(&self, _t: f64, _x: &Y, _change: &[f64], _dx: &mut Y) {}

    /// Adds to the integrals along the motion what an impact contributes.
    fn after_impact(&self, _t: f64, _before: &Y, _after: &mut Y) {}
}

/// Events of a system with a closure for its inputs.
pub(super) struct DrivenEvents<'s, S: ?Sized, F, const NU: usize, const NE: usize> {
    pub(super) system: &'s S,
    pub(super) input: F,
}

impl<S, F, const NX: usize, const NU: usize, const NE: usize> EventSource<[f64; NX]>
    for DrivenEvents<'_, S, F, NU, NE>
where
    S: HybridSystem<f64, NX, NU, NE> + ?Sized,
    F: Fn(f64, &[f64; NX]) -> [f64; NU],
{
    fn rules(&self) -> &[EventRule] {
        &S::RULES
    }

    fn write_values(&self, t: f64, x: &[f64; NX], values: &mut [f64]) {
        let mut all = [0.0; NE];
        self.system.events(t, x, &(self.input)(t, x), &mut all);
        values.copy_from_slice(&all);
    }

    fn apply_jump(&self, event: usize, t: f64, x: &mut [f64; NX]) -> Result<(), Singular> {
        let u = (self.input)(t, x);
        self.system.after_event(event, t, x, &u)
    }

    fn visit_stops(
        &self,
        t: f64,
        x: &[f64; NX],
        visit: &mut dyn FnMut(StopTerms<'_, f64>),
    ) -> Result<(), Singular> {
        self.system.stops(t, x, &(self.input)(t, x), visit)
    }
}

impl<M: HybridFlow> EventSource<Vec<f64>> for HybridFlowAdapter<'_, M> {
    fn rules(&self) -> &[EventRule] {
        self.0.rules()
    }

    fn write_values(&self, t: f64, x: &Vec<f64>, values: &mut [f64]) {
        self.0.events(t, x, values);
    }

    fn apply_jump(&self, event: usize, t: f64, x: &mut Vec<f64>) -> Result<(), Singular> {
        self.0.after_event(event, t, x)
    }

    fn visit_stops(
        &self,
        t: f64,
        x: &Vec<f64>,
        visit: &mut dyn FnMut(StopTerms<'_, f64>),
    ) -> Result<(), Singular> {
        self.0.stops(t, x, visit)
    }

    fn add_stop_work(&self, t: f64, x: &Vec<f64>, change: &[f64], dx: &mut Vec<f64>) {
        self.0.add_stop_work(t, x, change, dx);
    }

    fn after_impact(&self, t: f64, before: &Vec<f64>, after: &mut Vec<f64>) {
        self.0.after_impact(t, before, after);
    }
}
