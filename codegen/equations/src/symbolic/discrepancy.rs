//! Numerical comparison of two sides at points with 100 digits, and refutation by it.
//!
//! Problem: if the normal form of a difference is out of reach, say how well the sides agree; an
//!          obvious difference must not be called undecided.
//! Method:  the largest relative difference over random points, and over points on both sides of
//!          every switch (`samples`). Both sides are known to about 100 digits at a point of
//!          rational values, so a difference of continuous functions beyond 1e-20 is not due to
//!          rounding: the point is then a witness. Coordinates in it are angles in radians, not
//!          sines.
//! Limits:  a point next to a jump is skipped, since rounding may have moved it to the wrong side.
//!          Agreement is no proof; if the points lie on one side of a switch only, it is not even
//!          agreement.

use super::closed::Closed;
use super::conversion::{SymbolNames, exact_from_rational};
use super::engine::SymbolicEngine;
use super::error::Reason;
use super::evaluation::{TestPoint, absolute_value, form_value, values_at_point};
use super::expressions::Expressions;
use super::float::Float;
use super::prove::Verdict;
use super::samples::{Coverage, Samples};
use super::variable::{Fraction, VariableMeaning};
use super::witness::Assignment;
use dqdt_graph::ir::SymbolKind;

/// Number of random points at which two sides are compared with 100 digits.
const POINTS: usize = 6;
/// Largest number of random points that are tried, since sides are undefined at some of them.
const TRIALS: u64 = 48;
/// Relative difference of two sides above which rounding cannot be the cause: the claim is refuted.
const CERTAIN: f64 = 1e-20;
/// Relative difference above which a random point, easier to read, remains the witness.
const PLAIN: f64 = 1e-3;

/// Largest difference between two sides over the test points so far, for a claim without an exact
/// decision.
#[derive(Clone, Default)]
pub(super) struct Discrepancy {
    /// Largest relative difference so far, with the difference itself and its point.
    worst: Option<(Float, Float, ComparisonPoint)>,
    /// Number of random points so far at which both sides were defined.
    points: usize,
    /// Sides of switches on which the points lie.
    coverage: Coverage,
}

/// A point at which sides are compared, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ComparisonPoint {
    /// A random point, by the number of the trial.
    Random(u64),
    /// One of the samples around switches, by index.
    Sample(usize),
}

impl ComparisonPoint {
    /// Values of symbols at the point, as fractions.
    pub fn test_point(self, context: &Context<'_>) -> TestPoint {
        match self {
            ComparisonPoint::Random(trial) => TestPoint::new(trial, context.quaternions),
            ComparisonPoint::Sample(index) => context.samples.test_point(index),
        }
    }
}

/// Test points of a comparison with 100 digits, and the names of symbols for a witness.
pub(super) struct Context<'a> {
    /// Names of symbols, for a witness.
    pub names: &'a SymbolNames,
    /// Unit quaternions by coordinate indices, scalar first.
    pub quaternions: &'a [[usize; 4]],
    /// Symbols that occur in the compared sides, listed in a witness.
    pub symbols: Vec<SymbolKind>,
    /// Points on both sides of all switches.
    pub samples: &'a Samples,
}

/// The random points that suffice if all of them are in the domain.
pub(super) fn first_points() -> Vec<ComparisonPoint> {
    (1..=POINTS as u64).map(ComparisonPoint::Random).collect()
}

/// Discrepancies of the pairs at these positions, all at the same points.
pub(super) fn compare_outputs(
    left: &Expressions,
    right: &Expressions,
    which: &[usize],
    context: &Context<'_>,
) -> Vec<Discrepancy> {
    let mut discrepancies = vec![Discrepancy::default(); which.len()];
    let compare = |discrepancies: &mut Vec<Discrepancy>, place: ComparisonPoint| {
        let mut point = place.test_point(context);
        let (a, b) = (values_at_point(left, which, &mut point), values_at_point(right, which, &mut point));
        let arguments = context.samples.arguments(&mut point);
        for ((discrepancy, a), b) in discrepancies.iter_mut().zip(a).zip(b) {
            if let (Some(a), Some(b)) = (a, b) {
                discrepancy.add_point(a.clone() - &b, &a, place, &arguments);
            }
        }
    };
    for trial in 1..=TRIALS {
        if discrepancies.iter().all(|discrepancy| discrepancy.points >= POINTS) {
            break;
        }
        compare(&mut discrepancies, ComparisonPoint::Random(trial));
    }
    for index in 0..context.samples.len() {
        compare(&mut discrepancies, ComparisonPoint::Sample(index));
    }
    discrepancies
}

/// Discrepancy between an output and a closed form.
pub(super) fn compare_with_form(
    expressions: &Expressions,
    which: usize,
    form: &Closed,
    context: &Context<'_>,
) -> Discrepancy {
    largest_discrepancy(context, |place| {
        let mut point = place.test_point(context);
        let value = values_at_point(expressions, &[which], &mut point).into_iter().next().flatten()?;
        Some((value.clone() - &form_value(form, &expressions.tables, &mut point)?, value))
    })
}

/// Largest discrepancy over all points; `at` returns a difference and the value to which it is
/// relative.
pub(super) fn largest_discrepancy(
    context: &Context<'_>,
    mut at: impl FnMut(ComparisonPoint) -> Option<(Float, Float)>,
) -> Discrepancy {
    let mut discrepancy = Discrepancy::default();
    let random = (1..=TRIALS).map(ComparisonPoint::Random);
    for place in random.chain((0..context.samples.len()).map(ComparisonPoint::Sample)) {
        if discrepancy.points >= POINTS && matches!(place, ComparisonPoint::Random(_)) {
            continue;
        }
        if let Some((difference, value)) = at(place) {
            let arguments = context.samples.arguments(&mut place.test_point(context));
            discrepancy.add_point(difference, &value, place, &arguments);
        }
    }
    discrepancy
}

/// Discrepancy between a quotient of the engine and zero, at the test points.
pub(super) fn compare_with_zero(
    engine: &SymbolicEngine,
    difference: &Fraction,
    context: &Context<'_>,
) -> Discrepancy {
    largest_discrepancy(context, |place| engine.evaluate_fraction(difference, &mut place.test_point(context)))
}

impl Discrepancy {
    /// Adds the difference of two sides at a point; `arguments` are those of all switches there.
    fn add_point(
        &mut self,
        difference: Float,
        value: &Float,
        place: ComparisonPoint,
        arguments: &[Option<Float>],
    ) {
        if matches!(place, ComparisonPoint::Random(_)) {
            if self.points >= POINTS {
                return;
            }
            self.points += 1;
        }
        self.coverage.add_point(arguments);
        let one = Float::one();
        let value = absolute_value(value);
        let scale = if (value.clone() - &one).is_negative() { one } else { value };
        let relative = absolute_value(&difference) / &scale;
        // A random point is easier to read, so it remains the witness if it shows the difference.
        let is_larger = self.worst.as_ref().is_none_or(|(worst, _, at)| {
            let plain = matches!((at, place), (ComparisonPoint::Random(_), ComparisonPoint::Sample(_)))
                && scientific_text(worst).parse::<f64>().is_ok_and(|x| x > PLAIN);
            !plain && (worst.clone() - &relative).is_negative()
        });
        if is_larger {
            self.worst = Some((relative, difference, place));
        }
    }

    /// Refuted if the difference is certain, else undecided with a reason.
    pub fn verdict(self, which: usize, reason: Reason, context: &Context<'_>) -> Verdict {
        let Some((relative, difference, place)) = self.worst else {
            return Verdict::Undecided { which, reason, largest: None, uncrossed: None };
        };
        let largest = scientific_text(&relative);
        // Other reasons mean that the expressions themselves are faulty.
        let is_only_large = matches!(
            reason,
            Reason::TooLarge { .. }
                | Reason::Degree
                | Reason::Work
                | Reason::Opaque { .. }
                | Reason::NoWitness
                | Reason::NoDerivative { .. }
                | Reason::ZeroDivisor
        );
        let is_certain = largest.parse::<f64>().is_ok_and(|x| x > CERTAIN);
        if !(is_only_large && is_certain) {
            // Agreement at few points means little.
            let has_enough = self.points >= POINTS;
            let uncrossed = context.samples.uncrossed_switch(which, &self.coverage);
            return Verdict::Undecided {
                which,
                reason,
                largest: Some(largest).filter(|_| has_enough),
                uncrossed,
            };
        }
        let mut point = place.test_point(context);
        let mut witness: Vec<Assignment> = (context.symbols.iter())
            .map(|kind| Assignment {
                name: context.names.symbol_name(*kind).to_string(),
                value: exact_from_rational(&point.symbol_value(*kind)).to_string(),
            })
            .collect();
        witness.sort_by(|a, b| a.name.cmp(&b.name));
        witness.dedup();
        Verdict::Refuted { which, witness, difference: format!("about {}", scientific_text(&difference)) }
    }
}

impl<'a> Context<'a> {
    /// Context for comparing two lists of expressions: their symbols, names and test points.
    pub fn for_expression_pairs(
        left: &Expressions,
        right: &Expressions,
        names: &'a SymbolNames,
        quaternions: &'a [[usize; 4]],
        samples: &'a Samples,
    ) -> Self {
        let symbols = left.symbols.iter().chain(&right.symbols).map(|s| s.kind).collect();
        Context { names, quaternions, symbols, samples }
    }

    /// Context for comparing a quotient of an engine: its symbols, names and test points.
    pub fn for_engine_variables(
        engine: &'a SymbolicEngine,
        names: &'a SymbolNames,
        samples: &'a Samples,
    ) -> Self {
        let symbols = engine.variables.iter().filter_map(|v| match &v.meaning {
            VariableMeaning::Symbol(kind) => Some(*kind),
            _ => None,
        });
        let quaternions = &engine.settings.quaternions;
        Context { names, quaternions, symbols: symbols.collect(), samples }
    }
}

/// A number with two digits and a power of ten.
fn scientific_text(x: &Float) -> String {
    if x.is_zero() {
        return "0".to_owned();
    }
    let text = x.to_decimal();
    // Beyond the range of doubles the digits are truncated, not rounded.
    match text.parse::<f64>() {
        Ok(x) if x.is_normal() => format!("{x:.1e}"),
        _ => {
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let digits = if mantissa.starts_with('-') { 4 } else { 3 };
            let mantissa: String = mantissa.chars().take(digits).collect();
            format!("{mantissa}e{exponent}")
        }
    }
}
