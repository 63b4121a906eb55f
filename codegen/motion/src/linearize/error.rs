//! Errors of linearisation and trim.

use crate::simulate::NoStart;
use dqdt_diagnostics::error::Errors;
use dqdt_graph::ir::SingularPivot;

/// Names separated by commas, for a message of an error.
pub(super) fn join_names(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Clause of the message of `NoSlope` that names the formulas without a derivative.
fn describe_causes(within: &[String]) -> String {
    if within.is_empty() { String::new() } else { format!(", because of {}", within.join(", ")) }
}

/// Clause of the message of `NotSteady` that names the inputs beyond their limits.
fn describe_limits(beyond: &[String]) -> String {
    if beyond.is_empty() { String::new() } else { format!(", with {}", beyond.join(", ")) }
}

/// The unit preceded by a blank, for a message; empty for pure numbers.
fn unit_suffix(unit: &str) -> String {
    if matches!(unit, "" | "1") { String::new() } else { format!(" {unit}") }
}

/// Reason why a linearisation or a trim failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinearizeError {
    /// The start state cannot be assembled onto the constraints.
    #[error("{0}")]
    Start(#[from] NoStart),
    /// The mechanism has no accelerations, or its equations would exceed the memory.
    #[error("{0}")]
    Spec(#[from] Errors),
    /// The matrices would exceed the memory.
    #[error(
        "the matrices would have {entries} entries for {states} states, but the limit is {limit}\n\nhelp: \
         linearise a part of the mechanism, or reduce the number of states or outputs in the spec"
    )]
    TooLarge {
        /// Number of states and inputs, the columns of the matrices.
        states: usize,
        /// Number of entries of the matrices A, B, C and D, and of the derivatives of constraints.
        entries: usize,
        /// Maximum number of entries of all matrices.
        limit: usize,
    },
    /// The accelerations are not unique at the point of linearisation.
    #[error("{0}")]
    Singular(#[from] SingularPivot),
    /// A formula has no finite derivative at the point of linearisation.
    #[error(
        "the derivative of `{of}` with respect to `{by}` is not finite here{}\n\nhelp: a root or a \
         distance is not differentiable at zero: linearise at another point, or smooth the formula, for \
         example with `smooth_abs(x, e)`",
        describe_causes(within)
    )]
    NoSlope {
        /// The quantity that is differentiated, such as a rate.
        of: String,
        /// The state or input by which it is differentiated.
        by: String,
        /// Loads, constraints, user states and outputs without a finite derivative.
        within: Vec<String>,
    },
    /// A name in the request is unknown.
    #[error("cannot {purpose} `{name}`, which does not exist; there are: {known}")]
    Unknown {
        /// Use of the name in the request: `free` (a trim) or `keep independent`.
        purpose: &'static str,
        /// The unknown name in the request.
        name: String,
        /// The names that are permitted there, separated by commas.
        known: String,
    },
    /// The trim found no state at which independent speeds and user states are constant.
    #[error(
        "no steady state was found: the {quantity} `{name}` is still {residual:.3e}{} after {steps} step{} \
         (tolerance {tolerance:.1e}{}){}\n\nhelp: {}free more states or inputs, or start closer to a \
         steady state{}",
        unit_suffix(unit),
        if *steps == 1 { "" } else { "s" },
        unit_suffix(unit),
        describe_limits(beyond),
        if beyond.is_empty() { "" } else { "an input is clamped to its limits: " },
        if *has_constraints { ", so that the constraints do not lose rank on the way to it" } else { "" }
    )]
    NotSteady {
        /// Name of the speed, user state or constraint row whose residual exceeds its tolerance
        /// most.
        name: String,
        /// Kind of that quantity: an acceleration, a rate, or the residual of a constraint.
        quantity: &'static str,
        /// Absolute value of the residual, in SI units.
        residual: f64,
        /// SI unit of the residual; empty if it is not known.
        unit: String,
        /// Tolerance of the residual, in the same unit.
        tolerance: f64,
        /// Number of Newton steps of the trim.
        steps: usize,
        /// Free inputs that ended at or beyond a limit, each with its value and limits.
        beyond: Vec<String>,
        /// True if the mechanism has constraints, which may lose rank.
        has_constraints: bool,
    },
}
