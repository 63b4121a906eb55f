//! Trigonometric sums: products of sines and cosines combined to functions of sums of angles.
//!
//! Problem: `cos a cos b − sin a sin b` is usually written `cos(a + b)`.
//! Method:  a greedy search: over all pairs of angles and the rules below, the replacement that
//!          removes most terms is applied, until none removes any.
//!          `x cc ∓ x ss → x cos(a ± b)`, `x sc ± x cs → x sin(a ± b)`, `x − x s² → x c²`,
//!          `x − 2 x s² → x cos 2a`.
//!          A separate function applies `2 x s c → x sin 2a`; its caller decides whether the result
//!          is shorter.
//! Limits:  the search is greedy; sums with many terms are returned unchanged.

use dqdt_polynomials::Rational;

use super::conversion::SymbolNames;
use super::engine::{EngineResult, SymbolicEngine};
use super::terms::{AngleSum, Atom, AtomProduct, Atoms, Terms, add_term, change_exponents, factor_exponent};

/// Largest number of terms of a sum whose products of sines and cosines are combined.
const MAX_TERMS: usize = 600;

/// A replacement of two terms of a sum by one, such as `x cc − x ss` by `x cos(a + b)`.
struct Merge {
    /// Products of the two terms that are removed.
    gone: [AtomProduct; 2],
    /// Product of atoms of the new term.
    product: AtomProduct,
    /// Coefficient of the new term, in the sum.
    value: Rational,
}

/// An angle that occurs in a sum, with the indices of its sine and cosine among the atoms.
#[derive(Clone)]
struct AngleAtoms {
    angle: AngleSum,
    sin: usize,
    cos: usize,
}

/// Shortens a sum by the rules above, as long as one of them removes terms.
pub(super) fn combine_angle_sums(
    engine: &SymbolicEngine,
    names: &SymbolNames,
    atoms: &mut Atoms,
    mut terms: Terms,
) -> EngineResult<Terms> {
    if terms.len() > MAX_TERMS {
        return Ok(terms);
    }
    loop {
        let pairs = collect_angles(engine, names, atoms, &terms)?;
        let mut best: Vec<Merge> = Vec::new();
        for (i, a) in pairs.iter().enumerate() {
            for b in &pairs[i + 1..] {
                for plus in [true, false] {
                    for cosine in [true, false] {
                        let merges =
                            find_angle_sum_merges(engine, names, atoms, &terms, (a, b), plus, cosine)?;
                        if merges.len() > best.len() {
                            best = merges;
                        }
                    }
                }
            }
            for double in [false, true] {
                let merges = find_square_merges(engine, names, atoms, &terms, a, double)?;
                if merges.len() > best.len() {
                    best = merges;
                }
            }
        }
        if best.is_empty() {
            return Ok(terms);
        }
        for merge in best {
            for product in &merge.gone {
                terms.remove(product);
            }
            add_term(&mut terms, merge.product, merge.value);
        }
    }
}

/// Applies `2 x s c → x sin 2a` to the terms of a sum with an even coefficient; s and c are the
/// sine and cosine of an angle a.
pub(super) fn combine_double_angles(
    engine: &SymbolicEngine,
    names: &SymbolNames,
    atoms: &mut Atoms,
    terms: &Terms,
) -> EngineResult<Terms> {
    if terms.len() > MAX_TERMS {
        return Ok(terms.clone());
    }
    let mut result = terms.clone();
    for pair in collect_angles(engine, names, atoms, terms)? {
        let has_both = |p: &AtomProduct| factor_exponent(p, pair.sin) > 0 && factor_exponent(p, pair.cos) > 0;
        if !result.keys().any(has_both) {
            continue;
        }
        let (double, _) = add_angles(&pair.angle, &pair.angle, true);
        let double = atoms.find_or_add_atom(engine, names, Atom::Sin(double))?;
        let mut next = Terms::new();
        for (product, value) in result {
            let even = value.is_integer() && (&value * &Rational::ratio(1, 2)).is_integer();
            let shorter = (even && has_both(&product))
                .then(|| change_exponents(&product, &[(pair.sin, -1), (pair.cos, -1)]))
                .flatten()
                .and_then(|p| change_exponents(&p, &[(double, 1)]));
            match shorter {
                Some(p) => add_term(&mut next, p, &value * &Rational::ratio(1, 2)),
                None => add_term(&mut next, product, value),
            }
        }
        result = next;
    }
    Ok(result)
}

/// All angles whose sine or cosine occurs in the terms, sorted.
fn collect_angles(
    engine: &SymbolicEngine,
    names: &SymbolNames,
    atoms: &mut Atoms,
    terms: &Terms,
) -> EngineResult<Vec<AngleAtoms>> {
    let mut used = vec![false; atoms.atoms.len()];
    for product in terms.keys() {
        for (a, _) in product {
            used[*a] = true;
        }
    }
    let mut angles: Vec<AngleSum> = Vec::new();
    for (_, atom) in atoms.atoms.iter().enumerate().filter(|(i, _)| used[*i]) {
        if let Atom::Sin(angle) | Atom::Cos(angle) = atom
            && !angles.contains(angle)
        {
            angles.push(angle.clone());
        }
    }
    angles.sort();
    let mut pairs = Vec::with_capacity(angles.len());
    for angle in angles {
        let sin = atoms.find_or_add_atom(engine, names, Atom::Sin(angle.clone()))?;
        let cos = atoms.find_or_add_atom(engine, names, Atom::Cos(angle.clone()))?;
        pairs.push(AngleAtoms { angle, sin, cos });
    }
    Ok(pairs)
}

/// Pairs of terms that the addition formulas merge: `x cc ∓ x ss` (if `cosine`) or `x sc ± x cs`,
/// disjoint.
fn find_angle_sum_merges(
    engine: &SymbolicEngine,
    names: &SymbolNames,
    atoms: &mut Atoms,
    terms: &Terms,
    (a, b): (&AngleAtoms, &AngleAtoms),
    plus: bool,
    cosine: bool,
) -> EngineResult<Vec<Merge>> {
    let (first, second) =
        if cosine { ((a.cos, b.cos), (a.sin, b.sin)) } else { ((a.sin, b.cos), (a.cos, b.sin)) };
    // cos(a + b) = cc − ss, sin(a + b) = sc + cs
    let opposite = cosine == plus;
    let mut merges: Vec<Merge> = Vec::new();
    for (product, value) in terms {
        if factor_exponent(product, first.0) == 0 || factor_exponent(product, first.1) == 0 {
            continue;
        }
        let Some(rest) = change_exponents(product, &[(first.0, -1), (first.1, -1)]) else { continue };
        let Some(partner) = change_exponents(&rest, &[(second.0, 1), (second.1, 1)]) else { continue };
        let wanted = if opposite { -value.clone() } else { value.clone() };
        let is_unused = |p: &AtomProduct| !merges.iter().any(|m| m.gone.contains(p));
        if terms.get(&partner) != Some(&wanted)
            || !is_unused(product)
            || !is_unused(&partner)
            || partner == *product
        {
            continue;
        }
        let (angle, flipped) = add_angles(&a.angle, &b.angle, plus);
        let mut value = value.clone();
        let mut result = Some(rest.clone());
        if angle.is_empty() {
            // Cannot be a = ±b, since the pairs are different angles with a positive first
            // multiple.
            continue;
        }
        let atom = if cosine { Atom::Cos(angle) } else { Atom::Sin(angle) };
        if flipped && !cosine {
            value = -value;
        }
        let atom = atoms.find_or_add_atom(engine, names, atom)?;
        result = result.and_then(|r| change_exponents(&r, &[(atom, 1)]));
        if let Some(result) = result {
            merges.push(Merge { gone: [product.clone(), partner], product: result, value });
        }
    }
    Ok(merges)
}

/// Replacements `x − x s² → x c²`, or, if `double`, `x − 2 x s² → x cos 2a`.
fn find_square_merges(
    engine: &SymbolicEngine,
    names: &SymbolNames,
    atoms: &mut Atoms,
    terms: &Terms,
    a: &AngleAtoms,
    double: bool,
) -> EngineResult<Vec<Merge>> {
    let mut merges: Vec<Merge> = Vec::new();
    let factor = Rational::from(if double { -2 } else { -1 });
    for (product, value) in terms {
        let Some(partner) = change_exponents(product, &[(a.sin, 2)]) else { continue };
        let wanted = value * &factor;
        let is_unused = |p: &AtomProduct| !merges.iter().any(|m| m.gone.contains(p));
        if terms.get(&partner) != Some(&wanted) || !is_unused(product) || !is_unused(&partner) {
            continue;
        }
        let change = if double {
            let angle = a.angle.iter().map(|(r, k)| (*r, 2 * k)).collect();
            (atoms.find_or_add_atom(engine, names, Atom::Cos(angle))?, 1)
        } else {
            (a.cos, 2)
        };
        if let Some(result) = change_exponents(product, &[change]) {
            merges.push(Merge { gone: [product.clone(), partner], product: result, value: value.clone() });
        }
    }
    Ok(merges)
}

/// The angle `a ± b` with a positive first multiple; true if its sign was changed for that.
fn add_angles(a: &AngleSum, b: &AngleSum, plus: bool) -> (AngleSum, bool) {
    let mut sum = std::collections::BTreeMap::new();
    for (rank, k) in a {
        *sum.entry(*rank).or_insert(0) += k;
    }
    for (rank, k) in b {
        *sum.entry(*rank).or_insert(0) += if plus { *k } else { -k };
    }
    let mut angle: AngleSum = sum.into_iter().filter(|(_, k)| *k != 0).collect();
    let flipped = angle.first().is_some_and(|(_, k)| *k < 0);
    if flipped {
        angle.iter_mut().for_each(|(_, k)| *k = -*k);
    }
    (angle, flipped)
}

/// Applies `s² → 1 − c²` to each base angle for which the sum gets shorter.
pub(super) fn replace_sine_squares(
    engine: &SymbolicEngine,
    names: &SymbolNames,
    atoms: &mut Atoms,
    mut terms: Terms,
) -> EngineResult<Terms> {
    for pair in collect_angles(engine, names, atoms, &terms)? {
        let mut other = Terms::new();
        for (product, value) in &terms {
            let e = factor_exponent(product, pair.sin);
            // s^e = s^(e mod 2) (1 − c²)^(e div 2)
            let half = e / 2;
            let mut binomial = Rational::ONE;
            for k in 0..=half {
                let changes = [(pair.sin, -i32::from(2 * half)), (pair.cos, i32::from(2 * k))];
                if let Some(product) = change_exponents(product, &changes) {
                    add_term(&mut other, product, value * &binomial);
                }
                let ratio = Rational::ratio(i64::from(half) - i64::from(k), i64::from(k) + 1);
                binomial = -(&binomial * &ratio);
            }
        }
        if other.len() < terms.len() {
            terms = other;
        }
    }
    Ok(terms)
}
