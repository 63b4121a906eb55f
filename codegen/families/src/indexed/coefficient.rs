//! Coefficients as polynomials in the indices, by interpolation.
//!
//! Problem: with equal rods a coefficient depends on the site, `n − j + 1/2` for example.
//! Method:  polynomials of degree zero, one and two in the free indices, the running indices and n,
//!          by elimination in exact rationals. A polynomial must have fewer coefficients than there
//!          are samples, or be constant.
//! Cost:    cubic in the number of monomials, linear in the samples.

use super::formula::{Base, Coefficient, Site};
use dqdt_algebra::Ratio;

/// Maximum degree of the polynomial in the indices that a coefficient may be.
const MAX_DEGREE: usize = 2;

/// The polynomial in the indices of least degree through all samples (site, running indices,
/// value); `rank` and `runs` are the numbers of free and running indices. Used for the coefficients
/// of formulas.
pub(super) fn interpolate_coefficient(
    rank: usize,
    runs: usize,
    samples: &[(Site, Vec<i64>, Ratio)],
) -> Option<Coefficient> {
    let first = samples.first()?.2;
    if samples.iter().all(|s| s.2 == first) {
        return Some(Coefficient::constant(first));
    }
    let mut bases: Vec<Base> = vec![Base::N];
    bases.extend([Base::J, Base::I].into_iter().skip(2 - rank.min(2)));
    if rank == 1 {
        bases = vec![Base::N, Base::I];
    }
    bases.extend((0..runs).map(Base::Run));
    let mut monomials: Vec<Vec<Base>> = vec![Vec::new()];
    let mut last = monomials.clone();
    for _ in 0..MAX_DEGREE {
        let mut next = Vec::new();
        for m in &last {
            let from = m.last().and_then(|b| bases.iter().position(|x| x == b)).unwrap_or(0);
            next.extend(bases[from..].iter().map(|b| [&m[..], &[*b]].concat()));
        }
        monomials.extend(next.iter().cloned());
        last = next;
        if let Some(coefficient) = solve_for_coefficient(&monomials, samples) {
            return Some(coefficient);
        }
    }
    None
}

/// Solves for the coefficients of the monomials in the indices; superfluous ones are zero. `None`
/// without a solution, or without a sample to spare.
fn solve_for_coefficient(
    monomials: &[Vec<Base>],
    samples: &[(Site, Vec<i64>, Ratio)],
) -> Option<Coefficient> {
    let columns = monomials.len();
    // Rows are in reduced echelon form, with a leading one at `pivot`.
    let mut rows: Vec<(usize, Vec<Ratio>)> = Vec::new();
    for (site, runs, value) in samples {
        let mut row = Vec::with_capacity(columns + 1);
        for m in monomials {
            let monomial = Coefficient(vec![(m.clone(), Ratio::ONE)]);
            row.push(monomial.value_at(*site, runs)?);
        }
        row.push(*value);
        for (pivot, other) in &rows {
            let factor = row[*pivot];
            if !factor.is_zero() {
                for (x, y) in row.iter_mut().zip(other) {
                    *x = x.checked_sub(factor.checked_mul(*y)?)?;
                }
            }
        }
        match row.iter().position(|x| !x.is_zero()) {
            None => {}
            // A contradiction: 0 equals a nonzero value.
            Some(pivot) if pivot == columns => return None,
            Some(pivot) => {
                let lead = row[pivot];
                for x in &mut row {
                    *x = x.checked_div(lead)?;
                }
                for (_, other) in &mut rows {
                    let factor = other[pivot];
                    if !factor.is_zero() {
                        for (x, y) in other.iter_mut().zip(&row) {
                            *x = x.checked_sub(factor.checked_mul(*y)?)?;
                        }
                    }
                }
                rows.push((pivot, row));
            }
        }
    }
    if rows.len() >= samples.len() {
        return None;
    }
    rows.sort_by_key(|r| r.0);
    let terms = rows.into_iter().map(|(pivot, row)| (monomials[pivot].clone(), row[columns]));
    Some(Coefficient(terms.filter(|(_, c)| !c.is_zero()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interpolation_sample(n: i64, i: i64, j: i64, value: (i128, i128)) -> (Site, Vec<i64>, Ratio) {
        (Site { n, i, j }, Vec::new(), Ratio::new(value.0, value.1).unwrap())
    }

    #[test]
    fn a_polynomial_is_found_through_more_samples_than_it_has_coefficients() {
        let mut samples = Vec::new();
        for n in 1..=4 {
            for j in 1..=n {
                for i in 1..=j {
                    samples.push(interpolation_sample(n, i, j, (2 * i128::from(n - j) + 1, 2)));
                }
            }
        }
        let coefficient = interpolate_coefficient(2, 0, &samples).unwrap();
        assert_eq!(coefficient.value_at(Site { n: 9, i: 2, j: 5 }, &[]), Ratio::new(9, 2));
    }

    #[test]
    fn numbers_without_a_law_have_none() {
        let samples: Vec<_> =
            (1..=6).map(|n| interpolation_sample(n, 0, 0, (i128::from(n * n % 5), 1))).collect();
        assert_eq!(interpolate_coefficient(0, 0, &samples), None);
    }
}
