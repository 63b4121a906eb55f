//! Rank of the constraints: redundant rows and degrees of freedom.
//!
//! Problem: the rank of A at assembled poses, the redundant rows, and if the same rows are
//!          redundant in every pose.
//! Method:  rows in spec order (`dependence`): a row depends on rows before it, with coefficients.
//!          Several poses are sampled, because a symmetric pose can have a lower rank: the largest
//!          rank is that of the mechanism. A row with the same coefficients in all poses can be
//!          dropped permanently. Coefficients that change with the pose may become unbounded where
//!          the dropped row is needed: such rows form a group, from which the pose selects
//!          independent ones (`kinematics::selection`). Poses on both sides of switches in the rows
//!          are sampled too (`switch_poses`), because a condition may decide which rows are
//!          redundant.
//!
//! Not handled: a proof. Coefficients that change only at poses that were not sampled count as
//! constant.

use std::collections::BTreeMap;

use super::Manifold;
use super::attempt::residual_is_noise;
use super::dependence::find_independent_rows;
use super::solve::solve_positions;
use super::switch_poses::find_switch_poses;
use dqdt_diagnostics::base::Random;
use dqdt_mechanics::kinematics::sample_free_poses;
use dqdt_mechanics::mechanism::Partition;

/// Number of assembled poses, the start included, at which the rank of the constraint rows is
/// computed.
const POSES: u64 = 4;
/// Number of poses far from the start at which the rank is computed too, if they need no assembly.
const FAR: usize = 12;
/// Relative tolerance within which the coefficients of a redundant row at two poses count as equal.
const SAME: f64 = 1e-6;

/// Rank of the constraint rows: redundant rows and groups of rows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RowRank {
    /// Indices of rows that are the same linear combination of rows before them in every pose.
    pub redundant: Vec<usize>,
    /// Linear combination of each row of `redundant`, in the same order: indices of other rows with
    /// their factors; empty if the row is zero.
    pub from: Vec<Vec<(usize, f64)>>,
    /// Groups of dependent rows by index, each with its rank. The pose decides which rows of a
    /// group are redundant.
    pub groups: Vec<(Vec<usize>, usize)>,
    /// Indices of all rows that take part in a linear dependence.
    pub dependent: Vec<usize>,
    /// True if the rank at the first pose is lower than at others: the start is singular.
    pub singular_start: bool,
    /// Other sampled poses, far from the start: those that need no assembly, and those on both
    /// sides of switches.
    pub poses: Vec<Vec<f64>>,
}

impl RowRank {
    /// Number of constraint rows in excess of the rank: redundant ones, in groups too.
    pub fn redundant_row_count(&self) -> usize {
        self.redundant.len() + self.groups.iter().map(|(rows, rank)| rows.len() - rank).sum::<usize>()
    }
}

/// Computes the rank of the constraint rows around an assembled pose.
pub fn rank_constraint_rows(manifold: &Manifold<'_>, t: f64, q: &[f64]) -> RowRank {
    let m = manifold.mechanism;
    let v = vec![0.0; m.nv()];
    let free = vec![true; m.nq()];
    let at = |x: &[f64]| -> Vec<Vec<f64>> {
        manifold.constraint_rows(t, x, &v).into_iter().map(|r| r.jacobian).collect()
    };
    let mut matrices: Vec<Vec<Vec<f64>>> = Vec::new();
    for pose in 0..POSES {
        let mut random = Random::new(1000 + pose);
        let x: Vec<f64> = if pose == 0 {
            q.to_vec()
        } else {
            let start: Vec<f64> = q.iter().map(|x| x + 0.3 * random.next_signed()).collect();
            let (x, residual) = solve_positions(manifold, t, &start, &free);
            let assembled = residual_is_noise(manifold, t, &x, &residual) && manifold.axes_are_aligned(t, &x);
            if !assembled {
                continue;
            }
            x
        };
        matrices.push(at(&x));
    }
    let mut far = manifold.with_environment(t, q, &v, |env| sample_free_poses(m, env, FAR));
    far.extend(find_switch_poses(manifold, t, q));
    matrices.extend(far.iter().map(|x| at(x)));
    matrices.retain(|rows| rows.iter().flatten().all(|x| x.is_finite()));
    let results: Vec<_> = matrices.iter().map(|rows| find_independent_rows(rows)).collect();
    let best = results.iter().map(|r| r.0.len()).max().unwrap_or(0);
    let singular_start = results.first().is_some_and(|r| r.0.len() < best);
    if results.iter().all(|r| r.1.is_empty()) {
        return RowRank { singular_start, poses: far, ..RowRank::default() };
    }
    let regular: Vec<&Vec<Vec<f64>>> =
        matrices.iter().zip(&results).filter(|(_, r)| r.0.len() == best).map(|(rows, _)| rows).collect();
    let mut out = RowRank { singular_start, poses: far, ..find_permanently_redundant(&regular) };
    out.dependent.sort_unstable();
    out.dependent.dedup();
    out
}

/// For each speed, true if it is `kept` or if the constraints determine it from the kept ones at
/// this pose.
pub fn find_determined_speeds(manifold: &Manifold<'_>, t: f64, q: &[f64], kept: &[bool]) -> Vec<bool> {
    let n = manifold.mechanism.nv();
    let rows = manifold.constraint_rows(t, q, &vec![0.0; n]);
    let unit = |s: usize| -> Vec<f64> { (0..n).map(|i| if i == s { 1.0 } else { 0.0 }).collect() };
    let known: Vec<Vec<f64>> =
        (rows.into_iter().map(|r| r.jacobian)).chain((0..n).filter(|s| kept[*s]).map(unit)).collect();
    let rank = find_independent_rows(&known).0.len();
    (0..n)
        .map(|s| {
            let with = [&known[..], &[unit(s)]].concat();
            kept[s] || find_independent_rows(&with).0.len() == rank
        })
        .collect()
}

/// Linear dependences among the rows `left` at a pose, by indices among all rows.
fn find_row_dependences(rows: &[Vec<f64>], left: &[usize]) -> BTreeMap<usize, BTreeMap<usize, f64>> {
    let left_rows: Vec<Vec<f64>> = left.iter().map(|i| rows[*i].clone()).collect();
    let dependent = find_independent_rows(&left_rows).1.into_iter();
    dependent.map(|(i, from)| (left[i], from.into_iter().map(|(k, x)| (left[k], x)).collect())).collect()
}

/// Rows that are redundant in all poses, and groups of the others. `poses` all have the rank of the
/// mechanism.
fn find_permanently_redundant(poses: &[&Vec<Vec<f64>>]) -> RowRank {
    let mut out = RowRank::default();
    let mut left: Vec<usize> = (0..poses.first().map_or(0, |rows| rows.len())).collect();
    let all = loop {
        let all: Vec<_> = poses.iter().map(|rows| find_row_dependences(rows, &left)).collect();
        let Some(first) = all.first() else { return out };
        let redundant: Vec<(usize, BTreeMap<usize, f64>)> = first
            .iter()
            .filter(|(row, from)| {
                all.iter()
                    .all(|other| other.get(*row).is_some_and(|other| combinations_are_equal(from, other)))
            })
            .map(|(row, from)| (*row, from.clone()))
            .collect();
        if redundant.is_empty() {
            break all;
        }
        for (row, from) in redundant {
            left.retain(|i| *i != row);
            out.dependent.push(row);
            out.dependent.extend(from.keys());
            out.redundant.push(row);
            out.from.push(from.into_iter().collect());
        }
    };
    let mut sorted: Vec<_> = out.redundant.iter().copied().zip(std::mem::take(&mut out.from)).collect();
    sorted.sort_by_key(|(row, _)| *row);
    (out.redundant, out.from) = sorted.into_iter().unzip();
    out.groups = group_dependent_rows(&all);
    out.dependent.extend(out.groups.iter().flat_map(|(rows, _)| rows));
    out
}

/// True if two linear combinations have equal factors, up to rounding.
fn combinations_are_equal(a: &BTreeMap<usize, f64>, b: &BTreeMap<usize, f64>) -> bool {
    a.keys().chain(b.keys()).all(|i| {
        let (x, y) = (a.get(i).copied().unwrap_or(0.0), b.get(i).copied().unwrap_or(0.0));
        (x - y).abs() <= SAME * (1.0 + x.abs().max(y.abs()))
    })
}

/// Groups of rows that share a linear dependence at some pose, each with its rank.
fn group_dependent_rows(all: &[BTreeMap<usize, BTreeMap<usize, f64>>]) -> Vec<(Vec<usize>, usize)> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (row, from) in all.iter().flatten() {
        let mut members: Vec<usize> = std::iter::once(*row).chain(from.keys().copied()).collect();
        groups.retain(|g| {
            let shared = g.iter().any(|i| members.contains(i));
            if shared {
                members.extend(g);
            }
            !shared
        });
        members.sort_unstable();
        members.dedup();
        groups.push(members);
    }
    groups.sort_unstable();
    groups
        .into_iter()
        .map(|rows| {
            let dependent = all.iter().map(|pose| pose.keys().filter(|i| rows.contains(i)).count());
            let rank = rows.len() - dependent.max().unwrap_or(0);
            (rows, rank)
        })
        .collect()
}

/// Counts of coordinates, speeds, constraint rows and degrees of freedom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Mobility {
    pub coordinates: usize,
    pub speeds: usize,
    /// Number of constraint rows, except those that inputs realise.
    pub rows: usize,
    /// Number of rows with a position residual; the other rows constrain speeds only.
    pub holonomic: usize,
    /// Number of redundant constraint rows: those beyond the rank.
    pub redundant: usize,
    /// Number of degrees of freedom: speeds that can be chosen freely.
    pub freedom: usize,
}

/// Counts coordinates, speeds, constraint rows and degrees of freedom at a state, with the
/// redundant rows of `partition`.
pub fn count_mobility(manifold: &Manifold<'_>, partition: &Partition, t: f64, q: &[f64]) -> Mobility {
    let m = manifold.mechanism;
    let rows = manifold.constraint_rows(t, q, &vec![0.0; m.nv()]);
    let always = rows.iter().filter(|r| !r.is_independent(partition)).count();
    let redundant = always + partition.groups.iter().map(|g| g.rows.len() - g.rank).sum::<usize>();
    Mobility {
        coordinates: m.nq(),
        speeds: m.nv(),
        rows: rows.len(),
        holonomic: rows.iter().filter(|r| r.position.is_some()).count(),
        redundant,
        freedom: m.nv() + redundant - rows.len().min(m.nv() + redundant),
    }
}
