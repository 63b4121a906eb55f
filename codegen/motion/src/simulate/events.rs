//! Events along a motion, by the interpreter.

use dqdt_derivation::functions;
use dqdt_graph::ir::{Arguments, Crossing, Effect, EventSlot, Machine, Program};

/// When events happen and what they do, as the integrator asks for it.
pub(super) fn rules(events: &[EventSlot]) -> Vec<dqdt::EventRule> {
    let rule = |e: &EventSlot| dqdt::EventRule {
        crossing: match e.crossing {
            Crossing::Falling => dqdt::Crossing::Falling,
            Crossing::Rising => dqdt::Crossing::Rising,
            Crossing::Both => dqdt::Crossing::Both,
        },
        effect: match e.effect {
            Effect::Ends => dqdt::Effect::Ends,
            Effect::Bounces => dqdt::Effect::Bounces,
            Effect::Passes => dqdt::Effect::Passes,
        },
    };
    events.iter().map(rule).collect()
}

/// The functions of events.
pub(super) struct Events {
    arguments: Arguments,
    values: Option<Machine>,
    after: Option<Machine>,
    names: Vec<String>,
}

impl Events {
    pub(super) fn new(program: &Program, arguments: &Arguments) -> Self {
        Events {
            arguments: arguments.clone(),
            values: Machine::new(program, functions::EVENTS),
            after: Machine::new(program, functions::AFTER_EVENTS),
            names: program.layout.events.iter().map(|e| e.name.clone()).collect(),
        }
    }

    /// Values of the event functions; what cannot be evaluated is not a number and crosses nothing.
    pub(super) fn values(&mut self, t: f64, x: &[f64], out: &mut [f64]) {
        self.arguments.t = t;
        self.arguments.set_state(x);
        let found = self.values.as_mut().and_then(|m| m.call(&self.arguments).ok());
        match found {
            Some(values) => out.copy_from_slice(values),
            None => out.fill(f64::NAN),
        }
    }

    /// The state right after an event.
    ///
    /// # Errors
    /// Why it cannot be found.
    pub(super) fn jump(&mut self, event: usize, t: f64, x: &mut [f64]) -> Result<(), String> {
        self.arguments.t = t;
        self.arguments.set_state(x);
        let Some(machine) = &mut self.after else { return Ok(()) };
        let states = machine.call(&self.arguments).map_err(|e| e.to_string())?;
        let after = &states[event * x.len()..][..x.len()];
        if after.iter().any(|x| !x.is_finite()) {
            return Err(format!(
                "no impulse of event `{}` can turn its function back here",
                self.names[event]
            ));
        }
        x.copy_from_slice(after);
        Ok(())
    }
}
