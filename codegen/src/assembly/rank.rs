//! Which rows follow from others, and what is left to move.
//!
//! Problem: rank of A at an assembled pose, the rows that depend on those before them, the rows that take part in a
//! dependence.
//! Method:  rows of length one, orthogonalised in spec order, each twice (Giraud, Langou and Rozloznik 2005); a row
//! that keeps less than 1e-7 of itself depends on those before it, and its coefficients say on which.
//! Several poses, because a symmetric pose can have a lower rank: the largest rank is that of the mechanism.

use super::solve::{Draw, positions};
use super::{Manifold, solve};

/// Poses at which the rank is taken.
const POSES: u64 = 4;
/// What a row must keep to count as independent.
const KEPT: f64 = 1e-7;

/// The rank of the rows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RowRank {
    /// Indices of rows that follow from rows before them.
    pub redundant: Vec<usize>,
    /// For each of them: the rows that it is a sum of, each with its factor at the pose; none if the row is zero.
    pub from: Vec<Vec<(usize, f64)>>,
    /// Indices of all rows that take part in a dependence.
    pub dependent: Vec<usize>,
    /// True if the rank at the first pose is smaller than at others: that pose is singular.
    pub singular_start: bool,
}

/// A row that depends on others: its index, and the rows that it is a sum of with their factors.
type Dependent = (usize, Vec<(usize, f64)>);

/// Independent rows in order, and for each other row the rows that it follows from.
pub(super) fn independent(rows: &[Vec<f64>]) -> (Vec<usize>, Vec<Dependent>) {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    // Each basis vector as a combination of the independent rows.
    let mut recipes: Vec<Vec<f64>> = Vec::new();
    let (mut kept, mut sizes, mut dependent) = (Vec::new(), Vec::new(), Vec::new());
    for (i, row) in rows.iter().enumerate() {
        let size = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size.is_nan() || size < 1e-12 {
            dependent.push((i, Vec::new()));
            continue;
        }
        let mut rest: Vec<f64> = row.iter().map(|x| x / size).collect();
        let mut recipe = vec![0.0; kept.len()];
        for _ in 0..2 {
            for (b, r) in basis.iter().zip(&recipes) {
                let share: f64 = rest.iter().zip(b).map(|(x, y)| x * y).sum();
                rest.iter_mut().zip(b).for_each(|(x, y)| *x -= share * y);
                recipe.iter_mut().zip(r).for_each(|(x, y)| *x += share * y);
            }
        }
        let left = rest.iter().map(|x| x * x).sum::<f64>().sqrt();
        if left < KEPT {
            let largest = recipe.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            let sources = recipe.iter().zip(&kept).zip(&sizes).filter(|((x, _), _)| x.abs() > 1e-6 * largest);
            dependent.push((i, sources.map(|((x, k), of)| (*k, x * size / of)).collect()));
            continue;
        }
        rest.iter_mut().for_each(|x| *x /= left);
        recipe.iter_mut().for_each(|x| *x /= -left);
        recipe.push(1.0 / left);
        basis.push(rest);
        recipes.iter_mut().for_each(|r| r.push(0.0));
        recipes.push(recipe);
        kept.push(i);
        sizes.push(size);
    }
    (kept, dependent)
}

/// The rank of the constraint rows around an assembled pose.
pub fn rank(manifold: &Manifold<'_>, t: f64, q: &[f64]) -> RowRank {
    let m = manifold.mechanism;
    let v = vec![0.0; m.nv()];
    let free = vec![true; m.nq()];
    let mut results = Vec::new();
    for pose in 0..POSES {
        let mut draw = Draw::new(1000 + pose);
        let x: Vec<f64> = if pose == 0 {
            q.to_vec()
        } else {
            let start: Vec<f64> = q.iter().map(|x| x + 0.3 * draw.next()).collect();
            let (x, residual) = positions(manifold, t, &start, &free);
            let assembled = residual.iter().all(|r| r.abs() < solve::TOLERANCE) && manifold.aligned(t, &x);
            if !assembled {
                continue;
            }
            x
        };
        let rows: Vec<Vec<f64>> = manifold.rows(t, &x, &v).into_iter().map(|r| r.jacobian).collect();
        results.push(independent(&rows));
    }
    let best = results.iter().map(|r| r.0.len()).max().unwrap_or(0);
    let singular_start = results.first().is_some_and(|r| r.0.len() < best);
    let mut out = RowRank { singular_start, ..RowRank::default() };
    if let Some((_, dependent)) = results.iter().find(|r| r.0.len() == best) {
        for (row, from) in dependent {
            out.redundant.push(*row);
            out.from.push(from.clone());
        }
    }
    for (_, dependent) in results.iter().filter(|r| r.0.len() == best) {
        out.dependent.extend(
            dependent.iter().flat_map(|(row, from)| std::iter::once(*row).chain(from.iter().map(|f| f.0))),
        );
    }
    out.dependent.sort_unstable();
    out.dependent.dedup();
    out
}

/// What a mechanism can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Mobility {
    pub coordinates: usize,
    pub speeds: usize,
    /// Scalar rows of constraints, those that inputs realise left out.
    pub rows: usize,
    /// Of them, those that hold positions.
    pub holonomic: usize,
    /// Of the rows, those that follow from others.
    pub redundant: usize,
    /// Speeds that can be chosen.
    pub freedom: usize,
}

/// Counts, from what `prepare` found.
pub fn mobility(manifold: &Manifold<'_>, t: f64, q: &[f64]) -> Mobility {
    let m = manifold.mechanism;
    let rows = manifold.rows(t, q, &vec![0.0; m.nv()]);
    let redundant = rows.iter().filter(|r| !r.independent(m)).count();
    Mobility {
        coordinates: m.nq(),
        speeds: m.nv(),
        rows: rows.len(),
        holonomic: rows.iter().filter(|r| r.position.is_some()).count(),
        redundant,
        freedom: m.nv() + redundant - rows.len().min(m.nv() + redundant),
    }
}
