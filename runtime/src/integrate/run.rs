//! A single integration from start to end, with projection and monitoring of constraints.

use core::cell::{Cell, RefCell};
use core::ops::ControlFlow;
use std::vec::Vec;

use differential_equations::ode::ODE;
use differential_equations::traits::State;

use super::branch::{RankCheck, RankMonitor};
use super::events::HybridFlow;
use super::solver::{Solver, SolverEquations, StepOutcome};
use super::{IntegrateError, Options, Statistics};
use crate::constrained::{ConstrainedSystem, project_constraints};
use crate::discrete::Differentiable;
use crate::singular::Singular;
use crate::system::System;

/// Equations of motion with inputs inserted, over arrays or vectors, as a single integration needs
/// them.
pub(super) trait OdeFlow<Y> {
    /// Writes the state derivative `ẋ`.
    fn write_rate(&self, t: f64, x: &Y, dx: &mut Y) -> Result<(), IntegrateError>;
    /// Projects a state onto its constraints.
    fn project_state(&self, t: f64, x: &mut Y) -> Result<(), IntegrateError>;

    /// Appends the rows of the velocity constraints, whose rank is monitored. Returns their number
    /// of columns.
    fn append_constraint_rows(&self, _t: f64, _x: &Y, _rows: &mut Vec<f64>) -> usize {
        0
    }

    /// Largest constraint residual that a projection may leave.
    fn projection_residual(&self) -> f64 {
        0.0
    }

    /// Number of components at the end that are integrals along the motion, not part of the state.
    fn integral_count(&self) -> usize {
        0
    }

    /// Writes the Jacobian `∂ẋ/∂x`, row by row. Returns `false` if it is unknown.
    fn write_jacobian(&self, _t: f64, _x: &Y, _rows: &mut [f64]) -> bool {
        false
    }
}

/// A system with a closure `input(t, x)` for its inputs.
pub(super) struct Driven<'s, S: ?Sized, F, const NU: usize> {
    pub(super) system: &'s S,
    pub(super) input: F,
}

impl<S, F, const NX: usize, const NU: usize> OdeFlow<[f64; NX]> for Driven<'_, S, F, NU>
where
    S: System<f64, NX, NU> + ?Sized,
    F: Fn(f64, &[f64; NX]) -> [f64; NU],
{
    fn write_rate(&self, t: f64, x: &[f64; NX], dx: &mut [f64; NX]) -> Result<(), IntegrateError> {
        let u = (self.input)(t, x);
        if u.iter().any(|part| !part.is_finite()) {
            return Err(IntegrateError::NotFinite { t });
        }
        self.system.dqdt(t, x, &u, dx).map_err(|singular| IntegrateError::Singular { t, singular })
    }

    fn project_state(&self, _t: f64, x: &mut [f64; NX]) -> Result<(), IntegrateError> {
        self.system.project(x);
        Ok(())
    }
}

/// A system with an exact Jacobian, and a closure for its inputs.
pub(super) struct WithJacobian<'s, S: ?Sized, F, const NU: usize>(pub(super) Driven<'s, S, F, NU>);

impl<S, F, const NX: usize, const NU: usize> OdeFlow<[f64; NX]> for WithJacobian<'_, S, F, NU>
where
    S: Differentiable<f64, NX, NU> + ?Sized,
    F: Fn(f64, &[f64; NX]) -> [f64; NU],
{
    fn write_rate(&self, t: f64, x: &[f64; NX], dx: &mut [f64; NX]) -> Result<(), IntegrateError> {
        self.0.write_rate(t, x, dx)
    }

    fn project_state(&self, t: f64, x: &mut [f64; NX]) -> Result<(), IntegrateError> {
        self.0.project_state(t, x)
    }

    /// The total Jacobian `∂ẋ/∂x + ∂ẋ/∂u ∂u/∂x`. The last factor comes from finite differences,
    /// since the inputs are a closure.
    fn write_jacobian(&self, t: f64, x: &[f64; NX], rows: &mut [f64]) -> bool {
        let input = &self.0.input;
        let u = input(t, x);
        let Ok(derivatives) = self.0.system.dqdt_derivatives(t, x, &u) else { return false };
        for j in 0..NX {
            let mut moved = *x;
            moved[j] += f64::EPSILON.sqrt() * x[j].abs().max(1e-3);
            let (there, step) = (input(t, &moved), moved[j] - x[j]);
            for i in 0..NX {
                let law = (0..NU).map(|k| derivatives.by_input[i][k] * ((there[k] - u[k]) / step));
                rows[i * NX + j] = derivatives.by_state[i][j] + law.sum::<f64>();
            }
        }
        true
    }
}

/// A system with constraints and a closure for its inputs. `NP` and `NS` are the numbers of
/// position and velocity constraints.
pub(super) struct Constrained<'s, S: ?Sized, F, const NU: usize, const NP: usize, const NS: usize> {
    pub(super) driven: Driven<'s, S, F, NU>,
    /// Largest constraint residual that needs no correction.
    pub(super) tolerance: f64,
}

impl<S, F, const NX: usize, const NU: usize, const NP: usize, const NS: usize> OdeFlow<[f64; NX]>
    for Constrained<'_, S, F, NU, NP, NS>
where
    S: ConstrainedSystem<f64, NX, NU, NP, NS> + ?Sized,
    F: Fn(f64, &[f64; NX]) -> [f64; NU],
{
    fn write_rate(&self, t: f64, x: &[f64; NX], dx: &mut [f64; NX]) -> Result<(), IntegrateError> {
        self.driven.write_rate(t, x, dx)
    }

    fn project_state(&self, t: f64, x: &mut [f64; NX]) -> Result<(), IntegrateError> {
        let projected = project_constraints(self.driven.system, t, x, self.tolerance);
        projected.map(|_| ()).map_err(|e| IntegrateError::NotAssembled { t, residual: e.residual })
    }

    fn append_constraint_rows(&self, t: f64, x: &[f64; NX], rows: &mut Vec<f64>) -> usize {
        let (mut residual, mut jacobian) = ([0.0; NS], [[0.0; NX]; NS]);
        self.driven.system.velocity(t, x, &mut residual, &mut jacobian);
        jacobian.iter().for_each(|row| rows.extend(&row[S::NQ..S::NQ + S::NV]));
        S::NV
    }

    fn projection_residual(&self) -> f64 {
        self.tolerance
    }
}

/// Equations of motion as closures, over a state whose length is known at run time.
pub(super) struct Closures<D, P> {
    pub(super) rate: D,
    pub(super) project: P,
}

impl<D, P> OdeFlow<Vec<f64>> for Closures<D, P>
where
    D: Fn(f64, &[f64], &mut [f64]) -> Result<(), Singular>,
    P: Fn(f64, &mut [f64]) -> Result<(), f64>,
{
    fn write_rate(&self, t: f64, x: &Vec<f64>, dx: &mut Vec<f64>) -> Result<(), IntegrateError> {
        (self.rate)(t, x, dx).map_err(|singular| IntegrateError::Singular { t, singular })
    }

    fn project_state(&self, t: f64, x: &mut Vec<f64>) -> Result<(), IntegrateError> {
        (self.project)(t, x).map_err(|residual| IntegrateError::NotAssembled { t, residual })
    }
}

/// A motion with events, over a state whose length is known at run time.
pub(super) struct HybridFlowAdapter<'m, M>(pub(super) &'m M);

impl<M: HybridFlow> OdeFlow<Vec<f64>> for HybridFlowAdapter<'_, M> {
    fn write_rate(&self, t: f64, x: &Vec<f64>, dx: &mut Vec<f64>) -> Result<(), IntegrateError> {
        self.0.rate(t, x, dx).map_err(|singular| IntegrateError::Singular { t, singular })
    }

    fn project_state(&self, t: f64, x: &mut Vec<f64>) -> Result<(), IntegrateError> {
        self.0.project(t, x).map_err(|residual| IntegrateError::NotAssembled { t, residual })
    }

    fn append_constraint_rows(&self, t: f64, x: &Vec<f64>, rows: &mut Vec<f64>) -> usize {
        self.0.rows(t, x, rows)
    }

    fn integral_count(&self) -> usize {
        self.0.integrals()
    }

    fn write_jacobian(&self, t: f64, x: &Vec<f64>, rows: &mut [f64]) -> bool {
        self.0.jacobian(t, x, rows)
    }
}

/// A flow in the form that solvers call. These cannot return errors, so errors are stored in
/// `fault`.
struct Adapter<F, Y> {
    flow: F,
    fault: Cell<Option<IntegrateError>>,
    evaluations: Cell<usize>,
    jacobians: Cell<usize>,
    /// Buffers for two states of the right length.
    space: RefCell<[Y; 2]>,
}

impl<F: OdeFlow<Y>, Y: AsRef<[f64]>> Adapter<F, Y> {
    fn evaluate_checked(&self, t: f64, x: &Y, dx: &mut Y) -> Result<(), IntegrateError> {
        self.evaluations.set(self.evaluations.get() + 1);
        if x.as_ref().iter().any(|part| !part.is_finite()) {
            return Err(IntegrateError::NotFinite { t });
        }
        self.flow.write_rate(t, x, dx)?;
        if dx.as_ref().iter().any(|part| !part.is_finite()) {
            return Err(IntegrateError::NotFinite { t });
        }
        Ok(())
    }
}

impl<F, Y> SolverEquations for Adapter<F, Y>
where
    F: OdeFlow<Y>,
    Y: State<f64> + AsRef<[f64]> + AsMut<[f64]>,
{
    fn evaluate_rate(&self, t: f64, x: &[f64], dx: &mut [f64]) {
        let [state, rate] = &mut *self.space.borrow_mut();
        state.as_mut().copy_from_slice(x);
        self.diff(t, state, rate);
        dx.copy_from_slice(rate.as_ref());
    }

    fn evaluate_jacobian(&self, t: f64, x: &[f64], rate: &[f64], rows: &mut [f64]) {
        self.jacobians.set(self.jacobians.get() + 1);
        let n = x.len();
        {
            let [state, _] = &mut *self.space.borrow_mut();
            state.as_mut().copy_from_slice(x);
            if self.flow.write_jacobian(t, state, rows) && rows.iter().all(|x| x.is_finite()) {
                return;
            }
        }
        // Finite differences; one-sided if the equations cannot be evaluated on the other side.
        let (mut moved, mut there) = (x.to_vec(), x.to_vec());
        for j in 0..n {
            let step = f64::EPSILON.sqrt() * x[j].abs().max(1e-3);
            for step in [step, -step] {
                moved[j] = x[j] + step;
                self.evaluate_rate(t, &moved, &mut there);
                let finite = there.iter().all(|x| x.is_finite());
                for i in 0..n {
                    rows[i * n + j] = if finite { (there[i] - rate[i]) / (moved[j] - x[j]) } else { 0.0 };
                }
                if finite {
                    break;
                }
            }
            moved[j] = x[j];
        }
        // A fault at a displaced state is not a fault of the motion.
        self.fault.take();
    }
}

impl<F, Y> ODE<f64, Y> for Adapter<F, Y>
where
    F: OdeFlow<Y>,
    Y: State<f64> + AsRef<[f64]> + AsMut<[f64]>,
{
    fn diff(&self, t: f64, x: &Y, dx: &mut Y) {
        if let Err(error) = self.evaluate_checked(t, x, dx) {
            // The first fault of a step is kept. NaN makes the solver reject the step.
            self.fault.set(self.fault.get().or(Some(error)));
            dx.as_mut().fill(f64::NAN);
        }
    }
}

/// State of a single integration: solver, options, counts and monitor of constraints.
pub(super) struct Integration<F, Y: State<f64>> {
    adapter: Adapter<F, Y>,
    solver: Solver<Y>,
    options: Options,
    direction: f64,
    span: f64,
    accepted: usize,
    rejected: usize,
    monitor: RankMonitor,
    /// Time and projected state of the last accepted step, to which a failed step returns.
    last_accepted: (f64, Y),
}

/// Largest change of a state by its projection, in units of the tolerance; a larger one repeats the
/// step. The error of a step is of the order of one.
const MAX_PROJECTION: f64 = 1e3;

/// Fraction of the largest component by which smaller ones count in the size of a projection: a
/// correction is distributed over all components, including those that are nearly zero.
const SHARED: f64 = 1e-3;

/// Fraction of the integration below which a faulty step is not shortened further.
const SHORTEST: f64 = 1e-10;

impl<F, Y> Integration<F, Y>
where
    F: OdeFlow<Y>,
    Y: State<f64> + AsRef<[f64]> + AsMut<[f64]>,
{
    pub(super) fn new(flow: F, t0: f64, x0: &Y, end: f64, options: &Options) -> Result<Self, IntegrateError> {
        let limits = [options.rtol, options.atol, options.rest_speed];
        let are_valid = limits.iter().all(|limit| limit.is_finite() && *limit >= 0.0)
            && options.rtol + options.atol > 0.0
            && options.longest_step > 0.0;
        if !are_valid {
            return Err(IntegrateError::Options);
        }
        let span = (end - t0).abs();
        let direction = if end < t0 { -1.0 } else { 1.0 };
        let adapter = Adapter {
            flow,
            fault: Cell::new(None),
            evaluations: Cell::new(0),
            jacobians: Cell::new(0),
            space: RefCell::new([x0.clone(), x0.clone()]),
        };
        let mut x = x0.clone();
        adapter.flow.project_state(t0, &mut x)?;
        adapter.evaluate_checked(t0, &x, &mut x0.clone())?;
        let monitor = RankMonitor::new(options.rtol + options.atol, adapter.flow.projection_residual());
        let mut run = Self {
            adapter,
            solver: Solver::new(options, span, x0),
            options: *options,
            direction,
            span,
            accepted: 0,
            rejected: 0,
            monitor,
            last_accepted: (t0, x.clone()),
        };
        run.check_rank(t0, &x);
        if span > 0.0 && !x.as_ref().is_empty() {
            let started = run.solver.start_with_automatic_step(&run.adapter, t0, end, &x);
            if run.adapter.fault.take().is_some() || !started {
                // The trial for the first step left the domain of the equations: start with a short
                // one.
                run.solver = Solver::new(options, span, x0);
                run.restart_at(t0, &x, direction * 1e-6 * span.min(options.longest_step))?;
            }
        } else {
            run.restart_at(t0, &x, options.longest_step.min(1.0))?;
        }
        Ok(run)
    }

    /// Current state of the solver, projected onto its constraints.
    pub(super) fn projected_state(&self) -> Result<Y, IntegrateError> {
        let mut x = self.solver.state().clone();
        self.adapter.flow.project_state(self.solver.time(), &mut x)?;
        Ok(x)
    }

    pub(super) fn statistics(&self) -> Statistics {
        Statistics {
            evaluations: self.adapter.evaluations.get(),
            accepted: self.accepted,
            rejected: self.rejected,
            jacobians: self.adapter.jacobians.get(),
        }
    }

    /// Continues the integration from another state with this step size.
    fn restart_at(&mut self, t: f64, x: &Y, step: f64) -> Result<(), IntegrateError> {
        let started = self.solver.start_with_step(&self.adapter, t, x, step);
        if let Some(fault) = self.adapter.fault.take() {
            return Err(fault);
        }
        if started { Ok(()) } else { Err(IntegrateError::StepTooSmall { t }) }
    }

    /// Steps to the time `target`. Passes the time and the projected state after each step to
    /// `visit`, which may stop it.
    pub(super) fn advance_to(
        &mut self,
        target: f64,
        mut visit: impl FnMut(f64, &Y) -> ControlFlow<()>,
    ) -> Result<(), IntegrateError> {
        if self.solver.state().as_ref().is_empty() {
            return Ok(());
        }
        loop {
            let t = self.solver.time();
            let left = target - t;
            if left * self.direction <= 4.0 * f64::EPSILON * t.abs().max(target.abs()) {
                return Ok(());
            }
            let wanted = self.solver.step_size();
            // A step that would leave less than a hundredth of itself goes to the end.
            let last = wanted.abs() * 1.01 >= left.abs();
            if last {
                self.solver.set_step_size(left);
            }
            if self.try_step()? {
                let proposed = self.solver.step_size();
                if last && wanted.abs() > proposed.abs() {
                    self.solver.set_step_size(wanted);
                }
                let Some(x) = self.project_step()? else { continue };
                let t = if last { target } else { self.solver.time() };
                if visit(t, &x).is_break() {
                    return Ok(());
                }
            }
        }
    }

    /// Tries one step of the solver. Returns `true` if it was accepted.
    fn try_step(&mut self) -> Result<bool, IntegrateError> {
        let t = self.solver.time();
        // The solver's own count restarts when the solver is replaced.
        if self.accepted + self.rejected >= self.options.max_steps {
            return Err(IntegrateError::TooManySteps { t });
        }
        let adapter = &self.adapter;
        let outcome = self.solver.try_step(adapter, || adapter.fault.get().is_some());
        let fault = self.adapter.fault.take();
        match outcome {
            StepOutcome::Kept => {}
            StepOutcome::Repeated => {
                self.rejected += 1;
                return match fault {
                    Some(fault) if self.solver.step_size().abs() < SHORTEST * self.span => Err(fault),
                    _ => Ok(false),
                };
            }
            StepOutcome::TooMany => return Err(fault.unwrap_or(IntegrateError::TooManySteps { t })),
            StepOutcome::TooSmall => return Err(fault.unwrap_or(IntegrateError::StepTooSmall { t })),
        }
        self.accepted += 1;
        if fault.is_some() {
            // Check whether the fault is at the new state itself, or was only within the step.
            let (t, x) = (self.solver.time(), self.solver.state().clone());
            self.adapter.evaluate_checked(t, &x, &mut x.clone())?;
        }
        Ok(true)
    }

    /// Projects the state after a step, and restarts if that moved it. Returns the projected state,
    /// or `None` if the step is repeated with a smaller size.
    fn project_step(&mut self) -> Result<Option<Y>, IntegrateError> {
        let t = self.solver.time();
        let x = match self.projected_state() {
            Ok(x) => x,
            Err(error) => return self.retry_step(error),
        };
        let (atol, rtol) = (self.options.atol, self.options.rtol);
        let length = x.as_ref().len().saturating_sub(self.adapter.flow.integral_count());
        let largest = x.as_ref()[..length].iter().fold(0.0f64, |m, part| m.max(part.abs()));
        let (mut ratio, mut far) = (0.0f64, 0.0f64);
        for (new, old) in x.as_ref().iter().zip(self.solver.state().as_ref()) {
            let moved = (new - old).abs();
            ratio = ratio.max(moved / (atol + rtol * old.abs()));
            far = far.max(moved / (atol + rtol * old.abs().max(SHARED * largest)));
        }
        if far > MAX_PROJECTION {
            return self.retry_step(IntegrateError::OffCourse { t, ratio: far });
        }
        match self.check_rank(t, &x) {
            RankCheck::Singular(row) => return Err(IntegrateError::SingularPose { t, row }),
            RankCheck::Turned(row) => return self.retry_step(IntegrateError::SingularPose { t, row }),
            RankCheck::Regular => {}
        }
        if ratio > 1.0 {
            self.restart_at(t, &x, self.solver.step_size())?;
        }
        self.last_accepted = (t, x.clone());
        Ok(Some(x))
    }

    fn check_rank(&mut self, t: f64, x: &Y) -> RankCheck {
        let mut rows = Vec::new();
        let columns = self.adapter.flow.append_constraint_rows(t, x, &mut rows);
        self.monitor.check_rank(&rows, columns)
    }

    /// Returns to the last accepted step, with a quarter of the step that led to `error`.
    fn retry_step(&mut self, error: IntegrateError) -> Result<Option<Y>, IntegrateError> {
        let (t, x) = self.last_accepted.clone();
        let step = (self.solver.time() - t) / 4.0;
        if step.abs() < SHORTEST * self.span.max(t.abs()) {
            return Err(error);
        }
        self.accepted -= 1;
        self.rejected += 1;
        self.restart_at(t, &x, step)?;
        Ok(None)
    }
}
