//! Equality of expressions: proved, refuted with a witness, or undecided with the largest
//! difference found.

use std::cell::OnceCell;

use super::closed::Closed;
use super::conversion::SymbolNames;
use super::discrepancy::{self, Context};
use super::engine::{EngineSettings, SymbolicEngine, run_query};
use super::error::{Reason, SymbolicError};
use super::expressions::Expressions;
use super::samples::Samples;
use super::text::plain_text;
use super::variable::Fraction;
use super::witness::Assignment;

/// Assumptions about symbols and limits of size, under which equality is proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumptions {
    /// Unit quaternions, as coordinate indices, scalar first.
    pub quaternions: Vec<[usize; 4]>,
    /// Largest number of terms of an intermediate polynomial.
    pub limit: usize,
    /// True if pairs that are too large together are not tried one by one, since the large parts
    /// are shared.
    pub together: bool,
    /// True if the sides need to be equal only on the constraints, so that a difference elsewhere
    /// is no refutation.
    pub on_constraints: bool,
}

/// Largest work of one run of the engine, in units of [`SymbolicEngine::charge_work`].
pub(super) const WORK: u64 = 400_000_000;
/// Largest work of one run where pairs are not tried one by one. With this limit no verdict of ten
/// examples with three to six speeds was weaker than with [`WORK`]; a UR5 took 55 s instead of more
/// than 100 s (2026-11-28).
const WORK_TOGETHER: u64 = 20_000_000;

impl Default for Assumptions {
    fn default() -> Self {
        Assumptions { quaternions: Vec::new(), limit: 20_000, together: false, on_constraints: false }
    }
}

impl Assumptions {
    /// Settings of an engine under these assumptions; `rates_are_speeds` if `q̇` is `v` itself.
    pub(super) fn engine_settings(&self, rates_are_speeds: bool) -> EngineSettings {
        EngineSettings {
            limit: self.limit,
            quaternions: self.quaternions.clone(),
            rates_are_speeds,
            as_written: false,
            work: if self.together { WORK_TOGETHER } else { WORK },
        }
    }
}

/// Result of the proof that two sides are equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The sides are equal for all values of the symbols.
    Proved {
        /// True if a proof treated floats as their exact binary values.
        inexact: bool,
    },
    /// The sides differ: there is a point at which their difference is certain.
    Refuted {
        /// Index of the pair or entry that the verdict is about.
        which: usize,
        /// A point at which the sides differ.
        witness: Vec<Assignment>,
        /// Left minus right, as text; shortened if long.
        difference: String,
    },
    /// Equality was neither proved nor refuted; values at test points show how well the sides
    /// agree.
    Undecided {
        /// Index of the pair or entry that the verdict is about.
        which: usize,
        /// Reason why the engine could not decide the equality exactly.
        reason: Reason,
        /// Largest relative difference over the test points, computed with 100 digits, such as
        /// `1.2e-101`; `None` if too few random points were in the domain.
        largest: Option<String>,
        /// Argument of a switch for which all points lie on one side.
        uncrossed: Option<String>,
    },
}

/// Strength of a verdict, strongest first; reports print its word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// The sides are equal for all values of the symbols, by exact algebra.
    Proved,
    /// Not decided exactly; equal to 60 digits at all test points, which lie on both sides of every
    /// switch.
    Checked,
    /// Not decided, and not checked on both sides of every switch.
    Undecided,
    /// The sides differ at some point.
    Refuted,
}

impl Status {
    /// The word for the status in all reports.
    pub fn status_word(self) -> &'static str {
        match self {
            Status::Proved => "proved",
            Status::Checked => "checked",
            Status::Undecided => "undecided",
            Status::Refuted => "REFUTED",
        }
    }
}

/// Relative difference of two 100-digit values below which they agree: the verdict is checked.
const AGREE: f64 = 1e-60;

impl Verdict {
    /// True if the sides were proved equal.
    pub fn is_proved(&self) -> bool {
        matches!(self, Verdict::Proved { .. })
    }

    /// Status of the verdict, without details.
    pub fn status(&self) -> Status {
        match self {
            Verdict::Proved { .. } => Status::Proved,
            Verdict::Refuted { .. } => Status::Refuted,
            Verdict::Undecided { largest, uncrossed, .. } => {
                let largest = largest.as_ref().and_then(|x| x.parse::<f64>().ok());
                if uncrossed.is_none() && largest.is_some_and(|x| x < AGREE) {
                    Status::Checked
                } else {
                    Status::Undecided
                }
            }
        }
    }

    /// Overall verdict: the first refuted one, else the first undecided, else the first checked,
    /// else proved.
    pub fn overall(all: &[Verdict]) -> Verdict {
        let worst = all.iter().map(Verdict::status).max();
        let first = all.iter().find(|v| !v.is_proved() && Some(v.status()) == worst);
        let inexact = all.iter().any(|v| matches!(v, Verdict::Proved { inexact: true }));
        first.cloned().unwrap_or(Verdict::Proved { inexact })
    }
}

/// Largest length, in characters, of the printed difference of a refuted claim.
const LONGEST: usize = 2000;

/// Proves `left[i] = right[i]` for all outputs, with one verdict for each pair; symbols are matched
/// by kind.
pub fn prove_equal(
    left: &Expressions,
    right: &Expressions,
    assumptions: &Assumptions,
) -> Result<Vec<Verdict>, SymbolicError> {
    left.check_references()?;
    right.check_references()?;
    if left.len() != right.len() {
        return Err(SymbolicError::BadRequest("the two sides have different numbers of entries"));
    }
    Ok(compare_pairs(left, right, assumptions))
}

/// Proves that outputs equal closed forms, one form for each output; symbols are matched by kind.
pub fn prove_closed(
    expressions: &Expressions,
    forms: &[Closed],
    assumptions: &Assumptions,
) -> Result<Vec<Verdict>, SymbolicError> {
    expressions.check_references()?;
    if expressions.len() != forms.len() {
        return Err(SymbolicError::BadRequest(
            "the number of closed forms differs from the number of outputs",
        ));
    }
    let settings = assumptions.engine_settings(false);
    let names = SymbolNames::new(expressions);
    let samples = OnceCell::new();
    let samples = || {
        samples.get_or_init(|| Samples::around_switches_in_forms(expressions, forms, &settings.quaternions))
    };
    let verdicts = forms.iter().enumerate().map(|(which, form)| {
        let difference = run_query(&settings, |engine| {
            let value = engine.evaluate_outputs(expressions, &[which])?;
            let form = engine.fraction_from_form(form, &names)?;
            match value.first() {
                Some(value) => engine.sub(value, &form),
                None => Ok(form),
            }
        });
        match difference {
            Ok((difference, engine)) => judge_difference(&engine, &difference, which, &names, &samples),
            Err(reason) => {
                let quaternions = &settings.quaternions;
                let context =
                    Context::for_expression_pairs(expressions, expressions, &names, quaternions, samples());
                let discrepancy = discrepancy::compare_with_form(expressions, which, form, &context);
                discrepancy.verdict(which, reason, &context)
            }
        }
    });
    Ok(verdicts.collect())
}

/// Verdicts on pairs of outputs: exact together, else one by one, else by 100-digit values.
fn compare_pairs(left: &Expressions, right: &Expressions, assumptions: &Assumptions) -> Vec<Verdict> {
    let settings = assumptions.engine_settings(false);
    let names = SymbolNames::new(left).with_names_from(right);
    let samples = OnceCell::new();
    let samples =
        || samples.get_or_init(|| Samples::around_switches_in_pairs(left, right, &assumptions.quaternions));
    // In one engine all pairs share their common parts; a pair that is too large is tried alone.
    let all: Vec<usize> = (0..left.len()).collect();
    let together = run_query(&settings, |engine| {
        let (a, b) = (engine.evaluate_outputs(left, &all)?, engine.evaluate_outputs(right, &all)?);
        a.iter().zip(&b).map(|(a, b)| engine.sub(a, b)).collect::<Result<Vec<_>, _>>()
    });
    let reason = match together {
        Ok((differences, engine)) => {
            let differences = differences.iter().enumerate();
            return differences
                .map(|(which, d)| judge_difference(&engine, d, which, &names, &samples))
                .collect();
        }
        Err(reason) => reason,
    };
    let decided = all.iter().map(|which| {
        if assumptions.together {
            return Err(reason.clone());
        }
        let alone = run_query(&settings, |engine| {
            let (a, b) =
                (engine.evaluate_outputs(left, &[*which])?, engine.evaluate_outputs(right, &[*which])?);
            match (a.first(), b.first()) {
                (Some(a), Some(b)) => engine.sub(a, b),
                _ => Ok(engine.ratio_fraction(0, 1)),
            }
        });
        alone.map(|(difference, engine)| judge_difference(&engine, &difference, *which, &names, &samples))
    });
    let decided: Vec<Result<Verdict, Reason>> = decided.collect();
    let open: Vec<usize> = all.iter().copied().filter(|which| decided[*which].is_err()).collect();
    if open.is_empty() {
        return decided.into_iter().flatten().collect();
    }
    let context = Context::for_expression_pairs(left, right, &names, &assumptions.quaternions, samples());
    let mut discrepancies = discrepancy::compare_outputs(left, right, &open, &context).into_iter();
    let verdicts = decided.into_iter().enumerate().map(|(which, verdict)| {
        verdict.unwrap_or_else(|reason| {
            discrepancies.next().unwrap_or_default().verdict(which, reason, &context)
        })
    });
    verdicts.collect()
}

/// Verdict on a difference in exact form: proved if zero, else refuted by an exact witness or by
/// numerical values.
pub(super) fn judge_difference<'a>(
    engine: &SymbolicEngine,
    difference: &Fraction,
    which: usize,
    names: &SymbolNames,
    samples: &dyn Fn() -> &'a Samples,
) -> Verdict {
    if difference.is_zero() {
        return Verdict::Proved { inexact: engine.inexact };
    }
    match engine.find_witness(difference, names) {
        Ok(witness) => {
            let mut text = match engine.quotient_form(difference, names) {
                Ok(closed) => plain_text(&closed),
                Err(_) => "a difference too large to print".to_owned(),
            };
            if let Some((cut, _)) = text.char_indices().nth(LONGEST) {
                text.truncate(cut);
                text.push_str(" …");
            }
            Verdict::Refuted { which, witness, difference: text }
        }
        Err(reason) => {
            let context = Context::for_engine_variables(engine, names, samples());
            discrepancy::compare_with_zero(engine, difference, &context).verdict(which, reason, &context)
        }
    }
}
