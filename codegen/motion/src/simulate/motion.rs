//! Integration of a motion by the interpreter.
//!
//! Problem: states over time, events on the way, and the work done, so that `T + V − W` can be
//! checked.
//! Method:  DOP853 or Radau IIA with events (`dqdt::integrate`). The work W of loads without a
//! potential, of drives and of constraints is integrated as an additional state component: `Ẇ` is
//! the sum of their powers. It is scaled so that the tolerance is right for energies, and the
//! tolerances apply to the state alone. At an event W changes by the energy change of the event.
//! Stops:   if the motion ends early, the part reached is kept.

mod flow;
mod stops;

use std::cell::{Cell, RefCell};

use dqdt::integrate::{HybridTrajectory, Method, Options, Rest, StopForces, integrate_events_vec};

use super::constraints::Constraints;
use super::control::{Control, inputs_at_rows};
use super::events::{self, Events};
use super::jacobian::RATES_BY_STATE;
use super::output_times::{merge_times, output_times};
use super::runnable::RunnableProgram;
use dqdt_derivation::functions;
use dqdt_graph::ir::{Arguments, Program};
use dqdt_mechanics::formalism::Formalism;
use flow::InterpretedFlow;
use stops::stop_reason;

pub use stops::Stop;

/// A motion: states and work at the rows of a table, events, and statistics of the integrator.
#[derive(Debug, Default)]
pub struct Motion {
    /// Times of the rows of the table \[s\].
    pub times: Vec<f64>,
    /// State at each of the times: coordinates, speeds, then user states.
    pub states: Vec<Vec<f64>>,
    /// Work of loads without a potential, drives and constraints until each time \[J\], including
    /// energy changes at events.
    pub work: Vec<f64>,
    /// Inputs at each time, if the caller computed them along the motion; empty otherwise.
    pub inputs: Vec<Vec<f64>>,
    /// Energy lost in events, such as impacts \[J\].
    pub taken: f64,
    /// Name and time \[s\] of each event that occurred.
    pub events: Vec<(String, f64)>,
    /// Rests on stops, in the order in which they began: name of the event, and when.
    pub rests: Vec<(String, Rest)>,
    /// Forces of the stops at each time. Empty if no motion was integrated.
    pub stop_forces: Vec<StopForces>,
    /// True if an event of type `end` ended the motion.
    pub ended: bool,
    /// Reason why the motion ended before `t_end` without such an event.
    pub stopped: Option<Stop>,
    /// Number of evaluations of the equations of motion.
    pub evaluations: usize,
    /// Number of integration steps, including rejected ones.
    pub steps: usize,
    /// Number of evaluations of the Jacobian by an implicit method.
    pub jacobians: usize,
}

impl Motion {
    /// Names of the stops on which the motion rests, with start and end \[s\].
    #[doc(hidden)]
    pub fn rest_spans(&self) -> Vec<(String, [f64; 2])> {
        let end = self.times.last().copied().unwrap_or(0.0);
        self.rests.iter().map(|(name, r)| (name.clone(), [r.from, r.until.unwrap_or(end)])).collect()
    }
}

/// Invalid value in a [`Span`].
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpanError {
    /// A value of the span is not a positive number.
    #[error("`{name}` must be a positive number, not {value:?}")]
    NotPositive {
        /// Name of the field of [`Span`] with the rejected value.
        name: &'static str,
        /// The rejected value.
        value: f64,
    },
    /// The table of the motion would have more than ten million rows.
    #[error("more than ten million rows; use a longer step")]
    TooManyRows,
}

/// Time span, output step, tolerances and integration method.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Span {
    /// End time \[s\]. The motion starts at the time of its start state, which is 0 in a spec.
    pub t_end: f64,
    /// Time between two rows of the motion \[s\].
    pub step: f64,
    /// Relative tolerance of the integrator.
    pub rtol: f64,
    /// Absolute tolerance of the integrator, in SI units.
    pub atol: f64,
    /// Integration method: explicit DOP853, or implicit Radau IIA for stiff equations.
    pub method: Method,
    /// Approach speed of a stop below which its impact is plastic, so that the motion may rest on
    /// it \[m/s or rad/s\].
    pub rest_speed: f64,
}

impl Default for Span {
    fn default() -> Self {
        Span::until(10.0)
    }
}

impl Span {
    /// Span to the time `t_end` \[s\] with 500 steps, tolerances of 1e-9 and DOP853.
    pub fn until(t_end: f64) -> Self {
        Span {
            t_end,
            step: t_end / 500.0,
            rtol: 1e-9,
            atol: 1e-9,
            method: Method::Dop853,
            rest_speed: Options::default().rest_speed,
        }
    }

    /// Checks that the values of the span are positive and the rows not too many.
    ///
    /// # Errors
    /// If a value is not positive, or there are too many rows.
    pub fn check(&self) -> Result<(), SpanError> {
        let all = [
            ("t_end", self.t_end),
            ("step", self.step),
            ("rtol", self.rtol),
            ("atol", self.atol),
            ("rest_speed", self.rest_speed),
        ];
        if let Some((name, value)) = all.into_iter().find(|(_, x)| !(x.is_finite() && *x > 0.0)) {
            return Err(SpanError::NotPositive { name, value });
        }
        if self.t_end / self.step > MAX_ROWS { Err(SpanError::TooManyRows) } else { Ok(()) }
    }
}

/// Maximum number of rows of a motion, times at which the state is stored.
const MAX_ROWS: f64 = 1e7;

/// Integrates from the state in `arguments` at `t = 0`.
///
/// `program` has the functions that this module derives. Steps also end at `stops` (ascending),
/// which get no row. `progress` receives the completed fraction of the time. `other_form` searches
/// for a formalism that loses fewer digits. Quaternions in the result are normalised.
#[doc(hidden)]
pub fn integrate_motion(
    program: &Program,
    arguments: &Arguments,
    span: &Span,
    stops: &[f64],
    progress: &dyn Fn(f64),
    other_form: &dyn Fn() -> Option<Formalism>,
) -> Motion {
    integrate_controlled_motion(program, arguments, span, stops, (progress, other_form), None)
}

/// Same as [`integrate_motion`], with inputs that the caller computes along the motion.
#[doc(hidden)]
pub fn integrate_controlled_motion(
    program: &Program,
    arguments: &Arguments,
    span: &Span,
    stops: &[f64],
    callbacks: (&dyn Fn(f64), &dyn Fn() -> Option<Formalism>),
    control: Option<Control<'_>>,
) -> Motion {
    let program = RunnableProgram::new(program);
    integrate_prepared_motion(&program, arguments, (span, &[]), stops, callbacks, control)
}

/// Same as [`integrate_controlled_motion`], with functions that are prepared already, and with rows
/// at further times (ascending, up to the end time).
#[doc(hidden)]
pub fn integrate_prepared_motion(
    program: &RunnableProgram,
    arguments: &Arguments,
    (span, further_times): (&Span, &[f64]),
    stops: &[f64],
    (progress, other_form): (&dyn Fn(f64), &dyn Fn() -> Option<Formalism>),
    control: Option<Control<'_>>,
) -> Motion {
    let x0 = arguments.state();
    let times = merge_times(output_times(span.t_end, span.step), further_times, span.step);
    let Some(machine) = program.rates_and_powers.clone() else {
        let (states, work) = (vec![x0; times.len()], vec![0.0; times.len()]);
        return Motion { times, states, work, ..Motion::default() };
    };
    let kinetic = program
        .machine(functions::ENERGY)
        .and_then(|mut m| m.call(arguments).map(|e| e.first().copied().unwrap_or(0.0)).ok())
        .filter(|e| e.is_finite())
        .unwrap_or(0.0);
    let nx = x0.len();
    let flow = InterpretedFlow {
        machine: RefCell::new(machine),
        jacobian: RefCell::new(program.machine(RATES_BY_STATE)),
        energy: RefCell::new(program.machine(functions::ENERGY)),
        arguments: RefCell::new(arguments.clone()),
        constraints: RefCell::new(Constraints::from_runnable(program, arguments)),
        events: RefCell::new(Events::new(program, arguments)),
        rules: events::integrator_event_rules(&program.layout.events),
        nx,
        scale: (span.atol / (span.atol + span.rtol * kinetic)).max(1e-150),
        energy_lost: Cell::new(0.0),
        reason: RefCell::new(String::new()),
        progress,
        formalism: &program.formalism,
        other_form,
        control,
        t_end: span.t_end,
        calls: Cell::new(0),
        window_start: Cell::new(0.0),
        too_slow: RefCell::new(None),
        method: span.method,
        jumps: program.discontinuous_formulas.clone(),
    };
    // The error norm is a mean over the components. The additional work component would reduce it
    // by this factor, so the tolerances are reduced as well.
    let share = (nx as f64 / (nx as f64 + 1.0)).sqrt().max(0.5);
    let options = Options {
        method: span.method,
        rtol: span.rtol * share,
        atol: span.atol * share,
        rest_speed: span.rest_speed,
        ..Options::default()
    };
    let start = [&x0[..], &[0.0]].concat();
    let mut run = HybridTrajectory::new();
    let mut end_times = [&times[..], stops].concat();
    end_times.sort_by(f64::total_cmp);
    let outcome = integrate_events_vec(&flow, (0.0, &start), &end_times, &options, &mut run);
    let mut motion = Motion {
        taken: flow.energy_lost.get(),
        events: run.events.iter().map(|e| (program.layout.events[e.event].name.clone(), e.t)).collect(),
        rests: run.rests.into_iter().map(|r| (program.layout.events[r.event].name.clone(), r)).collect(),
        ended: run.ended,
        stopped: outcome.err().map(|e| stop_reason(&program.layout, &flow, e)),
        evaluations: run.statistics.evaluations,
        steps: run.statistics.accepted + run.statistics.rejected,
        jacobians: run.statistics.jacobians,
        ..Motion::default()
    };
    let reached = run.reached.filter(|(t, _)| motion.ended || run.t.last().is_none_or(|last| t > last));
    // A time that is both a row and a stop occurs twice; keep one.
    let mut rows = times.into_iter().peekable();
    let last_forces = run.stop_forces.last().cloned().unwrap_or_default();
    let points = run.t.into_iter().zip(run.x).zip(run.stop_forces);
    let points = points.filter(|((t, _), _)| rows.next_if(|row| row == t).is_some());
    for ((t, x), forces) in points.chain(reached.map(|point| (point, last_forces))) {
        motion.times.push(t);
        motion.stop_forces.push(forces);
        motion.work.push(x[nx] / flow.scale);
        motion.states.push(x[..nx].to_vec());
    }
    motion.inputs = inputs_at_rows(control, arguments, (&motion.times, &motion.states));
    motion
}
