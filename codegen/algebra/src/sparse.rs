//! Solves sparse linear systems by elimination in a planned order.
//!
//! Problem: `a x = b` with few entries per row, square and not necessarily symmetric, with an order
//!          of pivots that the caller knows not to vanish, or whose vanishing has a meaning.
//! Method:  Gaussian elimination with one scalar pivot after another at given places (row, column).
//!          Rows are sorted maps, and the set of rows that contain a column is tracked, so that
//!          only affected entries are touched. The pivot row is scaled once by one division.
//!          Structural zeros are not stored; in `f64` every stored entry counts. Shapes: n rows, n
//!          columns.
//! Cost:    Σ over pivots of (entries of the pivot row) · (remaining entries of the pivot column):
//!          linear in the size of the system if the fill-in of each pivot is bounded.
//! Not handled: choice of pivots during an elimination; a second function chooses their order.

use std::collections::{BTreeMap, BTreeSet};

use super::Scalar;

/// A sparse square linear system `a x = b`: its rows of stored entries and its right-hand side.
/// Used by the sparse formalisms.
#[derive(Clone, Debug)]
pub struct SparseRows<S> {
    rows: Vec<BTreeMap<usize, S>>,
    right_hand_side: Vec<S>,
}

/// Solution of a sparse linear system ([`SparseRows`]), with the pivots of its elimination.
#[derive(Clone, Debug)]
pub struct Eliminated<S> {
    /// The solution `x` of the system, one unknown per column.
    pub x: Vec<S>,
    /// The pivots (divisors), in the order of elimination; the caller checks that none vanishes.
    pub pivots: Vec<S>,
    /// For each pivot from step `late` on, its entry before the first such step; `None` for earlier
    /// pivots and structural zeros. Vanishing pivots are compared with it.
    pub late_entries: Vec<Option<S>>,
}

impl<S: Scalar> SparseRows<S> {
    /// A sparse system of `n` empty rows, to which entries are added.
    pub fn new(n: usize) -> Self {
        SparseRows { rows: vec![BTreeMap::new(); n], right_hand_side: vec![S::ZERO; n] }
    }

    /// Adds a value to the entry at `row`, `column` of the matrix.
    pub fn add_entry(&mut self, row: usize, column: usize, value: S) {
        if value.is_zero() {
            return;
        }
        let entry = self.rows[row].entry(column).or_insert(S::ZERO);
        *entry = *entry + value;
        if entry.is_zero() {
            self.rows[row].remove(&column);
        }
    }

    /// Adds a value to the right-hand side of a row.
    pub fn add_right_hand_side(&mut self, row: usize, value: S) {
        self.right_hand_side[row] = self.right_hand_side[row] + value;
    }

    /// The stored entries of a row, by column.
    pub fn row_entries(&self, row: usize) -> &BTreeMap<usize, S> {
        &self.rows[row]
    }

    /// The right-hand side `b` of the system, by rows.
    pub fn right(&self) -> &[S] {
        &self.right_hand_side
    }

    /// The residual `a x − b` of the system for these unknowns, by rows.
    pub fn residual(&self, x: &[S]) -> Vec<S> {
        let row = |(row, b): (&BTreeMap<usize, S>, &S)| {
            row.iter().fold(-*b, |sum, (column, a)| sum + *a * x[*column])
        };
        self.rows.iter().zip(&self.right_hand_side).map(row).collect()
    }

    /// Solves the system with pivots at the given places, one for each row and each column. A
    /// structurally zero pivot gives infinite or undefined values; the caller must check the
    /// pivots. Pivots from step `late` on are recorded in `before`, too.
    pub fn solve_in_order(mut self, order: &[(usize, usize)], late: usize) -> Eliminated<S> {
        let n = self.rows.len();
        let mut holders: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); n];
        for (i, row) in self.rows.iter().enumerate() {
            for column in row.keys() {
                holders[*column].insert(i);
            }
        }
        let mut pivots = Vec::with_capacity(order.len());
        let mut scaled: Vec<(usize, BTreeMap<usize, S>, S)> = Vec::with_capacity(order.len());
        let mut before = vec![None; order.len()];
        for (step, (row, column)) in order.iter().enumerate() {
            if step == late {
                for (entry, (row, column)) in before.iter_mut().zip(order).skip(late) {
                    *entry = self.rows[*row].get(column).copied();
                }
            }
            let mut pivot_row = std::mem::take(&mut self.rows[*row]);
            let pivot = pivot_row.remove(column).unwrap_or(S::ZERO);
            for c in pivot_row.keys().chain([column]) {
                holders[*c].remove(row);
            }
            let reciprocal = S::ONE / pivot;
            pivot_row.values_mut().for_each(|x| *x = *x * reciprocal);
            let right = self.right_hand_side[*row] * reciprocal;
            for other in std::mem::take(&mut holders[*column]) {
                let Some(factor) = self.rows[other].remove(column) else { continue };
                for (c, x) in &pivot_row {
                    self.subtract_from_entry(&mut holders, other, *c, factor * *x);
                }
                self.right_hand_side[other] = self.right_hand_side[other] - factor * right;
            }
            pivots.push(pivot);
            scaled.push((*column, pivot_row, right));
        }
        let mut x = vec![S::ZERO; n];
        for (column, row, right) in scaled.into_iter().rev() {
            x[column] = row.iter().fold(right, |sum, (c, a)| sum - *a * x[*c]);
        }
        Eliminated { x, pivots, late_entries: before }
    }

    /// Subtracts a value from an entry, and keeps `holders`, the rows that contain each column, up
    /// to date.
    fn subtract_from_entry(&mut self, holders: &mut [BTreeSet<usize>], row: usize, column: usize, value: S) {
        if value.is_zero() {
            return;
        }
        match self.rows[row].get_mut(&column) {
            Some(x) => {
                *x = *x - value;
                if x.is_zero() {
                    self.rows[row].remove(&column);
                    holders[column].remove(&row);
                }
            }
            None => {
                self.rows[row].insert(column, -value);
                holders[column].insert(row);
            }
        }
    }
}

/// Chooses an order of pivots for systems of one sparsity pattern, with values at some states in
/// `samples`. The preferred places are kept in order, except those that at some state are at most
/// `tiny` times the state's largest entry when eliminated. The remaining rows and columns are
/// eliminated last, in the order of the largest smallest entry.
///
/// States at which the whole system is singular are ignored: there every order divides by zero. The
/// second result is the number of preferred places that were kept.
pub fn choose_sparse_pivots(
    samples: &[SparseRows<f64>],
    preferred: &[(usize, usize)],
    tiny: f64,
) -> (Vec<(usize, usize)>, usize) {
    let one = |sample: &SparseRows<f64>| {
        order_pivots(&mut [sample.clone().scale_to_largest_entry()], preferred, tiny)
    };
    let mut regular: Vec<SparseRows<f64>> =
        samples.iter().filter(|s| one(s).1).map(|s| s.clone().scale_to_largest_entry()).collect();
    match (regular.is_empty(), samples) {
        (true, []) => (preferred.to_vec(), preferred.len()),
        (true, [first, ..]) => one(first).0,
        (false, _) => order_pivots(&mut regular, preferred, tiny).0,
    }
}

/// The smallest magnitude of one entry of the matrix over the samples (states).
fn smallest_magnitude(samples: &[SparseRows<f64>], row: usize, column: usize) -> f64 {
    let magnitudes = samples.iter().map(|s| s.rows[row].get(&column).map_or(0.0, |x| x.abs()));
    magnitudes.fold(f64::INFINITY, f64::min)
}

/// Pivot order for all samples at once, with the number of preferred places kept; and true if no
/// vanishing pivot was used.
fn order_pivots(
    samples: &mut [SparseRows<f64>],
    preferred: &[(usize, usize)],
    tiny: f64,
) -> ((Vec<(usize, usize)>, usize), bool) {
    let mut order = Vec::with_capacity(preferred.len());
    let mut regular = true;
    let mut columns: BTreeSet<usize> = (0..preferred.len()).collect();
    let mut rows = columns.clone();
    for (row, column) in preferred {
        if smallest_magnitude(samples, *row, *column) > tiny {
            rows.remove(row);
            columns.remove(column);
            samples.iter_mut().for_each(|s| s.eliminate_pivot(*row, *column, &rows));
            order.push((*row, *column));
        }
    }
    let preferred = order.len();
    while let (Some(row), Some(column)) = (rows.first().copied(), columns.first().copied()) {
        let left =
            rows.iter().flat_map(|r| columns.iter().map(|c| (*r, *c, smallest_magnitude(samples, *r, *c))));
        let largest = left.max_by(|a, b| a.2.total_cmp(&b.2)).filter(|x| x.2 > tiny);
        regular &= largest.is_some();
        // All remaining entries vanish: take any place; its zero pivot will be reported.
        let (row, column) = largest.map_or((row, column), |(r, c, _)| (r, c));
        rows.remove(&row);
        columns.remove(&column);
        samples.iter_mut().for_each(|s| s.eliminate_pivot(row, column, &rows));
        order.push((row, column));
    }
    ((order, preferred), regular)
}

impl SparseRows<f64> {
    /// Scales the matrix so that its largest entry is one, for comparison of pivots with a
    /// tolerance.
    fn scale_to_largest_entry(mut self) -> Self {
        let entries = self.rows.iter().flat_map(BTreeMap::values);
        let largest = entries.fold(0.0f64, |largest, x| largest.max(x.abs()));
        if largest > 0.0 {
            self.rows.iter_mut().flat_map(BTreeMap::values_mut).for_each(|x| *x /= largest);
        }
        self
    }

    /// One elimination step in the remaining `rows`, without the right-hand side: makes their
    /// entries of the column zero.
    fn eliminate_pivot(&mut self, row: usize, column: usize, rows: &BTreeSet<usize>) {
        let pivot_row = self.rows[row].clone();
        let Some(pivot) = pivot_row.get(&column).copied().filter(|x| *x != 0.0) else { return };
        for other in rows.iter() {
            let Some(factor) = self.rows[*other].remove(&column) else { continue };
            for (c, x) in pivot_row.iter().filter(|(c, _)| **c != column) {
                *self.rows[*other].entry(*c).or_insert(0.0) -= factor / pivot * x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_planned_order_solves_a_system_that_the_diagonal_does_not() {
        // Zeros on the diagonal: the pivots are elsewhere.
        let entries = [(0, 1, 2.0), (0, 2, 1.0), (1, 0, -1.0), (1, 2, 0.5), (2, 0, 3.0), (2, 1, 1.0)];
        let mut a = SparseRows::new(3);
        for (i, j, x) in entries {
            a.add_entry(i, j, x);
        }
        for (i, b) in [1.0, -2.0, 0.25].into_iter().enumerate() {
            a.add_right_hand_side(i, b);
        }
        for order in [[(0, 1), (1, 0), (2, 2)], [(2, 0), (1, 2), (0, 1)]] {
            let solved = a.clone().solve_in_order(&order, 3);
            assert!(solved.pivots.iter().all(|p| p.abs() > 0.1), "{:?}", solved.pivots);
            assert!(a.residual(&solved.x).iter().all(|r| r.abs() < 1e-14));
        }
    }

    #[test]
    fn a_pivot_that_vanishes_is_put_off() {
        let entries = [(0, 0, 1.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 1.0), (1, 2, 2.0), (2, 1, 2.0)];
        let mut a = SparseRows::new(3);
        for (i, j, x) in entries {
            a.add_entry(i, j, x);
        }
        a.add_right_hand_side(0, 1.0);
        // After the first step the entry at (1, 1) is zero.
        let (order, taken) = choose_sparse_pivots(std::slice::from_ref(&a), &[(0, 0), (1, 1), (2, 2)], 1e-12);
        assert_eq!(taken, 1);
        assert_eq!(order[0], (0, 0));
        let solved = a.clone().solve_in_order(&order, 1);
        // The late pivots before the first of them: (2, 1) was empty, the others as the first step
        // left them.
        let left: Vec<Option<f64>> = order[1..]
            .iter()
            .map(|(r, c)| [[0.0, 2.0], [2.0, 0.0]][r - 1][c - 1])
            .map(|x| (x != 0.0).then_some(x))
            .collect();
        assert_eq!(solved.late_entries[1..], left[..], "{order:?}");
        assert!(a.residual(&solved.x).iter().all(|r| r.abs() < 1e-14), "{order:?}");
    }

    /// A system whose preferred pivots vanish at `x = 0`, where it is regular.
    fn turning(x: f64) -> SparseRows<f64> {
        let mut a = SparseRows::new(2);
        for (i, j, value) in [(0, 0, x), (0, 1, 1.0), (1, 0, 1.0), (1, 1, x)] {
            a.add_entry(i, j, value);
        }
        a
    }

    #[test]
    fn a_pivot_that_vanishes_at_one_state_of_several_is_put_off() {
        let preferred = [(0, 0), (1, 1)];
        assert_eq!(choose_sparse_pivots(&[turning(0.5)], &preferred, 1e-12), (preferred.to_vec(), 2));
        let (order, _) = choose_sparse_pivots(&[turning(0.5), turning(0.0), turning(0.3)], &preferred, 1e-12);
        assert!(order == [(0, 1), (1, 0)] || order == [(1, 0), (0, 1)], "{order:?}");
    }

    #[test]
    fn a_state_at_which_the_whole_system_is_singular_has_no_say() {
        let preferred = [(0, 0), (1, 1)];
        let (order, _) = choose_sparse_pivots(&[turning(0.5), SparseRows::new(2)], &preferred, 1e-12);
        assert_eq!(order, preferred);
    }

    #[test]
    fn entries_that_cancel_structurally_are_not_kept() {
        let mut a = SparseRows::new(1);
        a.add_entry(0, 0, 0.0);
        assert_eq!(a.row_entries(0).len(), 1, "over doubles a zero is a number");
    }
}
