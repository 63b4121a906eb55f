//! The formulas of a family.
//!
//! Problem: for each block of M, and for c and Q, find a formula that every member obeys.
//! Method:  sines and cosines of each kind of angle can be kept as factors or be combined into angles of sums; of the
//!          ways to do it those that give the fewest terms are tried first. A formula is learned on n ≤ 4 (on n ≤ 5
//!          where that does not do) and put in for every member; the shortest that gives all elements is the answer.
//!          c is taken apart by products of rates where these have one index at most; else it is one vector.
//! Cost:    that of expanding every element for some of the combinations.

use std::collections::BTreeSet;

use super::blocks::{AngleCombination, Family, FamilyBlock};
use super::family::Member;
use super::formula::{Function, IndexedFormula, Site};
use super::infer::Work;
use super::names::{Class, Stem, Symbol};
use super::terms::{Element, Reading, terms};
use dqdt_algebra::polynomial::PolynomialError;

/// Members up to this one are to be given, and every formula is checked on all of them.
pub const VERIFIED: i64 = 6;
/// A formula is learned on the members up to this one, or up to the next.
const LEARNED: i64 = 4;
/// Ways to combine angles that are tried for a block.
const WAYS: usize = 3;

/// What a block is of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Quantity {
    /// Elements of M. For a scalar the stem is its name.
    Mass {
        /// Rows.
        row: Stem,
        /// Columns.
        column: Stem,
    },
    /// The terms of c with a product of rates, the column being that of the indexed ones; all of c without one.
    Inertial {
        /// Rows.
        row: Stem,
        /// Rates, or none for c as a whole.
        rates: Option<Vec<Stem>>,
    },
    /// Q
    Applied {
        /// Rows.
        row: Stem,
    },
    /// `q̇`
    Rate {
        /// The coordinates.
        coordinate: Stem,
    },
}

/// Why there is no formula.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Missing {
    /// Elements have no unique sum of terms.
    #[error("{0}")]
    NotPolynomial(#[from] PolynomialError),
    /// No formula of the grammar gives the first members.
    #[error("no formula of the grammar gives the members up to n = {upto}{}", at(.counterexample))]
    NoPattern {
        /// The members.
        upto: i64,
        /// The first element that the formula of fewer members misses.
        counterexample: Option<Site>,
    },
}

fn at(site: &Option<Site>) -> String {
    match site {
        Some(Site { n, i, j }) if *j > 0 => {
            format!("; what fits the smaller ones fails first at n = {n}, i = {i}, j = {j}")
        }
        Some(Site { n, i, .. }) if *i > 0 => {
            format!("; what fits the smaller ones fails first at n = {n}, i = {i}")
        }
        Some(Site { n, .. }) => format!("; what fits the smaller ones fails first at n = {n}"),
        None => String::new(),
    }
}

/// A block and its formula, or why there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Answer {
    pub quantity: Quantity,
    pub formula: Result<IndexedFormula, Missing>,
    /// The last member that the formula was learned on.
    pub learned: i64,
    /// The last member that it was checked on, element by element.
    pub verified: i64,
    /// Number of elements checked.
    pub elements: usize,
}

impl Answer {
    /// True for the rate of a coordinate that is a speed.
    pub fn is_identity_rate(&self) -> bool {
        let (Quantity::Rate { .. }, Ok(f)) = (&self.quantity, &self.formula) else { return false };
        let [(_, terms)] = &f.parts[..] else { return false };
        let [term] = &terms[..] else { return false };
        let one = term.coefficient.as_number().is_some_and(|r| r.is_one());
        one && term.sums.is_empty()
            && term.deltas.is_empty()
            && matches!(&term.factors[..], [f] if f.of.stem.class == Class::Speed && f.exponent == 1)
    }
}

/// A formula for every block, with the members 1, 2, … in order.
pub fn formulas(members: &[Member]) -> Vec<Answer> {
    let mut family = Family::new(members);
    family.blocks().into_iter().map(|block| family.answer(block)).collect()
}

impl Family<'_> {
    fn answer(&mut self, block: FamilyBlock) -> Answer {
        let last = self.last();
        let mut best: Option<(usize, Found)> = None;
        let mut missing = None;
        for combination in self.promising(&block) {
            for ranges in [true, false] {
                match self.attempt(combination, &block, ranges) {
                    Ok(found) => {
                        let size = size(&found.formula);
                        if best.as_ref().is_none_or(|b| size < b.0) {
                            best = Some((size, found));
                        }
                        break;
                    }
                    Err(m) => {
                        // A formula that misses an element says more than a combination that has no terms.
                        let beyond = matches!(missing, None | Some(Missing::NotPolynomial(_)));
                        if missing.is_none() || beyond && matches!(m, Missing::NoPattern { .. }) {
                            missing = Some(m);
                        }
                    }
                }
            }
        }
        if best.is_none() && missing.is_none() {
            missing = self.elements(0, &block, self.probe()).err().map(Missing::NotPolynomial);
        }
        match best {
            Some((_, f)) => Answer {
                quantity: block.quantity,
                formula: Ok(f.formula),
                learned: f.learned,
                verified: last,
                elements: f.elements,
            },
            None => Answer {
                quantity: block.quantity,
                formula: Err(missing.unwrap_or(Missing::NoPattern { upto: last, counterexample: None })),
                learned: 0,
                verified: 0,
                elements: 0,
            },
        }
    }

    /// The combinations that give the fewest terms of a block.
    fn promising(&mut self, block: &FamilyBlock) -> Vec<usize> {
        let probe = self.probe();
        let reading = Reading { ranges: true, down: false };
        let mut counted: Vec<(usize, usize)> = Vec::new();
        for combination in 0..self.combinations.len() {
            let Ok(elements) = self.elements(combination, block, probe) else { continue };
            let count = |e: &Element| {
                terms(&self.combinations[combination].ring, &self.stems, &e.poly, reading).map(|t| t.len())
            };
            let Ok(counts) = elements.iter().map(count).collect::<Result<Vec<_>, _>>() else { continue };
            counted.push((counts.iter().sum(), combination));
        }
        counted.sort_unstable();
        // Ways that give the same polynomials differ in nothing.
        counted.dedup_by(|a, b| {
            a.0 == b.0 && self.combinations[a.1].phases.is_superset(&self.combinations[b.1].phases)
        });
        let least = counted.first().map_or(0, |c| c.0);
        counted.into_iter().filter(|c| c.0 <= 2 * least).map(|c| c.1).take(WAYS).collect()
    }

    fn attempt(&mut self, combination: usize, block: &FamilyBlock, ranges: bool) -> Result<Found, Missing> {
        let last = self.last();
        let mut elements = Vec::new();
        for n in 1..=last {
            elements.extend(self.elements(combination, block, n)?);
        }
        let AngleCombination { phases, ring, .. } = &mut self.combinations[combination];
        let stems = &self.stems;
        let phase = |s: &Symbol| phases.contains(&stems.key(s));
        let mut work = Work { ring, stems, phase: &phase, ranges };
        let mut counterexample = None;
        for learned in [LEARNED, LEARNED + 1] {
            let known: Vec<Element> = elements.iter().filter(|e| e.site.n <= learned).cloned().collect();
            let mut best: Option<IndexedFormula> = None;
            for formula in work.infer(block.rank, &known)? {
                match difference(&mut work, &formula, &elements)? {
                    None if best.as_ref().is_none_or(|b| size(&formula) < size(b)) => best = Some(formula),
                    None => {}
                    Some(site) => counterexample = Some(site),
                }
            }
            if let Some(formula) = best {
                return Ok(Found { formula, learned, elements: elements.len() });
            }
        }
        for learned in (1..LEARNED).rev() {
            if counterexample.is_some() {
                break;
            }
            let known: Vec<Element> = elements.iter().filter(|e| e.site.n <= learned).cloned().collect();
            if let Some(formula) = work.infer(block.rank, &known)?.first() {
                counterexample = difference(&mut work, formula, &elements)?;
            }
        }
        Err(Missing::NoPattern { upto: last, counterexample })
    }
}

struct Found {
    formula: IndexedFormula,
    learned: i64,
    elements: usize,
}

/// The first element of its block that the formula of an answer misses, by exact comparison; `None` if there is none
/// or the answer has no formula.
///
/// # Errors
/// What polynomials cannot hold.
pub fn first_difference(members: &[Member], answer: &Answer) -> Result<Option<Site>, PolynomialError> {
    let Ok(formula) = &answer.formula else { return Ok(None) };
    let waves = formula.parts.iter().flat_map(|(_, terms)| terms).filter_map(|t| t.wave.as_ref());
    let phases: BTreeSet<Stem> = waves.flat_map(|w| &w.angles).map(|a| a.stem.clone()).collect();
    let mut family = Family::in_one_way(members, phases);
    let block = FamilyBlock { quantity: answer.quantity.clone(), rank: formula.rank };
    let mut elements = Vec::new();
    for n in 1..=family.last() {
        elements.extend(family.elements(0, &block, n)?);
    }
    let AngleCombination { phases, ring, .. } = &mut family.combinations[0];
    let stems = &family.stems;
    let phase = |s: &Symbol| phases.contains(&stems.key(s));
    difference(&mut Work { ring, stems, phase: &phase, ranges: true }, formula, &elements)
}

fn difference(
    work: &mut Work<'_>,
    formula: &IndexedFormula,
    elements: &[Element],
) -> Result<Option<Site>, PolynomialError> {
    for e in elements {
        if work.instance(formula, e.site)? != e.poly {
            return Ok(Some(e.site));
        }
    }
    Ok(None)
}

/// What a reader has to take in.
fn size(formula: &IndexedFormula) -> usize {
    let term = |t: &super::formula::Term| {
        let trigonometric = t.factors.iter().filter(|f| f.function != Function::Value).count();
        2 + t.factors.len()
            + trigonometric
            + 2 * t.sums.len()
            + t.wave.as_ref().map_or(0, |w| 1 + w.angles.len())
    };
    formula.parts.iter().flat_map(|(_, terms)| terms).map(term).sum()
}
