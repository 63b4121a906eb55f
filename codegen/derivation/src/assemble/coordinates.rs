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

use dqdt_algebra::{in_units, partly_steady_pivots, pivot_order, steady_pivots};
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::{constraint_rows, quaternions, rates};
use dqdt_mechanics::mechanism::{CoordinateId, Environment, Mechanism, PivotPlace};

/// Dependent coordinate differences with their rows; rows are counted among all position rows.
/// `speeds` are the indices of the dependent speeds. `None` if there is no complete choice.
pub(super) fn pivot_places(
    m: &Mechanism,
    env: &Environment<'_, f64>,
    poses: &[&[f64]],
    speeds: &[usize],
) -> Option<Vec<PivotPlace>> {
    let pairs = pairs(m, env, poses, speeds)?;
    Some(pairs.into_iter().map(PivotPlace::from).collect())
}

/// Index of a position row, and index of its dependent coordinate difference.
type Pair = (usize, usize);

fn pairs(m: &Mechanism, env: &Environment<'_, f64>, poses: &[&[f64]], speeds: &[usize]) -> Option<Vec<Pair>> {
    let samples: Vec<Vec<Vec<f64>>> = poses.iter().map(|q| gradient(m, &Environment { q, ..*env })).collect();
    let start = samples.first().filter(|rows| !rows.is_empty());
    let Some(start) = start else { return Some(Vec::new()) };
    let (_, n) = rates(m, env);
    let moved = |dq: &[f64]| -> Vec<usize> {
        let moves = |j: &usize| n.iter().zip(dq).any(|(row, x)| *x != 0.0 && row[*j] != 0.0);
        (0..m.nv()).filter(moves).collect()
    };
    // True if a difference changes only through rates of dependent speeds.
    let follows = |dq: &Vec<f64>| {
        let own = moved(dq);
        !own.is_empty() && own.iter().all(|s| speeds.contains(s))
    };
    let directions = directions(m, env.q);
    let first: Vec<usize> = (0..directions.len()).filter(|k| follows(&directions[*k])).collect();
    let rank = pivot_order(start, &[]).len();
    if !env.partition.groups.is_empty() {
        let pairs = pivot_order(start, &first);
        let dependent = |row: &Vec<f64>| pairs.iter().map(|p| row[p.1]).collect::<Vec<f64>>();
        let follow = |rows: &Vec<Vec<f64>>| {
            let own: Vec<Vec<f64>> = rows.iter().map(dependent).collect();
            pivot_order(&own, &[]).len() == rank
        };
        return samples.iter().all(follow).then_some(pairs);
    }
    let complete = |(pairs, steady): (Vec<Pair>, bool)| (steady && pairs.len() == rank).then_some(pairs);
    complete(steady_pivots(&samples, &first))
        .or_else(|| complete(steady_pivots(&samples, &[])))
        .or_else(|| {
            // Lengths in units of the mechanism's size, so that pivots of translations and angles
            // compare.
            let size = formalism::size(m);
            let of = |dq: &Vec<f64>| {
                let slides =
                    |(i, x): (CoordinateId, &f64)| *x != 0.0 && m.coordinates[i].dimension.is_translational();
                if CoordinateId::enumerate(dq).any(slides) { size } else { 1.0 }
            };
            let units: Vec<f64> = directions.iter().map(of).collect();
            let samples: Vec<Vec<Vec<f64>>> = samples.iter().map(|a| in_units(a, &units)).collect();
            complete(steady_pivots(&samples, &first))
        })
        .or_else(|| Some(partly_steady_pivots(&samples, &[])).filter(|pairs| pairs.len() == rank))
}

/// Rates of the coordinates along each difference: unit vectors, and three for a quaternion.
fn directions(m: &Mechanism, q: &[f64]) -> Vec<Vec<f64>> {
    let quaternions = quaternions(m);
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
fn gradient(m: &Mechanism, env: &Environment<'_, f64>) -> Vec<Vec<f64>> {
    let still = vec![0.0; m.nv()];
    let columns: Vec<Vec<f64>> = directions(m, env.q)
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
