//! The interpreted program as the right-hand side for the integrator, with events and constraints.

use std::cell::{Cell, RefCell};

use dqdt::integrate::{HybridFlow, Method};
use dqdt_graph::ir::{Arguments, Machine};
use dqdt_mechanics::formalism::Formalism;

use super::super::constraints::Constraints;
use super::super::control::Control;
use super::super::events::Events;

/// The interpreted program as the right-hand side for the integrator. The last component of its
/// state is the scaled work.
pub(super) struct InterpretedFlow<'p> {
    pub(super) machine: RefCell<Machine>,
    pub(super) jacobian: RefCell<Option<Machine>>,
    pub(super) energy: RefCell<Option<Machine>>,
    pub(super) arguments: RefCell<Arguments>,
    pub(super) constraints: RefCell<Constraints>,
    pub(super) events: RefCell<Events>,
    pub(super) rules: Vec<dqdt::EventRule>,
    /// Number of state entries of the program, without the work.
    pub(super) nx: usize,
    /// Factor from joules to the unit of the work component, chosen so that tolerances suit
    /// energies.
    pub(super) scale: f64,
    /// Energy lost in events so far \[J\].
    pub(super) energy_lost: Cell<f64>,
    /// Message of the last failure. The integrator only reports the number of a pivot; this text
    /// has its name.
    pub(super) reason: RefCell<String>,
    /// Callback that receives the completed fraction of the time span.
    pub(super) progress: &'p dyn Fn(f64),
    /// Name of the formalism of the program.
    pub(super) formalism: &'p str,
    pub(super) other_form: &'p dyn Fn() -> Option<Formalism>,
    pub(super) control: Option<Control<'p>>,
    pub(super) t_end: f64,
    /// Number of evaluations of the rates so far, from which the total is extrapolated.
    pub(super) calls: Cell<u64>,
    /// Time \[s\] at the start of the present window of evaluations, by which progress is judged.
    pub(super) window_start: Cell<f64>,
    /// Reason of a motion that was stopped as too slow.
    pub(super) too_slow: RefCell<Option<String>>,
    pub(super) method: Method,
    /// Discontinuous formulas in the equations, which a message about slow integration names.
    pub(super) jumps: Vec<String>,
}

impl InterpretedFlow<'_> {
    /// Kinetic and potential energy at a state \[J\].
    fn energies(&self, t: f64, x: &[f64]) -> [f64; 2] {
        let mut a = self.arguments.borrow_mut();
        a.t = t;
        a.set_state(x);
        let mut machine = self.energy.borrow_mut();
        let values = machine.as_mut().and_then(|m| m.call(&a).ok());
        values.map_or([0.0; 2], |e| [0, 1].map(|i| e.get(i).copied().unwrap_or(0.0)))
    }

    /// Stores the message of a failure, and returns the error that the integrator expects.
    fn record_failure(&self, reason: String) -> dqdt::Singular {
        *self.reason.borrow_mut() = reason;
        dqdt::Singular { lanes: true, cause: dqdt::Cause::NotFinite }
    }
}

impl HybridFlow for InterpretedFlow<'_> {
    fn rate(&self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), dqdt::Singular> {
        let mut a = self.arguments.borrow_mut();
        a.t = t;
        a.set_state(&x[..self.nx]);
        if let Some(control) = self.control {
            (control.inputs)(t, &x[..self.nx], &mut a.u).map_err(|reason| self.record_failure(reason))?;
        }
        (self.progress)(t / self.t_end);
        self.check_progress(t).map_err(|reason| self.record_failure(reason))?;
        let mut machine = self.machine.borrow_mut();
        let values = machine.call(&a).map_err(|e| self.record_failure(e.to_string()))?;
        let (state, powers) = values.split_at(self.nx);
        dx[..self.nx].copy_from_slice(state);
        dx[self.nx] = self.scale * powers.iter().sum::<f64>();
        Ok(())
    }

    fn jacobian(&self, t: f64, x: &[f64], rows: &mut [f64]) -> bool {
        if self.control.is_some_and(|c| c.varies()) {
            return false;
        }
        let mut a = self.arguments.borrow_mut();
        a.t = t;
        a.set_state(&x[..self.nx]);
        let mut machine = self.jacobian.borrow_mut();
        let Some(values) = machine.as_mut().and_then(|m| m.call(&a).ok()) else { return false };
        let n = self.nx + 1;
        if values.len() != self.nx * n {
            return false;
        }
        rows.fill(0.0);
        for (j, column) in values.chunks(n).enumerate() {
            column.iter().enumerate().for_each(|(i, x)| rows[i * n + j] = *x);
            rows[self.nx * n + j] *= self.scale;
        }
        true
    }

    fn project(&self, t: f64, x: &mut [f64]) -> Result<(), f64> {
        self.constraints.borrow_mut().project(t, &mut x[..self.nx])
    }

    fn rows(&self, t: f64, x: &[f64], rows: &mut Vec<f64>) -> usize {
        self.constraints.borrow_mut().append_jacobian_rows(t, &x[..self.nx], rows)
    }

    fn integrals(&self) -> usize {
        1
    }

    fn rules(&self) -> &[dqdt::EventRule] {
        &self.rules
    }

    fn events(&self, t: f64, x: &[f64], values: &mut [f64]) {
        self.events.borrow_mut().values(t, &x[..self.nx], self.control, values);
    }

    fn after_event(&self, event: usize, t: f64, x: &mut [f64]) -> Result<(), dqdt::Singular> {
        let before = x.to_vec();
        let outcome = self.events.borrow_mut().apply_event(event, t, &mut x[..self.nx]);
        outcome.map_err(|reason| self.record_failure(reason))?;
        self.after_impact(t, &before, x);
        Ok(())
    }

    fn stops(
        &self,
        t: f64,
        x: &[f64],
        visit: &mut dyn FnMut(dqdt::StopTerms<'_, f64>),
    ) -> Result<(), dqdt::Singular> {
        let visited = self.events.borrow_mut().visit_stops(t, &x[..self.nx], self.control, visit);
        visited.map_err(|reason| self.record_failure(reason))
    }

    /// The work of a stop's force is zero unless something moves with time: its accelerations then
    /// change the work of the drives. All of it is `∂T/∂v · Y λ`; since T is quadratic
    /// in v, a central difference is exact.
    fn add_stop_work(&self, t: f64, x: &[f64], jump: &[f64], dx: &mut [f64]) {
        let speeds = self.arguments.borrow().q.len()..self.arguments.borrow().q.len() + jump.len();
        let [fast, change] =
            [&x[speeds.clone()], jump].map(|x| x.iter().fold(0.0f64, |most, x| most.max(x.abs())));
        if change == 0.0 {
            return;
        }
        // At rest the speeds may be denormal.
        let step = if fast > 1e-100 { fast / change } else { 1.0 / change };
        let kinetic = |sign: f64| {
            let mut there = x[..self.nx].to_vec();
            there[speeds.clone()].iter_mut().zip(jump).for_each(|(v, y)| *v += sign * step * y);
            self.energies(t, &there)[0]
        };
        dx[self.nx] += self.scale * (kinetic(1.0) - kinetic(-1.0)) / (2.0 * step);
    }

    fn after_impact(&self, t: f64, before: &[f64], after: &mut [f64]) {
        let energy = |x: &[f64]| self.energies(t, &x[..self.nx]).iter().sum::<f64>();
        let change = energy(after) - energy(before);
        after[self.nx] += self.scale * change;
        self.energy_lost.set(self.energy_lost.get() - change);
    }
}
