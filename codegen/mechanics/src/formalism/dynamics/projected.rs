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
use super::pivots::{Pivot, of_projected};
use super::solved::Solved;
use crate::kinematics::ConstraintRow;
use crate::mechanism::{Mechanism, Partition};
use dqdt_algebra::{Scalar, TreeFactors, dot};

/// Motions that the constraints allow: `v̇ = v̇₀ + B u̇`.
enum Free<S> {
    /// Computed by embedding loops as generalised joints.
    Embedded(Embedding<S>),
    /// Computed from dependent speeds that assembly chose.
    Chosen(Box<NullSpace<S>>),
}

impl<S: Scalar> Free<S> {
    fn new(m: &Mechanism, partition: &Partition, rows: &[ConstraintRow<S>], mass: &[Vec<S>]) -> Self {
        match &partition.embedded {
            Some(loops) => Free::Embedded(Embedding::new(m, rows, loops)),
            None => Free::Chosen(Box::new(NullSpace::new(m, partition, rows, |i| mass[i][i]))),
        }
    }

    /// Basis B and particular solution v̇₀.
    fn motions(&self) -> (&[Vec<S>], &[S]) {
        match self {
            Free::Embedded(e) => (&e.basis, &e.particular),
            Free::Chosen(n) => (&n.basis, &n.particular),
        }
    }

    /// Completes the entry i, j ≤ i of `Bᵀ M B`, which is singular if columns of B are dependent.
    fn complete(&self, i: usize, j: usize, entry: S) -> S {
        match self {
            Free::Embedded(_) => entry,
            Free::Chosen(n) => n.complete(i, j, entry),
        }
    }

    fn pivots(
        &self,
        m: &Mechanism,
        partition: &Partition,
        rows: &[ConstraintRow<S>],
        factors: &TreeFactors<S>,
    ) -> Vec<Pivot<S>> {
        match self {
            Free::Embedded(e) => {
                e.pivots(m, rows).into_iter().chain(of_projected(m, partition, &e.names, factors)).collect()
            }
            Free::Chosen(n) => n.named_pivots(m, partition, rows, factors),
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

/// Projected equations of motion, with `Bᵀ M B` factored.
pub struct Projected<'a, S> {
    m: &'a Mechanism,
    partition: &'a Partition,
    rows: &'a [ConstraintRow<S>],
    mass: &'a [Vec<S>],
    free: Free<S>,
    /// Factors of the projected mass matrix `Bᵀ M B`.
    pub factors: TreeFactors<S>,
}

fn times<S: Scalar>(mass: &[Vec<S>], x: &[S]) -> Vec<S> {
    mass.iter().map(|row| dot(row, x)).collect()
}

impl<'a, S: Scalar> Projected<'a, S> {
    /// Projects onto the null space of active constraint rows; `mass` is M by speeds.
    pub fn new(
        m: &'a Mechanism,
        partition: &'a Partition,
        rows: &'a [ConstraintRow<S>],
        mass: &'a [Vec<S>],
    ) -> Self {
        let free = Free::new(m, partition, rows, mass);
        let (basis, _) = free.motions();
        let moved: Vec<Vec<S>> = basis.iter().map(|b| times(mass, b)).collect();
        let parent: Vec<Option<usize>> = (0..basis.len()).map(|i| i.checked_sub(1)).collect();
        let factors = TreeFactors::new(&parent, |i, j| free.complete(i, j, dot(&basis[i], &moved[j])));
        Projected { m, partition, rows, mass, free, factors }
    }

    /// Columns of B, a basis of the permitted motions.
    pub fn basis(&self) -> &[Vec<S>] {
        self.free.motions().0
    }

    /// Pivots of the constraint rows and of `Bᵀ M B`.
    pub fn pivots(&self) -> Vec<Pivot<S>> {
        self.free.pivots(self.m, self.partition, self.rows, &self.factors)
    }

    /// Accelerations `v̇` and multipliers `λ` for a right-hand side r.
    pub fn solve(self, right: &[S]) -> Solved<S> {
        let (basis, particular) = self.free.motions();
        let known = times(self.mass, particular);
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
            times(self.mass, &accelerations).into_iter().zip(right).map(|(x, r)| x - *r).collect();
        let (pivots, multipliers) = (self.pivots(), self.free.multipliers(self.rows, &forces));
        Solved {
            multipliers,
            accelerations,
            pivots,
            independence: self.free.independence(),
            lengths: Vec::new(),
            carried: None,
        }
    }
}
