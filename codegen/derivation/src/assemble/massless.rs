//! Motions without inertia in any pose.
//!
//! Problem: a motion moves nothing that has inertia, such as two joints in series that move a body
//!          equally with nothing between them, or a massless link. M is then singular in every
//!          pose, and 0/0 may round to a plausible number. Constraints can prevent such a motion:
//!          the equations are regular if M is positive definite on the null space of the active
//!          rows A.
//! Method:  `M = LᵀDL` in `f64`, and the same for `BᵀMB` with a basis B of that null space, at the
//!          start and at other poses that fulfil the constraints, for default parameters and for
//!          other values. A speed is reported if its pivot is lost in rounding at all of them.

use super::Manifold;
use super::attempt::residual_is_noise;
use super::solve::solve_positions;
use dqdt_algebra::{Number, dot, pivot_order};
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::formalism::{self, Formalism, NullSpace};
use dqdt_mechanics::kinematics::{self, active_stabilised_rows, evaluate_parameters, initial_instant};
use dqdt_mechanics::mechanism::{Environment, Mechanism, ParameterKind, Partition, SpeedId};

/// Number of poses, besides the start, at which the mass matrix is tested for motions without
/// inertia.
const POSES: usize = 3;
/// A pivot of M below this fraction of the terms of its diagonal entry counts as zero.
const LOST: f64 = 1e-12;

/// A speed of a permitted motion without inertia of its own, in addition to the speeds before it;
/// `None` if there is none.
pub fn find_massless_speed(m: &Mechanism, partition: &Partition) -> Option<SpeedId> {
    let free = m.parameters.iter().filter(|p| matches!(p.kind, ParameterKind::Free(_))).count();
    let other: Vec<f64> = (1..=free).map(|k| 0.5 + (0.618_034 * k as f64) % 1.0).collect();
    find_speed_massless_everywhere(m, &[&[], &other], &|mass, env| {
        if m.constraints.is_empty() {
            return speeds_with_vanishing_pivots(mass).next();
        }
        let space = constraint_null_space(m, &Environment { partition, ..*env });
        let momenta: Vec<Vec<f64>> =
            space.basis.iter().map(|b| mass.iter().map(|row| dot(row, b)).collect()).collect();
        // Values that should be zero are compared with the terms of their sum.
        let terms: Vec<f64> = (space.basis.iter())
            .map(|b| {
                let b = absolute_values(b);
                mass.iter().zip(&b).map(|(row, x)| x * dot(&absolute_values(row), &b)).sum()
            })
            .collect();
        let projected = space.basis.iter().map(|b| momenta.iter().map(|x| dot(x, b)).collect()).collect();
        find_vanishing_pivots(projected, &terms).next().and_then(|i| space.independent_speeds().nth(i))
    })
}

fn absolute_values(x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| x.abs()).collect()
}

/// True if M of the tree is singular in every sampled pose at the default parameters.
pub fn tree_mass_matrix_is_singular(m: &Mechanism) -> bool {
    find_speed_massless_everywhere(m, &[&[]], &|mass, _| speeds_with_vanishing_pivots(mass).next()).is_some()
}

/// Null space of the active constraint rows at a pose: a basis of the permitted motions.
fn constraint_null_space(m: &Mechanism, env: &Environment<'_, f64>) -> NullSpace<f64> {
    let matrix: Vec<Vec<f64>> = active_stabilised_rows(m, env).into_iter().map(|row| row.jacobian).collect();
    let pairs = pivot_order(&matrix, &[]);
    let independent: Vec<&[f64]> = pairs.iter().map(|(row, _)| &matrix[*row][..]).collect();
    let places = pairs.iter().enumerate().map(|(i, (_, speed))| (i, *speed).into()).collect();
    NullSpace::from_matrix((&independent, m.nv()), &vec![0.0; independent.len()], places, None, |_| 1.0)
}

/// Finds a speed without inertia, from M and the environment of a pose.
type FindLostSpeed<'a> = dyn Fn(&[Vec<f64>], &Environment<'_, f64>) -> Option<SpeedId> + 'a;

/// The speed that `find_lost` reports at the start, if `find_lost` reports one at every pose and
/// for all `values` of the parameters.
fn find_speed_massless_everywhere(
    m: &Mechanism,
    values: &[&[f64]],
    find_lost: &FindLostSpeed<'_>,
) -> Option<SpeedId> {
    let mut first = None;
    for values in values {
        let p = evaluate_parameters(m, &Number::to_f64, values);
        let manifold = Manifold::new(m, p.clone());
        for pose in 0..=POSES {
            let mut s = initial_instant(m, &Number::to_f64, &p);
            if pose > 0 {
                move_from_start(m, &mut s.q, pose);
                if !m.constraints.is_empty() {
                    let (q, residual) = solve_positions(&manifold, 0.0, &s.q, &vec![true; m.nq()]);
                    if !residual_is_noise(&manifold, 0.0, &q, &residual) {
                        continue;
                    }
                    s.q = q;
                }
            }
            let env = s.as_environment(&Number::to_f64);
            let mass = formalism::implicit_equations(Formalism::Kane, m, &env).mass;
            let speed = find_lost(&mass, &env)?;
            first.get_or_insert(speed);
        }
    }
    first
}

/// Moves all coordinates except quaternions from the start, differently for each number `pose`.
fn move_from_start(m: &Mechanism, q: &mut [f64], pose: usize) {
    let quaternions = kinematics::quaternion_starts(m);
    for (i, q) in q.iter_mut().enumerate() {
        if !quaternions.iter().any(|e| e.quaternion_range().contains(&i)) {
            *q += 0.4 * pose as f64 * (1.7 * i as f64 + 2.3 * pose as f64).sin();
        }
    }
}

/// The error about a speed without inertia, located at its joint.
pub fn massless_error(m: &Mechanism, speed: SpeedId, place: Option<Span>) -> Diagnostic {
    let (name, joint) = (&m.speeds[speed].name, &m.joints[m.speeds[speed].joint].name);
    let text =
        format!("no inertia resists the speed `{name}` of joint `{joint}` independently of other joints");
    Diagnostic::error("massless", text).at(place, "the mass matrix is singular in every pose").help(
        "two joints that move a body in the same way require mass or inertia between them: give the body between them a mass or an inertia, or remove one of the joints",
    )
}

/// Speeds whose pivot in `M = LᵀDL` is zero up to rounding.
fn speeds_with_vanishing_pivots(mass: &[Vec<f64>]) -> impl Iterator<Item = SpeedId> + use<> {
    let diagonal: Vec<f64> = mass.iter().enumerate().map(|(i, row)| row[i].abs()).collect();
    find_vanishing_pivots(mass.to_vec(), &diagonal).map(SpeedId)
}

/// Indices, in order, of pivots that are lost in rounding relative to the terms of their diagonal
/// entries. NaN does not count as lost.
fn find_vanishing_pivots(mut a: Vec<Vec<f64>>, terms: &[f64]) -> impl Iterator<Item = usize> + use<> {
    let mut lost = Vec::new();
    for k in 0..a.len() {
        if a[k][k].abs() <= LOST * terms[k] {
            lost.push(k);
            continue;
        }
        let (above, below) = a.split_at_mut(k + 1);
        let pivot = &above[k];
        for row in below.iter_mut().filter(|row| row[k] != 0.0) {
            let f = row[k] / pivot[k];
            row.iter_mut().zip(pivot).skip(k).for_each(|(x, p)| *x -= f * p);
        }
    }
    lost.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pivot_that_is_lost_is_that_of_the_later_speed() {
        let cases: [(_, &[SpeedId]); 3] = [
            ([[1.0, 1.0], [1.0, 1.0]], &[SpeedId(1)]),
            ([[2.0, 1.0], [1.0, 1.0]], &[]),
            ([[0.0, 0.0], [0.0, 1.0]], &[SpeedId(0)]),
        ];
        for (mass, expected) in cases {
            let mass = mass.map(|row| row.to_vec());
            assert_eq!(speeds_with_vanishing_pivots(&mass).collect::<Vec<_>>(), expected);
        }
    }
}
