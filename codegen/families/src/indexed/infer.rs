//! Infers a formula from the entries of a block.
//!
//! Problem: find the indexed terms that give every entry of a block.
//! Method:  the terms of the entries are collected by shape, and each shape is fitted (`fit`). A
//!          matrix is fitted above the diagonal, and below unless it is symmetric or antisymmetric;
//!          two formulas of equal structure are merged with max(i, j) and min(i, j). On the
//!          diagonal equal angles cancel and squares are reduced, so the formula is evaluated there
//!          first, and the remainder gets a formula of its own under `δ_ij`; an exponent that
//!          differs on the diagonal is used where it shortens the remainder.
//! Not handled: the result holds for the given entries; the caller must check it on others.

use std::collections::{BTreeMap, BTreeSet};

use super::fit::{FittedPiece, Sites, TermSample, fit_pieces};
use super::formula::{
    Angle, Base, Delta, Factor, FactorFunction, Index, IndexedFormula, Named, Range, Site, Term, Wave,
};
use super::names::{Stem, Stems, Symbol};
use super::terms::{
    AnglePart, ConcreteTerm, EntryPolynomial, TermReading, TermShape, products_to_polynomial,
    split_into_terms,
};
use dqdt_algebra::polynomial::{Poly, PolynomialError, Ring};

/// Maximum number of terms in all entries of a block; larger blocks are rejected.
const MAX_TERMS: usize = 20_000;

/// Context in which formulas are inferred: ring of polynomials, names and form of the angles.
pub(super) struct Work<'a> {
    pub ring: &'a mut Ring<Symbol>,
    pub stems: &'a Stems,
    pub is_phase: &'a dyn Fn(&Symbol) -> bool,
    pub merge_ranges: bool,
}

impl Work<'_> {
    /// The entry that a formula gives at a site, as a polynomial; compared with the derived entry.
    pub fn formula_entry(&mut self, formula: &IndexedFormula, site: Site) -> Result<Poly, PolynomialError> {
        let products = formula.products_at(site).ok_or(PolynomialError::Overflow)?;
        products_to_polynomial(self.ring, &products, self.is_phase)
    }

    /// The entry that a list of terms gives at a site, as a polynomial.
    fn terms_entry(&mut self, terms: &[Term], site: Site) -> Result<Poly, PolynomialError> {
        let mut products = Vec::new();
        for term in terms {
            products.extend(term.products_at(site).ok_or(PolynomialError::Overflow)?);
        }
        products_to_polynomial(self.ring, &products, self.is_phase)
    }

    /// Infers formulas for the entries of a block: none, one, or two alternatives.
    pub fn infer_formulas(
        &mut self,
        rank: usize,
        elements: &[EntryPolynomial],
    ) -> Result<Vec<IndexedFormula>, PolynomialError> {
        if rank < 2 {
            let part = self.fit_region_terms(rank, elements, false)?;
            return Ok(part
                .map(|terms| IndexedFormula { rank, parts: vec![(Range::All, terms)] })
                .into_iter()
                .collect());
        }
        let mut all: Vec<IndexedFormula> = self.infer_matrix_formula(elements)?.into_iter().collect();
        // Where squares on the diagonal are not reduced, the diagonal can be fitted together with
        // the upper triangle.
        if all.first().is_none_or(|f| f.parts[0].0 == Range::Symmetric) {
            let upper: Vec<EntryPolynomial> =
                elements.iter().filter(|e| e.site.i <= e.site.j).cloned().collect();
            let symmetric = all.len() == 1 || self.matrix_is_symmetric(elements);
            if symmetric && let Some(terms) = self.fit_region_terms(2, &upper, false)? {
                all.push(IndexedFormula { rank: 2, parts: vec![(Range::Symmetric, terms)] });
            }
        }
        Ok(all)
    }

    /// True if every entry of the block equals its transposed one.
    fn matrix_is_symmetric(&self, elements: &[EntryPolynomial]) -> bool {
        let by_site: BTreeMap<Site, &Poly> = elements.iter().map(|e| (e.site, &e.poly)).collect();
        elements.iter().all(|e| {
            let transposed = by_site.get(&Site { i: e.site.j, j: e.site.i, ..e.site });
            transposed.is_none_or(|other| **other == e.poly)
        })
    }

    /// Infers a formula of a block with indices i and j: above, below and on the diagonal
    /// separately.
    fn infer_matrix_formula(
        &mut self,
        elements: &[EntryPolynomial],
    ) -> Result<Option<IndexedFormula>, PolynomialError> {
        let by_site: BTreeMap<Site, &Poly> = elements.iter().map(|e| (e.site, &e.poly)).collect();
        let symmetric = self.matrix_is_symmetric(elements);
        let mut antisymmetric = !symmetric;
        for e in elements {
            let Some(other) = by_site.get(&Site { i: e.site.j, j: e.site.i, ..e.site }) else { continue };
            antisymmetric = antisymmetric && **other == e.poly.neg()?;
        }
        let some = |keep: fn(Site) -> bool| -> Vec<EntryPolynomial> {
            elements.iter().filter(|e| keep(e.site)).cloned().collect()
        };
        let diagonal = some(|s| s.i == s.j);
        let Some(upper) = self.fit_region_terms(2, &some(|s| s.i < s.j), false)? else { return Ok(None) };
        if antisymmetric {
            return Ok(build_matrix_formula(vec![(Range::Antisymmetric, upper)]));
        }
        if symmetric {
            let Some(terms) = self.extend_to_diagonal(upper, &diagonal)? else { return Ok(None) };
            return Ok(build_matrix_formula(vec![(Range::Symmetric, terms)]));
        }
        let Some(lower) = self.fit_region_terms(2, &some(|s| s.i > s.j), true)? else { return Ok(None) };
        if let Some(both) = merge_triangles(&upper, &lower) {
            let Some(terms) = self.extend_to_diagonal(both, &diagonal)? else { return Ok(None) };
            return Ok(build_matrix_formula(vec![(Range::All, terms)]));
        }
        let Some(upper) = self.extend_to_diagonal(upper, &diagonal)? else { return Ok(None) };
        Ok(build_matrix_formula(vec![(Range::Upper, upper), (Range::Lower, lower)]))
    }

    /// Fits the terms of some entries, such as those above the diagonal; `None` if a shape has no
    /// fit. `down` reads indices in decreasing order.
    fn fit_region_terms(
        &mut self,
        rank: usize,
        elements: &[EntryPolynomial],
        down: bool,
    ) -> Result<Option<Vec<Term>>, PolynomialError> {
        let reading = TermReading { merge_ranges: self.merge_ranges, decreasing: down };
        let mut shapes: BTreeMap<TermShape, Vec<TermSample>> = BTreeMap::new();
        let mut count = 0;
        for (site, element) in elements.iter().enumerate() {
            for ConcreteTerm { shape, indices: at, value } in
                split_into_terms(self.ring, self.stems, &element.poly, reading)?
            {
                count += 1;
                shapes.entry(shape).or_default().push(TermSample { site, indices: at, value });
            }
        }
        if count > MAX_TERMS {
            return Err(PolynomialError::TooLarge);
        }
        let sites = Sites { rank, all: elements.iter().map(|e| e.site).collect() };
        let mut fitted = Vec::new();
        for (shape, points) in &shapes {
            let Some(pieces) = fit_pieces(&sites, points) else { return Ok(None) };
            fitted.extend(pieces.into_iter().map(|p| build_term(shape, p)));
        }
        Ok(Some(fitted))
    }

    /// Adds terms under `δ_ij`, or exponents that differ on the diagonal, so that the terms also
    /// give the diagonal entries.
    fn extend_to_diagonal(
        &mut self,
        mut terms: Vec<Term>,
        diagonal: &[EntryPolynomial],
    ) -> Result<Option<Vec<Term>>, PolynomialError> {
        let mut rest = self.diagonal_remainder(&terms, diagonal)?;
        while count_all_terms(&rest) > 0 {
            let mut best: Option<(Vec<Term>, Vec<EntryPolynomial>)> = None;
            for changed in vary_diagonal_exponents(&terms) {
                let other = self.diagonal_remainder(&changed, diagonal)?;
                if count_all_terms(&other)
                    < best.as_ref().map_or(count_all_terms(&rest), |b| count_all_terms(&b.1))
                {
                    best = Some((changed, other));
                }
            }
            let Some(better) = best else { break };
            (terms, rest) = better;
        }
        let Some(more) = self.fit_region_terms(1, &rest, false)? else { return Ok(None) };
        terms.extend(more.into_iter().map(|mut t| {
            t.deltas.insert(0, Delta::DIAGONAL);
            t
        }));
        Ok(Some(terms))
    }

    /// Diagonal entries minus what the terms give there; empty polynomials if the terms suffice.
    fn diagonal_remainder(
        &mut self,
        terms: &[Term],
        diagonal: &[EntryPolynomial],
    ) -> Result<Vec<EntryPolynomial>, PolynomialError> {
        let mut rest = Vec::with_capacity(diagonal.len());
        for e in diagonal {
            let poly = e.poly.sub(&self.terms_entry(terms, e.site)?)?;
            rest.push(EntryPolynomial { site: e.site, poly });
        }
        Ok(rest)
    }
}

/// Total number of terms of these entries, by which remainders are compared.
fn count_all_terms(elements: &[EntryPolynomial]) -> usize {
    elements.iter().map(|e| e.poly.len()).sum()
}

/// Builds a formula with the indices i and j from its parts.
fn build_matrix_formula(parts: Vec<(Range, Vec<Term>)>) -> Option<IndexedFormula> {
    Some(IndexedFormula { rank: 2, parts })
}

/// The factors of a term that are symbols, not functions of one.
fn symbol_factors(t: &Term) -> Vec<Factor> {
    t.factors.iter().filter(|f| f.function == FactorFunction::Value).cloned().collect()
}

/// Variants of the terms in which one more exponent differs on the diagonal, in all terms with the
/// same symbols and sums.
fn vary_diagonal_exponents(terms: &[Term]) -> Vec<Vec<Term>> {
    let classes: BTreeSet<_> = terms.iter().map(|t| (symbol_factors(t), t.sums.clone())).collect();
    let mut all = Vec::new();
    for (factors, sums) in &classes {
        for factor in factors.iter().filter(|f| f.symbol.index.is_some() && f.diagonal_exponent == 0) {
            for by in [1, -1, 2] {
                let mut changed = terms.to_vec();
                for t in changed.iter_mut().filter(|t| symbol_factors(t) == *factors && t.sums == *sums) {
                    for f in t.factors.iter_mut().filter(|f| *f == factor) {
                        f.diagonal_exponent = by;
                    }
                }
                all.push(changed);
            }
        }
    }
    all
}

/// Builds a term of a formula from a shape and the fitted index tuples.
fn build_term(shape: &TermShape, piece: FittedPiece) -> Term {
    let mut factors: Vec<Factor> = Vec::new();
    for (function, symbol, exponent) in &shape.scalars {
        let stem = Stem::from_scalar(symbol);
        let named = Named { stem, index: None };
        factors.push(Factor {
            function: *function,
            symbol: named,
            exponent: *exponent,
            diagonal_exponent: 0,
        });
    }
    let mut places = piece.indices.iter();
    for ((function, stem, divides), index) in shape.factors.iter().zip(&mut places) {
        let named = Named { stem: stem.clone(), index: Some(*index) };
        let by = if *divides { -1 } else { 1 };
        match factors.iter_mut().find(|f| f.function == *function && f.symbol == named) {
            Some(f) => f.exponent += by,
            None => factors.push(Factor {
                function: *function,
                symbol: named,
                exponent: by,
                diagonal_exponent: 0,
            }),
        }
    }
    let wave = shape.wave.as_ref().map(|(sine, parts)| {
        let angles = parts.iter().filter_map(|part| {
            Some(match part {
                AnglePart::Scalar(symbol, multiple) => {
                    Angle { stem: Stem::from_scalar(symbol), multiple: *multiple, range: None }
                }
                AnglePart::Range(stem, multiple) => {
                    let range = (*places.next()?, *places.next()?);
                    Angle { stem: stem.clone(), multiple: *multiple, range: Some(range) }
                }
            })
        });
        Wave { sine: *sine, angles: angles.collect() }
    });
    Term { coefficient: piece.coefficient, factors, wave, sums: piece.sums, deltas: piece.deltas }
}

/// Merges the terms above and below the diagonal into common ones if they differ only by exchanging
/// i and j.
fn merge_triangles(upper: &[Term], lower: &[Term]) -> Option<Vec<Term>> {
    if upper.len() != lower.len() {
        return None;
    }
    let mut left: Vec<&Term> = lower.iter().collect();
    let mut all = Vec::with_capacity(upper.len());
    for u in upper {
        let (at, both) = left.iter().enumerate().find_map(|(at, l)| Some((at, merge_terms(u, l)?)))?;
        left.remove(at);
        all.push(both);
    }
    Some(all)
}

/// An index for both halves of a matrix: max(i, j) or min(i, j) where the halves exchange i and j.
fn merge_indices(u: Index, l: Index) -> Option<Index> {
    if u.offset != l.offset {
        return None;
    }
    let base = match (u.base, l.base) {
        (a, b) if a == b => a,
        (Base::J, Base::I) => Base::Max,
        (Base::I, Base::J) => Base::Min,
        _ => return None,
    };
    Some(Index { base, offset: u.offset })
}

/// A term for both halves of a matrix, if the two differ only by exchanging i and j.
fn merge_terms(u: &Term, l: &Term) -> Option<Term> {
    let same = u.coefficient == l.coefficient
        && u.coefficient.as_number().is_some()
        && u.factors.len() == l.factors.len()
        && u.sums.len() == l.sums.len()
        && u.deltas == l.deltas;
    if !same {
        return None;
    }
    let mut both = u.clone();
    for (x, y) in both.factors.iter_mut().zip(&l.factors) {
        let fits = x.function == y.function && x.symbol.stem == y.symbol.stem && x.exponent == y.exponent;
        if !fits {
            return None;
        }
        x.symbol.index = match (x.symbol.index, y.symbol.index) {
            (Some(a), Some(b)) => Some(merge_indices(a, b)?),
            (None, None) => None,
            _ => return None,
        };
    }
    for (x, y) in both.sums.iter_mut().zip(&l.sums) {
        (x.from, x.to) = (merge_indices(x.from, y.from)?, merge_indices(x.to, y.to)?);
    }
    match (&mut both.wave, &l.wave) {
        (None, None) => {}
        (Some(x), Some(y)) if x.sine == y.sine && x.angles.len() == y.angles.len() => {
            for (a, b) in x.angles.iter_mut().zip(&y.angles) {
                if a.stem != b.stem || a.multiple != b.multiple {
                    return None;
                }
                a.range = match (a.range, b.range) {
                    (Some((f, t)), Some((g, s))) => Some((merge_indices(f, g)?, merge_indices(t, s)?)),
                    (None, None) => None,
                    _ => return None,
                };
            }
        }
        _ => return None,
    }
    Some(both)
}
