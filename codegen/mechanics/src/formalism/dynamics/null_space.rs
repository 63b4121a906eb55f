//! Motions that the constraints allow: a basis of the null space of the active rows.
//!
//! Problem: `v̇ = v̇₀ + B u̇` with `G v̇ = γ` for every u̇, so `G B = 0`.
//! Method:  Gauss–Jordan elimination over the scalar, with one dependent speed for each row. The
//!          pivots (row, speed) were chosen in assembly (`mechanism::Partition`): they stay away
//!          from zero at the start and at poses that need no assembly. Some rows have no such
//!          pivot, such as those of a wheel that can head in any direction, in ground axes. These
//!          rows, G′ in the remaining speeds, are projected: `P = 1 − W G′ᵀ (G′ W G′ᵀ)⁻¹ G′`
//!          (Aghili 2005). W contains the reciprocals of the diagonal of M, so that the result does
//!          not depend on units. No divisor vanishes before the rank of G falls. The columns of P
//!          are dependent: `Bᵀ M B + G′ᵀ (G′ W G′ᵀ)⁻¹ G′` is regular, and the second term does not
//!          change the result.
//! Shapes:  B has one column for each independent speed.
//! Cost:    O(rows² · nv); with k projected rows also O(k · (nv − rows + k)²), and a system larger
//!          by k. Rows that the pose selects are combined so that no pivot belongs to a single one
//!          (`by_dependent_speeds`); so are rows for which only the block of pivots stays away from
//!          zero.
//!
//! Not handled: a pose where a loop makes the chosen pivots vanish: they are reported.

use super::pivots::{Pivot, of_projected};
use crate::kinematics::ConstraintRow;
use crate::mechanism::{Mechanism, Partition, PivotPlace, RowId, SpeedId};
use dqdt_algebra::{Scalar, TreeFactors, dot};

/// Motions that constraint rows allow: `v̇ = v̇₀ + B u̇`.
pub struct NullSpace<S> {
    /// Independent column of the matrix after which each column of B is named.
    pub names: Vec<usize>,
    /// Particular solution v̇₀ of the constraint rows.
    pub particular: Vec<S>,
    /// Columns of B, a basis of the permitted motions.
    pub basis: Vec<Vec<S>>,
    /// Divisors of the dependent speeds with the indices of their rows, in the order of
    /// elimination.
    pub pivots: Vec<(usize, S)>,
    /// Independence of each row, between 0 and 1; one for rows that are not projected. Empty
    /// without projection.
    pub independence: Vec<S>,
    /// Eliminated rows with their dependent speeds.
    pairs: Vec<PivotPlace>,
    /// Row operations E, for which `E G` is in reduced form.
    operations: Vec<Vec<S>>,
    /// Columns of the basis before the projection.
    columns: Vec<Vec<S>>,
    projection: Option<Projection<S>>,
}

/// Projection of rows without a dependent speed, in the remaining speeds.
struct Projection<S> {
    rows: Vec<usize>,
    /// `G′ W`, by rows.
    weighted: Vec<Vec<S>>,
    /// Factors of `G′ W G′ᵀ`.
    factors: TreeFactors<S>,
    independence: Vec<S>,
    /// `(G′ W G′ᵀ)⁻¹ G′`, by speed.
    solved: Vec<Vec<S>>,
    /// `G′`, by rows.
    own: Vec<Vec<S>>,
}

/// `start + Σ columns x`: a combination of columns.
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
    /// Projection of the rows `own` (G′) with indices `rows` and weights W.
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

    /// Returns `W G′ᵀ x`, which maps values of projected rows to speeds.
    fn pulled(&self, x: &[S]) -> Vec<S> {
        along(&self.weighted, x, vec![S::ZERO; self.solved.len()])
    }

    /// Column j of the projector `P = 1 − W G′ᵀ (G′ W G′ᵀ)⁻¹ G′`.
    fn column(&self, j: usize) -> Vec<S> {
        let entry = |(i, x): (usize, S)| match (i == j, x.is_zero()) {
            (true, _) => S::ONE - x,
            (false, true) => S::ZERO,
            (false, false) => -x,
        };
        self.pulled(&self.solved[j]).into_iter().enumerate().map(entry).collect()
    }
}

/// Replaces the rows of `pairs` and of groups by `D G`, where D is the transpose of the columns of
/// the dependent speeds. Used for rows that have no dependent speed of their own.
///
/// The pivots, those of `D Dᵀ`, vanish only where the dependent speeds do not follow from the
/// others. All rows of a group may be used, instead of those selected at the pose: their dependence
/// does no harm, since the right-hand sides depend on each other in the same way. `g` then has more
/// than `count` rows; those of groups are last, and each remaining one has a pair.
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
    /// Null space of the active rows. `diagonal` is that of M, for the weights of the projection.
    pub fn new(
        m: &Mechanism,
        partition: &Partition,
        rows: &[ConstraintRow<S>],
        diagonal: impl Fn(SpeedId) -> S,
    ) -> Self {
        Self::with_pivots(m, partition, rows, partition.basis.steady.clone(), false, diagonal)
    }

    /// Null space of the active rows with dependent speeds that leave driven ones independent.
    /// `None` if the dependent speeds change with the pose.
    pub fn of_driven(m: &Mechanism, partition: &Partition, rows: &[ConstraintRow<S>]) -> Option<Self> {
        let pairs = partition.driven.clone()?;
        // Every row has a dependent speed, so nothing is projected and the weights are irrelevant.
        Some(Self::with_pivots(m, partition, rows, pairs, partition.driven_as_block, |_| S::ONE))
    }

    /// Null space of the active rows with the given pivots. `as_block`: only the block of pivots as
    /// a whole stays away from zero, so rows are combined.
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

    /// Null space of a matrix with `nv` columns, by rows, with a right-hand side and the pivots of
    /// rows and dependent columns. `kept`: number of rows after combination, if rows are combined;
    /// rows of groups are last.
    pub fn of_matrix(
        (matrix, nv): (&[&[S]], usize),
        right: &[S],
        pairs: Vec<PivotPlace>,
        kept: Option<usize>,
        diagonal: impl Fn(usize) -> S,
    ) -> Self {
        let n = matrix.len();
        let unit = |i: usize| (0..n).map(move |j| if i == j { S::ONE } else { S::ZERO });
        // Columns: the matrix, the right-hand side, and an identity that becomes the row
        // operations.
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
            // Any positive weight is valid, so a speed without inertia gets one.
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

    /// Speeds after which the columns of B are named, if the columns of the matrix are speeds.
    pub fn speeds(&self) -> impl Iterator<Item = SpeedId> + '_ {
        self.names.iter().copied().map(SpeedId)
    }

    /// Values of the dependent columns for another right-hand side, with zero for the independent
    /// ones. Valid if every row has a pivot.
    pub fn taken(&self, right: &[S]) -> Vec<S> {
        let mut x = vec![S::ZERO; self.particular.len()];
        self.pairs.iter().for_each(|p| x[p.column] = dot(&self.operations[p.row.0], right));
        x
    }

    /// Completes the entry i, j ≤ i of `Bᵀ M B`, which is otherwise singular after a projection.
    pub fn complete(&self, i: usize, j: usize, entry: S) -> S {
        let Some(p) = &self.projection else { return entry };
        let terms = p.own.iter().zip(&p.solved[j]).filter(|(row, x)| !row[i].is_zero() && !x.is_zero());
        terms.fold(entry, |sum, (row, x)| sum + row[i] * *x)
    }

    /// Pivots of the rows and of `Bᵀ M B`, with names for error messages.
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

    /// Multipliers λ of `Gᵀ λ = f`, for forces f that do no work along B: `λ = Eᵀ μ` with
    /// `(E G)ᵀ μ = f`.
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
