//! Choice of the dependent coordinates of the constraints.
//!
//! Problem: one dependent coordinate difference of `∂Φ/∂q δq = 0` for each independent row, for
//!          functions that need independent differences and cannot choose them at run time.
//! Method:  `∂Φ/∂q` by jets, at the start and at poses that need no assembly; the largest pivots
//!          that stay away from zero there (`algebra::steady_pivots`), preferring coordinates whose
//!          rates are dependent speeds. All position rows count: one that follows from velocity
//!          rows is redundant in the equations of motion, but still constrains coordinates. Where
//!          the pose selects among rows, only the differences are fixed and not their rows: they
//!          must follow from all rows together at each pose.
//! States:  a quaternion has three differences, `e ⊗ (1, δ/2)`.
//!
//! Not handled: poses that need an assembly. Pivots that vanish there are reported by the functions
//! that divide by them.

use dqdt_algebra::{choose_leading_steady_pivots, choose_steady_pivots, pivot_order, scale_columns};
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::{constraint_rows, coordinate_rates, quaternion_starts};
use dqdt_mechanics::mechanism::{CoordinateId, Environment, Mechanism, PivotPlace};

/// Dependent coordinate differences with their rows; rows are counted among all position rows.
/// `speeds` are the indices of the dependent speeds. `None` if there is no complete choice.
pub(super) fn choose_dependent_coordinates(
    m: &Mechanism,
    env: &Environment<'_, f64>,
    poses: &[&[f64]],
    speeds: &[usize],
) -> Option<Vec<PivotPlace>> {
    let pairs = choose_pairs(m, env, poses, speeds)?;
    Some(pairs.into_iter().map(PivotPlace::from).collect())
}

/// Index of a position row, and index of its dependent coordinate difference.
type RowAndDifference = (usize, usize);

/// Pairs of a position row and its dependent difference, by pivots that stay away from zero at all
/// `poses`; `None` if they are fewer than the rank.
fn choose_pairs(
    m: &Mechanism,
    env: &Environment<'_, f64>,
    poses: &[&[f64]],
    speeds: &[usize],
) -> Option<Vec<RowAndDifference>> {
    let samples: Vec<Vec<Vec<f64>>> =
        poses.iter().map(|q| position_row_gradient(m, &Environment { q, ..*env })).collect();
    let start = samples.first().filter(|rows| !rows.is_empty());
    let Some(start) = start else { return Some(Vec::new()) };
    let (_, rate_matrix) = coordinate_rates(m, env);
    let directions = difference_directions(m, env.q);
    let first: Vec<usize> = (0..directions.len())
        .filter(|k| changes_only_with_speeds(&rate_matrix, m.nv(), &directions[*k], speeds))
        .collect();
    let rank = pivot_order(start, &[]).len();
    if !env.partition.groups.is_empty() {
        let pairs = pivot_order(start, &first);
        let all_follow = samples.iter().all(|rows| {
            let dependent: Vec<Vec<f64>> =
                rows.iter().map(|row| pairs.iter().map(|p| row[p.1]).collect()).collect();
            pivot_order(&dependent, &[]).len() == rank
        });
        return all_follow.then_some(pairs);
    }
    let complete =
        |(pairs, steady): (Vec<RowAndDifference>, bool)| (steady && pairs.len() == rank).then_some(pairs);
    complete(choose_steady_pivots(&samples, &first))
        .or_else(|| complete(choose_steady_pivots(&samples, &[])))
        .or_else(|| {
            // Lengths in units of the mechanism's size, so that pivots of translations and angles
            // compare.
            let size = formalism::default_mechanism_length(m);
            let units: Vec<f64> =
                directions.iter().map(|dq| if is_translational(m, dq) { size } else { 1.0 }).collect();
            let samples: Vec<Vec<Vec<f64>>> = samples.iter().map(|a| scale_columns(a, &units)).collect();
            complete(choose_steady_pivots(&samples, &first))
        })
        .or_else(|| Some(choose_leading_steady_pivots(&samples, &[])).filter(|pairs| pairs.len() == rank))
}

/// True if the coordinate difference `dq` changes only through rates of the `dependent` speeds.
/// `rate_matrix` is N of `q̇ = N v`.
fn changes_only_with_speeds(rate_matrix: &[Vec<f64>], nv: usize, dq: &[f64], dependent: &[usize]) -> bool {
    let moving: Vec<usize> =
        (0..nv).filter(|j| rate_matrix.iter().zip(dq).any(|(row, x)| *x != 0.0 && row[*j] != 0.0)).collect();
    !moving.is_empty() && moving.iter().all(|s| dependent.contains(s))
}

/// True if a difference changes a coordinate that is a length.
fn is_translational(m: &Mechanism, dq: &[f64]) -> bool {
    CoordinateId::enumerate(dq).any(|(i, x)| *x != 0.0 && m.coordinates[i].dimension.is_translational())
}

/// Unit changes of the coordinates, one vector of nq entries for each difference: one for a
/// coordinate, three for a quaternion.
fn difference_directions(m: &Mechanism, q: &[f64]) -> Vec<Vec<f64>> {
    let quaternions = quaternion_starts(m);
    let still = vec![0.0; q.len()];
    let mut out = Vec::new();
    let mut i = 0;
    while i < q.len() {
        if !quaternions.contains(&CoordinateId(i)) {
            let mut dq = still.clone();
            dq[i] = 1.0;
            out.push(dq);
            i += 1;
            continue;
        }
        let [w, x, y, z] = [0, 1, 2, 3].map(|k| 0.5 * q[i + k]);
        for turned in [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]] {
            let mut dq = still.clone();
            dq[i..i + 4].copy_from_slice(&turned);
            out.push(dq);
        }
        i += 4;
    }
    out
}

/// `∂Φ/∂q` of all position rows, by rows; columns are differences.
fn position_row_gradient(m: &Mechanism, env: &Environment<'_, f64>) -> Vec<Vec<f64>> {
    let still = vec![0.0; m.nv()];
    let columns: Vec<Vec<f64>> = difference_directions(m, env.q)
        .iter()
        .map(|dq| {
            env.with_jets(0.0, dq, &still, |env| {
                constraint_rows(m, env).iter().filter_map(|row| row.position).map(|x| x.d).collect()
            })
        })
        .collect();
    let rows = columns.first().map_or(0, Vec::len);
    (0..rows).map(|r| columns.iter().map(|c| c[r]).collect()).collect()
}
