//! Maggi's equations in the speeds of the tree: projection onto the motions that the constraints
//! allow.
//!
//! Problem: `Bᵀ M B u̇ = Bᵀ (Q − c − M v̇₀)`, `v̇ = v̇₀ + B u̇`, with a basis B of the null space
//!          of the constraint rows.
//! Method:  mechanics 1.5, "Maggi in q"; Maggi 1896, Kane's equations with dependent speeds. The
//!          dependent speeds are those of `null_space`; if every loop leaves one motion, none are
//!          chosen (`embedding`); `projected` solves. Without constraints B is the identity, and
//!          this is the form (5.3) of the tree, factored with its sparsity. Multipliers follow from
//!          the rows of the dependent speeds, `Gᵀ λ = M v̇ + c − Q`. Rows that have no dependent
//!          speed valid in every pose are projected (`null_space`).
//! Shapes:  nv minus the number of rows with a dependent speed.
//! Cost:    O(nv² · (nv − rows)) in addition to M.
//! Rows:    those that are active at the pose (`kinematics::selection`).

use super::composite_body::{composite_body_equations, right_side_by_recursion};
use crate::formalism::dynamics::formulation_axes::motion_in_formulation_axes;
use crate::formalism::dynamics::mass_matrix::{mass_matrix, simplify_mass_and_vectors};
use crate::formalism::dynamics::projected::Projected;
use crate::formalism::dynamics::solved::{DynamicsSolution, solve_by_mass_matrix};
use crate::formalism::method::{ConstraintsBy, Equations, Facts, Lean, Method, OF_SUBTREES, SolvedSystem};
use crate::kinematics::ConstraintRow;
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::Scalar;

/// Formalism `maggi_coordinates`: Maggi's equations in the speeds of the tree, projected onto the
/// null space of the constraints.
pub(crate) struct MaggiCoordinates;

impl Method for MaggiCoordinates {
    const FACTS: Facts = Facts {
        name: "maggi_coordinates",
        description: "Maggi's equations, written in the speeds and projected onto the motions that the constraints allow",
        solves: SolvedSystem::MassMatrix,
        constraints: ConstraintsBy::Projection,
        states_equations: false,
        mass: Some(OF_SUBTREES),
        partial_velocities: true,
        growth: 3,
        lean: Lean::WithConstraints,
        cubes_denominators: false,
        sources: &["Maggi1896", "ByachkovIvanovShimanovsky2009"],
    };

    fn equations<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Option<Equations<S>> {
        m.constraints.is_empty().then(|| Equations::Implicit(composite_body_equations(m, env)))
    }

    fn solve<S: Scalar>(
        m: &Mechanism,
        env: &Environment<'_, S>,
        rows: &[ConstraintRow<S>],
    ) -> DynamicsSolution<S> {
        let (k, applied) = motion_in_formulation_axes(m, env);
        let right = right_side_by_recursion(m, &k, &applied);
        let mass = mass_matrix(m, &k);
        if rows.is_empty() {
            solve_by_mass_matrix(m, rows, &mass, &right)
        } else {
            let (mass, [right]) = simplify_mass_and_vectors(&mass, [&right]);
            Projected::new(m, env.partition, rows, &mass).solve(&right)
        }
    }
}
