//! Contradictions among prescribed start values.
//!
//! Problem: rows `A v + a₀ = 0` that no values of the free speeds fulfil while the other speeds are
//!          kept; and poses that no values of the free coordinates reach while the others are held.
//! Method:  speeds: the free ones are eliminated with complete pivoting. The remaining rows relate
//!          kept speeds only, and are brought into reduced echelon form. Each row is then one
//!          relation; those that fail are the contradictions.
//!
//! Coordinates: the mechanism is assembled again with nothing held; held coordinates that change
//! are reported.

use super::Manifold;
use super::manifold::TOLERANCE;
use dqdt_mechanics::mechanism::SpeedId;

/// Pivots and factors below this count as zero, in rows whose largest entry is scaled to one.
const ZERO: f64 = 1e-9;

/// A linear relation between start speeds of the spec (kept speeds) that follows from the
/// constraints and that their values violate. Shown in the error `contradicting-speeds`.
#[derive(Clone, PartialEq, Debug)]
pub struct Relation {
    /// Kept speed that the relation would determine from the others.
    pub speed: SpeedId,
    /// Value of `speed` that would fulfil the relation.
    pub expected: f64,
    /// Kept speeds that determine `speed`, with their factors; empty if the constraints alone do.
    pub from: Vec<(SpeedId, f64)>,
}

/// Largest residual of a velocity row `a·v + constant` that counts as rounding, at a pose known to
/// [`TOLERANCE`].
pub(super) fn allowed_violation(row: &[f64], constant: f64, v: &[f64]) -> f64 {
    let terms = row.iter().zip(v).map(|(a, v)| (a * v).abs());
    let largest = row.iter().zip(v).filter(|(a, _)| **a != 0.0).fold(0.0f64, |m, (_, v)| m.max(v.abs()));
    1e-9 * (terms.sum::<f64>() + constant.abs()) + TOLERANCE * (1.0 + largest)
}

/// Relations between kept speeds that fail at a pose. Empty if the rows contradict each other
/// independently of what is kept.
pub(super) fn find_violated_relations(
    manifold: &Manifold<'_>,
    t: f64,
    q: &[f64],
    v: &[f64],
    kept: &[bool],
) -> Vec<Relation> {
    let n = v.len();
    let (residual, jacobian) = manifold.linearise_velocities(t, q, v);
    let mut rows: Vec<Vec<f64>> = (jacobian.into_iter().zip(residual))
        .map(|(mut row, r)| {
            let constant = r - row.iter().zip(v).map(|(a, v)| a * v).sum::<f64>();
            let size = row.iter().fold(0.0f64, |m, a| m.max(a.abs()));
            row.push(constant);
            if size > 0.0 {
                row.iter_mut().for_each(|a| *a /= size);
            }
            row
        })
        .collect();
    let free: Vec<usize> = (0..n).filter(|j| !kept[*j]).collect();
    let kept_columns: Vec<usize> = (0..n).filter(|j| kept[*j]).collect();
    let used = eliminate_columns(&mut rows, 0, &free).len();
    let pivots = eliminate_columns(&mut rows, used, &kept_columns);
    let mut out = Vec::new();
    for (row, speed) in rows[used..].iter().zip(pivots) {
        let others = kept_columns.iter().filter(|j| **j != speed && row[**j].abs() > ZERO);
        let from: Vec<(SpeedId, f64)> = others.map(|j| (SpeedId(*j), -row[*j])).collect();
        let expected = from.iter().map(|(j, factor)| factor * v[*j]).sum::<f64>() - row[n];
        if (v[speed] - expected).abs() > allowed_violation(&row[..n], row[n], v) {
            out.push(Relation { speed: SpeedId(speed), expected, from });
        }
    }
    out.sort_by_key(|r| r.speed);
    out
}

/// Gauss–Jordan elimination over some columns from row `first` on, with complete pivoting. Returns
/// the columns of the pivots in the order of their rows.
fn eliminate_columns(rows: &mut [Vec<f64>], first: usize, columns: &[usize]) -> Vec<usize> {
    let mut pivots: Vec<usize> = Vec::new();
    while first + pivots.len() < rows.len() {
        let at = first + pivots.len();
        let entries = (at..rows.len()).flat_map(|i| columns.iter().map(move |j| (i, *j)));
        let largest = entries
            .map(|(i, j)| (rows[i][j].abs(), i, j))
            .filter(|(x, ..)| x.is_finite())
            .reduce(|a, b| if b.0 > a.0 { b } else { a });
        let Some((_, i, column)) = largest.filter(|l| l.0 > ZERO) else { break };
        rows.swap(at, i);
        let pivot = rows[at][column];
        rows[at].iter_mut().for_each(|x| *x /= pivot);
        let pivot_row = rows[at].clone();
        for (_, row) in rows.iter_mut().enumerate().skip(first).filter(|(k, _)| *k != at) {
            let factor = row[column];
            row.iter_mut().zip(&pivot_row).for_each(|(x, p)| *x -= factor * p);
            row[column] = 0.0;
        }
        pivots.push(column);
    }
    pivots
}

#[cfg(test)]
mod tests {
    use super::eliminate_columns;

    #[test]
    fn what_is_left_relates_the_columns_that_were_not_eliminated() {
        // x + y + a = 0 and x + y + 2 b = 0: eliminating x and y leaves a = 2 b.
        let mut rows = vec![vec![1.0, 1.0, 1.0, 0.0, 0.0], vec![1.0, 1.0, 0.0, 2.0, 0.0]];
        assert_eq!(eliminate_columns(&mut rows, 0, &[0, 1]).len(), 1);
        let pivots = eliminate_columns(&mut rows, 1, &[2, 3]);
        assert_eq!(pivots, [3]);
        assert_eq!(rows[1], [0.0, 0.0, -0.5, 1.0, 0.0]);
    }
}
