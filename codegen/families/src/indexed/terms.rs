//! Converts polynomials to terms with index tuples, and formulas to polynomials.
//!
//! Problem: terms belong to one family if they differ only in indices.
//! Method:  a term is a *shape* (stems, functions, and structure of the angle) and a tuple of
//!          indices in a fixed order. Indices of equal factors are sorted, increasing above the
//!          diagonal and decreasing below, so that exchanging rows and columns keeps the tuple. An
//!          angle is oriented in the same way. Adjacent indices with equal multiples in an angle
//!          form a range (`ranges`), or each is separate.

use std::collections::BTreeMap;

use super::formula::{FactorFunction, Product, Site};
use super::names::{Stem, Stems, Symbol};
use dqdt_algebra::Ratio;
use dqdt_algebra::polynomial::{Complex, Poly, PolynomialError, Ring, VariableRole};

/// A part of the argument of a sine or cosine in a term shape, without its indices.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum AnglePart {
    /// A scalar angle with its integer multiple in the argument.
    Scalar(Symbol, i64),
    /// A sum of indexed angles with its multiple; it uses two positions of the index tuple, first
    /// and last index.
    Range(Stem, i64),
}

/// The common structure of terms that differ only in indices.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct TermShape {
    /// Factors without an index: function, symbol and exponent.
    pub scalars: Vec<(FactorFunction, Symbol, i64)>,
    /// Indexed factors, one position of the index tuple each; true for a divisor.
    pub factors: Vec<(FactorFunction, Stem, bool)>,
    /// The sine (true) or cosine of a sum of angles.
    pub wave: Option<(bool, Vec<AnglePart>)>,
}

/// A term of one entry: its shape, its index tuple and its coefficient.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ConcreteTerm {
    pub shape: TermShape,
    pub indices: Vec<i64>,
    pub value: Ratio,
}

/// Options for dividing polynomials into shapes and index tuples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TermReading {
    /// True to merge adjacent indices in an angle into ranges.
    pub merge_ranges: bool,
    /// True to sort the indices of equal factors in decreasing order, as below the diagonal.
    pub decreasing: bool,
}

/// A rational times an integer, or an overflow error.
fn multiply_checked(r: Ratio, by: i64) -> Result<Ratio, PolynomialError> {
    r.checked_mul(Ratio::integer(by)).ok_or(PolynomialError::Overflow)
}

/// Divides the polynomial of an entry into terms with shapes and index tuples.
pub(super) fn split_into_terms(
    ring: &Ring<Symbol>,
    stems: &Stems,
    poly: &Poly,
    reading: TermReading,
) -> Result<Vec<ConcreteTerm>, PolynomialError> {
    let mut all = Vec::with_capacity(poly.len());
    for (monomial, value) in &poly.0 {
        let mut shape = TermShape::default();
        let mut places: Vec<((FactorFunction, Stem, bool), i64)> = Vec::new();
        let mut angle: BTreeMap<Symbol, i64> = BTreeMap::new();
        for (v, e) in monomial {
            let (role, symbol) = ring.role_and_atom(*v);
            let function = match role {
                VariableRole::Plain => FactorFunction::Value,
                VariableRole::Sin => FactorFunction::Sin,
                VariableRole::Cos => FactorFunction::Cos,
                VariableRole::Phase => {
                    angle.insert(symbol.clone(), i64::from(*e));
                    continue;
                }
            };
            match stems.split_index(symbol) {
                Some((stem, index)) => {
                    for _ in 0..e.unsigned_abs() {
                        places.push(((function, stem.clone(), *e < 0), index));
                    }
                }
                None => shape.scalars.push((function, symbol.clone(), i64::from(*e))),
            }
        }
        shape.scalars.sort();
        let order = |index: i64| if reading.decreasing { -index } else { index };
        places.sort_by(|a, b| a.0.cmp(&b.0).then(order(a.1).cmp(&order(b.1))));
        let mut at: Vec<i64> = places.iter().map(|p| p.1).collect();
        shape.factors = places.into_iter().map(|p| p.0).collect();
        if angle.is_empty() {
            if !value.im.is_zero() {
                return Err(PolynomialError::Overflow);
            }
            all.push(ConcreteTerm { shape, indices: at, value: value.re });
            continue;
        }
        // A phase z^k represents its conjugate, too: a z^k + ā z^−k = 2 Re a cos − 2 Im a sin.
        let Some((parts, range)) = orient_angle(stems, &angle, reading) else { continue };
        at.extend(range);
        for (sine, value) in
            [(false, multiply_checked(value.re, 2)?), (true, multiply_checked(value.im, -2)?)]
        {
            if !value.is_zero() {
                let shape = TermShape { wave: Some((sine, parts.clone())), ..shape.clone() };
                all.push(ConcreteTerm { shape, indices: at.clone(), value });
            }
        }
    }
    Ok(all)
}

/// Parts and index tuple of an angle; `None` for a negative angle, whose term the opposite angle
/// represents.
fn orient_angle(
    stems: &Stems,
    angle: &BTreeMap<Symbol, i64>,
    reading: TermReading,
) -> Option<(Vec<AnglePart>, Vec<i64>)> {
    let mut scalars = Vec::new();
    let mut members: BTreeMap<Stem, BTreeMap<i64, i64>> = BTreeMap::new();
    for (symbol, k) in angle {
        match stems.split_index(symbol) {
            Some((stem, index)) => {
                members.entry(stem).or_default().insert(index, *k);
            }
            None => scalars.push((symbol.clone(), *k)),
        }
    }
    let lead = match (scalars.first(), members.values().next()) {
        (Some((_, k)), _) => *k,
        (None, Some(indices)) => {
            let end = if reading.decreasing { indices.last_key_value() } else { indices.first_key_value() };
            end.map_or(0, |(_, k)| *k)
        }
        (None, None) => 0,
    };
    if lead < 0 {
        return None;
    }
    // (stem, −multiple, first, last): positive multiples are sorted first.
    let mut ranges: Vec<(Stem, i64, i64, i64)> = Vec::new();
    for (stem, indices) in members {
        for (index, k) in indices {
            match ranges.last_mut() {
                Some((s, m, _, to)) if reading.merge_ranges && *s == stem && *m == -k && *to == index - 1 => {
                    *to = index;
                }
                _ => ranges.push((stem.clone(), -k, index, index)),
            }
        }
    }
    let order = |index: i64| if reading.decreasing { -index } else { index };
    ranges.sort_by(|a, b| (&a.0, a.1, order(a.2)).cmp(&(&b.0, b.1, order(b.2))));
    let places = ranges.iter().flat_map(|r| [r.2, r.3]).collect();
    let scalars = scalars.into_iter().map(|(s, k)| AnglePart::Scalar(s, k));
    let parts = scalars.chain(ranges.into_iter().map(|(s, m, _, _)| AnglePart::Range(s, -m))).collect();
    Some((parts, places))
}

/// Converts products of a formula to a polynomial, for comparison; `phase` must be the same as in
/// the expansion of the entries.
pub(super) fn products_to_polynomial(
    ring: &mut Ring<Symbol>,
    products: &[Product],
    phase: &dyn Fn(&Symbol) -> bool,
) -> Result<Poly, PolynomialError> {
    let mut sum = Poly::default();
    for product in products {
        let mut value = Poly::constant(product.coefficient);
        for (function, symbol, exponent) in &product.factors {
            let factor = match function {
                FactorFunction::Value => {
                    let v = ring.intern_variable(symbol, VariableRole::Plain)?;
                    Poly::from_monomial(vec![(v, 1)], Complex::ONE)
                }
                FactorFunction::Sin => ring.sine_and_cosine(symbol, false)?.0,
                FactorFunction::Cos => ring.sine_and_cosine(symbol, false)?.1,
            };
            let factor = ring.pow(&factor, *exponent)?;
            value = ring.mul(&value, &factor)?;
        }
        if let Some((sine, multiples)) = &product.wave {
            let (mut s, mut c) = (Poly::default(), Poly::constant(Ratio::ONE));
            for (symbol, k) in multiples {
                let (mut s1, c1) = ring.sine_and_cosine(symbol, phase(symbol))?;
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

/// An entry of a block (n, i, j) as a polynomial in symbols, sines and cosines.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct EntryPolynomial {
    pub site: Site,
    pub poly: Poly,
}
