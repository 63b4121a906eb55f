//! Forward dynamics: accelerations from a state, by any formalism.
//!
//! Problem: `v̇`, multipliers and reactions at a state, over any scalar.
//! Method:  each formalism solves its own equations. Forms with a mass matrix factor it with the sparsity of the tree;
//! constraints come in by the Schur complement (`saddle`), as rows of the sparse systems, or by projection (Maggi).
//! Reactions are the unknowns of the forms that have them, and `Tᵀ (M V̇ − F*)` for the others.
//! Cost:    that of the formalism; O(bodies) more for reactions.
//! Rows:    those that take part at the pose (`kinematics::selection`), so that no form meets rows that depend on others but
//! projection, which can do with all where each that takes part gives a speed.

use super::dynamics::pivots::Pivot;
use super::dynamics::solved::Solved;
use super::quantities::reactions;
use super::registry::Formalism;
use crate::kinematics::{ConstraintRow, Selection, constraint_rows, motions};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::{Scalar, Wrench};

/// What a formalism finds at one state.
#[derive(Clone, Debug)]
pub struct Forward<S> {
    /// `v̇`, in spec order.
    pub accelerations: Vec<S>,
    /// `λ`, one a row of [`crate::kinematics::constraint_rows`], zero for rows that take no part at this pose; empty for a
    /// tree.
    pub multipliers: Vec<S>,
    /// The wrench on each body through its inboard joint, in body axes about the pole.
    pub reactions: Vec<Wrench<S>>,
    /// What was divided by.
    pub pivots: Vec<Pivot<S>>,
    /// As in [`Solution`].
    pub independence: Vec<S>,
}

/// [`Forward`] without what nobody may ask for.
#[derive(Clone, Debug)]
pub struct Solution<S> {
    /// As in [`Forward`].
    pub accelerations: Vec<S>,
    /// As in [`Forward`].
    pub multipliers: Vec<S>,
    /// As in [`Forward`].
    pub pivots: Vec<Pivot<S>>,
    /// How independent the rows are that take part, between 0 and 1; empty where the form has pivots of rows instead.
    pub independence: Vec<S>,
    /// What is left of those rows in the metric of M⁻¹, squared; empty likewise.
    pub lengths: Vec<S>,
    /// All rows, whose forces go through joints.
    rows: Vec<ConstraintRow<S>>,
    /// Reactions that the formalism has found itself, as C′ carries them; of a tree without constraints.
    carried: Option<Vec<Wrench<S>>>,
}

/// Accelerations and multipliers at `env` by the method `f`.
pub fn solve<S: Scalar>(f: Formalism, m: &Mechanism, env: &Environment<'_, S>) -> Solution<S> {
    let all = constraint_rows(m, env);
    let stabilised = |row: &ConstraintRow<S>| ConstraintRow { gamma: row.stabilised(m, env), ..row.clone() };
    let stabilised: Vec<_> = all.iter().map(stabilised).collect();
    let selection = if f.keeps_all_rows(env.partition) {
        Selection::whole(env.partition, &stabilised)
    } else {
        Selection::new(m, env.partition, &stabilised)
    };
    let rows = &selection.rows[..];
    let Solved { accelerations, multipliers, pivots, independence, lengths, carried } =
        f.own_solve(m, env, rows);
    let carried = carried.filter(|_| rows.is_empty());
    let multipliers = selection.spread(&multipliers);
    Solution { accelerations, multipliers, pivots, independence, lengths, rows: all, carried }
}

impl<S: Scalar> Solution<S> {
    /// The wrench on each body through its inboard joint, in body axes about the pole.
    pub fn reactions(&self, m: &Mechanism, env: &Environment<'_, S>) -> Vec<Wrench<S>> {
        match &self.carried {
            None => reactions::reactions(m, env, &self.accelerations, &self.rows, &self.multipliers),
            Some(carried) => {
                let k = motions(m, env);
                let none = vec![S::ZERO; m.nv()];
                reactions::through_joints(m, &k, env, &self.accelerations, &none, carried.clone())
            }
        }
    }
}

/// Accelerations, multipliers and reactions at `env` by the method `f`.
pub fn forward<S: Scalar>(f: Formalism, m: &Mechanism, env: &Environment<'_, S>) -> Forward<S> {
    let solution = solve(f, m, env);
    let reactions = solution.reactions(m, env);
    let Solution { accelerations, multipliers, pivots, independence, .. } = solution;
    Forward { accelerations, multipliers, reactions, pivots, independence }
}
