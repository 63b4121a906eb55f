//! A common interface of the one-step methods.
//!
//! Problem: a run steps, projects, goes back and restarts, whichever method the user selects.
//! Method:  DOP853 comes from `differential-equations`, [`Radau`] from this crate. The stiffness
//!          test of the former (version 0.7) compares a derivative with a state, so it is
//!          meaningless: if it stops the solver, the solver is restarted. `max_steps` ends
//!          integrations that are really stiff.

use std::boxed::Box;

use differential_equations::error::Error;
use differential_equations::methods::{DormandPrince, ExplicitRungeKutta, Ordinary};
use differential_equations::ode::{ODE, OrdinaryNumericalMethod};
use differential_equations::status::Status;
use differential_equations::traits::State;

use super::radau::Radau;
use super::{Method, Options};

/// Equations of motion as a solver calls them. A rate that cannot be evaluated is NaN.
pub(super) trait SolverEquations {
    /// Writes the state derivative `ẋ`, NaN where it cannot be evaluated.
    fn evaluate_rate(&self, t: f64, x: &[f64], dx: &mut [f64]);

    /// Writes the Jacobian `∂ẋ/∂x`, row by row, at a state with its rate.
    fn evaluate_jacobian(&self, t: f64, x: &[f64], rate: &[f64], rows: &mut [f64]);
}

/// Outcome of a trial step of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StepOutcome {
    /// The step was accepted.
    Kept,
    /// The step was rejected, to be repeated with a smaller size.
    Repeated,
    /// The solver ended, because it took too many steps by its own count.
    TooMany,
    /// The solver ended, because no step size is small enough for the tolerance.
    TooSmall,
}

/// The explicit method of `differential-equations`, for states of type `Y`.
type Dop853<Y> = ExplicitRungeKutta<Ordinary, DormandPrince, f64, Y, 8, 12, 16>;

/// An integration method with its current state: Dop853 or Radau.
pub(super) enum Solver<Y: State<f64>> {
    /// The explicit method Dop853 of `differential-equations`.
    Explicit(Box<Dop853<Y>>),
    /// The method Radau IIA, with its state in the type `Y`.
    Implicit(Box<Radau>, Y),
}

impl<Y: State<f64> + AsRef<[f64]> + AsMut<[f64]>> Solver<Y> {
    /// Creates a solver that has not been started; `x` is any state of the right length.
    pub(super) fn new(options: &Options, span: f64, x: &Y) -> Self {
        let longest = if span > 0.0 { options.longest_step.min(span) } else { options.longest_step };
        match options.method {
            Method::Dop853 => Solver::Explicit(Box::new(
                ExplicitRungeKutta::dop853()
                    .rtol(options.rtol)
                    .atol(options.atol)
                    .max_steps(options.max_steps)
                    .h_max(longest),
            )),
            Method::Radau => Solver::Implicit(Box::new(Radau::new(options, longest)), x.clone()),
        }
    }

    /// Current time of the solver.
    pub(super) fn time(&self) -> f64 {
        match self {
            Solver::Explicit(solver) => solver.t(),
            Solver::Implicit(solver, _) => solver.t(),
        }
    }

    /// Current state of the solver.
    pub(super) fn state(&self) -> &Y {
        match self {
            Solver::Explicit(solver) => solver.y(),
            Solver::Implicit(_, x) => x,
        }
    }

    /// Size of the next step, negative if the integration runs backwards.
    pub(super) fn step_size(&self) -> f64 {
        match self {
            Solver::Explicit(solver) => solver.h(),
            Solver::Implicit(solver, _) => solver.step_size(),
        }
    }

    /// Sets the size of the next step.
    pub(super) fn set_step_size(&mut self, step: f64) {
        match self {
            Solver::Explicit(solver) => solver.set_h(step),
            Solver::Implicit(solver, _) => solver.set_step_size(step),
        }
    }

    /// Starts the solver at a state, with a step of the method's choice. Returns `false` if it
    /// finds none.
    pub(super) fn start_with_automatic_step<S>(&mut self, system: &S, t: f64, end: f64, x: &Y) -> bool
    where
        S: ODE<f64, Y> + SolverEquations,
    {
        match self {
            Solver::Explicit(solver) => {
                let started = solver.init(system, t, end, x).is_ok() && solver.h().is_finite();
                solver.set_status(Status::Solving);
                started
            }
            Solver::Implicit(solver, y) => {
                solver.start_at(system, t, x.as_ref(), None, end);
                y.clone_from(x);
                solver.step_size().is_finite()
            }
        }
    }

    /// Starts the solver at a state with this step size. Returns `false` if the step is too short.
    pub(super) fn start_with_step<S>(&mut self, system: &S, t: f64, x: &Y, step: f64) -> bool
    where
        S: ODE<f64, Y> + SolverEquations,
    {
        match self {
            Solver::Explicit(solver) => {
                solver.h0 = step;
                let started = solver.init(system, t, t + 2.0 * step, x).is_ok();
                solver.set_status(Status::Solving);
                started
            }
            Solver::Implicit(solver, y) => {
                solver.start_at(system, t, x.as_ref(), Some(step), t + 2.0 * step);
                y.clone_from(x);
                true
            }
        }
    }

    /// Tries one step of the method; `faulty` says if an evaluation failed in it.
    pub(super) fn try_step<S>(&mut self, system: &S, faulty: impl Fn() -> bool) -> StepOutcome
    where
        S: ODE<f64, Y> + SolverEquations,
    {
        match self {
            Solver::Explicit(solver) => match solver.step(system) {
                Err(Error::Stiffness { .. }) if !faulty() => {
                    let (t, x, step) = (solver.t(), solver.y().clone(), solver.h());
                    solver.h0 = step;
                    if solver.init(system, t, t + 2.0 * step, &x).is_err() {
                        return StepOutcome::TooSmall;
                    }
                    solver.set_status(Status::Solving);
                    StepOutcome::Repeated
                }
                Err(Error::MaxSteps { .. }) => StepOutcome::TooMany,
                Err(_) => StepOutcome::TooSmall,
                Ok(_) if matches!(solver.status(), Status::RejectedStep) => StepOutcome::Repeated,
                Ok(_) => StepOutcome::Kept,
            },
            Solver::Implicit(solver, y) => {
                let outcome = solver.step(system);
                if outcome == StepOutcome::Kept {
                    y.as_mut().copy_from_slice(solver.x());
                }
                outcome
            }
        }
    }
}
