//! Adaptive integration, by the crate `differential-equations`.
//!
//! Problem: simulate a [`System`] to a tolerance, and report singular poses.
//! Method:  [`Options::method`]. DOP853 of Dormand and Prince (Hairer, Nørsett, Wanner 1993), order
//!          8, from `differential-equations`. Steps are shortened to end on the requested times:
//!          the states are steps of the method, never interpolated. (The dense output of version
//!          0.7 has its factors s and 1 − s swapped: an oscillator was wrong by 4.5e-8 between
//!          steps at a tolerance of 1e-12, and by 3e-12 at them.) After a shortened step the step
//!          size returns to its former value. Radau IIA of order 5 for stiff motions.
//! States:  [`System::project`] is applied to every returned state, and to the integration itself
//!          as soon as a projection moves a state by more than the tolerance.
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
mod complementarity;
mod event_source;
mod events;
#[cfg(test)]
mod events_tests;
mod pace;
mod radau;
mod run;
mod solver;
#[cfg(test)]
mod stiff_tests;
mod stop_at_state;
mod stop_decisions;
mod stops;
#[cfg(test)]
mod stops_tests;
mod zeros;

use core::fmt;
use core::ops::ControlFlow;
use std::vec::Vec;

use crate::constrained::ConstrainedSystem;
use crate::discrete::Differentiable;
use crate::singular::Singular;
use crate::system::System;
pub use events::{
    Happened, HybridFlow, HybridTrajectory, Rest, StopForces, integrate_events, integrate_events_into,
    integrate_events_vec,
};
use run::{Closures, Constrained, Driven, Integration, OdeFlow, WithJacobian};

/// Method of adaptive integration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Explicit method of Dormand and Prince, order 8: for motions that are not stiff.
    #[default]
    Dop853,
    /// Implicit method Radau IIA, order 5: for stiff motions, in which stability limits the steps
    /// of an explicit method. It uses the Jacobian `∂ẋ/∂x`: from the system in
    /// [`integrate_differentiable`], from [`HybridFlow::jacobian`], otherwise by finite
    /// differences.
    Radau,
}

/// Method, tolerances and limits of an adaptive integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Method of integration; [`Method::Dop853`] by default.
    pub method: Method,
    /// Relative tolerance for the error of a step; 1e-9 by default.
    pub rtol: f64,
    /// Absolute tolerance for the error of a step, in the unit of each state; 1e-12 by default.
    pub atol: f64,
    /// Maximum number of steps, including rejected ones; 10,000,000 by default. In a motion with
    /// events all steps count, including those that locate the events.
    pub max_steps: usize,
    /// Longest step that the method may take, in seconds; unlimited by default.
    pub longest_step: f64,
    /// Approach speed of a stop below which its impact is plastic \[m/s or rad/s\]; 1e-3 by
    /// default. The motion then rests on the stop if nothing lifts it.
    pub rest_speed: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: Method::Dop853,
            rtol: 1e-9,
            atol: 1e-12,
            max_steps: 10_000_000,
            longest_step: f64::INFINITY,
            rest_speed: 1e-3,
        }
    }
}

/// Cost of an adaptive integration: numbers of evaluations and steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Number of evaluations of `dqdt`.
    pub evaluations: usize,
    /// Number of accepted steps.
    pub accepted: usize,
    /// Number of rejected steps, nearly all of which were repeated with a smaller size.
    pub rejected: usize,
    /// Number of evaluations of the Jacobian `∂ẋ/∂x` for [`Method::Radau`]. The evaluations of
    /// `dqdt` for finite differences also count in `evaluations`.
    pub jacobians: usize,
}

impl Statistics {
    /// Sum of the costs of two integrations.
    fn add_cost(self, other: Self) -> Self {
        Self {
            evaluations: self.evaluations + other.evaluations,
            accepted: self.accepted + other.accepted,
            rejected: self.rejected + other.rejected,
            jacobians: self.jacobians + other.jacobians,
        }
    }

    /// Cost without that of a part of the integration.
    fn subtract_cost(self, part: Self) -> Self {
        Self {
            evaluations: self.evaluations - part.evaluations,
            accepted: self.accepted - part.accepted,
            rejected: self.rejected - part.rejected,
            jacobians: self.jacobians - part.jacobians,
        }
    }
}

/// Result of [`integrate`]: the states of a motion at the requested times, and its cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory<const NX: usize> {
    /// Times of the states in `x`, in seconds.
    pub t: Vec<f64>,
    /// State at each time in `t`.
    pub x: Vec<[f64; NX]>,
    /// Cost of the integration, in evaluations and steps.
    pub statistics: Statistics,
}

/// Reason why an adaptive integration ended early. Times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum IntegrateError {
    /// The motion reaches a pose in which the equations cannot be solved.
    Singular {
        /// Time of the evaluation that failed.
        t: f64,
        /// Error of `dqdt`, with the pivot that vanishes.
        singular: Singular,
    },
    /// A derivative or an input is infinite or NaN.
    NotFinite {
        /// Time of the evaluation that was not finite.
        t: f64,
    },
    /// More steps than [`Options::max_steps`]: the equations may be stiff and need
    /// [`Method::Radau`].
    TooManySteps {
        /// Time that the integration reached.
        t: f64,
    },
    /// No step is small enough for the tolerance.
    StepTooSmall {
        /// Time that the integration reached.
        t: f64,
    },
    /// The motion reaches a pose in which the constraints lose rank, so closely that errors of the
    /// size of the tolerance determine how it continues: the mechanism has more degrees of freedom
    /// there, and loops may change branch. A parallelogram linkage whose links all lie on one line
    /// is such a pose.
    SingularPose {
        /// Time of the last state before the singular pose.
        t: f64,
        /// Index, among the rows on speeds, of the row that depends on the others there.
        row: usize,
    },
    /// The projection of a state onto its constraints moves it by far more than the error of a
    /// step, however short the step.
    OffCourse {
        /// Time of the state that was projected.
        t: f64,
        /// Largest change of a component of the state by the projection, in units of its tolerance.
        ratio: f64,
    },
    /// A state cannot be projected onto its constraints, for example the initial one.
    NotAssembled {
        /// Time of the state that cannot be projected.
        t: f64,
        /// Largest residual that remains after the projection, in the unit of its constraint.
        residual: f64,
    },
    /// Events follow each other ever faster, like the bounces of a ball that comes to rest.
    EventsAccumulate {
        /// Time that the integration reached.
        t: f64,
        /// Index of the event that happened last, in spec order.
        event: usize,
    },
    /// More than 64 stops are closed at one instant.
    TooManyStops {
        /// Time of that instant.
        t: f64,
        /// Number of closed stops.
        count: usize,
    },
    /// An impact happens repeatedly without effect, as for a body that rests on what it fell on,
    /// and the system has no terms of its stops
    /// ([`HybridSystem::stops`](crate::HybridSystem::stops)).
    RestsInContact {
        /// Time that the integration reached.
        t: f64,
        /// Index of the impact that repeats, in spec order.
        event: usize,
    },
    /// An event function is NaN, or infinite where it changes sign: its zero cannot be located.
    EventNotFinite {
        /// Last time at which the event function was finite.
        t: f64,
        /// Index of the event whose function is not finite, in spec order.
        event: usize,
    },
    /// A requested time is not finite, or out of order in the direction of integration.
    Times {
        /// Index of the invalid time among the requested times.
        index: usize,
    },
    /// An option is invalid: a tolerance or limit is negative or NaN, or both tolerances are zero.
    Options,
}

/// A time in seconds for messages: displays nine digits, with an exponent where there would be many
/// zeros.
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
                    "at t = {} s: too many steps; if the equations are stiff, use an implicit method, which needs fewer steps",
                    Seconds(*t)
                )
            }
            Self::StepTooSmall { t } => {
                write!(f, "at t = {} s: no step is small enough to meet the tolerance", Seconds(*t))
            }
            Self::SingularPose { t, row } => write!(
                f,
                "at t = {} s: the motion reaches a singular pose, in which row {row} of the velocity \
                 constraints follows from the others, so the continuation of the motion is not determined",
                Seconds(*t)
            ),
            Self::OffCourse { t, ratio } => write!(
                f,
                "at t = {} s: no step is short enough to satisfy the constraints: the projection moves the \
                 state by {ratio:.0} times the tolerance of a step, as can happen near a singular pose",
                Seconds(*t)
            ),
            Self::NotAssembled { t, residual } => write!(
                f,
                "at t = {} s: the state cannot be projected onto the constraints; the remaining residual is \
                 {residual:e}",
                Seconds(*t)
            ),
            Self::EventsAccumulate { t, event } => {
                write!(
                    f,
                    "at t = {} s: occurrences of event {event} accumulate, as when a bouncing ball comes to rest",
                    Seconds(*t)
                )
            }
            Self::RestsInContact { t, event } => write!(
                f,
                "at t = {} s: the impact of event {event} changes nothing; to rest, a model needs the function `stops`",
                Seconds(*t)
            ),
            Self::TooManyStops { t, count } => {
                write!(
                    f,
                    "at t = {} s: {count} stops are closed at one instant; at most 64 can be",
                    Seconds(*t)
                )
            }
            Self::EventNotFinite { t, event } => write!(
                f,
                "at t = {} s: the function of event {event} is no longer finite, so its zero cannot be found",
                Seconds(*t)
            ),
            Self::Times { index } => {
                write!(f, "output time {index} is not finite or is out of order")
            }
            Self::Options => write!(f, "tolerances and limits must be positive numbers"),
        }
    }
}

impl core::error::Error for IntegrateError {}

/// Integrates from `(t0, x0)` and returns the states at the requested times.
///
/// `times` in seconds, in order, all after or all before `t0` (then the integration runs
/// backwards); the first may be `t0`. `input(t, x)` returns the inputs; at a jump of the inputs,
/// add a time. The last time ends the integration.
///
/// # Errors
/// [`IntegrateError`]; a singular pose is never skipped.
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
    integrate_flow(|| Driven { system, input }, (t0, x0), times, options)
}

/// Integrates like [`integrate`], with the exact Jacobian of the system for [`Method::Radau`]
/// instead of finite differences.
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
    integrate_flow(|| WithJacobian(Driven { system, input }), (t0, x0), times, options)
}

/// Integrates a flow (equations with inputs) and returns the states at the requested times. Common
/// part of the public functions.
fn integrate_flow<F: OdeFlow<[f64; NX]>, const NX: usize>(
    flow: impl FnOnce() -> F,
    (t0, x0): (f64, &[f64; NX]),
    times: &[f64],
    options: &Options,
) -> Result<Trajectory<NX>, IntegrateError> {
    let mut trajectory = empty_trajectory(times.len());
    let Some(&end) = times.last() else {
        return Ok(trajectory);
    };
    check_requested_times(t0, times)?;
    let mut run = Integration::new(flow(), t0, x0, end, options)?;
    for &time in times {
        run.advance_to(time, |_, _| ControlFlow::Continue(()))?;
        trajectory.t.push(time);
        trajectory.x.push(run.projected_state()?);
    }
    trajectory.statistics = run.statistics();
    Ok(trajectory)
}

/// Integrates from `(t0, x0)` to `end` and returns the states after every adaptive step of the
/// method, `x0` first.
///
/// The steps are as long as the tolerance allows.
///
/// # Errors
/// [`IntegrateError`]; a singular pose is never skipped.
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
    check_requested_times(t0, &[end])?;
    let mut trajectory = empty_trajectory(0);
    let mut run = Integration::new(Driven { system, input }, t0, x0, end, options)?;
    trajectory.t.push(t0);
    trajectory.x.push(run.projected_state()?);
    run.advance_to(end, |t, x| {
        trajectory.t.push(t);
        trajectory.x.push(*x);
        ControlFlow::Continue(())
    })?;
    trajectory.statistics = run.statistics();
    Ok(trajectory)
}

/// Integrates like [`integrate`], for a system with constraints. After every step, and at the
/// requested times, the state is projected until no residual exceeds `tolerance` (in the units of
/// the constraints).
///
/// The rank of the constraints is monitored. Where it drops, loops can continue along several
/// branches. Such a pose, or one that the tolerance cannot distinguish from it, ends the motion
/// with [`IntegrateError::SingularPose`]. Rows that depend on others in every pose do not count.
///
/// # Errors
/// [`IntegrateError`], also if a state, including `x0`, cannot be projected onto the constraints.
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
    integrate_flow(|| Constrained { driven: Driven { system, input }, tolerance }, (t0, x0), times, options)
}

/// Integrates like [`integrate`], for a state whose length is known at run time only:
/// `dynamics(t, x, dx)` and `project(t, x)`, whose error is the remaining residual. The rank of
/// constraints is not monitored.
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
    check_requested_times(t0, times)?;
    let flow = Closures { rate: dynamics, project };
    let mut run = Integration::new(flow, t0, &x0.to_vec(), end, options)?;
    for &time in times {
        run.advance_to(time, |_, _| ControlFlow::Continue(()))?;
        states.push(run.projected_state()?);
    }
    Ok((states, run.statistics()))
}

/// An empty trajectory with capacity for this number of states.
fn empty_trajectory<const NX: usize>(capacity: usize) -> Trajectory<NX> {
    Trajectory {
        t: Vec::with_capacity(capacity),
        x: Vec::with_capacity(capacity),
        statistics: Statistics::default(),
    }
}

/// Checks that the requested times are finite and in order, all after or all before `t0`.
fn check_requested_times(t0: f64, times: &[f64]) -> Result<(), IntegrateError> {
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
