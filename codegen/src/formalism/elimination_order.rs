//! The order of pivots of the sparse systems.
//!
//! Problem: from the leaves to the root nothing is divided by that vanishes on a tree, but a body that only a constraint
//! holds (a massless link in a loop) has a pivot of zero there, while the whole system is regular.
//! Method:  the order is tried over doubles at one state near the initial one, with parameters at their defaults. A pivot
//! that vanishes there is put off until the constraints come in (`SparseRows::order`). The state is drawn from a fixed
//! sequence, so that nothing vanishes by symmetry, and the order depends on the mechanism alone.
//! Cost:    one elimination over doubles; none without constraints.
//! Not handled: pivots that vanish elsewhere; they are reported.

use crate::algebra::{Number, SparseRows};
use crate::kinematics::{parameters, start};
use crate::mechanism::{Attitude, Environment, JointKind, Mechanism, Slot};

/// Below this times the largest entry nothing is left.
const TINY: f64 = 1e-11;

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
    let mut s = start(m, &number, &p);
    let mut phase = 0.3;
    for x in s.q.iter_mut().chain(&mut s.v) {
        // Irrational steps: no two alike.
        phase += 1.618_033_988_749_895;
        *x += 0.3 * f64::sin(phase * phase);
    }
    for joint in &m.joints {
        let scalar_part = match (&joint.kind, joint.coordinates.as_slice()) {
            (JointKind::Spherical(Attitude::Quaternion, _), [Slot::Free(i), ..])
            | (JointKind::Free(Attitude::Quaternion, ..), [_, _, _, Slot::Free(i), ..]) => *i,
            _ => continue,
        };
        let unit = &mut s.q[scalar_part..scalar_part + 4];
        let norm = unit.iter().map(|x| x * x).sum::<f64>().sqrt();
        unit.iter_mut().for_each(|x| *x /= norm);
    }
    let env = Environment { number: &number, t: 0.37, q: &s.q, v: &s.v, z: &s.z, u: &s.u, p: &p };
    let rows = system(&env);
    let entries = (0..preferred.len()).flat_map(|i| rows.row(i).values());
    let largest = entries.fold(0.0f64, |largest, x| largest.max(x.abs()));
    rows.order(&preferred, TINY * largest)
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
