//! Polynomials as terms with index tuples, and formulas as polynomials.
//!
//! Problem: two terms belong to one family if they differ in indices only.
//! Method:  a term is a *shape* (which stems, which functions, how the angle is put together) and a tuple of indices in
//!          a fixed order. Indices of equal factors are sorted: upwards above the diagonal, downwards below it, so that
//!          a formula keeps its tuple when rows and columns change places. An angle is oriented likewise.
//!          In an angle neighbours with one multiple form a range (`runs`), or each stands alone.

use std::collections::BTreeMap;

use super::formula::{Function, Product, Site};
use super::names::{Stem, Stems, Symbol};
use dqdt_algebra::Ratio;
use dqdt_algebra::polynomial::{Complex, Poly, PolynomialError, Ring, VariableRole};

/// A part of an angle without its indices.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum AnglePart {
    Scalar(Symbol, i64),
    /// Takes two places of the tuple: first and last index.
    Range(Stem, i64),
}

/// What terms of one family share.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct TermShape {
    /// Scalars with exponents.
    pub scalars: Vec<(Function, Symbol, i64)>,
    /// Indexed factors, one place of the tuple each; true for one that divides.
    pub factors: Vec<(Function, Stem, bool)>,
    /// True for a sine.
    pub wave: Option<(bool, Vec<AnglePart>)>,
}

/// A term of an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Concrete {
    pub shape: TermShape,
    pub at: Vec<i64>,
    pub value: Ratio,
}

/// How terms are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reading {
    /// Neighbours in an angle form a range.
    pub ranges: bool,
    /// Indices run downwards.
    pub down: bool,
}

/// The terms of a polynomial.
pub(super) fn terms(
    ring: &Ring<Symbol>,
    stems: &Stems,
    poly: &Poly,
    reading: Reading,
) -> Result<Vec<Concrete>, PolynomialError> {
    let mut all = Vec::with_capacity(poly.len());
    for (monomial, value) in &poly.0 {
        let mut shape = TermShape::default();
        let mut places: Vec<((Function, Stem, bool), i64)> = Vec::new();
        let mut angle: BTreeMap<Symbol, i64> = BTreeMap::new();
        for (v, e) in monomial {
            let (role, symbol) = ring.meaning(*v);
            let function = match role {
                VariableRole::Plain => Function::Value,
                VariableRole::Sin => Function::Sin,
                VariableRole::Cos => Function::Cos,
                VariableRole::Phase => {
                    angle.insert(symbol.clone(), i64::from(*e));
                    continue;
                }
            };
            match stems.split(symbol) {
                Some((stem, index)) => {
                    for _ in 0..e.unsigned_abs() {
                        places.push(((function, stem.clone(), *e < 0), index));
                    }
                }
                None => shape.scalars.push((function, symbol.clone(), i64::from(*e))),
            }
        }
        shape.scalars.sort();
        let order = |index: i64| if reading.down { -index } else { index };
        places.sort_by(|a, b| a.0.cmp(&b.0).then(order(a.1).cmp(&order(b.1))));
        let mut at: Vec<i64> = places.iter().map(|p| p.1).collect();
        shape.factors = places.into_iter().map(|p| p.0).collect();
        if angle.is_empty() {
            if !value.im.is_zero() {
                return Err(PolynomialError::Overflow);
            }
            all.push(Concrete { shape, at, value: value.re });
            continue;
        }
        // Of z^k and its conjugate the positive one speaks for both: a z^k + ā z^−k = 2 Re a cos − 2 Im a sin.
        let Some((parts, range)) = oriented(stems, &angle, reading) else { continue };
        at.extend(range);
        let twice = |r: Ratio, by: i64| r.checked_mul(Ratio::integer(by)).ok_or(PolynomialError::Overflow);
        for (sine, value) in [(false, twice(value.re, 2)?), (true, twice(value.im, -2)?)] {
            if !value.is_zero() {
                let shape = TermShape { wave: Some((sine, parts.clone())), ..shape.clone() };
                all.push(Concrete { shape, at: at.clone(), value });
            }
        }
    }
    Ok(all)
}

/// Parts and indices of an angle; `None` for the negative orientation.
fn oriented(
    stems: &Stems,
    angle: &BTreeMap<Symbol, i64>,
    reading: Reading,
) -> Option<(Vec<AnglePart>, Vec<i64>)> {
    let mut scalars = Vec::new();
    let mut members: BTreeMap<Stem, BTreeMap<i64, i64>> = BTreeMap::new();
    for (symbol, k) in angle {
        match stems.split(symbol) {
            Some((stem, index)) => {
                members.entry(stem).or_default().insert(index, *k);
            }
            None => scalars.push((symbol.clone(), *k)),
        }
    }
    let lead = match (scalars.first(), members.values().next()) {
        (Some((_, k)), _) => *k,
        (None, Some(indices)) => {
            let end = if reading.down { indices.last_key_value() } else { indices.first_key_value() };
            end.map_or(0, |(_, k)| *k)
        }
        (None, None) => 0,
    };
    if lead < 0 {
        return None;
    }
    // (stem, −multiple) so that positive multiples come first.
    let mut ranges: Vec<(Stem, i64, i64, i64)> = Vec::new();
    for (stem, indices) in members {
        for (index, k) in indices {
            match ranges.last_mut() {
                Some((s, m, _, to)) if reading.ranges && *s == stem && *m == -k && *to == index - 1 => {
                    *to = index;
                }
                _ => ranges.push((stem.clone(), -k, index, index)),
            }
        }
    }
    let order = |index: i64| if reading.down { -index } else { index };
    ranges.sort_by(|a, b| (&a.0, a.1, order(a.2)).cmp(&(&b.0, b.1, order(b.2))));
    let places = ranges.iter().flat_map(|r| [r.2, r.3]).collect();
    let scalars = scalars.into_iter().map(|(s, k)| AnglePart::Scalar(s, k));
    let parts = scalars.chain(ranges.into_iter().map(|(s, m, _, _)| AnglePart::Range(s, -m))).collect();
    Some((parts, places))
}

/// The sum of products as a polynomial; `phase` as it was when the elements were expanded.
pub(super) fn polynomial(
    ring: &mut Ring<Symbol>,
    products: &[Product],
    phase: &dyn Fn(&Symbol) -> bool,
) -> Result<Poly, PolynomialError> {
    let mut sum = Poly::default();
    for product in products {
        let mut value = Poly::number(product.coefficient);
        for (function, symbol, exponent) in &product.factors {
            let factor = match function {
                Function::Value => {
                    let v = ring.variable(symbol, VariableRole::Plain)?;
                    Poly::monomial(vec![(v, 1)], Complex::ONE)
                }
                Function::Sin => ring.pair(symbol, false)?.0,
                Function::Cos => ring.pair(symbol, false)?.1,
            };
            let factor = ring.pow(&factor, *exponent)?;
            value = ring.mul(&value, &factor)?;
        }
        if let Some((sine, multiples)) = &product.wave {
            let (mut s, mut c) = (Poly::default(), Poly::number(Ratio::ONE));
            for (symbol, k) in multiples {
                let (mut s1, c1) = ring.pair(symbol, phase(symbol))?;
                if *k < 0 {
                    s1 = s1.neg()?;
                }
                for _ in 0..k.unsigned_abs() {
                    let sin = ring.mul(&s, &c1)?.add(&ring.mul(&c, &s1)?)?;
                    let cos = ring.mul(&c, &c1)?.sub(&ring.mul(&s, &s1)?)?;
                    (s, c) = (sin, cos);
                }
            }
            value = ring.mul(&value, if *sine { &s } else { &c })?;
        }
        sum = sum.add(&value)?;
    }
    Ok(sum)
}

/// An element of a block.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Element {
    pub site: Site,
    pub poly: Poly,
}
