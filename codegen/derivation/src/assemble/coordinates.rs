//! Coordinates that follow from others by the constraints.
//!
//! Problem: of `∂Φ/∂q δq = 0` a dependent difference for each row that follows from no others: for functions that ask for
//! independent ones, which cannot choose at the pose.
//! Method:  `∂Φ/∂q` by jets, at the start and at poses that are reached without assembly; the largest pivots that keep away from zero
//! there (`algebra::steady_pivots`), first among the coordinates whose rates are dependent speeds. Of all rows of coordinates: one that
//! follows from a row of speeds is no equation of motion, but holds coordinates all the same. Where poses choose among rows only the
//! differences count, not their rows: they must follow from all rows together at each pose.
//! States:  of a quaternion three turns, `e ⊗ (1, δ/2)`.
//! Not handled: poses that only an assembly finds; pivots that vanish there are reported by who divides by them.

use dqdt_algebra::{in_units, partly_steady_pivots, pivot_order, steady_pivots};
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::{constraint_rows, quaternions, rates};
use dqdt_mechanics::mechanism::{CoordinateId, Environment, Mechanism, PivotPlace};

/// Dependent differences with their rows, which are counted among all rows of coordinates.
/// `speeds`: those that depend on others.
pub(super) fn pivot_places(
    m: &Mechanism,
    env: &Environment<'_, f64>,
    poses: &[&[f64]],
    speeds: &[usize],
) -> Option<Vec<PivotPlace>> {
    let pairs = pairs(m, env, poses, speeds)?;
    Some(pairs.into_iter().map(PivotPlace::from).collect())
}

/// A row of coordinates and a dependent difference.
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
    // Rates of dependent speeds alone.
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
            // In units of the mechanism's size, where that of slides is another one than that of angles.
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

/// Rates of the coordinates along each difference.
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

/// `∂Φ/∂q` of all rows of coordinates, by rows.
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
