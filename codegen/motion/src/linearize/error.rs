//! Why there is no linearisation.

use crate::simulate::NoStart;
use dqdt_diagnostics::error::Errors;
use dqdt_graph::ir::SingularPivot;

/// Names for a message.
pub(super) fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn because(within: &[String]) -> String {
    if within.is_empty() { String::new() } else { format!(", because of {}", within.join(", ")) }
}

fn reached(beyond: &[String]) -> String {
    if beyond.is_empty() { String::new() } else { format!(", with {}", beyond.join(", ")) }
}

fn after_number(unit: &str) -> String {
    if matches!(unit, "" | "1") { String::new() } else { format!(" {unit}") }
}

/// Why there is no linearisation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinearizeError {
    /// There is no such state.
    #[error("{0}")]
    Start(#[from] NoStart),
    /// The mechanism has no accelerations, or its equations would outgrow memory.
    #[error("{0}")]
    Spec(#[from] Errors),
    /// The matrices would outgrow memory.
    #[error(
        "the matrices would have {entries} entries for {states} states; {limit} is the limit\n\nhelp: linearise a part of the mechanism, or \
         give the spec fewer states or outputs"
    )]
    TooLarge {
        /// States and inputs.
        states: usize,
        /// Entries of A, B, C and D, and of the derivatives of constraints.
        entries: usize,
        /// The largest number of entries.
        limit: usize,
    },
    /// There are no unique accelerations there.
    #[error("{0}")]
    Singular(#[from] SingularPivot),
    /// A formula has no slope there.
    #[error(
        "the derivative of `{of}` by `{by}` is not finite here{}\n\nhelp: a root or a distance of zero has no slope: linearise elsewhere, or \
         round it off, as `smooth_abs(x, e)` does",
        because(within)
    )]
    NoSlope {
        /// What is differentiated.
        of: String,
        /// By what.
        by: String,
        /// Loads, constraints, user states and outputs that have no slope there.
        within: Vec<String>,
    },
    /// Nothing that could be changed, or be independent, has this name.
    #[error("nothing to {purpose} is called `{name}`; there are: {known}")]
    Unknown {
        /// `trim` or `keep independent`.
        purpose: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// No state without accelerations was found.
    #[error(
        "no steady state was found: the {quantity} `{name}` is left with {residual:.3e}{} after {steps} step{} (tolerance \
         {tolerance:.1e}{}){}\n\nhelp: {}free more states or inputs, or start nearer to one, and not across a pose at which the \
         constraints lose rank",
        after_number(unit),
        if *steps == 1 { "" } else { "s" },
        after_number(unit),
        reached(beyond),
        if beyond.is_empty() { "" } else { "an input acts no more than its limit: " }
    )]
    NotSteady {
        /// The speed, user state or row of a constraint with the largest residual, by its tolerance.
        name: String,
        /// Its quantity: an acceleration, a rate, or the residual of a constraint.
        quantity: &'static str,
        /// The size that is left, in SI units.
        residual: f64,
        /// Unit of the residual, SI; empty where it is not known.
        unit: String,
        /// Sizes below this count as zero, in the same unit.
        tolerance: f64,
        /// Newton's steps.
        steps: usize,
        /// Free inputs that were driven to a limit or beyond it, with value and limits.
        beyond: Vec<String>,
    },
}
