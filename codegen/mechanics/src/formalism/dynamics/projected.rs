//! Equations projected onto the motions that the constraints allow.
//!
//! Problem: `M v̇ = r + Aᵀ λ`, `A v̇ = γ`, with M positive definite on the null space of A; M
//!          itself may be singular.
//! Method:  `v̇ = v̇₀ + B u̇` with a basis B of the null space: `Bᵀ M B u̇ = Bᵀ (r − M v̇₀)`, as in
//!          `maggi_coordinates`. Multipliers follow from `Aᵀ λ = M v̇ − r`.
//! Report:  the pivots of the rows, and those of `Bᵀ M B`. If M of the tree is singular, also the
//!          diagonal of `Bᵀ M B`: an entry vanishes as a whole in a pose where its motion moves no
//!          mass, so it is compared with its values at other poses.
//! Cost:    O(nv² · (nv − rows)).

use super::embedding::Embedding;
use super::null_space::NullSpace;
use super::pivots::{Pivot, projected_pivots};
use super::solved::DynamicsSolution;
use crate::kinematics::ConstraintRow;
use crate::mechanism::{Mechanism, Partition};
use dqdt_algebra::{Scalar, TreeFactors, dot};

/// Accelerations that the constraints allow: `v̇ = v̇₀ + B u̇`, by one of two methods.
enum AllowedMotions<S> {
    /// Motions computed by embedding loops as generalised joints.
    Embedded(Embedding<S>),
    /// Motions computed from dependent speeds that assembly chose.
    ByDependentSpeeds(Box<NullSpace<S>>),
}

impl<S: Scalar> AllowedMotions<S> {
    /// Embeds loops if the partition has them, else eliminates dependent speeds.
    fn new(m: &Mechanism, partition: &Partition, rows: &[ConstraintRow<S>], mass: &[Vec<S>]) -> Self {
        match &partition.embedded {
            Some(loops) => AllowedMotions::Embedded(Embedding::new(m, rows, loops)),
            None => AllowedMotions::ByDependentSpeeds(Box::new(NullSpace::new(m, partition, rows, |i| {
                mass[i][i]
            }))),
        }
    }

    /// Basis B of the allowed motions and particular solution v̇₀.
    fn basis_and_particular(&self) -> (&[Vec<S>], &[S]) {
        match self {
            AllowedMotions::Embedded(e) => (&e.basis, &e.particular),
            AllowedMotions::ByDependentSpeeds(n) => (&n.basis, &n.particular),
        }
    }

    /// Completes entry i, j ≤ i of the projected mass matrix `Bᵀ M B`, which is singular if columns
    /// of B are dependent.
    fn regularise_mass_entry(&self, i: usize, j: usize, entry: S) -> S {
        match self {
            AllowedMotions::Embedded(_) => entry,
            AllowedMotions::ByDependentSpeeds(n) => n.regularise_mass_entry(i, j, entry),
        }
    }

    /// Pivots of the constraint rows and of `Bᵀ M B`, by the method.
    fn pivots(
        &self,
        m: &Mechanism,
        partition: &Partition,
        rows: &[ConstraintRow<S>],
        factors: &TreeFactors<S>,
    ) -> Vec<Pivot<S>> {
        match self {
            AllowedMotions::Embedded(e) => e
                .pivots(m, rows)
                .into_iter()
                .chain(projected_pivots(m, partition, &e.names, factors))
                .collect(),
            AllowedMotions::ByDependentSpeeds(n) => n.named_pivots(m, partition, rows, factors),
        }
    }

    /// Multipliers λ of `Gᵀ λ = f`, for forces f that do no work along B.
    fn multipliers_from_forces(&self, rows: &[ConstraintRow<S>], forces: &[S]) -> Vec<S> {
        match self {
            AllowedMotions::Embedded(e) => e.multipliers_from_forces(rows, forces),
            AllowedMotions::ByDependentSpeeds(n) => n.multipliers_from_forces(forces),
        }
    }

    /// Independence of each row, between 0 and 1; empty for embedded loops.
    fn row_independence(self) -> Vec<S> {
        match self {
            AllowedMotions::Embedded(_) => Vec::new(),
            AllowedMotions::ByDependentSpeeds(n) => n.independence,
        }
    }
}

/// Equations of motion projected onto the allowed motions, with `Bᵀ M B` factored.
pub struct Projected<'a, S> {
    /// The mechanism.
    m: &'a Mechanism,
    /// Active rows and dependent speeds, as chosen by assembly.
    partition: &'a Partition,
    /// Active constraint rows.
    rows: &'a [ConstraintRow<S>],
    /// Mass matrix M, by speeds.
    mass: &'a [Vec<S>],
    /// Basis and particular solution of the allowed motions.
    allowed: AllowedMotions<S>,
    /// Factors of the projected mass matrix `Bᵀ M B`.
    pub factors: TreeFactors<S>,
}

/// Product of a mass matrix with a vector.
fn multiply_matrix<S: Scalar>(mass: &[Vec<S>], x: &[S]) -> Vec<S> {
    mass.iter().map(|row| dot(row, x)).collect()
}

impl<'a, S: Scalar> Projected<'a, S> {
    /// Projects the equations onto the null space of active constraint rows; `mass` is M by speeds.
    pub fn new(
        m: &'a Mechanism,
        partition: &'a Partition,
        rows: &'a [ConstraintRow<S>],
        mass: &'a [Vec<S>],
    ) -> Self {
        let allowed = AllowedMotions::new(m, partition, rows, mass);
        let (basis, _) = allowed.basis_and_particular();
        let momenta: Vec<Vec<S>> = basis.iter().map(|b| multiply_matrix(mass, b)).collect();
        let parent: Vec<Option<usize>> = (0..basis.len()).map(|i| i.checked_sub(1)).collect();
        let factors = TreeFactors::new(&parent, |i, j| {
            allowed.regularise_mass_entry(i, j, dot(&basis[i], &momenta[j]))
        });
        Projected { m, partition, rows, mass, allowed, factors }
    }

    /// Columns of B, a basis of the permitted motions, each by speed.
    pub fn permitted_motions(&self) -> &[Vec<S>] {
        self.allowed.basis_and_particular().0
    }

    /// Pivots of the constraint rows and of `Bᵀ M B`.
    pub fn pivots(&self) -> Vec<Pivot<S>> {
        self.allowed.pivots(self.m, self.partition, self.rows, &self.factors)
    }

    /// Accelerations `v̇` and multipliers `λ` for a right-hand side r of `M v̇ = r + Aᵀ λ`.
    pub fn solve(self, right: &[S]) -> DynamicsSolution<S> {
        let (basis, particular) = self.allowed.basis_and_particular();
        let known = multiply_matrix(self.mass, particular);
        let left: Vec<S> = right.iter().zip(known).map(|(r, x)| *r - x).collect();
        let projected: Vec<S> = basis.iter().map(|b| dot(b, &left)).collect();
        let u = self.factors.solve(&projected);
        let mut accelerations = particular.to_vec();
        for (b, u) in basis.iter().zip(&u) {
            for (a, b) in accelerations.iter_mut().zip(b) {
                *a = *a + *b * *u;
            }
        }
        let forces: Vec<S> =
            multiply_matrix(self.mass, &accelerations).into_iter().zip(right).map(|(x, r)| x - *r).collect();
        let (pivots, multipliers) = (self.pivots(), self.allowed.multipliers_from_forces(self.rows, &forces));
        DynamicsSolution {
            multipliers,
            accelerations,
            pivots,
            independence: self.allowed.row_independence(),
            lengths: Vec::new(),
            joint_wrenches: None,
        }
    }
}
