//! Linear complementarity with a symmetric, positive semidefinite matrix.
//!
//! Problem: `w = D λ + q`, `0 ≤ λ ⊥ w ≥ 0`. `D` is singular where rows of stops depend on each
//!          other, as for a table on four legs; then `w` is unique and `λ` is not.
//! Method:  pivoting (Dantzig 1963; for contacts Baraff 1994): the index with the smallest `w` is
//!          driven until its `w` is zero. Those that hold keep `w = 0`; one whose `λ` becomes zero
//!          on the way ceases to hold. Every turn lowers `½ λᵀ D λ + qᵀ λ`. An index that depends
//!          on those that hold only enters if one of them gives way, so the matrix of those that
//!          hold is never singular.
//! Cost:    O(n⁴) in the worst case, usually O(n³).
//!
//! Source: R. W. Cottle, J.-S. Pang, R. E. Stone, *The Linear Complementarity Problem* (1992),
//! chapters 3.1 and 4.2.

use std::vec::Vec;

/// Diagonal entry of a Schur complement, as a fraction of that of `D`, below which a row depends on
/// others.
const DEPENDENT: f64 = 1e-10;

/// Fraction of the size of its terms by which a `w` may be negative: rounding errors.
const ROUNDING: f64 = 1e-14;

/// The same within which a `w` counts as zero, so that its row holds without a force.
const DEGENERATE: f64 = 1e-13;

/// The same within which a `w` of a dependent row counts as zero.
const IDLE: f64 = 1e-10;

/// The same for a row that depends on those that hold: errors of its coefficients.
const INCONSISTENT: f64 = 1e-8;

/// Solution of a problem of linear complementarity.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Complementary {
    /// The forces or impulses λ.
    pub(super) forces: Vec<f64>,
    /// Indices that hold, in ascending order: `w = 0`, and their rows are independent. Those with a
    /// force, and as many without as are independent.
    pub(super) holding: Vec<usize>,
    /// Indices of the others with `w = 0`, whose rows depend on those that hold.
    pub(super) dependent: Vec<usize>,
    /// True for each index whose λ is not unique.
    pub(super) undetermined: Vec<bool>,
}

/// Solves `w = D λ + q`, `0 ≤ λ ⊥ w ≥ 0`. `sizes` are the sizes of the terms of which each `q` is
/// the sum, for the detection of rounding errors.
///
/// Returns `None` if there is no solution.
pub(super) fn solve_complementarity(d: &[Vec<f64>], q: &[f64], sizes: &[f64]) -> Option<Complementary> {
    let n = q.len();
    let mut forces = std::vec![0.0; n];
    let mut holding: Vec<usize> = Vec::new();
    let slack = |forces: &[f64], i: usize| q[i] + (0..n).map(|j| d[i][j] * forces[j]).sum::<f64>();
    let size = |forces: &[f64], i: usize| sizes[i] + (0..n).map(|j| (d[i][j] * forces[j]).abs()).sum::<f64>();
    // Far more turns than any problem of this size takes.
    for _ in 0..100 * (n + 1) {
        let least = (0..n)
            .filter(|i| !holding.contains(i))
            .map(|i| (i, slack(&forces, i), size(&forces, i)))
            .filter(|(i, w, size)| {
                let limit = if direction(d, &holding, *i).1 > DEPENDENT * d[*i][*i] {
                    ROUNDING
                } else {
                    INCONSISTENT
                };
                *w < -limit * size
            })
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((entering, ..)) = least else {
            for i in 0..n {
                let idle = !holding.contains(&i) && slack(&forces, i) <= DEGENERATE * size(&forces, i);
                if idle && direction(d, &holding, i).1 > DEPENDENT * d[i][i] {
                    insert(&mut holding, i);
                }
            }
            let idle: Vec<usize> = (0..n)
                .filter(|i| !holding.contains(i) && slack(&forces, *i) <= IDLE * size(&forces, *i))
                .collect();
            return Some(describe(d, forces, holding, &idle));
        };
        drive(d, q, &mut forces, &mut holding, entering)?;
    }
    None
}

/// Change of the forces that hold, for a unit of force `i`, and the change of `w` of index `i`: its
/// Schur complement.
fn direction(d: &[Vec<f64>], holding: &[usize], i: usize) -> (Vec<f64>, f64) {
    let right: Vec<f64> = holding.iter().map(|j| -d[*j][i]).collect();
    let change = solve_held(d, holding, &right);
    let schur = d[i][i] + holding.iter().zip(&change).map(|(j, x)| d[i][*j] * x).sum::<f64>();
    (change, schur)
}

/// Increases the force of `entering` until its `w` is zero. `None` if no force is large enough.
fn drive(
    d: &[Vec<f64>],
    q: &[f64],
    forces: &mut [f64],
    holding: &mut Vec<usize>,
    entering: usize,
) -> Option<()> {
    loop {
        let (change, schur) = direction(d, holding, entering);
        let w = q[entering] + d[entering].iter().zip(&*forces).map(|(d, x)| d * x).sum::<f64>();
        let full =
            if schur > DEPENDENT * d[entering][entering] { (-w / schur).max(0.0) } else { f64::INFINITY };
        let blocking = holding
            .iter()
            .zip(&change)
            .enumerate()
            .filter(|(_, (_, change))| **change < 0.0)
            .map(|(place, (j, change))| (place, -forces[*j] / change))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .filter(|(_, step)| *step < full);
        let step = blocking.map_or(full, |(_, step)| step);
        if !step.is_finite() {
            return None;
        }
        for (j, change) in holding.iter().zip(&change) {
            forces[*j] += step * change;
        }
        forces[entering] += step;
        let Some((place, _)) = blocking else { break };
        forces[holding.remove(place)] = 0.0;
    }
    insert(holding, entering);
    // The forces again, without the rounding errors of the steps.
    let exact = solve_held(d, holding, &holding.iter().map(|j| -q[*j]).collect::<Vec<_>>());
    holding.iter().zip(exact).for_each(|(j, x)| forces[*j] = x.max(0.0));
    Some(())
}

/// Inserts an index at its place in ascending order.
fn insert(holding: &mut Vec<usize>, i: usize) {
    let place = holding.partition_point(|j| *j < i);
    holding.insert(place, i);
}

/// Finds the rows that depend on those that hold, among those without a force and with `w = 0`, and
/// the forces that are not unique.
fn describe(d: &[Vec<f64>], forces: Vec<f64>, holding: Vec<usize>, idle: &[usize]) -> Complementary {
    let mut undetermined = std::vec![false; forces.len()];
    let mut dependent = Vec::new();
    for &i in idle {
        let (change, schur) = direction(d, &holding, i);
        if schur > DEPENDENT * d[i][i] {
            continue;
        }
        dependent.push(i);
        // Force `i` may grow unless one of the others, already zero, would have to shrink.
        let affects = |j: usize, change: f64| change.abs() * (d[j][j] / d[i][i]).sqrt() > 1e-8;
        if holding.iter().zip(&change).all(|(j, x)| *x >= 0.0 || forces[*j] > 0.0 || !affects(*j, *x)) {
            undetermined[i] = true;
            for (j, x) in holding.iter().zip(&change) {
                undetermined[*j] |= affects(*j, *x);
            }
        }
    }
    Complementary { forces, holding, dependent, undetermined }
}

/// Solves `D x = b` for the rows and columns in `holding`, by Cholesky factors. A row that depends
/// on those before it gets `x = 0`.
pub(super) fn solve_held(d: &[Vec<f64>], holding: &[usize], b: &[f64]) -> Vec<f64> {
    let n = holding.len();
    let mut lower: Vec<Vec<f64>> = Vec::with_capacity(n);
    let mut x = Vec::with_capacity(n);
    for (i, row) in holding.iter().enumerate() {
        let mut l = std::vec![0.0; i + 1];
        for j in 0..i {
            let sum: f64 = (0..j).map(|k| l[k] * lower[j][k]).sum();
            let pivot = lower[j][j];
            l[j] = if pivot > 0.0 { (d[*row][holding[j]] - sum) / pivot } else { 0.0 };
        }
        let pivot = d[*row][*row] - l[..i].iter().map(|x| x * x).sum::<f64>();
        l[i] = if pivot > 1e-3 * DEPENDENT * d[*row][*row] { pivot.sqrt() } else { 0.0 };
        let sum: f64 = (0..i).map(|k| l[k] * x[k]).sum();
        x.push(if l[i] > 0.0 { (b[i] - sum) / l[i] } else { 0.0 });
        lower.push(l);
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| lower[k][i] * x[k]).sum();
        x[i] = if lower[i][i] > 0.0 { (x[i] - sum) / lower[i][i] } else { 0.0 };
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `D = W Wᵀ` of rows of a table: `n` rows of three numbers.
    fn gram(rows: &[[f64; 3]]) -> Vec<Vec<f64>> {
        rows.iter().map(|a| rows.iter().map(|b| (0..3).map(|k| a[k] * b[k]).sum()).collect()).collect()
    }

    fn check(d: &[Vec<f64>], q: &[f64]) -> Complementary {
        let sizes: Vec<f64> = q.iter().map(|q| q.abs()).collect();
        let solution = solve_complementarity(d, q, &sizes).unwrap();
        for i in 0..q.len() {
            let w = q[i] + (0..q.len()).map(|j| d[i][j] * solution.forces[j]).sum::<f64>();
            assert!(w > -1e-9 && solution.forces[i] >= 0.0, "{i}: {w} {solution:?}");
            assert!(w * solution.forces[i] < 1e-9, "{i}: {w} {solution:?}");
        }
        solution
    }

    #[test]
    fn three_balls_in_a_row_share_the_impulse_of_the_first() {
        let d = [std::vec![2.0, -1.0], std::vec![-1.0, 2.0]];
        let solution = check(&d, &[-2.0, 0.0]);
        assert!((solution.forces[0] - 4.0 / 3.0).abs() < 1e-15);
        assert!((solution.forces[1] - 2.0 / 3.0).abs() < 1e-15);
        assert_eq!(solution.undetermined, [false, false]);
    }

    #[test]
    fn a_table_on_four_legs_has_accelerations_but_no_unique_forces() {
        let legs = [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0]];
        let solution = check(&gram(&legs), &[-9.81; 4]);
        assert!((solution.forces.iter().sum::<f64>() - 9.81).abs() < 1e-12);
        assert_eq!(solution.undetermined, [true; 4]);
        assert_eq!(solution.holding.len() + solution.dependent.len(), 4);
    }

    #[test]
    fn a_block_between_contrary_stops_is_held_by_the_one_that_is_pressed() {
        let d = gram(&[[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]);
        assert_eq!(check(&d, &[-2.0, 2.0]).forces, [2.0, 0.0]);
        assert_eq!(check(&d, &[2.0, -2.0]).forces, [0.0, 2.0]);
        assert!(solve_complementarity(&d, &[-2.0, -2.0], &[2.0, 2.0]).is_none(), "it is crushed");
    }

    #[test]
    fn random_problems_with_dependent_rows_are_solved() {
        let mut seed = 1u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        for n in 1..=8 {
            for _ in 0..200 {
                let rows: Vec<[f64; 3]> = (0..n).map(|_| [number(), number(), 1.0 + number()]).collect();
                // Slacks that forces can reach: an acceleration of the body itself.
                let free = [number(), number(), number()];
                let q: Vec<f64> = rows.iter().map(|r| (0..3).map(|k| r[k] * free[k]).sum()).collect();
                check(&gram(&rows), &q);
            }
        }
    }
}
