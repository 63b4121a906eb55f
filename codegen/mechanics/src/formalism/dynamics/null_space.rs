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
//!          (`combine_by_dependent_speeds`); so are rows for which only the block of pivots stays
//!          away from zero.
//!
//! Not handled: a pose where a loop makes the chosen pivots vanish: they are reported.

use super::pivots::{Pivot, projected_pivots};
use crate::kinematics::ConstraintRow;
use crate::mechanism::{Mechanism, Partition, PivotPlace, RowId, SpeedId};
use dqdt_algebra::{Scalar, TreeFactors, dot};

/// Accelerations that constraint rows allow, `v̇ = v̇₀ + B u̇`, from one dependent speed for each
/// row.
pub struct NullSpace<S> {
    /// Index of the independent column (speed) after which each column of B is named.
    pub names: Vec<usize>,
    /// Particular solution v̇₀ of the constraint rows, by speed.
    pub particular: Vec<S>,
    /// Columns of B, a basis of the permitted motions, each by speed.
    pub basis: Vec<Vec<S>>,
    /// Divisors of the dependent speeds with the indices of their rows, in the order of
    /// elimination.
    pub pivots: Vec<(usize, S)>,
    /// Independence of each row, between 0 and 1; one for rows that are not projected. Empty
    /// without projection.
    pub independence: Vec<S>,
    /// Eliminated rows with the dependent speeds that they determine.
    pairs: Vec<PivotPlace>,
    /// Row operations E of the elimination, for which `E G` is in reduced form.
    operations: Vec<Vec<S>>,
    /// Columns of the basis before the projection of rows without a dependent speed.
    columns: Vec<Vec<S>>,
    /// Projection of those rows; `None` if every row has a dependent speed.
    projection: Option<Projection<S>>,
}

/// Projection of rows without a dependent speed, in the remaining speeds.
struct Projection<S> {
    /// Indices of the projected rows.
    indices: Vec<usize>,
    /// Matrix `G′ W`, by rows.
    weighted: Vec<Vec<S>>,
    /// Factors of the Gram matrix `G′ W G′ᵀ`.
    factors: TreeFactors<S>,
    /// Independence of each projected row, between 0 and 1.
    independence: Vec<S>,
    /// Matrix `(G′ W G′ᵀ)⁻¹ G′`, by speed.
    solved: Vec<Vec<S>>,
    /// Matrix `G′` of the projected rows, by rows.
    rows: Vec<Vec<S>>,
}

/// Combination of columns: `start + Σ columns x`.
fn combine_columns<S: Scalar>(columns: &[Vec<S>], x: &[S], start: Vec<S>) -> Vec<S> {
    columns.iter().zip(x).fold(start, |mut sum, (column, x)| {
        if !x.is_zero() {
            let terms = sum.iter_mut().zip(column).filter(|(_, c)| !c.is_zero());
            terms.for_each(|(s, c)| *s = *s + *c * *x);
        }
        sum
    })
}

/// Solves the rows of the pivots for their columns, which it eliminates from all other rows.
/// Returns the pivots with their rows.
fn eliminate_pivot_columns<S: Scalar>(g: &mut [Vec<S>], pairs: &[PivotPlace]) -> Vec<(usize, S)> {
    let mut pivots = Vec::new();
    for PivotPlace { row: RowId(r), column } in pairs {
        let pivot = g[*r][*column];
        pivots.push((*r, pivot));
        let reciprocal = S::ONE / pivot;
        let pivot_row: Vec<S> = g[*r].iter().map(|x| *x * reciprocal).collect();
        for (i, row) in g.iter_mut().enumerate() {
            if i == *r {
                continue;
            }
            let factor = row[*column];
            if !factor.is_zero() {
                row.iter_mut().zip(&pivot_row).for_each(|(x, p)| *x = *x - factor * *p);
                row[*column] = S::ZERO;
            }
        }
        g[*r] = pivot_row;
        g[*r][*column] = S::ONE;
    }
    pivots
}

impl<S: Scalar> Projection<S> {
    /// Projection onto the null space of the rows G′ with `indices` and weights W.
    fn new(indices: Vec<usize>, rows: Vec<Vec<S>>, weights: &[S]) -> Self {
        let n = indices.len();
        let weighted: Vec<Vec<S>> = rows
            .iter()
            .map(|row| row.iter().zip(weights).map(|(a, w)| multiply_unless_zero(*a, *w)).collect())
            .collect();
        let gram: Vec<Vec<S>> =
            (0..n).map(|i| (0..=i).map(|j| dot(&rows[i], &weighted[j])).collect()).collect();
        let chain: Vec<Option<usize>> = (0..n).map(|i| i.checked_sub(1)).collect();
        let factors = TreeFactors::new(&chain, |i, j| if i >= j { gram[i][j] } else { gram[j][i] });
        let independence = (0..n).map(|i| factors.pivots[i] / gram[i][i]).collect();
        let solved = (0..weights.len())
            .map(|j| factors.solve(&rows.iter().map(|row| row[j]).collect::<Vec<_>>()))
            .collect();
        Projection { indices, weighted, factors, independence, solved, rows }
    }

    /// Product `W G′ᵀ x`, which maps values of projected rows to speeds.
    fn map_rows_to_speeds(&self, x: &[S]) -> Vec<S> {
        combine_columns(&self.weighted, x, vec![S::ZERO; self.solved.len()])
    }

    /// Column `j` of the projector `P = 1 − W G′ᵀ (G′ W G′ᵀ)⁻¹ G′`.
    fn projector_column(&self, j: usize) -> Vec<S> {
        self.map_rows_to_speeds(&self.solved[j])
            .into_iter()
            .enumerate()
            .map(|(i, x)| match (i == j, x.is_zero()) {
                (true, _) => S::ONE - x,
                (false, true) => S::ZERO,
                (false, false) => -x,
            })
            .collect()
    }
}

/// Product of a matrix entry with a weight, zero without operations.
fn multiply_unless_zero<S: Scalar>(entry: S, weight: S) -> S {
    if entry.is_zero() { S::ZERO } else { entry * weight }
}

/// Weight of a speed in the projection. Any positive weight is valid, so a speed without inertia
/// gets one.
fn weight_from_diagonal<S: Scalar>(diagonal: S) -> S {
    if diagonal.is_zero() { S::ONE } else { S::ONE / diagonal }
}

/// Replaces the rows of `pairs` and of groups by `D G`, where D is the transpose of the columns of
/// the dependent speeds. Used for rows that have no dependent speed of their own.
///
/// The pivots, those of `D Dᵀ`, vanish only where the dependent speeds do not follow from the
/// others. All rows of a group may be used, instead of those selected at the pose: their dependence
/// does no harm, since the right-hand sides depend on each other in the same way. `g` then has more
/// than `count` rows; those of groups are last, and each remaining one has a pair.
fn combine_rows_by_dependent_speeds<S: Scalar>(g: &mut Vec<Vec<S>>, pairs: &[PivotPlace], count: usize) {
    let beyond = count..g.len();
    let sources: Vec<Vec<S>> = pairs.iter().map(|p| p.row.0).chain(beyond).map(|r| g[r].clone()).collect();
    let rows: Vec<Vec<S>> = pairs
        .iter()
        .map(|p| {
            let factors: Vec<S> = sources.iter().map(|row| row[p.column]).collect();
            combine_columns(&sources, &factors, vec![S::ZERO; sources[0].len()])
        })
        .collect();
    g.truncate(count);
    for (p, row) in pairs.iter().zip(rows) {
        g[p.row.0] = row;
    }
}

impl<S: Scalar> NullSpace<S> {
    /// Null space of the active rows, with the steady pivots of the partition. `diagonal` is that
    /// of M, for the weights of the projection.
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
    pub fn leaving_driven_independent(
        m: &Mechanism,
        partition: &Partition,
        rows: &[ConstraintRow<S>],
    ) -> Option<Self> {
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
        let grouped = rows.iter().filter(|row| partition.group_containing(row.row_index()).is_some()).count();
        let rank: usize = partition.groups.iter().map(|g| g.rank).sum();
        let kept = (as_block || !partition.groups.is_empty()).then(|| rows.len() - grouped + rank);
        Self::from_matrix((&jacobian, m.nv()), &gamma, pairs, kept, |s| diagonal(SpeedId(s)))
    }

    /// Null space of a matrix with `nv` columns, by rows, with a right-hand side and the pivots of
    /// rows and dependent columns. `kept`: number of rows after combination, if rows are combined;
    /// rows of groups are last.
    pub fn from_matrix(
        (matrix, nv): (&[&[S]], usize),
        right: &[S],
        pairs: Vec<PivotPlace>,
        kept: Option<usize>,
        diagonal: impl Fn(usize) -> S,
    ) -> Self {
        let n = matrix.len();
        // Columns: the matrix, the right-hand side, and an identity that becomes the row
        // operations.
        let mut g: Vec<Vec<S>> = matrix
            .iter()
            .zip(right)
            .enumerate()
            .map(|(i, (row, right))| {
                let unit = (0..n).map(|j| if i == j { S::ONE } else { S::ZERO });
                row.iter().copied().chain([*right]).chain(unit).collect()
            })
            .collect();
        if let Some(count) = kept {
            combine_rows_by_dependent_speeds(&mut g, &pairs, count);
        }
        let pivots = eliminate_pivot_columns(&mut g, &pairs);
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
        let unpaired: Vec<usize> = (0..g.len()).filter(|r| !pairs.iter().any(|p| p.row.0 == *r)).collect();
        let projection = (!unpaired.is_empty()).then(|| {
            let rows = unpaired.iter().map(|r| names.iter().map(|j| g[*r][*j]).collect()).collect();
            let weights: Vec<S> = names.iter().map(|j| weight_from_diagonal(diagonal(*j))).collect();
            Projection::new(unpaired, rows, &weights)
        });
        let (mut basis, mut independence) = (columns.clone(), Vec::new());
        if let Some(p) = &projection {
            let gamma: Vec<S> = p.indices.iter().map(|r| g[*r][nv]).collect();
            particular =
                combine_columns(&columns, &p.map_rows_to_speeds(&p.factors.solve(&gamma)), particular);
            basis = (0..names.len())
                .map(|j| combine_columns(&columns, &p.projector_column(j), vec![S::ZERO; nv]))
                .collect();
            independence = vec![S::ONE; g.len()];
            p.indices.iter().zip(&p.independence).for_each(|(r, x)| independence[*r] = *x);
        }
        let operations: Vec<Vec<S>> = g.iter().map(|row| row[nv + 1..].to_vec()).collect();
        NullSpace { names, particular, basis, pivots, independence, pairs, operations, columns, projection }
    }

    /// Speeds after which the columns of B are named, if the columns of the matrix are speeds.
    pub fn independent_speeds(&self) -> impl Iterator<Item = SpeedId> + '_ {
        self.names.iter().copied().map(SpeedId)
    }

    /// Values of the dependent columns for another right-hand side, with zero for the independent
    /// ones. Valid if every row has a pivot.
    pub fn solve_dependent(&self, right: &[S]) -> Vec<S> {
        let mut x = vec![S::ZERO; self.particular.len()];
        self.pairs.iter().for_each(|p| x[p.column] = dot(&self.operations[p.row.0], right));
        x
    }

    /// Completes entry i, j ≤ i of the projected mass matrix `Bᵀ M B`, which is otherwise singular
    /// after a projection.
    pub fn regularise_mass_entry(&self, i: usize, j: usize, entry: S) -> S {
        let Some(p) = &self.projection else { return entry };
        let terms = p.rows.iter().zip(&p.solved[j]).filter(|(row, x)| !row[i].is_zero() && !x.is_zero());
        terms.fold(entry, |sum, (row, x)| sum + row[i] * *x)
    }

    /// Pivots of the rows and of the projected mass matrix `Bᵀ M B`, with names for error messages.
    pub fn named_pivots(
        &self,
        m: &Mechanism,
        partition: &Partition,
        rows: &[ConstraintRow<S>],
        factors: &TreeFactors<S>,
    ) -> Vec<Pivot<S>> {
        let of_rows = self.pivots.iter().map(|(r, pivot)| Pivot::row_pivot(&rows[*r].name, *pivot, None));
        of_rows
            .chain(projected_pivots(m, partition, &self.independent_speeds().collect::<Vec<_>>(), factors))
            .collect()
    }

    /// Multipliers λ of `Gᵀ λ = f`, for forces f that do no work along B: `λ = Eᵀ μ` with
    /// `(E G)ᵀ μ = f`.
    pub fn multipliers_from_forces(&self, forces: &[S]) -> Vec<S> {
        let size = self.operations.first().map_or(0, Vec::len);
        let mut mu = vec![S::ZERO; self.operations.len()];
        self.pairs.iter().for_each(|p| mu[p.row.0] = forces[p.column]);
        if let Some(p) = &self.projection {
            let along: Vec<S> = self.columns.iter().map(|column| dot(column, forces)).collect();
            let solution =
                p.factors.solve(&p.weighted.iter().map(|row| dot(row, &along)).collect::<Vec<_>>());
            p.indices.iter().zip(solution).for_each(|(r, x)| mu[*r] = x);
        }
        combine_columns(&self.operations, &mu, vec![S::ZERO; size])
    }
}
