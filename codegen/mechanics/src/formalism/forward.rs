//! Forward dynamics: accelerations from a state, by any formalism.
//!
//! Problem: `v̇`, multipliers and reactions at a state, over any scalar.
//! Method:  each formalism solves its own equations. Those with a mass matrix factor it with the
//!          sparsity of the tree. Constraints are added by the Schur complement (`saddle`), as rows
//!          of the sparse systems, or by projection (Maggi). Reactions are unknowns of some
//!          formalisms, and `Tᵀ (M V̇ − F*)` for the others.
//! Cost:    that of the formalism; O(bodies) more for reactions.
//! Rows:    those that are active at the pose (`kinematics::selection`), so that no formalism meets
//!          redundant rows. Projection can use all rows if each has a dependent speed.

use super::dynamics::pivots::Pivot;
use super::dynamics::solved::DynamicsSolution;
use super::quantities::reactions;
use super::registry::Formalism;
use crate::kinematics::{ConstraintRow, Selection, constraint_rows, kinematics_without_jacobians};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::{Scalar, Wrench};

/// Solution of the forward dynamics at one state, by a formalism, with the joint reactions.
#[derive(Clone, Debug)]
pub struct Forward<S> {
    /// Accelerations `v̇`, in spec order.
    pub accelerations: Vec<S>,
    /// Multipliers `λ`, one for each row of [`crate::kinematics::constraint_rows`], zero for rows
    /// that are inactive at this pose; empty for a tree.
    pub multipliers: Vec<S>,
    /// Wrench of the parent on each body through its inboard joint, in body axes about the pole.
    pub reactions: Vec<Wrench<S>>,
    /// Named divisors of the solution, which must not vanish.
    pub pivots: Vec<Pivot<S>>,
    /// Independence of the active rows, as in [`Solution::independence`].
    pub independence: Vec<S>,
}

/// Solution of the forward dynamics at one state, without the joint reactions, which
/// [`Solution::reactions`] computes on demand.
#[derive(Clone, Debug)]
pub struct Solution<S> {
    /// Accelerations `v̇`, in spec order.
    pub accelerations: Vec<S>,
    /// Multipliers `λ`, as in [`Forward::multipliers`].
    pub multipliers: Vec<S>,
    /// Named divisors of the solution, which must not vanish.
    pub pivots: Vec<Pivot<S>>,
    /// Independence of the active rows, between 0 and 1; empty if the formalism has pivots of rows
    /// instead.
    pub independence: Vec<S>,
    /// Squared lengths of the active rows in the metric of M⁻¹; empty if the formalism has pivots
    /// of rows instead.
    pub lengths: Vec<S>,
    /// All constraint rows, inactive ones included; their forces load the joints.
    rows: Vec<ConstraintRow<S>>,
    /// Wrenches through the joints as unknowns of the formalism, transmitted by C′; only for a tree
    /// without constraints.
    joint_wrenches: Option<Vec<Wrench<S>>>,
}

/// Accelerations and multipliers at `env` by the formalism `f`.
pub fn solve_forward_dynamics<S: Scalar>(
    f: Formalism,
    m: &Mechanism,
    env: &Environment<'_, S>,
) -> Solution<S> {
    let all = constraint_rows(m, env);
    let stabilised: Vec<_> =
        all.iter().map(|row| ConstraintRow { gamma: row.stabilised_gamma(m, env), ..row.clone() }).collect();
    let selection = if f.keeps_all_rows(env.partition) {
        Selection::including_dependent_rows(env.partition, &stabilised)
    } else {
        Selection::new(m, env.partition, &stabilised)
    };
    let rows = &selection.rows[..];
    let DynamicsSolution { accelerations, multipliers, pivots, independence, lengths, joint_wrenches } =
        f.dispatch_solve(m, env, rows);
    let joint_wrenches = joint_wrenches.filter(|_| rows.is_empty());
    let multipliers = selection.expand_to_all_rows(&multipliers);
    Solution { accelerations, multipliers, pivots, independence, lengths, rows: all, joint_wrenches }
}

impl<S: Scalar> Solution<S> {
    /// Wrench of the parent on each body through its inboard joint, in body axes about the pole.
    pub fn reactions(&self, m: &Mechanism, env: &Environment<'_, S>) -> Vec<Wrench<S>> {
        match &self.joint_wrenches {
            None => reactions::reactions(m, env, &self.accelerations, &self.rows, &self.multipliers),
            Some(joint_wrenches) => {
                let k = kinematics_without_jacobians(m, env);
                let none = vec![S::ZERO; m.nv()];
                reactions::reactions_from_transmitted(
                    m,
                    &k,
                    env,
                    &self.accelerations,
                    &none,
                    joint_wrenches.clone(),
                )
            }
        }
    }
}

/// Accelerations, multipliers and reactions at `env` by the formalism `f`.
pub fn forward_with_reactions<S: Scalar>(
    f: Formalism,
    m: &Mechanism,
    env: &Environment<'_, S>,
) -> Forward<S> {
    let solution = solve_forward_dynamics(f, m, env);
    let reactions = solution.reactions(m, env);
    let Solution { accelerations, multipliers, pivots, independence, .. } = solution;
    Forward { accelerations, multipliers, reactions, pivots, independence }
}
