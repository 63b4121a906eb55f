//! The result of a method, and the solve that those with a mass matrix share.
//!
//! Problem: `M v̇ = Q − c + Aᵀ λ`, `A v̇ = γ`.
//! Method:  `M = LᵀDL` with the sparsity of the tree (`factorised`), the constraints by the Schur complement (`saddle`).

use super::factorised::Factorised;
use super::mass_matrix::with_normal_forms;
use super::pivots::Pivot;
use super::saddle::{RowNames, solve_constrained};
use crate::kinematics::ConstraintRow;
use crate::mechanism::Mechanism;
use dqdt_algebra::{Scalar, Wrench};

/// Accelerations and multipliers, with what was divided by.
pub struct Solved<S> {
    pub accelerations: Vec<S>,
    /// One a row that takes part.
    pub multipliers: Vec<S>,
    pub pivots: Vec<Pivot<S>>,
    /// How independent the rows are, between 0 and 1; empty where the form has pivots of rows instead.
    pub independence: Vec<S>,
    /// What is left of the rows in the metric of M⁻¹, squared; empty likewise.
    pub lengths: Vec<S>,
    /// Reactions that the method has found itself, as C′ carries them.
    pub carried: Option<Vec<Wrench<S>>>,
}

/// `M v̇ = right + Aᵀ λ` by `LᵀDL` and the Schur complement.
pub(crate) fn by_mass_matrix<S: Scalar>(
    m: &Mechanism,
    rows: &[ConstraintRow<S>],
    mass: &[Vec<S>],
    right: &[S],
) -> Solved<S> {
    let (mass, [right]) = with_normal_forms(mass, [right]);
    let factored = Factorised::new(m, &mass);
    let pivots = factored.pivots(m);
    let Factorised { order, place, factors } = factored;
    let placed = |x: &[S]| -> Vec<S> { order.iter().map(|speed| x[*speed]).collect() };
    let jacobian: Vec<Vec<S>> = rows.iter().map(|row| placed(&row.jacobian)).collect();
    let gamma: Vec<S> = rows.iter().map(|row| row.gamma).collect();
    let names = RowNames { row: &|i| rows[i].name.clone(), speed: &|k| m.stem_of_speed(order[k]).to_owned() };
    let c = solve_constrained(&factors, &placed(&right), &jacobian, &gamma, &names);
    Solved {
        accelerations: place.iter().map(|k| c.accelerations[*k]).collect(),
        multipliers: c.multipliers,
        pivots,
        independence: c.independence,
        lengths: c.lengths,
        carried: None,
    }
}
