//! Equality of expressions: proved, refuted with a witness, or undecided with numbers.

use std::cell::OnceCell;

use super::closed::Closed;
use super::conversion::SymbolNames;
use super::discrepancy::{self, Context};
use super::engine::{Engine, Settings, run};
use super::error::{Reason, SymbolicError};
use super::expressions::Expressions;
use super::samples::Samples;
use super::text::text;
use super::variable::Fraction;
use super::witness::Assignment;

/// What a proof may assume and how large it may become.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumptions {
    /// Unit quaternions: coordinate indices, scalar first.
    pub quaternions: Vec<[usize; 4]>,
    /// Largest number of terms of a polynomial on the way.
    pub limit: usize,
    /// True if pairs that are too large together are not tried one by one: they share what makes them large.
    pub together: bool,
    /// True if the sides need to be equal only where the constraints hold: a difference elsewhere
    /// refutes nothing.
    pub on_constraints: bool,
}

/// Work of one run of the engine; `fraction::Engine::charge` has the unit.
pub(super) const WORK: u64 = 400_000_000;
/// The same where pairs are tried together. With it no verdict of ten examples with three to six
/// speeds was weaker than with `WORK`; a UR5 took 55 s instead of more than 100 (2026-11-28).
const WORK_TOGETHER: u64 = 20_000_000;

impl Default for Assumptions {
    fn default() -> Self {
        Assumptions { quaternions: Vec::new(), limit: 20_000, together: false, on_constraints: false }
    }
}

impl Assumptions {
    pub(super) fn settings(&self, rates_are_speeds: bool) -> Settings {
        Settings {
            limit: self.limit,
            quaternions: self.quaternions.clone(),
            rates_are_speeds,
            as_written: false,
            work: if self.together { WORK_TOGETHER } else { WORK },
        }
    }
}

/// The answer of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Equal for all values.
    Proved {
        /// True if a constant of inexact origin was taken for the dyadic number that it is.
        inexact: bool,
    },
    /// Not equal.
    Refuted {
        /// The position of the pair or entry.
        which: usize,
        /// A point where they differ.
        witness: Vec<Assignment>,
        /// Left minus right, as text; shortened when long.
        difference: String,
    },
    /// Neither.
    Undecided {
        /// The position of the pair or entry.
        which: usize,
        /// What was beyond the normal form.
        reason: Reason,
        /// The largest relative difference over random points at 100 digits, such as `1.2e-101`; `None` if too few points
        /// were in the domain.
        largest: Option<String>,
        /// The argument of a switch of which the points lie on one side only.
        uncrossed: Option<String>,
    },
}

/// How well something is known, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// Equal for all values.
    Proved,
    /// Not decided exactly; equal to 60 digits at all points of 100 digits, which lie on both sides of every switch.
    Checked,
    /// Neither proved nor checked nor refuted.
    Undecided,
    /// Not equal.
    Refuted,
}

impl Status {
    /// The word for it: the same wherever something is said about a claim.
    pub fn word(self) -> &'static str {
        match self {
            Status::Proved => "proved",
            Status::Checked => "checked",
            Status::Undecided => "undecided",
            Status::Refuted => "REFUTED",
        }
    }
}

/// Relative differences below this are none, as far as numbers can say.
const AGREE: f64 = 1e-60;

impl Verdict {
    /// True if proved.
    pub fn is_proved(&self) -> bool {
        matches!(self, Verdict::Proved { .. })
    }

    /// In one word.
    pub fn status(&self) -> Status {
        match self {
            Verdict::Proved { .. } => Status::Proved,
            Verdict::Refuted { .. } => Status::Refuted,
            Verdict::Undecided { largest, uncrossed, .. } => {
                let agree = |x: &String| x.parse::<f64>().is_ok_and(|x| x < AGREE);
                let both_sides = uncrossed.is_none();
                if both_sides && largest.as_ref().is_some_and(agree) {
                    Status::Checked
                } else {
                    Status::Undecided
                }
            }
        }
    }

    /// One verdict for all: the first that is refuted, else the first that is undecided, else the first that is checked,
    /// else proved.
    pub fn overall(all: &[Verdict]) -> Verdict {
        let worst = all.iter().map(Verdict::status).max();
        let first = all.iter().find(|v| !v.is_proved() && Some(v.status()) == worst);
        let inexact = all.iter().any(|v| matches!(v, Verdict::Proved { inexact: true }));
        first.cloned().unwrap_or(Verdict::Proved { inexact })
    }
}

/// Longest text of a difference, in characters.
const LONGEST: usize = 2000;

/// Proves `left[i] = right[i]` for all outputs; symbols are matched by kind. One verdict a pair.
pub fn prove_equal(
    left: &Expressions,
    right: &Expressions,
    assumptions: &Assumptions,
) -> Result<Vec<Verdict>, SymbolicError> {
    left.check()?;
    right.check()?;
    if left.len() != right.len() {
        return Err(SymbolicError::BadRequest("the two sides differ in length"));
    }
    Ok(pairs(left, right, assumptions))
}

/// Proves that outputs are what closed forms say, one form an output; symbols are matched by kind.
pub fn prove_closed(
    expressions: &Expressions,
    forms: &[Closed],
    assumptions: &Assumptions,
) -> Result<Vec<Verdict>, SymbolicError> {
    expressions.check()?;
    if expressions.len() != forms.len() {
        return Err(SymbolicError::BadRequest("another number of forms than outputs"));
    }
    let settings = assumptions.settings(false);
    let names = SymbolNames::new(expressions);
    let samples = OnceCell::new();
    let samples = || samples.get_or_init(|| Samples::of_forms(expressions, forms, &settings.quaternions));
    let verdict = |(which, form): (usize, &Closed)| {
        let difference = run(&settings, |engine| {
            let value = engine.replay(expressions, &[which])?;
            let form = engine.of_closed(form, &names)?;
            match value.first() {
                Some(value) => engine.sub(value, &form),
                None => Ok(form),
            }
        });
        match difference {
            Ok((difference, engine)) => judge(&engine, &difference, which, &names, &samples),
            Err(reason) => {
                let quaternions = &settings.quaternions;
                let context = Context::of_pairs(expressions, expressions, &names, quaternions, samples());
                let discrepancy = discrepancy::from_form(expressions, which, form, &context);
                discrepancy.verdict(which, reason, &context)
            }
        }
    };
    Ok(forms.iter().enumerate().map(verdict).collect())
}

fn pairs(left: &Expressions, right: &Expressions, assumptions: &Assumptions) -> Vec<Verdict> {
    let settings = assumptions.settings(false);
    let names = SymbolNames::new(left).and(right);
    let samples = OnceCell::new();
    let samples = || samples.get_or_init(|| Samples::of_pairs(left, right, &assumptions.quaternions));
    // All pairs in one engine share what they have in common; a pair that is too large is tried apart.
    let all: Vec<usize> = (0..left.len()).collect();
    let together = run(&settings, |engine| {
        let (a, b) = (engine.replay(left, &all)?, engine.replay(right, &all)?);
        a.iter().zip(&b).map(|(a, b)| engine.sub(a, b)).collect::<Result<Vec<_>, _>>()
    });
    let reason = match together {
        Ok((differences, engine)) => {
            let judge = |(which, d): (usize, &Fraction)| judge(&engine, d, which, &names, &samples);
            return differences.iter().enumerate().map(judge).collect();
        }
        Err(reason) => reason,
    };
    let one = |which: usize| {
        if assumptions.together {
            return Err(reason.clone());
        }
        let apart = run(&settings, |engine| {
            let (a, b) = (engine.replay(left, &[which])?, engine.replay(right, &[which])?);
            match (a.first(), b.first()) {
                (Some(a), Some(b)) => engine.sub(a, b),
                _ => Ok(engine.ratio(0, 1)),
            }
        });
        apart.map(|(difference, engine)| judge(&engine, &difference, which, &names, &samples))
    };
    let decided: Vec<Result<Verdict, Reason>> = all.iter().map(|which| one(*which)).collect();
    let open: Vec<usize> = all.iter().copied().filter(|which| decided[*which].is_err()).collect();
    if open.is_empty() {
        return decided.into_iter().flatten().collect();
    }
    let context = Context::of_pairs(left, right, &names, &assumptions.quaternions, samples());
    let mut discrepancies = discrepancy::between(left, right, &open, &context).into_iter();
    let verdict = |(which, decided): (usize, Result<Verdict, Reason>)| {
        decided.unwrap_or_else(|reason| {
            discrepancies.next().unwrap_or_default().verdict(which, reason, &context)
        })
    };
    decided.into_iter().enumerate().map(verdict).collect()
}

/// The verdict on a difference that was brought to its form.
pub(super) fn judge<'a>(
    engine: &Engine,
    difference: &Fraction,
    which: usize,
    names: &SymbolNames,
    samples: &dyn Fn() -> &'a Samples,
) -> Verdict {
    if difference.is_zero() {
        return Verdict::Proved { inexact: engine.inexact };
    }
    match engine.witness(difference, names) {
        Ok(witness) => {
            let mut text = match engine.closed(difference, names) {
                Ok(closed) => text(&closed),
                Err(_) => "a difference too large to print".to_owned(),
            };
            if let Some((cut, _)) = text.char_indices().nth(LONGEST) {
                text.truncate(cut);
                text.push_str(" …");
            }
            Verdict::Refuted { which, witness, difference: text }
        }
        Err(reason) => {
            let context = Context::of_engine(engine, names, samples());
            discrepancy::from_zero(engine, difference, &context).verdict(which, reason, &context)
        }
    }
}
