//! Forward dynamics: accelerations from a state, by any formalism.
//!
//! Problem: `v̇`, multipliers and reactions at a state, over any scalar.
//! Method:  each formalism solves its own equations. Forms with a mass matrix factor it with the sparsity of the tree;
//! constraints come in by the Schur complement (`saddle`), as rows of the sparse systems, or by projection (Maggi).
//! Reactions are the unknowns of the forms that have them, and `Tᵀ (M V̇ − F*)` for the others.
//! Cost:    that of the formalism; O(bodies) more for reactions.
//! Rows:    those that take part at the pose (`kinematics::selection`), so that no form meets rows that depend on others.

use super::applied::Applied;
use super::articulated_body::Sweep;
use super::equations::{Formalism, Implicit, implicit, with_normal_forms};
use super::factorised::Factorised;
use super::pivots::{Pivot, with_diagonal};
use super::saddle::{solve_by_inverse, solve_constrained};
use super::{composite_body, extended, lagrange_first, maggi, maggi_coordinates, momentum, reactions};
use crate::algebra::{Scalar, Wrench};
use crate::kinematics::{ConstraintRow, Selection, constraint_rows, kinematics, motions};
use crate::mechanism::{Environment, Mechanism};

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

/// The name of a speed's pivot.
pub(super) fn pivot_of(m: &Mechanism, speed: usize) -> String {
    format!("pivot of {}", m.speeds[speed].name)
}

struct Parts<S> {
    accelerations: Vec<S>,
    multipliers: Vec<S>,
    pivots: Vec<Pivot<S>>,
    independence: Vec<S>,
    lengths: Vec<S>,
    carried: Option<Vec<Wrench<S>>>,
}

/// `M v̇ = right + Aᵀ λ` by `LᵀDL` and the Schur complement.
fn by_mass_matrix<S: Scalar>(
    m: &Mechanism,
    rows: &[ConstraintRow<S>],
    mass: &[Vec<S>],
    right: &[S],
) -> Parts<S> {
    let factored = Factorised::new(m, mass);
    let pivots = factored.pivots(m);
    let Factorised { order, place, factors } = factored;
    let placed = |x: &[S]| -> Vec<S> { order.iter().map(|speed| x[*speed]).collect() };
    let jacobian: Vec<Vec<S>> = rows.iter().map(|row| placed(&row.jacobian)).collect();
    let gamma: Vec<S> = rows.iter().map(|row| row.gamma).collect();
    let c = solve_constrained(&factors, &placed(right), &jacobian, &gamma);
    Parts {
        accelerations: place.iter().map(|k| c.accelerations[*k]).collect(),
        multipliers: c.multipliers,
        pivots,
        independence: c.independence,
        lengths: c.lengths,
        carried: None,
    }
}

fn right_side<S: Scalar>(e: &Implicit<S>) -> Vec<S> {
    e.force.iter().zip(&e.c).map(|(q, c)| *q - *c).collect()
}

/// Accelerations and multipliers at `env` by the method `f`.
pub fn solve<S: Scalar>(f: Formalism, m: &Mechanism, env: &Environment<'_, S>) -> Solution<S> {
    let all = constraint_rows(m, env);
    let stabilised = |row: &ConstraintRow<S>| ConstraintRow { gamma: row.stabilised(m, env), ..row.clone() };
    let selection = Selection::new(m, &all.iter().map(stabilised).collect::<Vec<_>>());
    let rows = &selection.rows[..];
    let found = |found: extended::Found<S>| Parts {
        accelerations: found.accelerations,
        multipliers: found.multipliers,
        pivots: found.pivots,
        independence: Vec::new(),
        lengths: Vec::new(),
        carried: Some(found.reactions),
    };
    let parts = match f {
        Formalism::Kane | Formalism::Lagrange | Formalism::Direct => {
            let e = implicit(f, m, env);
            by_mass_matrix(m, rows, &e.mass, &right_side(&e))
        }
        Formalism::CompositeBody | Formalism::MaggiCoordinates => {
            let k = motions(m, env);
            let right = composite_body::right_side(m, &k, env);
            let (mass, [right]) = with_normal_forms(&composite_body::mass_matrix(m, &k), [&right]);
            if f == Formalism::CompositeBody || rows.is_empty() {
                by_mass_matrix(m, rows, &mass, &right)
            } else {
                let c = maggi_coordinates::projected(m, rows, &mass, &right);
                Parts {
                    accelerations: c.accelerations,
                    multipliers: c.multipliers,
                    pivots: c.pivots,
                    independence: c.independence,
                    lengths: Vec::new(),
                    carried: None,
                }
            }
        }
        Formalism::Momentum => {
            let p = momentum::generalised_momentum(m, env);
            let right: Vec<S> = p.rate.iter().zip(&p.convective).map(|(rate, c)| *rate - *c).collect();
            let (mass, [right]) = with_normal_forms(&p.mass, [&right]);
            by_mass_matrix(m, rows, &mass, &right)
        }
        Formalism::ArticulatedBody => {
            let k = motions(m, env);
            let applied = Applied::falling(m, &k, env);
            let sweep = Sweep::new(m, &k);
            let swept = sweep.solve(m, &k, &applied);
            let pivots = with_diagonal(m, &k, sweep.pivots.iter().copied());
            let c = solve_by_inverse(rows, swept.accelerations, |b| sweep.inverse(m, &k, b));
            Parts {
                accelerations: c.accelerations,
                multipliers: c.multipliers,
                pivots,
                independence: c.independence,
                lengths: c.lengths,
                carried: Some(swept.reactions),
            }
        }
        Formalism::Extended => {
            let k = motions(m, env);
            found(extended::solve(m, &k, &Applied::new(m, &k, env), rows))
        }
        Formalism::LagrangeFirst => {
            let k = motions(m, env);
            found(lagrange_first::solve(m, &k, env, &Applied::new(m, &k, env), rows))
        }
        Formalism::Maggi => {
            let k = kinematics(m, env);
            let applied = Applied::new(m, &k, env);
            let found = maggi::solve(m, &k, env, &applied, rows);
            let carried = reactions::carried(m, &k, &applied, &found.accelerations, &found.rates);
            Parts {
                accelerations: found.accelerations,
                multipliers: found.multipliers,
                pivots: found.pivots,
                independence: found.independence,
                lengths: Vec::new(),
                carried: Some(carried),
            }
        }
    };
    let Parts { accelerations, multipliers, pivots, independence, lengths, carried } = parts;
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
