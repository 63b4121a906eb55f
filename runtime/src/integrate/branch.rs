//! Detection of poses in which constraints lose rank, along a motion.
//!
//! Problem: where the rows `A(q, t)` of the constraints lose rank, loops can continue in more than
//!          one way (a parallelogram linkage with all its links on one line), and errors of the
//!          size of the tolerance would decide which. Rows that depend on others in every pose
//!          (Bricard's loop, planar loops in space) do not indicate such a pose.
//! Method:  after every step, rows are orthogonalised with the longest remainder first. The number
//!          of nonzero remainders is the rank. The largest rank so far is that of the mechanism,
//!          and the remainder that belongs to it is the margin. The motion stops where the margin
//!          falls below `10 √tol` of its largest value so far: two branches that cross there are
//!          closer to each other than the error of a step.
//! Between: `c = det(Q Q₀ᵀ)`, with orthonormal bases Q₀ and Q of the same rows before and after a
//!          step, is the product of the cosines between the two row spaces, with the sign of their
//!          orientation. Where a step goes straight over a crossing of two branches the sign
//!          changes, and only there (Crandall and Rabinowitz 1971, Keller 1977). A step with
//!          `c < 1/2` is repeated with a smaller size: it then ends before the pose, or follows a
//!          quick turn.
//! Limits:  two singular poses within one step are not detected.

use std::vec::Vec;

/// Length of a row's orthogonal remainder, as a fraction of the largest row, below which the row
/// counts as dependent. The generator has the same limit for redundant rows.
const DEPENDENT: f64 = 1e-7;
/// Length below which a row is the rounding of a zero row, for a constraint on something that
/// cannot move (the height of a wheel whose body cannot leave its plane). Scaled up it would look
/// like any other row.
const NOTHING: f64 = 1e-13;
/// Fraction of the longest row below which a row is the rounding of a zero row.
const NOTHING_BESIDE: f64 = 1e-11;
/// Factor of the square root of the tolerance; a pose is singular where the rank margin is smaller.
const NEAR: f64 = 10.0;
/// Upper bound of the singularity threshold, as a fraction of the largest rank margin.
const NEAREST: f64 = 1e-2;
/// Smallest product of cosines between the constraint row spaces before and after a step; below it
/// the step is repeated.
const MIN_DETERMINANT: f64 = 0.5;

/// Result of checking the rank of the constraint rows after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RankCheck {
    /// The constraint rows keep the rank of the mechanism.
    Regular,
    /// The row space turned too far to be followed, or rows became dependent within the step; the
    /// step is repeated with a smaller size. The value is the index of the last row.
    Turned(usize),
    /// Rows that are independent elsewhere are dependent here: a singular pose. The value is the
    /// index of the row that depends on the others.
    Singular(usize),
}

/// Constraint rows at one state, in units of their largest lengths, with the result of their
/// orthogonalisation.
#[derive(Clone, Debug, Default)]
struct OrthogonalRows {
    /// Entries of the scaled rows, row by row.
    values: Vec<f64>,
    /// Indices of the rows in the order of their remainders, the longest first.
    order: Vec<usize>,
    /// Length of each row's component orthogonal to the rows before it, in that order.
    remainders: Vec<f64>,
}

/// Monitors the rank of the constraint rows along a motion, to stop before loops can change their
/// branch.
#[derive(Clone, Debug)]
pub(super) struct RankMonitor {
    /// Fraction of the largest margin below which a pose is singular.
    singular_threshold: f64,
    /// Length of a remainder below which a row is dependent.
    dependent_limit: f64,
    /// Largest length of each constraint row so far, by which rows are scaled.
    row_lengths: Vec<f64>,
    /// Largest rank so far: that of the mechanism.
    rank: usize,
    /// Largest rank margin so far.
    largest_margin: f64,
    /// Rows at the last regular state.
    previous_rows: OrthogonalRows,
}

impl RankMonitor {
    /// Creates a monitor for steps of this tolerance, and states that are projected up to this
    /// residual.
    pub(super) fn new(tolerance: f64, residual: f64) -> Self {
        RankMonitor {
            singular_threshold: (NEAR * tolerance.max(residual).sqrt()).min(NEAREST),
            dependent_limit: DEPENDENT.max(1e3 * residual).min(NEAREST),
            row_lengths: Vec::new(),
            rank: 0,
            largest_margin: 0.0,
            previous_rows: OrthogonalRows::default(),
        }
    }

    /// Checks the rank of `rows` with `columns` entries each at the next state. Stores them if they
    /// are regular.
    pub(super) fn check_rank(&mut self, rows: &[f64], columns: usize) -> RankCheck {
        if columns == 0 || rows.is_empty() {
            return RankCheck::Regular;
        }
        let count = rows.len() / columns;
        self.row_lengths.resize(count, 0.0);
        for (length, row) in self.row_lengths.iter_mut().zip(rows.chunks(columns)) {
            *length = length.max(row_length(row));
        }
        let longest = self.row_lengths.iter().fold(0.0f64, |longest, x| longest.max(*x));
        let nothing = NOTHING.max(NOTHING_BESIDE * longest);
        let mut values = rows.to_vec();
        for (length, row) in self.row_lengths.iter().zip(values.chunks_mut(columns)) {
            let scale = if *length > nothing { length.recip() } else { 0.0 };
            row.iter_mut().for_each(|x| *x *= scale);
        }
        let now = orthogonalise_rows(values, columns);
        let rank = now.remainders.iter().filter(|x| **x > self.dependent_limit).count();
        if rank > self.rank {
            (self.rank, self.largest_margin) = (rank, 0.0);
        } else if let Some(row) = self.rank.checked_sub(1).and_then(|i| now.order.get(i).copied()) {
            if now.remainders[self.rank - 1] < self.singular_threshold * self.largest_margin {
                return RankCheck::Singular(row);
            }
            let same = &self.previous_rows.order[..self.rank.min(self.previous_rows.order.len())];
            if row_space_determinant(&self.previous_rows.values, &now.values, same, columns) < MIN_DETERMINANT
            {
                return RankCheck::Turned(row);
            }
        }
        let margin = self.rank.checked_sub(1).map_or(0.0, |i| now.remainders[i]);
        self.largest_margin = self.largest_margin.max(margin);
        self.previous_rows = now;
        RankCheck::Regular
    }
}

/// Euclidean length of a row.
fn row_length(row: &[f64]) -> f64 {
    dot_product(row, row).sqrt()
}

/// Scalar product of two rows.
fn dot_product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Orthogonalises constraint rows with the longest remainder first, each twice.
fn orthogonalise_rows(values: Vec<f64>, columns: usize) -> OrthogonalRows {
    let mut rest: Vec<Vec<f64>> = values.chunks(columns).map(<[f64]>::to_vec).collect();
    let mut left: Vec<usize> = (0..rest.len()).collect();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let (mut order, mut remainders) = (Vec::new(), Vec::new());
    while let Some(place) =
        (0..left.len()).max_by(|a, b| row_length(&rest[left[*a]]).total_cmp(&row_length(&rest[left[*b]])))
    {
        let row = left.remove(place);
        let mut longest = rest[row].clone();
        remove_components(&mut longest, &basis);
        let length = row_length(&longest);
        order.push(row);
        remainders.push(length);
        if length > 0.0 && length.is_finite() {
            longest.iter_mut().for_each(|x| *x /= length);
            for other in &left {
                remove_components(&mut rest[*other], core::slice::from_ref(&longest));
            }
            basis.push(longest);
        }
    }
    OrthogonalRows { values, order, remainders }
}

/// Subtracts the components of a row along an orthonormal basis.
fn remove_components(row: &mut [f64], basis: &[Vec<f64>]) {
    for b in basis {
        let share = dot_product(row, b);
        row.iter_mut().zip(b).for_each(|(x, y)| *x -= share * y);
    }
}

/// An orthonormal basis of the rows with these indices. A row that depends on those before it stays
/// short.
fn orthonormal_basis(values: &[f64], indices: &[usize], columns: usize) -> Vec<Vec<f64>> {
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(indices.len());
    for row in indices {
        let mut rest = values[row * columns..(row + 1) * columns].to_vec();
        remove_components(&mut rest, &basis);
        remove_components(&mut rest, &basis);
        let length = row_length(&rest);
        if length > 0.0 {
            rest.iter_mut().for_each(|x| *x /= length);
        }
        basis.push(rest);
    }
    basis
}

/// Determinant `det(Q Q₀ᵀ)` between the spaces of the rows with these indices before and after a
/// step: the product of the cosines between them.
fn row_space_determinant(before: &[f64], after: &[f64], indices: &[usize], columns: usize) -> f64 {
    let (old, new) =
        (orthonormal_basis(before, indices, columns), orthonormal_basis(after, indices, columns));
    let mut m: Vec<Vec<f64>> = new.iter().map(|a| old.iter().map(|b| dot_product(a, b)).collect()).collect();
    let mut product = 1.0;
    for k in 0..m.len() {
        let Some(p) = (k..m.len()).max_by(|a, b| m[*a][k].abs().total_cmp(&m[*b][k].abs())) else { break };
        if p != k {
            m.swap(p, k);
            product = -product;
        }
        let pivot = m[k].clone();
        product *= pivot[k];
        if pivot[k] == 0.0 {
            break;
        }
        for row in m.iter_mut().skip(k + 1) {
            let factor = row[k] / pivot[k];
            row.iter_mut().zip(&pivot).skip(k).for_each(|(x, y)| *x -= factor * y);
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gradient of the test constraint `x y`, whose zeros are two lines that cross at the origin.
    fn crossing_gradient(x: f64, y: f64) -> [f64; 2] {
        [y, x]
    }

    fn determinant_between(from: [f64; 2], to: [f64; 2]) -> f64 {
        row_space_determinant(&crossing_gradient(from[0], from[1]), &crossing_gradient(to[0], to[1]), &[0], 2)
    }

    #[test]
    fn the_rounding_of_a_row_that_is_zero_has_no_rank_to_lose() {
        let mut monitor = RankMonitor::new(1e-9, 1e-12);
        for k in 0..200 {
            let noise = 1e-17 * f64::from((k * 7919) % 13 - 6);
            let (s, c) = (0.03 * f64::from(k)).sin_cos();
            assert_eq!(monitor.check_rank(&[c, s, noise, -noise], 2), RankCheck::Regular, "step {k}");
        }
        let mut alone = RankMonitor::new(1e-9, 1e-12);
        for k in 0..200 {
            let noise = 1e-17 * f64::from((k * 7919) % 13 - 6);
            assert_eq!(alone.check_rank(&[noise, 2.0 * noise], 2), RankCheck::Regular, "step {k}");
        }
    }

    #[test]
    fn straight_through_a_crossing_turns_the_sign_and_round_the_corner_does_not() {
        assert_eq!(determinant_between([-1.0, 0.0], [1.0, 0.0]), -1.0);
        assert_eq!(determinant_between([0.0, -1.0], [0.0, 1.0]), -1.0);
        assert_eq!(determinant_between([-1.0, 0.0], [-0.5, 0.0]), 1.0);
        let corner = determinant_between([-1.0, 0.0], [-0.6, 0.8]);
        assert!(corner > 0.0 && corner < 1.0, "{corner}");
    }

    #[test]
    fn a_line_across_is_followed_until_the_crossing_is_near() {
        let mut monitor = RankMonitor::new(1e-8, 1e-12);
        for i in 0..999 {
            let x = -1.0 + f64::from(i) * 1e-3;
            assert_eq!(monitor.check_rank(&crossing_gradient(x, 0.0), 2), RankCheck::Regular, "{x}");
        }
        assert_eq!(monitor.check_rank(&crossing_gradient(-5e-4, 0.0), 2), RankCheck::Singular(0));
        // A single step over the crossing, along the same line and to the other one.
        let mut monitor = RankMonitor::new(1e-8, 1e-12);
        assert_eq!(monitor.check_rank(&crossing_gradient(-0.1, 0.0), 2), RankCheck::Regular);
        assert_eq!(monitor.check_rank(&crossing_gradient(0.1, 0.0), 2), RankCheck::Turned(0));
        assert_eq!(monitor.check_rank(&crossing_gradient(0.0, 0.1), 2), RankCheck::Turned(0));
        assert_eq!(monitor.check_rank(&crossing_gradient(-0.09, 0.0), 2), RankCheck::Regular);
    }

    #[test]
    fn rows_that_depend_on_others_everywhere_are_no_singular_pose() {
        let mut monitor = RankMonitor::new(1e-8, 1e-12);
        for i in 0..100 {
            let (sin, cos) = (f64::from(i) * 0.05).sin_cos();
            let rows = [cos, sin, 0.0, -2.0 * cos, -2.0 * sin, 1e-12, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0];
            assert_eq!(monitor.check_rank(&rows, 3), RankCheck::Regular, "{i}");
        }
        assert_eq!(monitor.rank, 2);
    }

    #[test]
    fn a_start_in_a_singular_pose_is_left() {
        let mut monitor = RankMonitor::new(1e-8, 1e-12);
        for i in 0..100 {
            let x = f64::from(i) * 1e-3;
            assert_eq!(monitor.check_rank(&[1.0, 0.0, 1.0, x], 2), RankCheck::Regular, "{x}");
        }
        assert_eq!(monitor.check_rank(&[1.0, 0.0, 1.0, 1e-6], 2), RankCheck::Singular(1));
    }
}
