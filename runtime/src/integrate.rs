//! Adaptive integration, by the crate `differential-equations`.
//!
//! Problem: simulate a [`System`] to a tolerance, and know when it ran into a singular pose.
//! Method:  [`Options::method`]. DOP853 of Dormand and Prince (Hairer, Nørsett, Wanner 1993), order 8, from `differential-equations`. Steps
//!          are shortened to end on the times asked for: the states are steps of the method, never interpolated. (The
//!          dense output of version 0.7 has its factors s and 1 − s swapped: an oscillator was wrong by 4.5e-8 between
//!          steps at a tolerance of 1e-12, and by 3e-12 at them.) After a shortened step the step size goes back to
//!          what it was. Radau IIA of order 5 for stiff motions.
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
//! }
//!
//! let options = Options { rtol: 1e-12, atol: 1e-12, ..Options::default() };
//! let run = integrate(&Oscillator, 0.0, &[1.0, 0.0], &[1.0, 2.0], |t, x| [0.0], &options)?;
//! assert!((run.x[1][0] - 2.0_f64.cos()).abs() < 1e-11);
//! assert!(run.statistics.evaluations > 0);
//! # Ok::<(), dqdt::integrate::IntegrateError>(())
//! ```

mod branch;
mod events;
#[cfg(test)]
mod events_tests;
mod pace;
mod radau;
mod run;
mod solver;
#[cfg(test)]
mod stiff_tests;
mod zeros;

use core::fmt;
use core::ops::ControlFlow;
use std::vec::Vec;

use crate::constrained::ConstrainedSystem;
use crate::discrete::Differentiable;
use crate::singular::Singular;
use crate::system::System;
pub use events::{
    Happened, HybridFlow, HybridTrajectory, integrate_events, integrate_events_into, integrate_events_vec,
};
use run::{Closures, Constrained, Derived, Driven, Flow, Run};

/// How steps are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Dormand and Prince, order 8, explicit: for all that is not stiff.
    #[default]
    Dop853,
    /// Radau IIA, order 5, implicit: for stiff motions, whose steps the stability of an explicit method would shorten. It takes the
    /// derivative of the rates by the state: from the system in [`integrate_differentiable`], from [`HybridFlow::jacobian`], else by
    /// differences.
    Radau,
}

/// Method, tolerances and limits of an integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How steps are taken; [`Method::Dop853`] by default.
    pub method: Method,
    /// Error of a step relative to each state; 1e-9 by default.
    pub rtol: f64,
    /// Error of a step in units of each state; 1e-12 by default.
    pub atol: f64,
    /// Steps, rejected ones included, after which the integration gives up; 10,000,000 by default. Of a motion with
    /// events all steps count together, those that look for the times of events too.
    pub max_steps: usize,
    /// Longest step in seconds; unlimited by default.
    pub longest_step: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: Method::Dop853,
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
    /// Steps that were tried again, nearly always with a smaller size.
    pub rejected: usize,
    /// Evaluations of the derivative of the rates, of which [`Method::Radau`] asks. Those by differences count above, too.
    pub jacobians: usize,
}

impl Statistics {
    /// Both together.
    fn and(self, other: Self) -> Self {
        Self {
            evaluations: self.evaluations + other.evaluations,
            accepted: self.accepted + other.accepted,
            rejected: self.rejected + other.rejected,
            jacobians: self.jacobians + other.jacobians,
        }
    }

    /// What is left without a part.
    fn without(self, part: Self) -> Self {
        Self {
            evaluations: self.evaluations - part.evaluations,
            accepted: self.accepted - part.accepted,
            rejected: self.rejected - part.rejected,
            jacobians: self.jacobians - part.jacobians,
        }
    }
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
    /// More steps than [`Options::max_steps`]: the equations may be stiff, which asks for [`Method::Radau`].
    TooManySteps {
        /// Time that was reached.
        t: f64,
    },
    /// No step is small enough for the tolerance.
    StepTooSmall {
        /// Time that was reached.
        t: f64,
    },
    /// The motion runs into a pose in which the constraints lose rank, so near that errors of the size of the tolerance
    /// decide how it goes on: the mechanism can move in more ways there than elsewhere, and loops may change their
    /// branch. A parallelogram linkage whose links all lie on one line is such a pose.
    SingularPose {
        /// Time of the last state.
        t: f64,
        /// Index of the row, of those on the speeds, that follows from the others there.
        row: usize,
    },
    /// Bringing a state onto the constraints moves it by far more than the error of a step, however short the step.
    OffCourse {
        /// Time of the state.
        t: f64,
        /// Largest change of a component of the state, in units of its tolerance.
        ratio: f64,
    },
    /// A state cannot be brought onto the constraints.
    NotAssembled {
        /// Time of the state.
        t: f64,
        /// Largest residual that is left, in the unit of its constraint.
        residual: f64,
    },
    /// Events follow each other ever faster, as the bounces of a ball that comes to rest.
    EventsAccumulate {
        /// Time that was reached.
        t: f64,
        /// Index of the last event.
        event: usize,
    },
    /// An impact happens again and again and changes nothing, as of a body that lies on what it fell on: the equations
    /// know no rest in contact.
    RestsInContact {
        /// Time that was reached.
        t: f64,
        /// Index of the event.
        event: usize,
    },
    /// An event function is not a number, or is infinite where it changes its sign: a zero cannot be found there.
    EventNotFinite {
        /// Last time at which it was finite.
        t: f64,
        /// Index of the event.
        event: usize,
    },
    /// The time with this index is not finite, or before the one ahead of it in the direction of the integration.
    Times {
        /// Index into the times asked for.
        index: usize,
    },
    /// A tolerance or limit is negative or not a number, or both tolerances are zero.
    Options,
}

/// A time for people: nine digits, with an exponent where there would be many zeros.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds(pub f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = std::format!("{:.8e}", self.0).parse().unwrap_or(self.0);
        match f64::abs(rounded) {
            size if size == 0.0 || (1e-5..1e9).contains(&size) || !size.is_finite() => write!(f, "{rounded}"),
            _ => write!(f, "{rounded:e}"),
        }
    }
}

impl fmt::Display for IntegrateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Singular { t, singular } => write!(f, "at t = {} s: {singular}", Seconds(*t)),
            Self::NotFinite { t } => write!(f, "at t = {} s: a derivative is not finite", Seconds(*t)),
            Self::TooManySteps { t } => {
                write!(
                    f,
                    "at t = {} s: too many steps, perhaps the equations are stiff: an implicit method takes fewer",
                    Seconds(*t)
                )
            }
            Self::StepTooSmall { t } => {
                write!(f, "at t = {} s: no step is small enough for the tolerance", Seconds(*t))
            }
            Self::SingularPose { t, row } => write!(
                f,
                "at t = {} s: the motion runs into a singular pose: row {row} of the constraints of the speeds follows \
                 from the others there, and it is not determined how the motion goes on",
                Seconds(*t)
            ),
            Self::OffCourse { t, ratio } => write!(
                f,
                "at t = {} s: no step is short enough to stay on the constraints, which move the state by {ratio:.0} \
                 times the tolerance of a step, as near a singular pose",
                Seconds(*t)
            ),
            Self::NotAssembled { t, residual } => write!(
                f,
                "at t = {} s: the state cannot be brought onto the constraints, {residual:e} is left",
                Seconds(*t)
            ),
            Self::EventsAccumulate { t, event } => {
                write!(
                    f,
                    "at t = {} s: event {event} happens ever faster, as where a bouncing ball comes to rest",
                    Seconds(*t)
                )
            }
            Self::RestsInContact { t, event } => write!(
                f,
                "at t = {} s: the impact of event {event} changes nothing any more; rest in contact is not described",
                Seconds(*t)
            ),
            Self::EventNotFinite { t, event } => write!(
                f,
                "at t = {} s: the function of event {event} stops being a finite number; no zero can be found there",
                Seconds(*t)
            ),
            Self::Times { index } => {
                write!(f, "output time {index} is not finite or goes back against the others")
            }
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
    through(|| Driven { system, input }, (t0, x0), times, options)
}

/// As [`integrate`], for a system that knows its derivatives: [`Method::Radau`] takes them in place of differences of `dqdt`.
///
/// # Errors
/// [`IntegrateError`].
pub fn integrate_differentiable<S, const NX: usize, const NU: usize>(
    system: &S,
    t0: f64,
    x0: &[f64; NX],
    times: &[f64],
    input: impl Fn(f64, &[f64; NX]) -> [f64; NU],
    options: &Options,
) -> Result<Trajectory<NX>, IntegrateError>
where
    S: Differentiable<f64, NX, NU> + ?Sized,
{
    through(|| Derived(Driven { system, input }), (t0, x0), times, options)
}

/// A motion through the times asked for.
fn through<F: Flow<[f64; NX]>, const NX: usize>(
    flow: impl FnOnce() -> F,
    (t0, x0): (f64, &[f64; NX]),
    times: &[f64],
    options: &Options,
) -> Result<Trajectory<NX>, IntegrateError> {
    let mut trajectory = start(times.len());
    let Some(&end) = times.last() else {
        return Ok(trajectory);
    };
    check_times(t0, times)?;
    let mut run = Run::new(flow(), t0, x0, end, options)?;
    for &time in times {
        run.advance(time, |_, _| ControlFlow::Continue(()))?;
        trajectory.t.push(time);
        trajectory.x.push(run.state()?);
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
    let mut run = Run::new(Driven { system, input }, t0, x0, end, options)?;
    trajectory.t.push(t0);
    trajectory.x.push(run.state()?);
    run.advance(end, |t, x| {
        trajectory.t.push(t);
        trajectory.x.push(*x);
        ControlFlow::Continue(())
    })?;
    trajectory.statistics = run.statistics();
    Ok(trajectory)
}

/// As [`integrate`], for a system with constraints: after every step, and at the times asked for, the state is brought
/// onto them until no residual is larger than `tolerance` (in the units of the constraints).
///
/// The rank of the constraints is watched. Where it falls, loops can go on along several branches: a pose like that, or
/// one nearer to it than the tolerance can tell, ends the motion with [`IntegrateError::SingularPose`]. Rows that depend
/// on others everywhere are none.
///
/// # Errors
/// [`IntegrateError`]; also where a state cannot be brought onto the constraints, `x0` not excepted.
pub fn integrate_constrained<S, const NX: usize, const NU: usize, const NP: usize, const NS: usize>(
    system: &S,
    (t0, x0): (f64, &[f64; NX]),
    times: &[f64],
    input: impl Fn(f64, &[f64; NX]) -> [f64; NU],
    options: &Options,
    tolerance: f64,
) -> Result<Trajectory<NX>, IntegrateError>
where
    S: ConstrainedSystem<f64, NX, NU, NP, NS> + ?Sized,
{
    through(|| Constrained { driven: Driven { system, input }, tolerance }, (t0, x0), times, options)
}

/// As [`integrate`], for a state whose length is known at run time only: `dynamics(t, x, dx)` and `project(t, x)`,
/// whose error is the residual that is left. The rank of constraints is not watched.
///
/// # Errors
/// [`IntegrateError`].
pub fn integrate_vec(
    dynamics: impl Fn(f64, &[f64], &mut [f64]) -> Result<(), Singular>,
    project: impl Fn(f64, &mut [f64]) -> Result<(), f64>,
    t0: f64,
    x0: &[f64],
    times: &[f64],
    options: &Options,
) -> Result<(Vec<Vec<f64>>, Statistics), IntegrateError> {
    let mut states = Vec::with_capacity(times.len());
    let Some(&end) = times.last() else {
        return Ok((states, Statistics::default()));
    };
    check_times(t0, times)?;
    let flow = Closures { rate: dynamics, project };
    let mut run = Run::new(flow, t0, &x0.to_vec(), end, options)?;
    for &time in times {
        run.advance(time, |_, _| ControlFlow::Continue(()))?;
        states.push(run.state()?);
    }
    Ok((states, run.statistics()))
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
        let in_order = if backwards { time <= before } else { time >= before };
        if !time.is_finite() || !in_order {
            return Err(IntegrateError::Times { index });
        }
        before = time;
    }
    Ok(())
}
