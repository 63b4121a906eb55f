//! Maggi's equations in the speeds of the tree: projection on what the constraints leave free.
//!
//! Problem: `Bᵀ M B u̇ = Bᵀ (Q − c − M v̇₀)`, `v̇ = v̇₀ + B u̇`, with a basis B of the null space of the constraint rows.
//! Method:  mechanics 1.5, "Maggi in q"; Maggi 1896, Kane's equations with dependent speeds. The dependent speeds are those
//! of `null_space`. Without constraints B is the identity, and this is the tree's own form (5.3), factored with its
//! sparsity. Multipliers follow from the rows of the dependent speeds, `Gᵀ λ = M v̇ + c − Q`.
//! Rows that give no speed in every pose are projected (`null_space`).
//! Shapes:  nv less the number of rows that give a speed.
//! Cost:    O(nv² · (nv − rows)) on top of M.
//! Rows:    those that take part at the pose (`kinematics::selection`).

use super::composite_body::{composite_body, right_side};
use crate::algebra::{Scalar, TreeFactors};
use crate::formalism::dynamics::mass_matrix::{mass_matrix, with_normal_forms};
use crate::formalism::dynamics::null_space::NullSpace;
use crate::formalism::dynamics::regroup::regrouped;
use crate::formalism::dynamics::solved::{Solved, by_mass_matrix};
use crate::formalism::method::{ConstraintsBy, Equations, Facts, Lean, Method, OF_SUBTREES, SolvedSystem};
use crate::kinematics::{ConstraintRow, motions};
use crate::mechanism::{Environment, Mechanism};

/// Projection on the null space of the constraints, in the speeds of the tree.
pub(crate) struct MaggiCoordinates;

impl Method for MaggiCoordinates {
    const FACTS: Facts = Facts {
        name: "maggi_coordinates",
        description: "Maggi's equations in the speeds: projection on the constraints",
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
        m.constraints.is_empty().then(|| Equations::Implicit(composite_body(m, env)))
    }

    fn solve<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, rows: &[ConstraintRow<S>]) -> Solved<S> {
        let k = regrouped(m, motions(m, env), env);
        let right = right_side(m, &k, env);
        let mass = mass_matrix(m, &k);
        if rows.is_empty() {
            by_mass_matrix(m, rows, &mass, &right)
        } else {
            let (mass, [right]) = with_normal_forms(&mass, [&right]);
            projected(m, rows, &mass, &right)
        }
    }
}

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    let terms = a.iter().zip(b).filter(|(x, y)| !x.is_zero() && !y.is_zero());
    terms.fold(S::ZERO, |sum, (x, y)| sum + *x * *y)
}

/// `v̇` and `λ` for constraint rows that are there; `right` is `Q − c`.
fn projected<S: Scalar>(m: &Mechanism, rows: &[ConstraintRow<S>], mass: &[Vec<S>], right: &[S]) -> Solved<S> {
    let space = NullSpace::new(m, rows, |i| mass[i][i]);
    let times = |x: &[S]| -> Vec<S> { mass.iter().map(|row| dot(row, x)).collect() };
    let moved: Vec<Vec<S>> = space.basis.iter().map(|b| times(b)).collect();
    let n = space.basis.len();
    let parent: Vec<Option<usize>> = (0..n).map(|i| i.checked_sub(1)).collect();
    let factors = TreeFactors::new(&parent, |i, j| space.complete(i, j, dot(&space.basis[i], &moved[j])));
    let known = times(&space.particular);
    let left: Vec<S> = right.iter().zip(known).map(|(r, x)| *r - x).collect();
    let projected: Vec<S> = space.basis.iter().map(|b| dot(b, &left)).collect();
    let u = factors.solve(&projected);
    let mut accelerations = space.particular.clone();
    for (b, u) in space.basis.iter().zip(&u) {
        for (a, b) in accelerations.iter_mut().zip(b) {
            *a = *a + *b * *u;
        }
    }
    let forces: Vec<S> = times(&accelerations).into_iter().zip(right).map(|(x, r)| x - *r).collect();
    let pivots = space.named_pivots(m, rows, &factors);
    Solved {
        multipliers: space.multipliers(&forces),
        accelerations,
        pivots,
        independence: space.independence,
        lengths: Vec::new(),
        carried: None,
    }
}
