//! Events along a motion, evaluated by the interpreter.

use super::control::Control;
use super::runnable::RunnableProgram;
use dqdt_derivation::functions;
use dqdt_graph::ir::{Arguments, Effect, EventCrossing, EventSlot, Layout, Machine};

/// Rules of all events for the integrator: crossing direction and effect.
pub(super) fn integrator_event_rules(events: &[EventSlot]) -> Vec<dqdt::EventRule> {
    events.iter().map(integrator_event_rule).collect()
}

fn integrator_event_rule(e: &EventSlot) -> dqdt::EventRule {
    dqdt::EventRule {
        crossing: match e.crossing {
            EventCrossing::Falling => dqdt::Crossing::Falling,
            EventCrossing::Rising => dqdt::Crossing::Rising,
            EventCrossing::Both => dqdt::Crossing::Both,
        },
        effect: match e.effect {
            Effect::Ends => dqdt::Effect::Ends,
            Effect::Bounces => dqdt::Effect::Bounces,
            Effect::Passes => dqdt::Effect::Passes,
        },
    }
}

/// Indices of the events that are stops.
pub(super) fn stop_events(layout: &Layout) -> Vec<usize> {
    let events = layout.events.iter().enumerate();
    events.filter(|(_, e)| e.effect == Effect::Bounces).map(|(i, _)| i).collect()
}

/// Interpreter of the events of a motion: of the event functions, of the state after an event, and
/// of the terms of the stops.
pub(super) struct Events {
    arguments: Arguments,
    evaluate_event_functions: Option<Machine>,
    after: Option<Machine>,
    stops: Option<Machine>,
    /// Indices of the events that are stops.
    stop_events: Vec<usize>,
    names: Vec<String>,
}

impl Events {
    pub(super) fn new(program: &RunnableProgram, arguments: &Arguments) -> Self {
        Events {
            arguments: arguments.clone(),
            evaluate_event_functions: program.machine(functions::EVENTS),
            after: program.machine(functions::AFTER_EVENTS),
            stops: program.machine(functions::STOPS),
            stop_events: stop_events(&program.layout),
            names: program.layout.events.iter().map(|e| e.name.clone()).collect(),
        }
    }

    fn set_state(&mut self, t: f64, x: &[f64], control: Option<Control<'_>>) -> Result<(), String> {
        self.arguments.t = t;
        self.arguments.set_state(x);
        control
            .filter(Control::varies)
            .map_or(Ok(()), |control| (control.inputs)(t, x, &mut self.arguments.u))
    }

    /// Calls `visit` with the terms of each stop at a state.
    ///
    /// # Errors
    /// The reason why the mechanism has no response to an impulse.
    pub(super) fn visit_stops(
        &mut self,
        t: f64,
        x: &[f64],
        control: Option<Control<'_>>,
        visit: &mut dyn FnMut(dqdt::StopTerms<'_, f64>),
    ) -> Result<(), String> {
        if self.stops.is_none() {
            return Ok(());
        }
        self.set_state(t, x, control)?;
        let (nq, nv) = (self.arguments.q.len(), self.arguments.v.len());
        let Some(machine) = &mut self.stops else { return Ok(()) };
        let values = machine.call(&self.arguments).map_err(|e| e.to_string())?;
        for (event, terms) in self.stop_events.iter().zip(values.chunks(4 + 2 * nv + nq)) {
            let (scalars, vectors) = terms.split_at(4);
            let (row, response) = vectors.split_at(nv);
            let (displacement, response) = response.split_at(nq);
            let [gap, rate, bias, restitution] = *scalars else { continue };
            visit(dqdt::StopTerms {
                event: *event,
                gap,
                rate,
                bias,
                restitution,
                row,
                displacement,
                response,
            });
        }
        Ok(())
    }

    /// Evaluates the event functions at a state, for the integrator. NaN where they cannot be
    /// evaluated, which it does not regard as a zero.
    pub(super) fn values(&mut self, t: f64, x: &[f64], control: Option<Control<'_>>, out: &mut [f64]) {
        if self.set_state(t, x, control).is_err() {
            return out.fill(f64::NAN);
        }
        match self.evaluate_event_functions.as_mut().and_then(|m| m.call(&self.arguments).ok()) {
            Some(values) => out.copy_from_slice(values),
            None => out.fill(f64::NAN),
        }
    }

    /// Replaces the state `x` by that immediately after an event, such as an impact.
    ///
    /// # Errors
    /// The reason why there is no such state.
    pub(super) fn apply_event(&mut self, event: usize, t: f64, x: &mut [f64]) -> Result<(), String> {
        self.arguments.t = t;
        self.arguments.set_state(x);
        let Some(machine) = &mut self.after else { return Ok(()) };
        let states = machine.call(&self.arguments).map_err(|e| e.to_string())?;
        let after = &states[event * x.len()..][..x.len()];
        if after.iter().any(|x| !x.is_finite()) {
            return Err(format!(
                "in this state, no impulse can reverse the rate of the function of event `{}`",
                self.names[event]
            ));
        }
        x.copy_from_slice(after);
        Ok(())
    }
}
