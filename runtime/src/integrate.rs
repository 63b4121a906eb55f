//! Adaptive integration, by the crate `differential-equations`.
//!
//! Problem: simulate a [`System`] to a tolerance, and know when it ran into a singular pose.
//! Method:  DOP853 of Dormand and Prince (Hairer, Nørsett, Wanner 1993), order 8, from `differential-equations`. Steps
//!          are shortened to end on the times asked for: the states are steps of the method, never interpolated. (The
//!          dense output of version 0.7 has its factors s and 1 − s swapped: an oscillator was wrong by 4.5e-8 between
//!          steps at a tolerance of 1e-12, and by 3e-12 at them.) After a shortened step the step size goes back to
//!          what it was.
//! States:  [`System::project`] is applied to every state that comes out, and to the integration itself as soon as a
//!          projection moves a state by more than the tolerance.
//!
//! ```
//! use dqdt::integrate::{Options, integrate};
//! use dqdt::{Singular, System};
//!
//! /// A unit mass on a spring of 1 N/m, with a force as input: x = [m, m/s].
//! struct Oscillator;
//!
//! impl System<f64, 2, 1> for Oscillator {
//!     const NQ: usize = 1;
//!     const NV: usize = 1;
//!
//!     fn dqdt(&self, t: f64, x: &[f64; 2], u: &[f64; 1], dx: &mut [f64; 2]) -> Result<(), Singular> {
//!         *dx = [x[1], u[0] - x[0]];
//!         Ok(())
//!     }
//!
//!     fn rates(&self, t: f64, x: &[f64; 2], dx: &mut [f64; 2]) -> Result<(), Singular> {
//!         dx[0] = x[1];
//!         Ok(())
//!     }
//! }
//!
//! let options = Options { rtol: 1e-12, atol: 1e-12, ..Options::default() };
//! let run = integrate(&Oscillator, 0.0, &[1.0, 0.0], &[1.0, 2.0], |t, x| [0.0], &options)?;
//! assert!((run.x[1][0] - 2.0_f64.cos()).abs() < 1e-11);
//! assert!(run.statistics.evaluations > 0);
//! # Ok::<(), dqdt::integrate::IntegrateError>(())
//! ```

use core::cell::Cell;
use core::fmt;
use std::vec::Vec;

use differential_equations::error::Error;
use differential_equations::methods::{DormandPrince, ExplicitRungeKutta, Ordinary};
use differential_equations::ode::{ODE, OrdinaryNumericalMethod};
use differential_equations::status::Status;

use crate::singular::Singular;
use crate::system::System;

/// Tolerances and limits of an integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Error of a step relative to each state; 1e-9 by default.
    pub rtol: f64,
    /// Error of a step in units of each state; 1e-12 by default.
    pub atol: f64,
    /// Steps, rejected ones included, after which the integration gives up; 10,000,000 by default.
    pub max_steps: usize,
    /// Longest step in seconds; unlimited by default.
    pub longest_step: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rtol: 1e-9,
            atol: 1e-12,
            max_steps: 10_000_000,
            longest_step: f64::INFINITY,
        }
    }
}

/// What an integration cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Evaluations of `dqdt`.
    pub evaluations: usize,
    /// Steps that were kept.
    pub accepted: usize,
    /// Steps that were repeated with a smaller size.
    pub rejected: usize,
}

/// States along the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory<const NX: usize> {
    /// Times in seconds.
    pub t: Vec<f64>,
    /// The state at each time.
    pub x: Vec<[f64; NX]>,
    /// What it cost.
    pub statistics: Statistics,
}

/// Why an integration ended early. Times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum IntegrateError {
    /// The motion runs into a pose in which the equations cannot be solved.
    Singular {
        /// Time of the evaluation that failed.
        t: f64,
        /// Which pivot.
        singular: Singular,
    },
    /// A derivative or an input is not a finite number.
    NotFinite {
        /// Time of the evaluation.
        t: f64,
    },
    /// More steps than [`Options::max_steps`].
    TooManySteps {
        /// Time that was reached.
        t: f64,
    },
    /// No step is small enough for the tolerance.
    StepTooSmall {
        /// Time that was reached.
        t: f64,
    },
    /// The equations are stiff: an explicit method is the wrong one.
    Stiff {
        /// Time that was reached.
        t: f64,
    },
    /// The time with this index is not finite, or before the one ahead of it in the direction of the integration.
    Times {
        /// Index into the times asked for.
        index: usize,
    },
    /// A tolerance or limit is negative or not a number, or both tolerances are zero.
    Options,
}

impl fmt::Display for IntegrateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Singular { t, singular } => write!(f, "at t = {t} s: {singular}"),
            Self::NotFinite { t } => write!(f, "at t = {t} s: a derivative is not finite"),
            Self::TooManySteps { t } => write!(f, "at t = {t} s: too many steps"),
            Self::StepTooSmall { t } => {
                write!(f, "at t = {t} s: no step is small enough for the tolerance")
            }
            Self::Stiff { t } => write!(
                f,
                "at t = {t} s: the equations are stiff, an explicit method is the wrong one"
            ),
            Self::Times { index } => write!(
                f,
                "output time {index} is not finite or goes back against the others"
            ),
            Self::Options => write!(f, "tolerances and limits must be positive numbers"),
        }
    }
}

impl core::error::Error for IntegrateError {}

/// Integrates from `(t0, x0)` and returns the states at the times asked for.
///
/// `times` in seconds, in order, all after or all before `t0` (then the integration runs backwards); the first may be
/// `t0`. `input(t, x)` gives the inputs; where it jumps, put a time there. The last time ends the integration.
///
/// # Errors
/// [`IntegrateError`]; a singular pose is never passed over.
pub fn integrate<S, const NX: usize, const NU: usize>(
    system: &S,
    t0: f64,
    x0: &[f64; NX],
    times: &[f64],
    input: impl Fn(f64, &[f64; NX]) -> [f64; NU],
    options: &Options,
) -> Result<Trajectory<NX>, IntegrateError>
where
    S: System<f64, NX, NU> + ?Sized,
{
    let mut trajectory = start(times.len());
    let Some(&end) = times.last() else {
        return Ok(trajectory);
    };
    check_times(t0, times)?;
    let mut run = Run::new(system, input, t0, x0, end, options)?;
    for &time in times {
        run.advance(time, |_, _| ())?;
        trajectory.t.push(time);
        trajectory.x.push(run.state());
    }
    trajectory.statistics = run.statistics();
    Ok(trajectory)
}

/// Integrates from `(t0, x0)` to `end` and returns the states after every step of the method, `x0` first.
///
/// The steps are as long as the tolerance lets them be.
///
/// # Errors
/// [`IntegrateError`]; a singular pose is never passed over.
pub fn integrate_steps<S, const NX: usize, const NU: usize>(
    system: &S,
    t0: f64,
    x0: &[f64; NX],
    end: f64,
    input: impl Fn(f64, &[f64; NX]) -> [f64; NU],
    options: &Options,
) -> Result<Trajectory<NX>, IntegrateError>
where
    S: System<f64, NX, NU> + ?Sized,
{
    check_times(t0, &[end])?;
    let mut trajectory = start(0);
    let mut run = Run::new(system, input, t0, x0, end, options)?;
    trajectory.t.push(t0);
    trajectory.x.push(run.state());
    run.advance(end, |t, x| {
        trajectory.t.push(t);
        trajectory.x.push(*x);
    })?;
    trajectory.statistics = run.statistics();
    Ok(trajectory)
}

fn start<const NX: usize>(capacity: usize) -> Trajectory<NX> {
    Trajectory {
        t: Vec::with_capacity(capacity),
        x: Vec::with_capacity(capacity),
        statistics: Statistics::default(),
    }
}

fn check_times(t0: f64, times: &[f64]) -> Result<(), IntegrateError> {
    let backwards = times.last().is_some_and(|&end| end < t0);
    let mut before = t0;
    for (index, &time) in times.iter().enumerate() {
        let in_order = if backwards {
            time <= before
        } else {
            time >= before
        };
        if !time.is_finite() || !in_order {
            return Err(IntegrateError::Times { index });
        }
        before = time;
    }
    Ok(())
}

/// A system as the solver sees it. It cannot return errors, so they wait in `fault`.
struct Adapter<'s, S: ?Sized, F> {
    system: &'s S,
    input: F,
    fault: Cell<Option<IntegrateError>>,
    evaluations: Cell<usize>,
}

impl<S, F> Adapter<'_, S, F>
where
    S: ?Sized,
{
    fn evaluate<const NX: usize, const NU: usize>(
        &self,
        t: f64,
        x: &[f64; NX],
        dx: &mut [f64; NX],
    ) -> Result<(), IntegrateError>
    where
        S: System<f64, NX, NU>,
        F: Fn(f64, &[f64; NX]) -> [f64; NU],
    {
        self.evaluations.set(self.evaluations.get() + 1);
        if x.iter().any(|part| !part.is_finite()) {
            return Err(IntegrateError::NotFinite { t });
        }
        let u = (self.input)(t, x);
        self.system
            .dqdt(t, x, &u, dx)
            .map_err(|singular| IntegrateError::Singular { t, singular })?;
        if dx.iter().any(|part| !part.is_finite()) {
            return Err(IntegrateError::NotFinite { t });
        }
        Ok(())
    }
}

/// The adapter with its number of inputs, which the solver's trait does not know.
struct WithInputs<'a, 's, S: ?Sized, F, const NU: usize>(&'a Adapter<'s, S, F>);

impl<S, F, const NX: usize, const NU: usize> ODE<f64, [f64; NX]> for WithInputs<'_, '_, S, F, NU>
where
    S: System<f64, NX, NU> + ?Sized,
    F: Fn(f64, &[f64; NX]) -> [f64; NU],
{
    fn diff(&self, t: f64, x: &[f64; NX], dx: &mut [f64; NX]) {
        if let Err(error) = self.0.evaluate(t, x, dx) {
            // The first fault of a step counts. NaN makes the solver reject the step.
            self.0.fault.set(self.0.fault.get().or(Some(error)));
            dx.fill(f64::NAN);
        }
    }
}

type Solver<const NX: usize> =
    ExplicitRungeKutta<Ordinary, DormandPrince, f64, [f64; NX], 8, 12, 16>;

/// An integration under way.
struct Run<'s, S: ?Sized, F, const NX: usize, const NU: usize> {
    adapter: Adapter<'s, S, F>,
    solver: Solver<NX>,
    options: Options,
    direction: f64,
    span: f64,
    accepted: usize,
    rejected: usize,
}

/// Accepted steps between two restarts. The solver counts signs of stiffness and never forgets them; a restart does.
const RESTART: usize = 10_000;
/// A faulty step that is shorter than this fraction of the integration is not shortened further.
const SHORTEST: f64 = 1e-10;

impl<'s, S, F, const NX: usize, const NU: usize> Run<'s, S, F, NX, NU>
where
    S: System<f64, NX, NU> + ?Sized,
    F: Fn(f64, &[f64; NX]) -> [f64; NU],
{
    fn new(
        system: &'s S,
        input: F,
        t0: f64,
        x0: &[f64; NX],
        end: f64,
        options: &Options,
    ) -> Result<Self, IntegrateError> {
        let limits = [options.rtol, options.atol];
        let good = limits
            .iter()
            .all(|limit| limit.is_finite() && *limit >= 0.0)
            && options.rtol + options.atol > 0.0
            && options.longest_step > 0.0;
        if !good {
            return Err(IntegrateError::Options);
        }
        let span = (end - t0).abs();
        let direction = if end < t0 { -1.0 } else { 1.0 };
        let adapter = Adapter {
            system,
            input,
            fault: Cell::new(None),
            evaluations: Cell::new(0),
        };
        let mut x = *x0;
        system.project(&mut x);
        adapter.evaluate(t0, &x, &mut [0.0; NX])?;
        let mut run = Self {
            adapter,
            solver: Self::solver(options, span),
            options: *options,
            direction,
            span,
            accepted: 0,
            rejected: 0,
        };
        if span > 0.0 && NX > 0 {
            let started = run.solver.init(&WithInputs(&run.adapter), t0, end, &x);
            let step = run.solver.h();
            if started.is_err() || run.adapter.fault.take().is_some() || !step.is_finite() {
                // The trial for the first step went where it cannot go: start with a short one.
                run.solver = Self::solver(options, span);
                run.restart(t0, &x, direction * 1e-6 * span.min(options.longest_step))?;
            }
            run.solver.set_status(Status::Solving);
        } else {
            run.restart(t0, &x, options.longest_step.min(1.0))?;
        }
        Ok(run)
    }

    fn solver(options: &Options, span: f64) -> Solver<NX> {
        let longest = if span > 0.0 {
            options.longest_step.min(span)
        } else {
            options.longest_step
        };
        ExplicitRungeKutta::dop853()
            .rtol(options.rtol)
            .atol(options.atol)
            .max_steps(options.max_steps)
            .h_max(longest)
    }

    /// The state now, projected.
    fn state(&self) -> [f64; NX] {
        let mut x = *self.solver.y();
        self.adapter.system.project(&mut x);
        x
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            evaluations: self.adapter.evaluations.get(),
            accepted: self.accepted,
            rejected: self.rejected,
        }
    }

    /// Goes on from another state with a given step.
    fn restart(&mut self, t: f64, x: &[f64; NX], step: f64) -> Result<(), IntegrateError> {
        self.solver.h0 = step;
        let ahead = t + 2.0 * step;
        let started = self.solver.init(&WithInputs(&self.adapter), t, ahead, x);
        if let Some(fault) = self.adapter.fault.take() {
            return Err(fault);
        }
        started.map_err(|_| IntegrateError::StepTooSmall { t })?;
        self.solver.set_status(Status::Solving);
        Ok(())
    }

    /// Steps to `target`; tells the time and the projected state after each step.
    fn advance(
        &mut self,
        target: f64,
        mut tell: impl FnMut(f64, &[f64; NX]),
    ) -> Result<(), IntegrateError> {
        if NX == 0 {
            return Ok(());
        }
        loop {
            let t = self.solver.t();
            let left = target - t;
            if left * self.direction <= 4.0 * f64::EPSILON * t.abs().max(target.abs()) {
                return Ok(());
            }
            let wanted = self.solver.h();
            // A step that would leave a hundredth of itself goes all the way.
            let last = wanted.abs() * 1.01 >= left.abs();
            if last {
                self.solver.set_h(left);
            }
            if self.step()? {
                let proposed = self.solver.h();
                if last && wanted.abs() > proposed.abs() {
                    self.solver.set_h(wanted);
                }
                let x = self.keep_on_course()?;
                let t = if last { target } else { self.solver.t() };
                tell(t, &x);
            }
        }
    }

    /// One trial; true if it was accepted.
    fn step(&mut self) -> Result<bool, IntegrateError> {
        let t = self.solver.t();
        let tried = self.solver.step(&WithInputs(&self.adapter));
        let fault = self.adapter.fault.take();
        if let Err(error) = tried {
            return Err(fault.unwrap_or(match error {
                Error::MaxSteps { .. } => IntegrateError::TooManySteps { t },
                Error::Stiffness { .. } => IntegrateError::Stiff { t },
                _ => IntegrateError::StepTooSmall { t },
            }));
        }
        if let Status::RejectedStep = self.solver.status() {
            self.rejected += 1;
            return match fault {
                Some(fault) if self.solver.h().abs() < SHORTEST * self.span => Err(fault),
                _ => Ok(false),
            };
        }
        self.accepted += 1;
        if fault.is_some() {
            // At the new state itself, or only on the way there?
            let (t, x) = (self.solver.t(), *self.solver.y());
            self.adapter.evaluate(t, &x, &mut [0.0; NX])?;
        }
        Ok(true)
    }

    /// Projects the state; restarts where that moved it, and now and then. Returns the projected state.
    fn keep_on_course(&mut self) -> Result<[f64; NX], IntegrateError> {
        let x = self.state();
        let moved = x.iter().zip(self.solver.y()).any(|(new, old)| {
            (new - old).abs() > self.options.atol + self.options.rtol * old.abs()
        });
        if moved || self.accepted.is_multiple_of(RESTART) {
            self.restart(self.solver.t(), &x, self.solver.h())?;
        }
        Ok(x)
    }
}
