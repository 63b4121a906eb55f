//! Motions that the constraints allow: a basis of the null space of the rows that take part.
//!
//! Problem: `v̇ = v̇₀ + B u̇` with `G v̇ = γ` for every u̇, so `G B = 0`.
//! Method:  Gauss and Jordan over the scalar, a dependent speed a row, with the pivots (row, speed) that assembly chose
//! (`mechanism::Partition`): they keep away from zero at the start and at poses that are reached without assembly. A wheel that can head anywhere has no such speed in
//! ground axes. Rows that are left so, G′ in the speeds that are left, are projected: `P = 1 − W G′ᵀ (G′ W G′ᵀ)⁻¹ G′` (Aghili
//! 2005), with W the reciprocals of the diagonal of M, so that no unit enters; it divides by nothing that vanishes before
//! the rank of G falls. Its columns depend on each other: `Bᵀ M B + G′ᵀ (G′ W G′ᵀ)⁻¹ G′` is regular, and what the second
//! term finds is zero.
//! Shapes:  B has as many columns as speeds are not dependent.
//! Cost:    O(rows² · nv); with k rows left O(k · (nv − rows + k)²) besides, and a system larger by k.
//! Rows that the pose chooses are combined so that no pivot belongs to one of them (`by_dependent_speeds`), and so are rows whose
//! block keeps away from zero where no order of pivots does.
//! Not handled: a pose where a loop makes the chosen pivots vanish: they are reported.

use super::pivots::{Pivot, of_projected};
use crate::kinematics::ConstraintRow;
use crate::mechanism::{Mechanism, Partition, PivotPlace, RowId, SpeedId};
use dqdt_algebra::{Scalar, TreeFactors, dot};

/// `v̇ = v̇₀ + B u̇`.
pub struct NullSpace<S> {
    /// The independent column of the matrix that each column of B is named after.
    pub names: Vec<usize>,
    /// v̇₀
    pub particular: Vec<S>,
    /// Columns of B.
    pub basis: Vec<Vec<S>>,
    /// Index of the row and what was divided by, in the order of elimination; by dependent speeds.
    pub pivots: Vec<(usize, S)>,
    /// How independent the projected rows are, between 0 and 1; one for each row.
    pub independence: Vec<S>,
    /// Rows with their dependent speeds.
    pairs: Vec<PivotPlace>,
    /// The row operations: `E G` is reduced.
    operations: Vec<Vec<S>>,
    /// The columns without what the projection took out.
    columns: Vec<Vec<S>>,
    projection: Option<Projection<S>>,
}

/// Rows without a dependent speed, in the speeds that are left.
struct Projection<S> {
    rows: Vec<usize>,
    /// `G′ W`
    weighted: Vec<Vec<S>>,
    /// Of `G′ W G′ᵀ`.
    factors: TreeFactors<S>,
    independence: Vec<S>,
    /// `(G′ W G′ᵀ)⁻¹ G′`, by speed.
    solved: Vec<Vec<S>>,
    /// `G′`
    own: Vec<Vec<S>>,
}

/// `start + Σ column x`.
fn along<S: Scalar>(columns: &[Vec<S>], x: &[S], start: Vec<S>) -> Vec<S> {
    columns.iter().zip(x).fold(start, |mut sum, (column, x)| {
        if !x.is_zero() {
            let terms = sum.iter_mut().zip(column).filter(|(_, c)| !c.is_zero());
            terms.for_each(|(s, c)| *s = *s + *c * *x);
        }
        sum
    })
}

impl<S: Scalar> Projection<S> {
    /// `own`: G′, with the indices of its rows; `weights`: W.
    fn new(rows: Vec<usize>, own: Vec<Vec<S>>, weights: &[S]) -> Self {
        let n = rows.len();
        let weigh = |(a, w): (&S, &S)| if a.is_zero() { S::ZERO } else { *a * *w };
        let weighted: Vec<Vec<S>> =
            own.iter().map(|row| row.iter().zip(weights).map(weigh).collect()).collect();
        let gram: Vec<Vec<S>> =
            (0..n).map(|i| (0..=i).map(|j| dot(&own[i], &weighted[j])).collect()).collect();
        let chain: Vec<Option<usize>> = (0..n).map(|i| i.checked_sub(1)).collect();
        let factors = TreeFactors::new(&chain, |i, j| if i >= j { gram[i][j] } else { gram[j][i] });
        let independence = (0..n).map(|i| factors.pivots[i] / gram[i][i]).collect();
        let column = |j: usize| factors.solve(&own.iter().map(|row| row[j]).collect::<Vec<_>>());
        let solved = (0..weights.len()).map(column).collect();
        Projection { rows, weighted, factors, independence, solved, own }
    }

    /// `W G′ᵀ x`
    fn pulled(&self, x: &[S]) -> Vec<S> {
        along(&self.weighted, x, vec![S::ZERO; self.solved.len()])
    }

    /// The column j of the projector.
    fn column(&self, j: usize) -> Vec<S> {
        let entry = |(i, x): (usize, S)| match (i == j, x.is_zero()) {
            (true, _) => S::ONE - x,
            (false, true) => S::ZERO,
            (false, false) => -x,
        };
        self.pulled(&self.solved[j]).into_iter().enumerate().map(entry).collect()
    }
}

/// Rows of groups have no dependent speed of their own: `D G` in place of these and of the rows of other pairs, with D the columns of
/// the dependent speeds, transposed. Its pivots, those of `D Dᵀ`, vanish nowhere but where those speeds do not follow from the
/// others. All rows of a group may take part, in place of those that the pose chooses: that they depend on each other does no harm
/// here, since right sides do likewise. Then there are more rows than `count`, of which those of groups are the last, and each of
/// them has a pair.
fn by_dependent_speeds<S: Scalar>(g: &mut Vec<Vec<S>>, pairs: &[PivotPlace], count: usize) {
    let beyond = count..g.len();
    let taken: Vec<Vec<S>> = pairs.iter().map(|p| p.row.0).chain(beyond).map(|r| g[r].clone()).collect();
    let combined = |p: &PivotPlace| {
        let factors: Vec<S> = taken.iter().map(|row| row[p.column]).collect();
        along(&taken, &factors, vec![S::ZERO; taken[0].len()])
    };
    let rows: Vec<Vec<S>> = pairs.iter().map(combined).collect();
    g.truncate(count);
    for (p, row) in pairs.iter().zip(rows) {
        g[p.row.0] = row;
    }
}

impl<S: Scalar> NullSpace<S> {
    /// Of the rows that take part; `diagonal` is that of M.
    pub fn new(
        m: &Mechanism,
        partition: &Partition,
        rows: &[ConstraintRow<S>],
        diagonal: impl Fn(SpeedId) -> S,
    ) -> Self {
        Self::with_pivots(m, partition, rows, partition.basis.steady.clone(), false, diagonal)
    }

    /// Of the rows that take part, with the dependent speeds that leave driven ones independent. `None` where the pose decides which
    /// speed a row gives.
    pub fn of_driven(m: &Mechanism, partition: &Partition, rows: &[ConstraintRow<S>]) -> Option<Self> {
        let pairs = partition.driven.clone()?;
        // Every row has a dependent speed, so nothing is projected, and the weights of the projection do not matter.
        Some(Self::with_pivots(m, partition, rows, pairs, partition.driven_as_block, |_| S::ONE))
    }

    /// Of the rows that take part, with these pairs of a row and its dependent speed. `as_block`: no order of these pivots
    /// keeps away from zero.
    fn with_pivots(
        m: &Mechanism,
        partition: &Partition,
        rows: &[ConstraintRow<S>],
        pairs: Vec<PivotPlace>,
        as_block: bool,
        diagonal: impl Fn(SpeedId) -> S,
    ) -> Self {
        let jacobian: Vec<&[S]> = rows.iter().map(|row| &row.jacobian[..]).collect();
        let gamma: Vec<S> = rows.iter().map(|row| row.gamma).collect();
        let grouped = rows.iter().filter(|row| partition.group_of(row.place()).is_some()).count();
        let rank: usize = partition.groups.iter().map(|g| g.rank).sum();
        let kept = (as_block || !partition.groups.is_empty()).then(|| rows.len() - grouped + rank);
        Self::of_matrix((&jacobian, m.nv()), &gamma, pairs, kept, |s| diagonal(SpeedId(s)))
    }

    /// Of any matrix by rows, so many columns wide, with a right side, and pairs of a row and its dependent column. `kept`:
    /// how many combined rows stay where rows are combined; rows of groups are the last.
    pub fn of_matrix(
        (matrix, nv): (&[&[S]], usize),
        right: &[S],
        pairs: Vec<PivotPlace>,
        kept: Option<usize>,
        diagonal: impl Fn(usize) -> S,
    ) -> Self {
        let n = matrix.len();
        let unit = |i: usize| (0..n).map(move |j| if i == j { S::ONE } else { S::ZERO });
        // Columns: those of the matrix, the right side, and the identity that becomes the operations.
        let mut g: Vec<Vec<S>> = matrix
            .iter()
            .zip(right)
            .enumerate()
            .map(|(i, (row, right))| row.iter().copied().chain([*right]).chain(unit(i)).collect())
            .collect();
        if let Some(count) = kept {
            by_dependent_speeds(&mut g, &pairs, count);
        }
        let mut pivots = Vec::new();
        for PivotPlace { row: RowId(r), column } in &pairs {
            let pivot = g[*r][*column];
            pivots.push((*r, pivot));
            let reciprocal = S::ONE / pivot;
            let own: Vec<S> = g[*r].iter().map(|x| *x * reciprocal).collect();
            for (i, row) in g.iter_mut().enumerate() {
                if i == *r {
                    continue;
                }
                let factor = row[*column];
                if !factor.is_zero() {
                    row.iter_mut().zip(&own).for_each(|(x, p)| *x = *x - factor * *p);
                    row[*column] = S::ZERO;
                }
            }
            g[*r] = own;
            g[*r][*column] = S::ONE;
        }
        let names: Vec<usize> = (0..nv).filter(|s| !pairs.iter().any(|p| p.column == *s)).collect();
        let mut particular = vec![S::ZERO; nv];
        pairs.iter().for_each(|p| particular[p.column] = g[p.row.0][nv]);
        let columns: Vec<Vec<S>> = names
            .iter()
            .map(|j| {
                let mut column = vec![S::ZERO; nv];
                column[*j] = S::ONE;
                pairs.iter().for_each(|p| column[p.column] = -g[p.row.0][*j]);
                column
            })
            .collect();
        let left: Vec<usize> = (0..g.len()).filter(|r| !pairs.iter().any(|p| p.row.0 == *r)).collect();
        let projection = (!left.is_empty()).then(|| {
            let own = left.iter().map(|r| names.iter().map(|j| g[*r][*j]).collect()).collect();
            // Any weights will do, also for a speed that moves no mass.
            let weight = |d: S| if d.is_zero() { S::ONE } else { S::ONE / d };
            let weights: Vec<S> = names.iter().map(|j| weight(diagonal(*j))).collect();
            Projection::new(left, own, &weights)
        });
        let (mut basis, mut independence) = (columns.clone(), Vec::new());
        if let Some(p) = &projection {
            let gamma: Vec<S> = p.rows.iter().map(|r| g[*r][nv]).collect();
            particular = along(&columns, &p.pulled(&p.factors.solve(&gamma)), particular);
            let still = || vec![S::ZERO; nv];
            basis = (0..names.len()).map(|j| along(&columns, &p.column(j), still())).collect();
            independence = vec![S::ONE; g.len()];
            p.rows.iter().zip(&p.independence).for_each(|(r, x)| independence[*r] = *x);
        }
        let operations: Vec<Vec<S>> = g.iter().map(|row| row[nv + 1..].to_vec()).collect();
        NullSpace { names, particular, basis, pivots, independence, pairs, operations, columns, projection }
    }

    /// The speeds that the columns of B are named after, of a matrix with one column a speed.
    pub fn speeds(&self) -> impl Iterator<Item = SpeedId> + '_ {
        self.names.iter().copied().map(SpeedId)
    }

    /// What of another right side the dependent columns take, the independent ones standing still. For pairs of all rows.
    pub fn taken(&self, right: &[S]) -> Vec<S> {
        let mut x = vec![S::ZERO; self.particular.len()];
        self.pairs.iter().for_each(|p| x[p.column] = dot(&self.operations[p.row.0], right));
        x
    }

    /// The entry of `Bᵀ M B` at i and j ≤ i, made regular where columns of B depend on each other.
    pub fn complete(&self, i: usize, j: usize, entry: S) -> S {
        let Some(p) = &self.projection else { return entry };
        let terms = p.own.iter().zip(&p.solved[j]).filter(|(row, x)| !row[i].is_zero() && !x.is_zero());
        terms.fold(entry, |sum, (row, x)| sum + row[i] * *x)
    }

    /// Pivots of the rows, and those of `Bᵀ M B`.
    pub fn named_pivots(
        &self,
        m: &Mechanism,
        partition: &Partition,
        rows: &[ConstraintRow<S>],
        factors: &TreeFactors<S>,
    ) -> Vec<Pivot<S>> {
        let of_rows = self.pivots.iter().map(|(r, pivot)| Pivot::of_row(&rows[*r].name, *pivot, None));
        of_rows.chain(of_projected(m, partition, &self.speeds().collect::<Vec<_>>(), factors)).collect()
    }

    /// λ of `Gᵀ λ = f` for forces that do no work along B: `λ = Eᵀ μ` with `(E G)ᵀ μ = f`.
    pub fn multipliers(&self, forces: &[S]) -> Vec<S> {
        let size = self.operations.first().map_or(0, Vec::len);
        let mut mu = vec![S::ZERO; self.operations.len()];
        self.pairs.iter().for_each(|p| mu[p.row.0] = forces[p.column]);
        if let Some(p) = &self.projection {
            let left: Vec<S> = self.columns.iter().map(|column| dot(column, forces)).collect();
            let found = p.factors.solve(&p.weighted.iter().map(|row| dot(row, &left)).collect::<Vec<_>>());
            p.rows.iter().zip(found).for_each(|(r, x)| mu[*r] = x);
        }
        along(&self.operations, &mu, vec![S::ZERO; size])
    }
}
