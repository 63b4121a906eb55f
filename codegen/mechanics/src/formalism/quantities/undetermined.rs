//! Reactions that the motion of rigid bodies does not determine.
//!
//! Problem: redundant constraint rows leave a choice of multipliers, `Aᵀ δλ = 0`. Find the
//!          components of the joint wrenches that change with the choice.
//! Method:  a basis of all such δλ by elimination with complete pivoting, over all rows, including
//!          those dropped from the equations. The forces of δλ on the bodies are transformed to the
//!          joints like reactions, without accelerations.
//! Rank:    limited to the general rank of the rows, so that a state slightly off the constraints,
//!          where rounding or the violation makes the rows independent, gives the same result as
//!          one on them.
//! Frames:  as the reactions: body axes, about the pole.
//! Cost:    O(rows² · (rows + nv)).
//!
//! Not handled: constraints that inputs realise, which have no reactions.

use super::reactions::{correct_for_absolute_angles, has_absolute_angles};
use crate::kinematics::accumulate::accumulate_wrenches_to_root;
use crate::kinematics::{
    ConstraintRow, Kinematics, RowWrenches, constraint_rows, constraint_wrenches,
    kinematics_without_jacobians,
};
use crate::mechanism::{BodyId, Environment, Mechanism, Partition};
use dqdt_algebra::{Scalar, Wrench};

/// Remainder that a unit row must keep to count as independent, and smallest relative change of a
/// reaction that counts.
const SMALL: f64 = 1e-9;

/// Components of the joint reactions that redundant constraints leave undetermined at a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndeterminedReactions {
    /// Number of independent constraint rows at the state.
    pub rank: usize,
    /// Flags for each joint: components of force, then of moment, in child axes; true if
    /// undetermined.
    pub components: Vec<[bool; 6]>,
}

/// Finds the components of the joint reactions that change with the choice of multipliers.
pub fn undetermined_reactions(m: &Mechanism, env: &Environment<'_, f64>) -> UndeterminedReactions {
    let rows = constraint_rows(m, env);
    let mut components = vec![[false; 6]; m.joints.len()];
    let jacobian: Vec<&[f64]> = rows.iter().map(|r| &r.jacobian[..]).collect();
    let null = row_dependence_basis(&jacobian, general_rank(env.partition, rows.len()));
    if null.basis.is_empty() {
        return UndeterminedReactions { rank: null.rank, components };
    }
    let k = kinematics_without_jacobians(m, env);
    let on_bodies = constraint_wrenches(m, env);
    let limit = SMALL.max(100.0 * null.left);
    for delta in &null.basis {
        let acting = multiplier_wrenches(&rows, &on_bodies, delta);
        let scale = acting.iter().map(|(_, w)| largest_wrench_entry(w)).fold(0.0, f64::max);
        let changes = reaction_changes(m, &k, &rows, &on_bodies, &acting, delta);
        let scale = changes.iter().map(largest_wrench_entry).fold(scale, f64::max);
        for (open, change) in components.iter_mut().zip(&changes) {
            open.iter_mut()
                .zip(wrench_to_array(change))
                .for_each(|(open, x)| *open |= x.abs() > limit * scale);
        }
    }
    UndeterminedReactions { rank: null.rank, components }
}

/// Largest magnitude among the six entries of a wrench.
fn largest_wrench_entry(w: &Wrench<f64>) -> f64 {
    wrench_to_array(w).iter().fold(0.0f64, |m, x| m.max(x.abs()))
}

/// The six entries of a wrench, force first.
fn wrench_to_array(w: &Wrench<f64>) -> [f64; 6] {
    let ([a, b, c], [d, e, f]) = (w.f.0, w.m.0);
    [a, b, c, d, e, f]
}

/// Number of constraint rows that are independent at general poses.
fn general_rank(partition: &Partition, rows: usize) -> usize {
    rows.saturating_sub(partition.redundant_count())
}

/// Wrenches of a row's unit multiplier on the bodies; `None` for a formula.
fn find_row_wrenches<'w, S>(
    row: &ConstraintRow<S>,
    on_bodies: &'w [RowWrenches<S>],
) -> Option<&'w RowWrenches<S>> {
    on_bodies.iter().find(|w| (w.constraint, w.index) == (row.constraint, row.index))
}

/// Wrenches that the multipliers of geometric constraints exert on bodies.
fn multiplier_wrenches<S: Scalar>(
    rows: &[ConstraintRow<S>],
    on_bodies: &[RowWrenches<S>],
    multipliers: &[S],
) -> Vec<(BodyId, Wrench<S>)> {
    let mut acting = Vec::new();
    for (row, x) in rows.iter().zip(multipliers) {
        let wrenches = find_row_wrenches(row, on_bodies).into_iter().flat_map(|w| &w.wrenches);
        acting.extend(wrenches.map(|(body, w)| (*body, w.scale(*x))));
    }
    acting
}

/// Changes of the joint reactions by multipliers that cause no motion.
fn reaction_changes<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    rows: &[ConstraintRow<S>],
    on_bodies: &[RowWrenches<S>],
    acting: &[(BodyId, Wrench<S>)],
    multipliers: &[S],
) -> Vec<Wrench<S>> {
    let mut needed = vec![Wrench::ZERO; m.joints.len()];
    acting.iter().for_each(|(body, w)| needed[*body] = needed[*body] - *w);
    let carried = accumulate_wrenches_to_root(m, k, needed, "needed");
    if !has_absolute_angles(m) {
        return carried;
    }
    // A formula acts on the speeds, like an effort; on an absolute angle it acts from the ground.
    let mut efforts = vec![S::ZERO; m.nv()];
    for (row, x) in
        rows.iter().zip(multipliers).filter(|(row, _)| find_row_wrenches(row, on_bodies).is_none())
    {
        efforts.iter_mut().zip(&row.jacobian).for_each(|(sum, a)| *sum = *sum + *a * *x);
    }
    let (still, none) = (vec![S::ZERO; m.nv()], vec![Wrench::ZERO; m.joints.len()]);
    correct_for_absolute_angles(m, k, &still, &none, &efforts, carried)
}

/// Combinations of the constraint rows that vanish: multipliers that cause no motion.
struct LeftNullSpace {
    /// Number of pivots: the rank of the rows.
    rank: usize,
    /// Basis vectors of the multipliers, with one factor for each row.
    basis: Vec<Vec<f64>>,
    /// Largest entry that the combinations leave of unit rows; zero except for rounding and a state
    /// off the constraints.
    left: f64,
}

/// Euclidean length of a row.
fn norm(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The largest entry of the rows, with its row and column.
fn find_largest_entry(work: &[(Vec<f64>, Vec<f64>)]) -> (f64, usize, usize) {
    let entries = work
        .iter()
        .enumerate()
        .flat_map(|(r, (row, _))| row.iter().enumerate().map(move |(c, x)| (*x, r, c)));
    entries.fold((0.0f64, 0, 0), |best, e| if e.0.abs() > best.0.abs() { e } else { best })
}

/// Basis of the vanishing combinations of rows, by elimination with complete pivoting up to the
/// rank `general`.
fn row_dependence_basis(rows: &[&[f64]], general: usize) -> LeftNullSpace {
    let longest = rows.iter().map(|row| norm(row)).fold(0.0, f64::max);
    // Unit rows, and each as a combination of the given rows.
    let mut work: Vec<(Vec<f64>, Vec<f64>)> = (0..rows.len())
        .map(|i| {
            let length = norm(rows[i]);
            let (row, scale) = match length > 1e-12 * longest {
                true => (rows[i].iter().map(|x| x / length).collect(), 1.0 / length),
                false => (vec![0.0; rows[i].len()], 1.0),
            };
            (row, (0..rows.len()).map(|j| if i == j { scale } else { 0.0 }).collect())
        })
        .collect();
    let mut rank = 0;
    while rank < general {
        let (pivot, r, c) = find_largest_entry(&work);
        if pivot.abs() < SMALL {
            break;
        }
        let (row, recipe) = work.swap_remove(r);
        for (other, other_recipe) in &mut work {
            let factor = other[c] / pivot;
            if factor != 0.0 {
                other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
                other_recipe.iter_mut().zip(&recipe).for_each(|(x, y)| *x -= factor * y);
                other[c] = 0.0;
            }
        }
        rank += 1;
    }
    let left = find_largest_entry(&work).0.abs();
    LeftNullSpace { rank, basis: work.into_iter().map(|(_, recipe)| recipe).collect(), left }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_rows_that_depend_on_each_other_the_combinations_are_found() {
        // The third row is twice the first minus the second; the fourth is zero.
        let rows: [&[f64]; 4] = [&[1.0, 0.0, 2.0], &[0.0, 1.0, 1.0], &[2.0, -1.0, 3.0], &[0.0; 3]];
        let null = row_dependence_basis(&rows, 4);
        assert_eq!((null.rank, null.basis.len()), (2, 2));
        for delta in &null.basis {
            for c in 0..3 {
                let sum: f64 = rows.iter().zip(delta).map(|(row, x)| row[c] * x).sum();
                assert!(sum.abs() < 1e-14, "{delta:?}");
            }
        }
        assert!(null.basis.iter().any(|d| d[0] != 0.0 && (d[0] + 2.0 * d[2]).abs() < 1e-14));
        assert!(null.basis.iter().any(|d| d[3] == 1.0));
    }

    #[test]
    fn a_state_a_little_off_has_the_rank_of_those_on_the_constraints() {
        let rows: [&[f64]; 2] = [&[1.0, 1.0], &[1.0, 1.0 + 1e-6]];
        assert!(row_dependence_basis(&rows, 2).basis.is_empty());
        let null = row_dependence_basis(&rows, 1);
        assert_eq!((null.rank, null.basis.len()), (1, 1));
        assert!(null.left > 1e-7 && null.left < 1e-6);
    }
}
