//! Rank of the constraints: redundant rows, and the degrees of freedom.
//!
//! Problem: rank of A at assembled poses, the rows that depend on those before them, the rows that take part in a
//! dependence; and whether the same rows can be left out in every pose.
//! Method:  the rows in spec order (`dependence`): a row depends on those before it, and its coefficients say on which.
//! Several poses, because a symmetric pose can have a lower rank: the largest rank is that of the mechanism. A row whose
//! coefficients are the same in all of them can be left out for good. Where they change with the pose they can grow beyond
//! all bounds, and what was left out is missing there: such rows form a group, of which the pose takes as many as are
//! independent (`kinematics::selection`).
//! Poses on both sides of switches in the rows (`switch_poses`), because a condition may decide which rows are the same.
//! Not handled: a proof. Coefficients that change only where no pose was tried count as the same.

use std::collections::BTreeMap;

use super::Manifold;
use super::attempt::holds;
use super::dependence::independent;
use super::solve::positions;
use super::switch_poses::switch_poses;
use dqdt_diagnostics::base::Random;
use dqdt_mechanics::kinematics::free_poses;
use dqdt_mechanics::mechanism::Partition;

/// Poses around the start at which the rank is taken.
const POSES: u64 = 4;
/// Poses far from it, where they need no assembly.
const FAR: usize = 12;
/// By how much coefficients may differ that are the same.
const SAME: f64 = 1e-6;

/// The rank of the rows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RowRank {
    /// Indices of rows that follow from rows before them in every pose, by the same sum.
    pub redundant: Vec<usize>,
    /// For each of them: the rows that it is a sum of, each with its factor; none if the row is zero.
    pub from: Vec<Vec<(usize, f64)>>,
    /// Other rows that depend on each other, with their rank: which of them follow from the others changes with the pose.
    pub groups: Vec<(Vec<usize>, usize)>,
    /// Indices of all rows that take part in a dependence.
    pub dependent: Vec<usize>,
    /// True if the rank at the first pose is smaller than at others: that pose is singular.
    pub singular_start: bool,
    /// Poses far from the start at which it was taken too: those that need no assembly, and those on both sides of switches.
    pub poses: Vec<Vec<f64>>,
}

impl RowRank {
    /// Rows beyond the rank.
    pub fn beyond(&self) -> usize {
        self.redundant.len() + self.groups.iter().map(|(rows, rank)| rows.len() - rank).sum::<usize>()
    }
}

/// The rank of the constraint rows around an assembled pose.
pub fn rank(manifold: &Manifold<'_>, t: f64, q: &[f64]) -> RowRank {
    let m = manifold.mechanism;
    let v = vec![0.0; m.nv()];
    let free = vec![true; m.nq()];
    let at =
        |x: &[f64]| -> Vec<Vec<f64>> { manifold.rows(t, x, &v).into_iter().map(|r| r.jacobian).collect() };
    let mut matrices: Vec<Vec<Vec<f64>>> = Vec::new();
    for pose in 0..POSES {
        let mut random = Random::new(1000 + pose);
        let x: Vec<f64> = if pose == 0 {
            q.to_vec()
        } else {
            let start: Vec<f64> = q.iter().map(|x| x + 0.3 * random.signed()).collect();
            let (x, residual) = positions(manifold, t, &start, &free);
            let assembled = holds(manifold, t, &x, &residual) && manifold.aligned(t, &x);
            if !assembled {
                continue;
            }
            x
        };
        matrices.push(at(&x));
    }
    let mut far = manifold.at(t, q, &v, |env| free_poses(m, env, FAR));
    far.extend(switch_poses(manifold, t, q));
    matrices.extend(far.iter().map(|x| at(x)));
    matrices.retain(|rows| rows.iter().flatten().all(|x| x.is_finite()));
    let results: Vec<_> = matrices.iter().map(|rows| independent(rows)).collect();
    let best = results.iter().map(|r| r.0.len()).max().unwrap_or(0);
    let singular_start = results.first().is_some_and(|r| r.0.len() < best);
    if results.iter().all(|r| r.1.is_empty()) {
        return RowRank { singular_start, poses: far, ..RowRank::default() };
    }
    let regular: Vec<&Vec<Vec<f64>>> =
        matrices.iter().zip(&results).filter(|(_, r)| r.0.len() == best).map(|(rows, _)| rows).collect();
    let mut out = RowRank { singular_start, poses: far, ..always_redundant(&regular) };
    out.dependent.sort_unstable();
    out.dependent.dedup();
    out
}

/// Which speeds the constraints fix at a pose together with those that are `kept`; a kept one is fixed.
pub fn speeds_that_follow(manifold: &Manifold<'_>, t: f64, q: &[f64], kept: &[bool]) -> Vec<bool> {
    let n = manifold.mechanism.nv();
    let rows = manifold.rows(t, q, &vec![0.0; n]);
    let unit = |s: usize| -> Vec<f64> { (0..n).map(|i| if i == s { 1.0 } else { 0.0 }).collect() };
    let known: Vec<Vec<f64>> =
        (rows.into_iter().map(|r| r.jacobian)).chain((0..n).filter(|s| kept[*s]).map(unit)).collect();
    let rank = independent(&known).0.len();
    let follows = |s: usize| {
        let with = [&known[..], &[unit(s)]].concat();
        kept[s] || independent(&with).0.len() == rank
    };
    (0..n).map(follows).collect()
}

/// Dependences of the rows `left` at a pose, in the indices of all rows.
fn dependences(rows: &[Vec<f64>], left: &[usize]) -> BTreeMap<usize, BTreeMap<usize, f64>> {
    let own: Vec<Vec<f64>> = left.iter().map(|i| rows[*i].clone()).collect();
    let named = |from: Vec<(usize, f64)>| from.into_iter().map(|(i, x)| (left[i], x)).collect();
    independent(&own).1.into_iter().map(|(i, from)| (left[i], named(from))).collect()
}

/// Rows that can be left out for good, and the groups of those that cannot; `poses` all have the rank of the mechanism.
fn always_redundant(poses: &[&Vec<Vec<f64>>]) -> RowRank {
    let mut out = RowRank::default();
    let mut left: Vec<usize> = (0..poses.first().map_or(0, |rows| rows.len())).collect();
    let all = loop {
        let all: Vec<_> = poses.iter().map(|rows| dependences(rows, &left)).collect();
        let Some(first) = all.first() else { return out };
        let steady = |(row, from): &(&usize, &BTreeMap<usize, f64>)| {
            all.iter().all(|other| other.get(*row).is_some_and(|other| same(from, other)))
        };
        let found: Vec<(usize, BTreeMap<usize, f64>)> =
            first.iter().filter(steady).map(|(row, from)| (*row, from.clone())).collect();
        if found.is_empty() {
            break all;
        }
        for (row, from) in found {
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
    out.groups = groups(&all);
    out.dependent.extend(out.groups.iter().flat_map(|(rows, _)| rows));
    out
}

fn same(a: &BTreeMap<usize, f64>, b: &BTreeMap<usize, f64>) -> bool {
    let close = |x: f64, y: f64| (x - y).abs() <= SAME * (1.0 + x.abs().max(y.abs()));
    let both = |i: &usize| close(a.get(i).copied().unwrap_or(0.0), b.get(i).copied().unwrap_or(0.0));
    a.keys().chain(b.keys()).all(both)
}

/// Rows that stand in one dependence at some pose belong together.
fn groups(all: &[BTreeMap<usize, BTreeMap<usize, f64>>]) -> Vec<(Vec<usize>, usize)> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (row, from) in all.iter().flatten() {
        let mut own: Vec<usize> = std::iter::once(*row).chain(from.keys().copied()).collect();
        groups.retain(|g| {
            let shared = g.iter().any(|i| own.contains(i));
            if shared {
                own.extend(g);
            }
            !shared
        });
        own.sort_unstable();
        own.dedup();
        groups.push(own);
    }
    groups.sort_unstable();
    let ranked = |rows: Vec<usize>| {
        let at = |pose: &BTreeMap<usize, _>| pose.keys().filter(|i| rows.contains(i)).count();
        let beyond = all.iter().map(at).max().unwrap_or(0);
        let rank = rows.len() - beyond;
        (rows, rank)
    };
    groups.into_iter().map(ranked).collect()
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

/// Counts, from what `assemble` found.
pub fn mobility(manifold: &Manifold<'_>, partition: &Partition, t: f64, q: &[f64]) -> Mobility {
    let m = manifold.mechanism;
    let rows = manifold.rows(t, q, &vec![0.0; m.nv()]);
    let always = rows.iter().filter(|r| !r.independent(partition)).count();
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
