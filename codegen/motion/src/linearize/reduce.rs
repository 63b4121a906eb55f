//! Independent differences: a named basis of the null space of the constraints.
//!
//! Problem: a basis of `G δx = 0`, with the rows of positions and of speeds, in which chosen states
//! are independent and all others depend on them.
//! Method:  elimination with full pivoting, of position rows over coordinates, then of velocity
//! rows over speeds. States requested as independent become pivots only if no other column is left,
//! the last requested first; rows that vanish are redundant. In a row of two states, as of joints
//! of which one mimics the other, the pivot is the follower that `closure` has.
//! Not handled: states at which the rank falls: more states are independent there than in the
//! neighbourhood.

use super::derivatives::PointValues;
use super::error::{LinearizeError, join_names};
use super::names::MatrixNames;

/// A constraint row is redundant if its largest entry has fallen below this fraction of its
/// original size during the elimination.
const VANISHED: f64 = 1e-9;

/// Minimum relative size at which a dependent coordinate of `closure` is preferred as the pivot of
/// a row of two states.
const FOLLOWS: f64 = 1e-3;

/// Row and column of a pivot in the matrix of the constraints.
struct PivotPosition {
    row: usize,
    column: usize,
}

/// Result of the elimination: the independent states, and the matrix that gives all states from
/// them.
pub struct IndependentStates {
    pub states: Vec<usize>,
    pub dependent: Vec<usize>,
    /// Matrix that gives all states from the independent ones: `δx = basis · δx_independent`.
    pub basis: Vec<Vec<f64>>,
    /// Smallest pivot of the elimination, relative to the largest entry of its row; 1 without
    /// constraints.
    pub smallest_pivot: f64,
}

/// Chooses independent states by elimination of the constraints, preferably those named in
/// `preferred`, in this order.
pub fn choose_independent_states(
    point: &PointValues,
    names: &MatrixNames,
    preferred: &[String],
) -> Result<IndependentStates, LinearizeError> {
    let n = names.states.len();
    // Rank of each state among those requested, `usize::MAX` for all others. The largest rank is
    // eliminated first.
    let mut ranks = vec![usize::MAX; n];
    for (order, name) in preferred.iter().enumerate() {
        let position = names.states.iter().position(|s| s == name);
        ranks[position.ok_or_else(|| LinearizeError::Unknown {
            purpose: "keep independent",
            name: name.clone(),
            known: join_names(&names.states),
        })?] = order;
    }
    let (coordinates, speeds) = (point.coordinates, point.speeds);
    let mut rows = point.g.clone();
    let scales: Vec<f64> = rows.iter().map(|r| r.iter().fold(0.0f64, |m, x| m.max(x.abs()))).collect();
    let has_two_entries: Vec<bool> =
        rows.iter().map(|r| r.iter().filter(|x| **x != 0.0).count() == 2).collect();
    let mut pivots: Vec<PivotPosition> = Vec::new();
    let mut smallest_pivot = 1.0f64;
    let levels = [
        (0..point.positions, 0..coordinates),
        (point.positions..rows.len(), coordinates..coordinates + speeds),
    ];
    for (level_rows, level_columns) in levels {
        loop {
            let mut best: Option<(usize, bool, f64, usize, usize)> = None;
            for i in level_rows.clone().filter(|i| pivots.iter().all(|p| p.row != *i)) {
                for j in level_columns.clone().filter(|j| pivots.iter().all(|p| p.column != *j)) {
                    let size = rows[i][j].abs() / scales[i].max(f64::MIN_POSITIVE);
                    let follows = has_two_entries[i] && size > FOLLOWS && names.followers.contains(&j);
                    let candidate = (ranks[j], follows, size, i, j);
                    let better = best.is_none_or(|(rank, followed, most, ..)| {
                        (candidate.0, candidate.1, candidate.2) > (rank, followed, most)
                    });
                    if size > VANISHED && better {
                        best = Some(candidate);
                    }
                }
            }
            let Some((.., size, row, column)) = best else { break };
            smallest_pivot = smallest_pivot.min(size);
            let pivot = PivotPosition { row, column };
            eliminate_column(&mut rows, &pivot);
            pivots.push(pivot);
        }
    }
    let mut dependent: Vec<usize> = pivots.iter().map(|p| p.column).collect();
    dependent.sort_unstable();
    let states: Vec<usize> = (0..n).filter(|i| !dependent.contains(i)).collect();
    let mut basis = vec![vec![0.0; states.len()]; n];
    for (k, s) in states.iter().enumerate() {
        basis[*s][k] = 1.0;
        for PivotPosition { row, column } in &pivots {
            basis[*column][k] = -rows[*row][*s];
        }
    }
    Ok(IndependentStates { states, dependent, basis, smallest_pivot })
}

/// Scales the row of a pivot so that the pivot is one, and eliminates its column from all other
/// rows.
fn eliminate_column(rows: &mut [Vec<f64>], pivot: &PivotPosition) {
    let PivotPosition { row: i, column: j } = *pivot;
    let divisor = rows[i][j];
    rows[i].iter_mut().for_each(|x| *x /= divisor);
    let row = rows[i].clone();
    for (_, other) in rows.iter_mut().enumerate().filter(|(k, _)| *k != i) {
        let factor = other[j];
        if factor != 0.0 {
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            other[j] = 0.0;
        }
    }
}

/// Product of two matrices by rows. An entry of `a` that is not finite is ignored if its factor is
/// zero.
///
/// Multiplications: one for each row of `a` and non-zero entry of `b`.
pub fn matrix_product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let columns = b.first().map_or(0, Vec::len);
    let sparse: Vec<Vec<(usize, f64)>> = b.iter().map(|row| nonzero_entries(row)).collect();
    a.iter()
        .map(|row| {
            let mut out = vec![0.0; columns];
            for (x, entries) in row.iter().zip(&sparse) {
                entries.iter().for_each(|(j, y)| out[*j] += x * y);
            }
            out
        })
        .collect()
}

/// Entries of a matrix row that are not zero, each with its column.
pub(super) fn nonzero_entries(row: &[f64]) -> Vec<(usize, f64)> {
    row.iter().copied().enumerate().filter(|(_, y)| *y != 0.0).collect()
}

#[cfg(test)]
mod tests {
    use super::matrix_product;

    #[test]
    fn only_factors_that_are_not_zero_count() {
        let a = [vec![2.0, f64::NAN, 3.0], vec![0.0, 1.0, f64::INFINITY]];
        let b = [vec![1.0, 0.0], vec![0.0, 0.0], vec![4.0, 0.0]];
        assert_eq!(matrix_product(&a[..1], &b), [[14.0, 0.0]]);
        assert_eq!(matrix_product(&a[1..], &b), [[f64::INFINITY, 0.0]]);
        assert!(matrix_product(&a[..1], &[vec![0.0], vec![1.0], vec![0.0]])[0][0].is_nan());
    }
}
