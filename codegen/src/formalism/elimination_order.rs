//! The order of pivots of the sparse systems.
//!
//! Problem: from the leaves to the root nothing is divided by that vanishes on a tree, but a body that only a constraint
//! holds (a massless link in a loop) has a pivot of zero there, while the whole system is regular.
//! Method:  the order is tried over doubles at several states, with parameters at their defaults: the initial one, the one
//! with all coordinates and speeds zero, some around the initial one, and some that the mechanism reaches without assembly. A pivot that vanishes at any of them is put off
//! until the constraints come in (`algebra::pivot_places`). The states around are drawn from a fixed sequence, so that the
//! order depends on the mechanism alone.
//! Cost:    as many eliminations over doubles as states; none without constraints.
//! Not handled: pivots that vanish elsewhere; they are reported.

use crate::algebra::{Number, SparseRows, pivot_places};
use crate::kinematics::{Start, free_poses, parameters, start};
use crate::mechanism::{Attitude, Environment, JointKind, Mechanism, Slot};

/// Below this times the largest entry nothing is left.
const TINY: f64 = 1e-11;
/// States around the initial one.
const AROUND: usize = 3;

/// The preferred order, or another one where it divides by zero; `system` is the same system over doubles.
pub(super) fn elimination_order(
    m: &Mechanism,
    preferred: Vec<(usize, usize)>,
    system: impl Fn(&Environment<'_, f64>) -> SparseRows<f64>,
) -> Vec<(usize, usize)> {
    if m.constraints.is_empty() {
        return preferred;
    }
    let number = |n: Number| n.to_f64();
    let p = parameters(m, &number, &[]);
    let initial = start(m, &number, &p);
    let sample = |t: f64, s: &Start<f64>| {
        system(&Environment { number: &number, t, q: &s.q, v: &s.v, z: &s.z, u: &s.u, p: &p })
    };
    let mut samples = vec![sample(0.0, &initial)];
    let mut rest = initial.clone();
    rest.q.iter_mut().chain(&mut rest.v).for_each(|x| *x = 0.0);
    unit_quaternions(m, &mut rest.q);
    samples.push(sample(0.0, &rest));
    let mut phase = 0.3;
    for _ in 0..AROUND {
        let mut s = initial.clone();
        for x in s.q.iter_mut().chain(&mut s.v) {
            // Irrational steps: no two alike.
            phase += 1.618_033_988_749_895;
            *x += 0.3 * f64::sin(phase * phase);
        }
        unit_quaternions(m, &mut s.q);
        samples.push(sample(0.37, &s));
    }
    // A vehicle goes to every heading.
    let env = Environment {
        number: &number,
        t: 0.0,
        q: &initial.q,
        v: &initial.v,
        z: &initial.z,
        u: &initial.u,
        p: &p,
    };
    for q in free_poses(m, &env, AROUND) {
        samples.push(sample(0.0, &Start { q, ..initial.clone() }));
    }
    samples.retain(|s| (0..preferred.len()).all(|i| s.row(i).values().all(|x| x.is_finite())));
    pivot_places(&samples, &preferred, TINY)
}

/// Makes every quaternion one of unit length; of zeros, the one that turns nothing.
fn unit_quaternions(m: &Mechanism, q: &mut [f64]) {
    for joint in &m.joints {
        let scalar_part = match (&joint.kind, joint.coordinates.as_slice()) {
            (JointKind::Spherical(Attitude::Quaternion, _), [Slot::Free(i), ..])
            | (JointKind::Free(Attitude::Quaternion, ..), [_, _, _, Slot::Free(i), ..]) => *i,
            _ => continue,
        };
        let norm = q[scalar_part..scalar_part + 4].iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm == 0.0 {
            q[scalar_part] = 1.0;
        } else {
            q[scalar_part..scalar_part + 4].iter_mut().for_each(|x| *x /= norm);
        }
    }
}

/// Pivots of the rows that have names, in the order of elimination.
pub(super) fn named_pivots<S: Copy>(
    order: &[(usize, usize)],
    names: &[(usize, String)],
    pivots: &[S],
) -> Vec<(String, S)> {
    let mut by_row: Vec<Option<&String>> = vec![None; order.len()];
    names.iter().for_each(|(row, name)| by_row[*row] = Some(name));
    let named = |((row, _), pivot): (&(usize, usize), &S)| by_row[*row].map(|name| (name.clone(), *pivot));
    order.iter().zip(pivots).filter_map(named).collect()
}
