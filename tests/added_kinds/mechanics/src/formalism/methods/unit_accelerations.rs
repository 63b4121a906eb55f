//! The mass matrix by unit accelerations.
//!
//! Problem: `M v̇ = Q − c`.
//! Method:  inverse dynamics gives `M v̇ + c − Q`. At `v̇ = 0` its negative is the right-hand side;
//!          one unit acceleration adds a column of M (Walker and Orin 1982).
//! Cost:    nv + 1 sweeps.

use crate::formalism::dynamics::solved::{DynamicsSolution, solve_by_mass_matrix};
use crate::formalism::method::{ConstraintsBy, Facts, Lean, Method, SolvedSystem};
use crate::formalism::quantities::inverse::inverse_dynamics;
use crate::kinematics::ConstraintRow;
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::Scalar;

/// The formalism that computes M column by column.
pub(crate) struct UnitAccelerations;

impl Method for UnitAccelerations {
    const FACTS: Facts = Facts {
        name: "unit_accelerations",
        description: "M column by column, by inverse dynamics",
        solves: SolvedSystem::MassMatrix,
        constraints: ConstraintsBy::Multipliers,
        states_equations: false,
        mass: Some("inverse dynamics of unit accelerations"),
        partial_velocities: true,
        growth: 12,
        lean: Lean::No,
        cubes_denominators: false,
        sources: &["Featherstone2008"],
    };

    fn solve<S: Scalar>(
        m: &Mechanism,
        env: &Environment<'_, S>,
        rows: &[ConstraintRow<S>],
    ) -> DynamicsSolution<S> {
        let bias = inverse_dynamics(m, env, &vec![S::ZERO; m.nv()]);
        let mass: Vec<Vec<S>> = (0..m.nv())
            .map(|j| {
                let unit: Vec<S> = (0..m.nv()).map(|i| if i == j { S::ONE } else { S::ZERO }).collect();
                inverse_dynamics(m, env, &unit).into_iter().zip(&bias).map(|(x, b)| x - *b).collect()
            })
            .collect();
        let right: Vec<S> = bias.iter().map(|x| -*x).collect();
        solve_by_mass_matrix(m, rows, &mass, &right)
    }
}
