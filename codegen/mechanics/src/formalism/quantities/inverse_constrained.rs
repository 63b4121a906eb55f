//! Inverse dynamics with constraints: efforts along the independent speeds, from their
//! accelerations.
//!
//! Problem: `τᵢ = Bᵀ (M v̇ + c − Q)` for given `v̇ᵢ`, where `v̇ = v̇₀ + B v̇ᵢ` fulfils `A v̇ = γ`.
//! Method:  v̇ and B from the null space (`null_space`), the efforts of the tree at v̇ by
//!          `inverse`. Multipliers cancel, since `A B = 0`. Inputs with `BᵀB_u u = τᵢ` cause that
//!          motion; so do efforts τᵢ on the independent speeds alone.
//! Shapes:  nv − rank(A) in, as many out. Without constraints this is `inverse` itself.
//! Frames:  body axes, about the pole.
//! Cost:    O(rows² · nv + bodies).
//!
//! Not handled: constraints whose dependent speeds change with the pose (a wheel that can head in
//! any direction, in ground axes): there are no fixed independent speeds.

use super::inverse::{self, inverse_dynamics};
use crate::formalism::dynamics::null_space::NullSpace;
use crate::formalism::dynamics::pivots::Pivot;
use crate::kinematics::ConstraintRow;
use crate::mechanism::{Environment, Mechanism, Partition, PivotPlace, SpeedId};
use dqdt_algebra::Scalar;

/// Result of [`inverse_dynamics_constrained`]: accelerations of all speeds and efforts along the
/// independent ones.
pub struct ConstrainedInverse<S> {
    /// Accelerations `v̇` of all speeds, which fulfil the constraints.
    pub accelerations: Vec<S>,
    /// Efforts `Bᵀ (M v̇ + c − Q)` along the speeds of [`independent_speeds`].
    pub efforts: Vec<S>,
    /// Pivots of the dependent speeds, which must not vanish.
    pub pivots: Vec<Pivot<S>>,
}

/// Speeds that no pivot makes dependent.
fn speeds_without_pivot(m: &Mechanism, pairs: &[PivotPlace]) -> Vec<SpeedId> {
    m.speed_ids().filter(|s| pairs.iter().all(|p| p.speed() != *s)).collect()
}

/// Speeds from which all others follow in every sampled pose, preferably driven ones. `None` if
/// they change with the pose.
pub fn independent_speeds(m: &Mechanism, partition: &Partition) -> Option<Vec<SpeedId>> {
    if m.constraints.iter().all(|c| c.is_program()) {
        return Some(m.speed_ids().collect());
    }
    Some(speeds_without_pivot(m, partition.driven.as_ref()?))
}

/// Efforts `Bᵀ (M v̇ + c − Q)` along the independent speeds, with the loads at the inputs of `env`.
/// `rows` are the active constraint rows, `acceleration_of` returns the acceleration of an
/// independent speed. `None` if [`independent_speeds`] is.
pub fn inverse_dynamics_constrained<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    rows: &[ConstraintRow<S>],
    acceleration_of: &dyn Fn(SpeedId) -> S,
) -> Option<ConstrainedInverse<S>> {
    if rows.is_empty() {
        let accelerations: Vec<S> = m.speed_ids().map(acceleration_of).collect();
        let efforts = inverse_dynamics(m, env, &accelerations);
        return Some(ConstrainedInverse { accelerations, efforts, pivots: Vec::new() });
    }
    let space = NullSpace::leaving_driven_independent(m, env.partition, rows)?;
    let mut accelerations = space.particular.clone();
    for (column, s) in space.basis.iter().zip(space.independent_speeds()) {
        add_scaled_column(&mut accelerations, column, acceleration_of(s));
    }
    let tree = inverse::inverse_dynamics_with_names(m, env, &accelerations, &inverse::CONSTRAINED_NAMES);
    let efforts = space.basis.iter().map(|column| dot_nonzero(column, &tree)).collect();
    let pivots = space.pivots.iter().map(|(r, x)| Pivot::row_pivot(&rows[*r].name, *x, None)).collect();
    Some(ConstrainedInverse { accelerations, efforts, pivots })
}

/// Adds `x` times a column to a vector, skipping zero entries.
pub(super) fn add_scaled_column<S: Scalar>(sum: &mut [S], column: &[S], x: S) {
    let terms = sum.iter_mut().zip(column).filter(|(_, b)| !b.is_zero());
    terms.for_each(|(a, b)| *a = *a + *b * x);
}

/// Scalar product of a column and efforts, skipping zero entries.
pub(super) fn dot_nonzero<S: Scalar>(column: &[S], efforts: &[S]) -> S {
    let terms = column.iter().zip(efforts).filter(|(b, f)| !b.is_zero() && !f.is_zero());
    terms.fold(S::ZERO, |sum, (b, f)| sum + *b * *f)
}
