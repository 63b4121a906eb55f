//! Reasons why a motion ends early: errors of the integrator with cause and remedy, and progress
//! that is too slow.

use dqdt::integrate::{IntegrateError, Method, Seconds};
use dqdt_graph::ir::Layout;

use super::super::control::ControlSource;
use super::super::events::stop_events;
use super::flow::InterpretedFlow;

/// Number of evaluations after which the progress of a motion is judged, and the extrapolated total
/// above which it is stopped as too slow.
const PROGRESS_CHECK_AFTER: u64 = 300_000;
const MAX_EVALUATIONS: f64 = 1e12;

/// Maximum number of evaluations, extrapolated to the end time, if formulas are discontinuous or
/// functions of the caller may be. Steps become short at every jump, so the limit is lower.
const MAX_EVALUATIONS_WITH_JUMPS: f64 = 1e9;

/// Number of evaluations of a window, from which the rest of a motion is extrapolated if it may
/// stay at a discontinuity that it reaches late.
const PROGRESS_WINDOW: u64 = 100_000;

/// Reason why a motion ended before its end time.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Stop {
    /// The equations or constraints do not determine the motion any further.
    #[error("the motion stops at t = {} s: {reason}", Seconds(*t))]
    At {
        /// Time at which the motion stopped \[s\].
        t: f64,
        /// Cause and remedy, as text for the user.
        reason: String,
    },
    /// The integrator failed, for example because no step was small enough.
    #[error("{0}")]
    Integration(IntegrateError),
}

impl InterpretedFlow<'_> {
    /// Advice for the message of a failed motion: another formalism, if the present one loses
    /// digits and another does not.
    fn advise_on_lost_digits(&self) -> String {
        (self.other_form)().map_or_else(String::new, |f| {
            format!(
                "formalism `{}` loses accuracy if constrained bodies are light: use `--formalism {}`; ",
                self.formalism,
                f.name()
            )
        })
    }

    /// Description of the functions of the caller that compute inputs, for messages.
    fn caller_functions(&self) -> Option<&str> {
        match self.control?.source {
            ControlSource::Functions(text) => Some(text),
            ControlSource::Interruption | ControlSource::Law => None,
        }
    }

    /// Probable cause and remedy of short steps, if inputs come from functions of the caller.
    fn advise_on_functions(&self) -> Option<String> {
        let functions = self.caller_functions()?;
        let other = if self.method == Method::Radau {
            ""
        } else {
            "; if it is smooth but changes quickly with the state, use `--method radau`"
        };
        Some(format!(
            "The steps are probably short because {functions} is discontinuous: no step is accurate across a jump, \
             as of a sign, a relay, a rounded value or noise\n\nhelp: make it smooth, for example with `tanh(v/e)` in \
             place of `sign(v)`; or for a digital controller, simulate from one sample to the next with constant \
             inputs{other}"
        ))
    }

    /// Counts an evaluation at the time `t`.
    ///
    /// # Errors
    /// If the motion would need too many evaluations until its end.
    pub(super) fn check_progress(&self, t: f64) -> Result<(), String> {
        if let Some(reason) = &*self.too_slow.borrow() {
            // The integrator repeats a failed step with smaller sizes: each of them has to fail.
            return Err(reason.clone());
        }
        let calls = self.calls.get() + 1;
        self.calls.set(calls);
        let has_functions = self.caller_functions().is_some();
        let has_jumps = has_functions || !self.jumps.is_empty();
        // Functions of the caller may take a thousand times as long as the equations.
        let first = if has_functions { PROGRESS_WINDOW } else { PROGRESS_CHECK_AFTER };
        let mut expected = if calls >= PROGRESS_CHECK_AFTER {
            calls as f64 * (self.t_end / t.max(f64::MIN_POSITIVE))
        } else {
            0.0
        };
        if has_jumps && calls >= first && calls.is_multiple_of(PROGRESS_WINDOW) {
            let progress = t - self.window_start.replace(t);
            let rest = PROGRESS_WINDOW as f64 * ((self.t_end - t) / progress.max(f64::MIN_POSITIVE));
            expected = expected.max(calls as f64 + rest);
        }
        let limit = if has_jumps { MAX_EVALUATIONS_WITH_JUMPS } else { MAX_EVALUATIONS };
        if expected <= limit {
            return Ok(());
        }
        let reason = self.explain_slow_progress(calls, expected);
        *self.too_slow.borrow_mut() = Some(reason.clone());
        Err(reason)
    }

    /// Message for a motion that would need this number of evaluations until its end.
    fn explain_slow_progress(&self, calls: u64, expected: f64) -> String {
        let start = format!(
            "progress is too slow: {calls} evaluations are done, and the whole motion would need about {expected:.0e}."
        );
        if let Some(advice) = self.advise_on_functions() {
            return format!("{start} {advice}");
        }
        if !self.jumps.is_empty() {
            return format!(
                "{start} The integration steps are short where a formula is discontinuous: in {}\n\nhelp: smooth \
                 the jumps: replace `sign(v)` with `tanh(v/e)`, and `if` with `smooth_step`; or use an \
                 input that jumps less often; or end the motion earlier with `--t-end`",
                self.jumps.join(", ")
            );
        }
        let digits = self.advise_on_lost_digits();
        let other = if self.method == Method::Radau { "" } else { "use `--method radau`; or " };
        format!(
            "{start} The equations are stiff: a part of the mechanism moves much faster than \
             the requested motion\n\nhelp: {digits}{other}check for a mass, a length, a stiffness or a \
             damping coefficient in the wrong unit; or end the motion earlier with `--t-end`"
        )
    }
}

/// Converts an error of the integrator to the reason why the motion stopped, with remedies.
pub(super) fn stop_reason(layout: &Layout, flow: &InterpretedFlow<'_>, error: IntegrateError) -> Stop {
    let event = |i: usize| layout.events.get(i).map_or("", |e| e.name.as_str());
    let (t, reason) = match error {
        IntegrateError::Singular { t, singular } => {
            let reason = flow.reason.take();
            match singular.cause {
                // The integrator's own: the row is that of a stop.
                dqdt::Cause::Row(i) if reason.is_empty() => (
                    t,
                    format!(
                        "no forces can keep the gap of `{}` open or closed as the other stops require: \
                     the mechanism is crushed between stops\n\nhelp: move one of the stops; or make one of \
                     them elastic, with a stiff spring and a damper",
                        event(i)
                    ),
                ),
                _ => (t, reason),
            }
        }
        IntegrateError::NotAssembled { t, residual } => {
            (t, format!("the constraints can no longer be satisfied; their residual is {residual:.3e}"))
        }
        IntegrateError::SingularPose { t, row } => {
            let name = layout.velocity_rows.get(row).map_or("", |r| r.name.as_str());
            let reason = format!(
                "the pose is singular, or closer to a singular pose than the tolerance can resolve. The \
                 constraints lose rank here: constraint row `{name}` follows from the others. The mechanism can \
                 continue along more than one branch, and the equations do not determine which\n\nhelp: \
                 end the motion earlier with `--t-end`; or add a constraint that selects the branch, \
                 such as a gear between two links, and list it before the others; or change the lengths \
                 or the initial state so that the motion avoids this pose. If the links almost fit \
                 together, use smaller values of `--rtol` and `--atol` to separate the branches"
            );
            (t, reason)
        }
        IntegrateError::EventsAccumulate { t, event: i } => {
            let reason = format!(
                "event `{}` occurs at ever shorter intervals, or again and again at one instant; the \
                 motion beyond this time is not modelled\n\nhelp: end the motion earlier, with `--t-end` \
                 or an event of type \"end\"; give a switch two thresholds; or give stops that block each \
                 other a restitution below 1",
                event(i)
            );
            (t, reason)
        }
        IntegrateError::OffCourse { t, .. } if !stop_events(layout).is_empty() => {
            let reason = "no step is short enough to keep the constraints and the stops on which the motion \
                          rests\n\nhelp: if a prescribed coordinate has a kink, its rate jumps, and impacts by \
                          such a jump are not modelled: make it smooth; or avoid a singular pose";
            (t, reason.to_owned())
        }
        IntegrateError::TooManyStops { t, count } => {
            let reason = format!(
                "{count} stops are closed at one instant; at most 64 can be\n\nhelp: leave out stops that others \
                 make superfluous, such as points inside a face whose corners are stops"
            );
            (t, reason)
        }
        IntegrateError::EventNotFinite { t, event: i } => {
            let reason = format!(
                "the function of event `{}` is not a finite number beyond this time, so its zero cannot be \
                 found\n\nhelp: write a condition that is finite on both sides, without a root, logarithm \
                 or quotient that becomes undefined",
                event(i)
            );
            (t, reason)
        }
        IntegrateError::StepTooSmall { t } if flow.caller_functions().is_some() => {
            let advice = flow.advise_on_functions().unwrap_or_default();
            (t, format!("no integration step is small enough to satisfy the tolerance. {advice}"))
        }
        IntegrateError::TooManySteps { t } if flow.caller_functions().is_some() => {
            let advice = flow.advise_on_functions().unwrap_or_default();
            (t, format!("the integration needs too many steps. {advice}"))
        }
        IntegrateError::StepTooSmall { t } => {
            let other = flow.advise_on_lost_digits();
            let reason = format!(
                "no integration step is small enough to satisfy the tolerance\n\nhelp: {other}if the motion stays at \
                 a discontinuity of a formula, as it does for `sign(v)` at rest, smooth the formula, for \
                 example with `tanh(v/e)`; if the motion diverges to infinity, end it earlier with \
                 `--t-end`"
            );
            (t, reason)
        }
        IntegrateError::TooManySteps { t } => {
            let other = flow.advise_on_lost_digits();
            let stiff = if flow.method == Method::Radau {
                ""
            } else {
                "if the equations are stiff, use `--method radau`; "
            };
            let reason = format!(
                "the integration needs too many steps\n\nhelp: {other}{stiff}if the motion stays at a discontinuity of a \
                 formula, as it does for `sign(v)` at rest, smooth the formula, for example with \
                 `tanh(v/e)`"
            );
            (t, reason)
        }
        e => return Stop::Integration(e),
    };
    Stop::At { t, reason }
}
