//! Searches for formulas of all blocks of a family.
//!
//! Problem: for each block of M, c and Q, find a formula that holds in every member.
//! Method:  sines and cosines of each kind of angle are kept as factors or combined into angles of
//!          sums; the combinations with the fewest terms are tried first. A formula is learned on n
//!          ≤ 4 (on n ≤ 5 if that fails) and checked on every member; the shortest that gives all
//!          entries is the answer. c is divided by products of rates if these have at most one
//!          index; else it is one vector.
//! Cost:    the expansion of every entry in a few combinations.

use std::collections::BTreeSet;

use super::blocks::{AngleCombination, FamilyBlock, FamilySearch};
use super::family::Member;
use super::formula::{FactorFunction, IndexedFormula, Site};
use super::infer::Work;
use super::names::{Class, Stem};
use super::terms::{EntryPolynomial, TermReading, split_into_terms};
use dqdt_algebra::polynomial::PolynomialError;

/// Largest n for which a mechanism must be supplied; every formula is checked on the members 1 to
/// this n.
pub const VERIFIED: i64 = 6;
/// Largest n of the members from which a formula is first inferred; if that fails, one more is
/// used.
const LEARNED: i64 = 4;
/// Maximum number of combinations of angles tried for one block of M, c or Q.
const WAYS: usize = 3;

/// The part of the equations whose entries a block contains: of M, c, Q or q̇.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Quantity {
    /// Block of the mass matrix M.
    Mass {
        /// Common name of the symbols that name the rows.
        row: Stem,
        /// Common name of the symbols that name the columns.
        column: Stem,
    },
    /// Terms of c with one product of rates, such as `φ̇_j²`; the index of the rate acts as the
    /// column. Without `rates`, c as a whole.
    Inertial {
        /// Common name of the symbols that name the rows.
        row: Stem,
        /// The rates whose product the terms contain; `None` for c as a whole.
        rates: Option<Vec<Stem>>,
    },
    /// Block of the applied generalised forces Q.
    Applied {
        /// Common name of the symbols that name the rows.
        row: Stem,
    },
    /// Rates `q̇` of one kind of coordinate.
    Rate {
        /// Common name of the coordinates whose rates the block contains.
        coordinate: Stem,
    },
}

/// Reason why no formula was obtained for a block of M, c, Q or q̇.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Missing {
    /// An entry cannot be written as a unique sum of products of symbols, sines and cosines.
    #[error("{0}")]
    NotPolynomial(#[from] PolynomialError),
    /// No formula of the grammar gives all entries of the block.
    #[error("no formula of the grammar matches the members up to n = {upto}{}", describe_site(.counterexample))]
    NoPattern {
        /// Largest number of links n of the members that were tried.
        upto: i64,
        /// First entry that the best candidate, inferred from fewer members, does not give.
        counterexample: Option<Site>,
    },
}

/// Part of an error message that names the first entry a formula misses, by n, i and j.
fn describe_site(site: &Option<Site>) -> String {
    match site {
        Some(Site { n, i, j }) if *j > 0 => {
            format!("; the formula fitted to smaller members first fails at n = {n}, i = {i}, j = {j}")
        }
        Some(Site { n, i, .. }) if *i > 0 => {
            format!("; the formula fitted to smaller members first fails at n = {n}, i = {i}")
        }
        Some(Site { n, .. }) => format!("; the formula fitted to smaller members first fails at n = {n}"),
        None => String::new(),
    }
}

/// Result of the search for one block: its formula, or the reason why there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Answer {
    pub quantity: Quantity,
    pub formula: Result<IndexedFormula, Missing>,
    /// Largest n of the members from which the formula was inferred.
    pub inferred_up_to: i64,
    /// Largest n of the members on which the formula was checked exactly, entry by entry.
    pub verified_up_to: i64,
    /// Number of matrix or vector entries on which the formula was checked.
    pub entries_checked: usize,
}

impl Answer {
    /// True for a coordinate rate `q̇` whose formula is a single speed.
    pub fn is_identity_rate(&self) -> bool {
        let (Quantity::Rate { .. }, Ok(f)) = (&self.quantity, &self.formula) else { return false };
        let [(_, terms)] = &f.parts[..] else { return false };
        let [term] = &terms[..] else { return false };
        let one = term.coefficient.as_number().is_some_and(|r| r.is_one());
        one && term.sums.is_empty()
            && term.deltas.is_empty()
            && matches!(&term.factors[..], [f] if f.symbol.stem.class == Class::Speed && f.exponent == 1)
    }
}

/// Searches for a formula for every block of M, c, Q and q̇. The members must be 1, 2, … in order.
pub fn find_formulas(members: &[Member]) -> Vec<Answer> {
    let mut family = FamilySearch::new(members);
    family.divide_into_blocks().into_iter().map(|block| family.find_block_formula(block)).collect()
}

impl FamilySearch<'_> {
    /// Searches for the shortest formula of one block that holds in every member.
    fn find_block_formula(&mut self, block: FamilyBlock) -> Answer {
        let last = self.largest_size();
        let mut best: Option<(usize, VerifiedFormula)> = None;
        let mut missing = None;
        for combination in self.find_promising_combinations(&block) {
            for ranges in [true, false] {
                match self.infer_and_verify(combination, &block, ranges) {
                    Ok(verified) => {
                        let size = count_formula_symbols(&verified.formula);
                        if best.as_ref().is_none_or(|b| size < b.0) {
                            best = Some((size, verified));
                        }
                        break;
                    }
                    Err(m) => {
                        // A formula that misses an entry is more informative than a combination
                        // without terms.
                        let beyond = matches!(missing, None | Some(Missing::NotPolynomial(_)));
                        if missing.is_none() || beyond && matches!(m, Missing::NoPattern { .. }) {
                            missing = Some(m);
                        }
                    }
                }
            }
        }
        if best.is_none() && missing.is_none() {
            missing = self.block_entries(0, &block, self.probe_size()).err().map(Missing::NotPolynomial);
        }
        match best {
            Some((_, f)) => Answer {
                quantity: block.quantity,
                formula: Ok(f.formula),
                inferred_up_to: f.inferred_up_to,
                verified_up_to: last,
                entries_checked: f.entries_checked,
            },
            None => Answer {
                quantity: block.quantity,
                formula: Err(missing.unwrap_or(Missing::NoPattern { upto: last, counterexample: None })),
                inferred_up_to: 0,
                verified_up_to: 0,
                entries_checked: 0,
            },
        }
    }

    /// Selects the combinations of angles in which a block has the fewest terms.
    fn find_promising_combinations(&mut self, block: &FamilyBlock) -> Vec<usize> {
        let probe = self.probe_size();
        let reading = TermReading { merge_ranges: true, decreasing: false };
        let mut counted: Vec<(usize, usize)> = Vec::new();
        for combination in 0..self.combinations.len() {
            let Ok(elements) = self.block_entries(combination, block, probe) else { continue };
            let counts = elements.iter().map(|e| {
                split_into_terms(&self.combinations[combination].ring, &self.stems, &e.poly, reading)
                    .map(|t| t.len())
            });
            let Ok(counts) = counts.collect::<Result<Vec<_>, _>>() else { continue };
            counted.push((counts.iter().sum(), combination));
        }
        counted.sort_unstable();
        // Among combinations with equal numbers of terms, those with superfluous phases are
        // dropped.
        counted.dedup_by(|a, b| {
            a.0 == b.0 && self.combinations[a.1].phases.is_superset(&self.combinations[b.1].phases)
        });
        let least = counted.first().map_or(0, |c| c.0);
        counted.into_iter().filter(|c| c.0 <= 2 * least).map(|c| c.1).take(WAYS).collect()
    }

    /// Infers a formula of a block in one combination of angles and verifies it on every member.
    fn infer_and_verify(
        &mut self,
        combination: usize,
        block: &FamilyBlock,
        ranges: bool,
    ) -> Result<VerifiedFormula, Missing> {
        let last = self.largest_size();
        let mut elements = Vec::new();
        for n in 1..=last {
            elements.extend(self.block_entries(combination, block, n)?);
        }
        let AngleCombination { phases, ring, .. } = &mut self.combinations[combination];
        let stems = &self.stems;
        let mut work =
            Work { ring, stems, is_phase: &|s| phases.contains(&stems.symbol_stem(s)), merge_ranges: ranges };
        let mut counterexample = None;
        for learned in [LEARNED, LEARNED + 1] {
            let known: Vec<EntryPolynomial> =
                elements.iter().filter(|e| e.site.n <= learned).cloned().collect();
            let mut best: Option<IndexedFormula> = None;
            for formula in work.infer_formulas(block.rank, &known)? {
                match find_unequal_entry(&mut work, &formula, &elements)? {
                    None if best
                        .as_ref()
                        .is_none_or(|b| count_formula_symbols(&formula) < count_formula_symbols(b)) =>
                    {
                        best = Some(formula)
                    }
                    None => {}
                    Some(site) => counterexample = Some(site),
                }
            }
            if let Some(formula) = best {
                return Ok(VerifiedFormula {
                    formula,
                    inferred_up_to: learned,
                    entries_checked: elements.len(),
                });
            }
        }
        for learned in (1..LEARNED).rev() {
            if counterexample.is_some() {
                break;
            }
            let known: Vec<EntryPolynomial> =
                elements.iter().filter(|e| e.site.n <= learned).cloned().collect();
            if let Some(formula) = work.infer_formulas(block.rank, &known)?.first() {
                counterexample = find_unequal_entry(&mut work, formula, &elements)?;
            }
        }
        Err(Missing::NoPattern { upto: last, counterexample })
    }
}

/// A formula that gives every entry of its block in all members, with the numbers for an
/// [`Answer`].
struct VerifiedFormula {
    formula: IndexedFormula,
    inferred_up_to: i64,
    entries_checked: usize,
}

/// Checks the formula of an answer by exact comparison. Returns the first entry that it misses;
/// `None` if there is no such entry or no formula.
///
/// # Errors
/// If an entry cannot be expanded as a polynomial.
pub fn find_wrong_entry(members: &[Member], answer: &Answer) -> Result<Option<Site>, PolynomialError> {
    let Ok(formula) = &answer.formula else { return Ok(None) };
    let waves = formula.parts.iter().flat_map(|(_, terms)| terms).filter_map(|t| t.wave.as_ref());
    let phases: BTreeSet<Stem> = waves.flat_map(|w| &w.angles).map(|a| a.stem.clone()).collect();
    let mut family = FamilySearch::with_combination(members, phases);
    let block = FamilyBlock { quantity: answer.quantity.clone(), rank: formula.rank };
    let mut elements = Vec::new();
    for n in 1..=family.largest_size() {
        elements.extend(family.block_entries(0, &block, n)?);
    }
    let AngleCombination { phases, ring, .. } = &mut family.combinations[0];
    let stems = &family.stems;
    let mut work =
        Work { ring, stems, is_phase: &|s| phases.contains(&stems.symbol_stem(s)), merge_ranges: true };
    find_unequal_entry(&mut work, formula, &elements)
}

/// The first entry that a formula does not give exactly; `None` if it gives all.
fn find_unequal_entry(
    work: &mut Work<'_>,
    formula: &IndexedFormula,
    elements: &[EntryPolynomial],
) -> Result<Option<Site>, PolynomialError> {
    for e in elements {
        if work.formula_entry(formula, e.site)? != e.poly {
            return Ok(Some(e.site));
        }
    }
    Ok(None)
}

/// Length of a formula as a number of symbols to read, to prefer the shortest.
fn count_formula_symbols(formula: &IndexedFormula) -> usize {
    let terms = formula.parts.iter().flat_map(|(_, terms)| terms);
    terms
        .map(|t| {
            let trigonometric = t.factors.iter().filter(|f| f.function != FactorFunction::Value).count();
            2 + t.factors.len()
                + trigonometric
                + 2 * t.sums.len()
                + t.wave.as_ref().map_or(0, |w| 1 + w.angles.len())
        })
        .sum()
}
