//! Maggi's equations in the speeds of the tree: projection on what the constraints leave free.
//!
//! Problem: `Bᵀ M B u̇ = Bᵀ (Q − c − M v̇₀)`, `v̇ = v̇₀ + B u̇`, with a basis B of the null space of the constraint rows.
//! Method:  mechanics 1.5, "Maggi in q"; Maggi 1896, Kane's equations with dependent speeds. The dependent speeds are those
//! of `null_space`; where every loop leaves one motion, none are chosen (`embedding`). Without constraints B is the identity, and this is the tree's own form (5.3), factored with its
//! sparsity. Multipliers follow from the rows of the dependent speeds, `Gᵀ λ = M v̇ + c − Q`.
//! Rows that give no speed in every pose are projected (`null_space`).
//! Shapes:  nv less the number of rows that give a speed.
//! Cost:    O(nv² · (nv − rows)) on top of M.
//! Rows:    those that take part at the pose (`kinematics::selection`).

use super::composite_body::{composite_body, right_side};
use crate::algebra::{Scalar, TreeFactors, dot};
use crate::formalism::dynamics::chosen::chosen_motion;
use crate::formalism::dynamics::embedding::Embedding;
use crate::formalism::dynamics::mass_matrix::{mass_matrix, with_normal_forms};
use crate::formalism::dynamics::null_space::NullSpace;
use crate::formalism::dynamics::pivots::Pivot;
use crate::formalism::dynamics::solved::{Solved, by_mass_matrix};
use crate::formalism::method::{ConstraintsBy, Equations, Facts, Lean, Method, OF_SUBTREES, SolvedSystem};
use crate::kinematics::ConstraintRow;
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
        let (k, applied) = chosen_motion(m, env);
        let right = right_side(m, &k, &applied);
        let mass = mass_matrix(m, &k);
        if rows.is_empty() {
            by_mass_matrix(m, rows, &mass, &right)
        } else {
            let (mass, [right]) = with_normal_forms(&mass, [&right]);
            projected(m, rows, &mass, &right)
        }
    }
}

/// What the constraints leave free: `v̇ = v̇₀ + B u̇`.
enum Free<S> {
    /// Loops as generalised joints.
    Embedded(Embedding<S>),
    /// By dependent speeds.
    Chosen(Box<NullSpace<S>>),
}

impl<S: Scalar> Free<S> {
    fn new(m: &Mechanism, rows: &[ConstraintRow<S>], mass: &[Vec<S>]) -> Self {
        match &m.partition.embedded {
            Some(loops) => Free::Embedded(Embedding::new(m, rows, loops)),
            None => Free::Chosen(Box::new(NullSpace::new(m, rows, |i| mass[i][i]))),
        }
    }

    /// B and v̇₀.
    fn motions(&self) -> (&[Vec<S>], &[S]) {
        match self {
            Free::Embedded(e) => (&e.basis, &e.particular),
            Free::Chosen(n) => (&n.basis, &n.particular),
        }
    }

    /// The entry of `Bᵀ M B` at i and j ≤ i, made regular where columns of B depend on each other.
    fn complete(&self, i: usize, j: usize, entry: S) -> S {
        match self {
            Free::Embedded(_) => entry,
            Free::Chosen(n) => n.complete(i, j, entry),
        }
    }

    fn pivots(&self, m: &Mechanism, rows: &[ConstraintRow<S>], factors: &TreeFactors<S>) -> Vec<Pivot<S>> {
        match self {
            Free::Embedded(e) => {
                let of_speeds = e.names.iter().zip(factors.pivots.iter().zip(&factors.diagonal));
                let of_speeds = of_speeds.map(|(s, (d, whole))| Pivot::of_speed(m, *s, *d, *whole));
                e.pivots(m, rows).into_iter().chain(of_speeds).collect()
            }
            Free::Chosen(n) => n.named_pivots(m, rows, factors),
        }
    }

    fn multipliers(&self, rows: &[ConstraintRow<S>], forces: &[S]) -> Vec<S> {
        match self {
            Free::Embedded(e) => e.multipliers(rows, forces),
            Free::Chosen(n) => n.multipliers(forces),
        }
    }

    fn independence(self) -> Vec<S> {
        match self {
            Free::Embedded(_) => Vec::new(),
            Free::Chosen(n) => n.independence,
        }
    }
}

/// `v̇` and `λ` for constraint rows that are there; `right` is `Q − c`.
fn projected<S: Scalar>(m: &Mechanism, rows: &[ConstraintRow<S>], mass: &[Vec<S>], right: &[S]) -> Solved<S> {
    let free = Free::new(m, rows, mass);
    let (basis, particular) = free.motions();
    let times = |x: &[S]| -> Vec<S> { mass.iter().map(|row| dot(row, x)).collect() };
    let moved: Vec<Vec<S>> = basis.iter().map(|b| times(b)).collect();
    let n = basis.len();
    let parent: Vec<Option<usize>> = (0..n).map(|i| i.checked_sub(1)).collect();
    let factors = TreeFactors::new(&parent, |i, j| free.complete(i, j, dot(&basis[i], &moved[j])));
    let known = times(particular);
    let left: Vec<S> = right.iter().zip(known).map(|(r, x)| *r - x).collect();
    let projected: Vec<S> = basis.iter().map(|b| dot(b, &left)).collect();
    let u = factors.solve(&projected);
    let mut accelerations = particular.to_vec();
    for (b, u) in basis.iter().zip(&u) {
        for (a, b) in accelerations.iter_mut().zip(b) {
            *a = *a + *b * *u;
        }
    }
    let forces: Vec<S> = times(&accelerations).into_iter().zip(right).map(|(x, r)| x - *r).collect();
    let (pivots, multipliers) = (free.pivots(m, rows, &factors), free.multipliers(rows, &forces));
    Solved {
        multipliers,
        accelerations,
        pivots,
        independence: free.independence(),
        lengths: Vec::new(),
        carried: None,
    }
}
