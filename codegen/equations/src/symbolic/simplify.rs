//! The shortest readable closed form of an expression.
//!
//! Problem: the shortest readable form of a normal form.
//! Method:  several forms are tried: expanded, with cosines for sines, with angle sums, with double
//!          angles, with sums of two variables as factors, factored by the engine, with roots in
//!          denominators, with tangents, each with brackets and grouped by common factors. The form
//!          with the smallest [`Closed::measure`] wins, the earlier of equals. It is proved equal
//!          to the input before it is returned; a form that is not equal is dropped.
//! Limits:  no angle sums above 600 terms; no factorisation by the engine above 60.

use std::rc::Rc;

use dqdt_diagnostics::base::map_parallel_in_order;
use dqdt_polynomials::{Budget, Rational};

use super::angle_sums::{combine_angle_sums, combine_double_angles, replace_sine_squares};
use super::closed::Closed;
use super::collect::{
    MOTIONS, SHAPES, combine_equal_brackets, common_number, factor_out_common, group_by_linear_parameter,
    group_by_motion_factors,
};
use super::conversion::{SymbolNames, exact_from_rational};
use super::engine::{EngineResult, EngineSettings, StopReason, SymbolicEngine, run_query};
use super::error::{Reason, SymbolicError};
use super::expressions::Expressions;
use super::prove::Assumptions;
use super::sums::{Joins, join_factor_sums};
use super::tangents::introduce_tangents;
use super::terms::{AtomProduct, Atoms, Terms, change_exponents, factor_exponent};
use super::tidy::apply_square_identities;
use super::variable::{Fraction, Poly};

/// Largest number of terms of a polynomial for which a factorisation is tried.
const MAX_FACTORED: usize = 60;
/// Work of the factorisation of a polynomial, beyond which its sum stays unfactored.
const MAX_WORK: u64 = 1 << 26;

/// Result of the simplification of an output: a closed form, or the reason why there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Simplified {
    /// A closed form that was proved equal to the output.
    Closed {
        /// The shortest closed form, proved equal to the output.
        closed: Closed,
        /// True if floats were treated as their exact binary values.
        inexact: bool,
    },
    /// No closed form of the output was found.
    Missing {
        /// Reason why the output has no closed form.
        reason: Reason,
    },
}

impl Simplified {
    /// The closed form of the output, if there is one.
    pub fn closed_form(&self) -> Option<&Closed> {
        match self {
            Simplified::Closed { closed, .. } => Some(closed),
            Simplified::Missing { .. } => None,
        }
    }
}

/// Simplified closed forms of all outputs, each proved equal; used by reports.
pub fn closed_forms(
    expressions: &Expressions,
    assumptions: &Assumptions,
) -> Result<Vec<Simplified>, SymbolicError> {
    expressions.check_references()?;
    Ok(simplified_forms(expressions, assumptions))
}

/// Largest number of shares of outputs that are simplified in parallel. The number does not depend
/// on the machine, since each share has its own engine and its own limit of work.
const SHARES: usize = 4;
/// Smallest number of outputs in a share.
const PER_SHARE: usize = 3;

/// Result for an output whose form is missing without a known reason.
const NO_FORM: Simplified = Simplified::Missing { reason: Reason::NoWitness };

/// Simplified forms of all outputs, on several cores; one by one if they are too large together.
fn simplified_forms(expressions: &Expressions, assumptions: &Assumptions) -> Vec<Simplified> {
    let settings = EngineSettings { as_written: true, ..assumptions.engine_settings(false) };
    let names = SymbolNames::new(expressions);
    let all: Vec<usize> = (0..expressions.len()).collect();
    // Simplifies the outputs at some places; all `outputs` are replayed.
    let simplify = |outputs: &[usize], places: &[usize]| {
        run_query(&settings, |engine| {
            let values: Vec<Rc<Fraction>> = engine.evaluate_outputs(expressions, outputs)?;
            let mut forms = Vec::with_capacity(places.len());
            for place in places {
                forms.push(match engine.shortest_equal_form(&values[*place], &names) {
                    Ok(closed) => Simplified::Closed { closed, inexact: engine.inexact },
                    Err(StopReason::Restart) => return Err(StopReason::Restart),
                    Err(StopReason::OutsideNormalForm(reason)) => Simplified::Missing { reason },
                });
            }
            Ok(forms)
        })
        .map(|(forms, _)| forms)
    };
    // Every share reads all outputs, so that all have the same variables and angles.
    let count = (all.len() / PER_SHARE).clamp(1, SHARES);
    let shares: Vec<Vec<usize>> =
        (0..count).map(|k| all.iter().copied().skip(k).step_by(count).collect()).collect();
    let mut forms: Vec<Option<Simplified>> = vec![None; all.len()];
    let together = map_parallel_in_order(
        shares,
        |places| (simplify(&all, &places), places),
        |(share, places)| {
            places.iter().zip(share?).for_each(|(place, form)| forms[*place] = Some(form));
            Ok::<_, Reason>(())
        },
    );
    match together {
        Ok(()) => forms.into_iter().map(|form| form.unwrap_or(NO_FORM)).collect(),
        // Simplified one by one, so that an output that is too large does not affect the others.
        Err(_) => all
            .iter()
            .map(|output| match simplify(&[*output], &[0]) {
                Ok(forms) => forms.into_iter().next().unwrap_or(NO_FORM),
                Err(reason) => Simplified::Missing { reason },
            })
            .collect(),
    }
}

impl SymbolicEngine {
    /// The shortest form that is proved equal.
    pub fn shortest_equal_form(&mut self, value: &Fraction, names: &SymbolNames) -> EngineResult<Closed> {
        let (num, den) = self.normal_form(value)?;
        let mut candidates = self.quotient_candidates(&num, &den, names)?;
        if !value.den.is_empty() {
            // The denominator as it arose: 1/cos rather than cos/(1 − sin²).
            let mut product = self.constant_poly(Rational::ONE);
            for (factor, exponent) in &value.den {
                for _ in 0..*exponent {
                    product = self.mul_poly(&product, &self.factors[*factor])?;
                }
            }
            let num = self.over_all_variables(&value.num).into_owned();
            candidates.extend(self.quotient_candidates(&num, &product, names)?);
        }
        candidates.extend(self.forms_with_roots_below(value, names)?);
        let tidied: Vec<Closed> = candidates.iter().map(apply_square_identities).collect();
        candidates.splice(0..0, tidied);
        let tangents: Vec<Closed> = candidates.iter().filter_map(introduce_tangents).collect();
        candidates.extend(tangents);
        candidates.sort_by_key(Closed::simplicity_measure);
        for candidate in candidates {
            if self.is_equal_to_form(value, &candidate, names)? {
                return Ok(candidate);
            }
        }
        let plain = self.quotient_form(value, names)?;
        if self.is_equal_to_form(value, &plain, names)? { Ok(plain) } else { Err(Reason::NoWitness.into()) }
    }

    /// True if a closed form is proved equal to a quotient.
    fn is_equal_to_form(
        &mut self,
        value: &Fraction,
        closed: &Closed,
        names: &SymbolNames,
    ) -> EngineResult<bool> {
        let back = self.fraction_from_form(closed, names)?;
        Ok(self.sub(value, &back)?.is_zero())
    }

    /// Candidate closed forms of a quotient of two polynomials, of which the shortest is chosen
    /// later.
    fn quotient_candidates(&self, num: &Poly, den: &Poly, names: &SymbolNames) -> EngineResult<Vec<Closed>> {
        let mut atoms = Atoms::new(self, names)?;
        if let Some(scale) = den.constant_value().and_then(|c| c.inverse()) {
            return Ok(vec![self.shortest_polynomial_form(&num.scale(&scale), &mut atoms, names)?]);
        }
        // Not with cosines, since cos/(1 − sin²) would lose a factor.
        let above = atoms.polynomial_terms(self, names, num)?;
        let below = atoms.polynomial_terms(self, names, den)?;
        let below = combine_angle_sums(self, names, &mut atoms, below)?;
        let above_short = combine_angle_sums(self, names, &mut atoms, above.clone())?;
        let mut best: Option<Closed> = None;
        for above in [above, above_short] {
            if let Some(parted) = split_quotient_by_term(&atoms, &above, &below)
                && best.as_ref().is_none_or(|b| parted.simplicity_measure() < b.simplicity_measure())
            {
                best = Some(parted);
            }
            let (above, below) = cancel_common_factor(&above, &below);
            let (above, below) = (factor_out_common(&atoms, &above), factor_out_common(&atoms, &below));
            let closed = match below {
                Closed::Number(n) if n.is_one() => above,
                below => Closed::Quotient(Box::new(above), Box::new(below)),
            };
            if best.as_ref().is_none_or(|b| closed.simplicity_measure() < b.simplicity_measure()) {
                best = Some(closed);
            }
        }
        let factored = Closed::Quotient(
            Box::new(self.shortest_polynomial_form(num, &mut atoms, names)?),
            Box::new(self.shortest_polynomial_form(den, &mut atoms, names)?),
        );
        Ok(best.into_iter().chain([factored]).collect())
    }

    /// The shortest form of a polynomial, factored or as a sum.
    pub(super) fn shortest_polynomial_form(
        &self,
        poly: &Poly,
        atoms: &mut Atoms,
        names: &SymbolNames,
    ) -> EngineResult<Closed> {
        let mut best = self.shortest_sum_form(poly, atoms, names)?;
        if poly.len() > 1 && poly.len() <= MAX_FACTORED {
            let Ok((mut number, mut factors)) = poly.factor(&Budget::new(MAX_WORK)) else { return Ok(best) };
            if factors.len() > 1 || factors.iter().any(|(p, e)| *e > 1 && p.len() > 1) {
                // A decimal coefficient remains in a bracket rather than in front.
                let mut moves_number = false;
                if exact_from_rational(&number).is_decimal() {
                    for (part, _) in factors.iter_mut().filter(|(p, e)| *e == 1 && p.len() > 1) {
                        let scaled = part.scale(&number.abs());
                        if common_number(scaled.coefficients().iter()).is_one() {
                            number = Rational::from(if number.is_negative() { -1 } else { 1 });
                            *part = scaled;
                            moves_number = true;
                            break;
                        }
                    }
                }
                let mut closed = Vec::new();
                for (part, exponent) in factors {
                    let factor = self.shortest_sum_form(&part, atoms, names)?;
                    closed.push(super::conversion::power_form(factor, exponent));
                }
                closed.sort();
                closed.insert(0, Closed::Number(exact_from_rational(&number)));
                let closed = combine_signs(closed);
                if closed.simplicity_measure() < best.simplicity_measure()
                    || (moves_number && closed.printed_length() == best.printed_length())
                {
                    best = closed;
                }
            }
        }
        Ok(best)
    }

    /// The shortest form of a polynomial as a sum, over variants with angle sums, cosines and sums
    /// of variables.
    fn shortest_sum_form(&self, poly: &Poly, atoms: &mut Atoms, names: &SymbolNames) -> EngineResult<Closed> {
        let terms = atoms.polynomial_terms(self, names, poly)?;
        let cosines = replace_sine_squares(self, names, atoms, terms.clone())?;
        // The first of several equal variants is kept.
        let mut variants: Vec<Terms> = Vec::new();
        add_variant(&mut variants, terms.clone());
        add_variant(&mut variants, combine_angle_sums(self, names, atoms, terms)?);
        add_variant(&mut variants, combine_angle_sums(self, names, atoms, cosines.clone())?);
        add_variant(&mut variants, cosines);
        for i in 0..variants.len() {
            let double = combine_double_angles(self, names, atoms, &variants[i])?;
            add_variant(&mut variants, double);
        }
        for i in 0..variants.len() {
            let all = join_factor_sums(self, names, atoms, &variants[i], Joins::All)?;
            let moving = join_factor_sums(self, names, atoms, &variants[i], Joins::Moving)?;
            let both = join_factor_sums(self, names, atoms, &moving, Joins::All)?;
            [all, moving, both].into_iter().for_each(|terms| add_variant(&mut variants, terms));
        }
        let mut best: Option<Closed> = None;
        for terms in &variants {
            let mut forms = vec![factor_out_common(atoms, terms), atoms.expanded_form(terms)];
            if (2..=MAX_FACTORED).contains(&terms.len()) {
                forms.extend(group_by_linear_parameter(atoms, terms));
                for least in [SHAPES, MOTIONS] {
                    forms.extend(
                        [false, true].map(|divided| group_by_motion_factors(atoms, terms, least, divided)),
                    );
                    forms.extend(combine_equal_brackets(atoms, terms, least));
                }
            }
            for closed in forms {
                if best.as_ref().is_none_or(|b| closed.simplicity_measure() < b.simplicity_measure()) {
                    best = Some(closed);
                }
            }
        }
        Ok(best.unwrap_or_else(|| Closed::integer(0)))
    }
}

/// Adds a variant of a sum, unless an equal one is there.
fn add_variant(variants: &mut Vec<Terms>, terms: Terms) {
    if !variants.contains(&terms) {
        variants.push(terms);
    }
}

/// A product in which the signs of all factors are combined into one sign in front; magnitudes stay
/// in place.
fn combine_signs(factors: Vec<Closed>) -> Closed {
    let mut negative = false;
    let factors = factors
        .into_iter()
        .map(|f| match f {
            Closed::Product(ref inner) if inner.first().is_some_and(Closed::is_negative) => {
                negative = !negative;
                f.negated()
            }
            Closed::Number(ref n) if n.negative => {
                negative = !negative;
                f.negated()
            }
            other => other,
        })
        .collect();
    let product = Closed::product(factors);
    if negative { product.negated() } else { product }
}

/// Splits a quotient by a denominator of one term, `(a + b c)/c → a/c + b`; terms with equal
/// denominators stay together.
fn split_quotient_by_term(atoms: &Atoms, above: &Terms, below: &Terms) -> Option<Closed> {
    let (below, scale) = below.iter().next().filter(|_| below.len() == 1)?;
    let mut parts: Vec<(AtomProduct, Terms)> = Vec::new();
    for (product, value) in above {
        let shared: Vec<(usize, i32)> =
            (below.iter()).map(|(a, e)| (*a, -i32::from((*e).min(factor_exponent(product, *a))))).collect();
        let (product, rest) = (change_exponents(product, &shared)?, change_exponents(below, &shared)?);
        let value = value.checked_div(scale)?;
        match parts.iter_mut().find(|(r, _)| *r == rest) {
            Some((_, terms)) => drop(terms.insert(product, value)),
            None => parts.push((rest, Terms::from([(product, value)]))),
        }
    }
    if parts.len() < 2 {
        return None;
    }
    let quotients = parts.iter().map(|(rest, terms)| {
        let above = factor_out_common(atoms, terms);
        match Closed::product(atoms.product_factors(rest)) {
            Closed::Number(n) if n.is_one() => above,
            below => Closed::Quotient(Box::new(above), Box::new(below)),
        }
    });
    let mut sum: Vec<Closed> = quotients.collect();
    sum.sort_by(Closed::cmp_terms);
    Some(Closed::sum(sum))
}

/// Divides both sums by the common factor of all their terms.
fn cancel_common_factor(above: &Terms, below: &Terms) -> (Terms, Terms) {
    let mut products = above.keys().chain(below.keys());
    let Some(first) = products.next() else { return (above.clone(), below.clone()) };
    let common = products.fold(first.clone(), |c, p| {
        c.iter().map(|(a, e)| (*a, (*e).min(factor_exponent(p, *a)))).filter(|(_, e)| *e > 0).collect()
    });
    let changes: Vec<(usize, i32)> = common.iter().map(|(a, e)| (*a, -i32::from(*e))).collect();
    let divide = |terms: &Terms| -> Terms {
        terms.iter().filter_map(|(p, v)| change_exponents(p, &changes).map(|p| (p, v.clone()))).collect()
    };
    (divide(above), divide(below))
}
