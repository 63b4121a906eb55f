//! Pivot order of the sparse systems.
//!
//! Problem: elimination from the leaves to the root has no zero pivot on a tree; but a body that
//!          only a constraint supports (a massless link in a loop) has one, although the whole
//!          system is regular.
//! Method:  the order is tested in `f64` at several states, with default parameters: the initial
//!          one, the one with all coordinates and speeds zero, some around the initial one, and
//!          some that need no assembly. A pivot that vanishes at any of them is postponed until the
//!          constraints are eliminated (`algebra::pivot_places`). The states are drawn from a fixed
//!          sequence, so that the order depends on the mechanism alone.
//! Cost:    as many numeric eliminations as states; none without constraints.
//!
//! Not handled: pivots that vanish elsewhere; they are reported at run time.

use super::pivots::{Pivot, pivots_with_diagonal};
use crate::kinematics::{Kinematics, evaluate_parameters, initial_instant};
use crate::mechanism::{Environment, Instant, Mechanism, SpeedId, joint};
use dqdt_algebra::{Eliminated, Number, Scalar, SparseRows, choose_sparse_pivots};

/// Fraction of the largest entry below which a pivot counts as zero.
const TINY: f64 = 1e-11;
/// Number of states around the initial one at which pivots are tested.
const AROUND: usize = 3;

/// Pivot order of a sparse system: places (row, column) in the order of elimination.
pub(crate) struct PivotOrder {
    /// Row and column of each pivot, in the order of elimination.
    pub places: Vec<(usize, usize)>,
    /// First step of the elimination whose pivot is not one of the tree.
    pub late: usize,
}

/// The preferred pivot order, or another one if it divides by zero at a sampled state. `system` is
/// the same system in `f64`; the first `tree` preferred places are those of the tree.
pub(crate) fn choose_elimination_order<S>(
    m: &Mechanism,
    preferred: Vec<(usize, usize)>,
    tree: usize,
    env: &Environment<'_, S>,
    system: impl Fn(&Environment<'_, f64>) -> SparseRows<f64>,
) -> PivotOrder {
    if m.constraints.is_empty() {
        return PivotOrder { late: preferred.len(), places: preferred };
    }
    let p = evaluate_parameters(m, &Number::to_f64, &[]);
    let initial = initial_instant(m, &Number::to_f64, &p);
    let (formulation, partition) = (env.formulation, env.partition);
    let sample = |t: f64, s: &Instant<f64>| {
        system(&Environment { t, formulation, partition, ..s.as_environment(&Number::to_f64) })
    };
    let mut samples = vec![sample(0.0, &initial)];
    let mut rest = initial.clone();
    rest.q.iter_mut().chain(&mut rest.v).for_each(|x| *x = 0.0);
    normalise_quaternions(m, &mut rest.q);
    samples.push(sample(0.0, &rest));
    let mut phase = 0.3;
    for _ in 0..AROUND {
        let mut s = initial.clone();
        for x in s.q.iter_mut().chain(&mut s.v) {
            // Irrational steps, so that no two shifts are equal.
            phase += 1.618_033_988_749_895;
            *x += 0.3 * f64::sin(phase * phase);
        }
        normalise_quaternions(m, &mut s.q);
        samples.push(sample(0.37, &s));
    }
    // Poses far from the start, such as other headings of a vehicle.
    for q in partition.sample_poses.iter().take(AROUND) {
        samples.push(sample(0.0, &Instant { q: q.clone(), ..initial.clone() }));
    }
    samples.retain(|s| (0..preferred.len()).all(|i| s.row_entries(i).values().all(|x| x.is_finite())));
    let (places, preferred_steps) = choose_sparse_pivots(&samples, &preferred, TINY);
    let first_constraint = places.iter().position(|place| preferred[tree..].contains(place));
    PivotOrder { late: first_constraint.map_or(preferred_steps, |first| first.min(preferred_steps)), places }
}

/// Normalises all quaternions; a zero quaternion becomes the identity.
fn normalise_quaternions(m: &Mechanism, q: &mut [f64]) {
    for scalar_part in m.joints.iter().filter_map(joint::free_quaternion) {
        let norm = q[scalar_part.quaternion_range()].iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm == 0.0 {
            q[scalar_part] = 1.0;
        } else {
            q[scalar_part.quaternion_range()].iter_mut().for_each(|x| *x /= norm);
        }
    }
}

/// Speed or constraint after which a pivot is named in error messages.
pub(crate) enum PivotSubject<'a> {
    /// Pivot named after a speed.
    Speed(SpeedId),
    /// Pivot named after the constraint with this name.
    Constraint(&'a str),
}

/// Pivots of a sparse system with names. Speeds eliminated before all constraints have the pivots
/// of `M = LᵀDL`. The other pivots are compared with their values before elimination.
pub(crate) fn named_pivots<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    k: &Kinematics<S>,
    order: &PivotOrder,
    names: &[(usize, PivotSubject<'_>)],
    solved: &Eliminated<S>,
) -> Vec<Pivot<S>> {
    let mut by_row: Vec<Option<&PivotSubject<'_>>> = vec![None; order.places.len()];
    names.iter().for_each(|(row, name)| by_row[*row] = Some(name));
    let (mut of_tree, mut late) = (Vec::new(), Vec::new());
    for (step, (row, _)) in order.places.iter().enumerate() {
        let (value, before) = (solved.pivots[step], solved.late_entries[step]);
        match by_row[*row] {
            Some(PivotSubject::Speed(speed)) if step < order.late => of_tree.push((*speed, value)),
            Some(PivotSubject::Speed(speed)) => {
                late.push(Pivot { scale: before, ..Pivot::speed_pivot(m, *speed, value, value) });
            }
            Some(PivotSubject::Constraint(name)) => {
                late.push(Pivot::row_pivot(name, value, before));
                late.extend(before.map(|x| Pivot { squared: true, ..Pivot::row_pivot(name, x, None) }));
            }
            None => {}
        }
    }
    let mut pivots = pivots_with_diagonal(m, env, k, of_tree.into_iter());
    pivots.extend(late);
    pivots
}
