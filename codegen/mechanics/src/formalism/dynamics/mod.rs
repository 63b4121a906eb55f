//! Building blocks of the formalisms: loads on a tree, sweeps over it, linear solves.
//!
//! - `actions`, `applied`, `rotors`: loads as wrenches and efforts, gravity, gyroscopic terms and
//!   rotors.
//! - `measures_by_jets`: measures in formulas, without twists.
//! - `carried`: Newton–Euler recursion.
//! - `mass_matrix`, `factorised`: M by CRBA; `M = LᵀDL`.
//! - `regroup`: base inertial parameters; `chosen`: axes of the formulation.
//! - `sweep`, `group_sweep`, `group_motion`, `giving_way`: ABA; elimination by groups of joints.
//! - `sparse_system`, `redundant`, `elimination_order`: systems with more unknowns than
//!   accelerations, and their pivot order.
//! - `saddle`, `null_space`, `embedding`, `projected`: constraints by the Schur complement, by a
//!   null-space basis, by loops as generalised joints, and by projection of the equations.
//! - `pivots`: divisors, with names and hints for the case that they vanish.
//! - `solved`: result of each formalism.

pub(crate) mod actions;
pub(crate) mod applied;
pub(crate) mod carried;
pub(crate) mod chosen;
pub(crate) mod elimination_order;
pub(crate) mod embedding;
pub(crate) mod factorised;
mod giving_way;
pub(crate) mod group_motion;
pub(crate) mod group_sweep;
pub(crate) mod mass_matrix;
pub(crate) mod measures_by_jets;
pub(crate) mod null_space;
pub(crate) mod pivots;
pub(crate) mod projected;
pub(crate) mod redundant;
pub(crate) mod regroup;
pub(crate) mod rotors;
pub(crate) mod saddle;
pub(crate) mod solved;
pub(crate) mod sparse_system;
pub(crate) mod sweep;
