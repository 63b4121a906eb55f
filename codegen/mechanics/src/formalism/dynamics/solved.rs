//! Result of a formalism, and the solve that formalisms with a mass matrix share.
//!
//! Problem: `M v̇ = Q − c + Aᵀ λ`, `A v̇ = γ`.
//! Method:  `M = LᵀDL` with the sparsity of the tree (`factorised`), the constraints by the Schur
//!          complement (`saddle`).

use super::factorised::Factorised;
use super::mass_matrix::simplify_mass_and_vectors;
use super::pivots::Pivot;
use super::saddle::{RowNames, solve_constrained};
use crate::kinematics::ConstraintRow;
use crate::mechanism::Mechanism;
use dqdt_algebra::{Scalar, Wrench};

/// Solution of the forward dynamics by a formalism: accelerations and multipliers, with its
/// divisors.
pub struct DynamicsSolution<S> {
    /// Accelerations `v̇`, one a speed.
    pub accelerations: Vec<S>,
    /// Multipliers, one for each active constraint row.
    pub multipliers: Vec<S>,
    /// Divisors that must not vanish, with names.
    pub pivots: Vec<Pivot<S>>,
    /// Independence of the rows, between 0 and 1; empty if the formalism has pivots of rows
    /// instead.
    pub independence: Vec<S>,
    /// Squared lengths of the constraint rows in the metric of M⁻¹; empty if the formalism has
    /// pivots of rows instead.
    pub lengths: Vec<S>,
    /// Wrenches that the joints transmit, if the formalism computes them as unknowns. With absolute
    /// angles they are those transmitted by C′.
    pub joint_wrenches: Option<Vec<Wrench<S>>>,
}

/// Solves `M v̇ = right + Aᵀ λ`, with the active rows, by `LᵀDL` and the Schur complement.
pub(crate) fn solve_by_mass_matrix<S: Scalar>(
    m: &Mechanism,
    rows: &[ConstraintRow<S>],
    mass: &[Vec<S>],
    right: &[S],
) -> DynamicsSolution<S> {
    let (mass, [right]) = simplify_mass_and_vectors(mass, [right]);
    let factored = Factorised::new(m, &mass);
    let pivots = factored.pivots(m);
    let Factorised { order, place, factors } = factored;
    let placed = |x: &[S]| -> Vec<S> { order.iter().map(|speed| x[*speed]).collect() };
    let jacobian: Vec<Vec<S>> = rows.iter().map(|row| placed(&row.jacobian)).collect();
    let gamma: Vec<S> = rows.iter().map(|row| row.gamma).collect();
    let names =
        RowNames { row: &|i| rows[i].name.clone(), speed: &|k| m.speed_name_stem(order[k]).to_owned() };
    let c = solve_constrained(&factors, &placed(&right), &jacobian, &gamma, &names);
    DynamicsSolution {
        accelerations: place.iter().map(|k| c.accelerations[*k]).collect(),
        multipliers: c.multipliers,
        pivots,
        independence: c.independence,
        lengths: c.lengths,
        joint_wrenches: None,
    }
}
