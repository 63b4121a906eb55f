//! Building blocks of the formalisms: loads on a tree, sweeps over it, linear solves.
//!
//! - `actions`, `applied`, `rotors`: loads as wrenches and efforts, gravity, gyroscopic terms and
//!   rotors.
//! - `measures_by_jets`: measures in formulas, without twists.
//! - `newton_euler`: Newton–Euler recursion.
//! - `mass_matrix`, `factorised`: M by CRBA; `M = LᵀDL`.
//! - `regroup`: base inertial parameters; `formulation_axes`: axes of the formulation.
//! - `articulated_sweep`, `released_column`: ABA.
//! - `block_elimination`, `block_solution`: elimination by groups of joints.
//! - `sparse_system`, `body_twist_unknowns`, `elimination_order`: systems with more unknowns than
//!   accelerations, and their pivot order.
//! - `saddle`, `null_space`, `embedding`, `projected`: constraints by the Schur complement, by a
//!   null-space basis, by loops as generalised joints, and by projection of the equations.
//! - `pivots`: divisors, with names and hints for the case that they vanish.
//! - `solved`: result of each formalism.

pub(crate) mod actions;
pub(crate) mod applied;
pub(crate) mod articulated_sweep;
pub(crate) mod block_elimination;
pub(crate) mod block_solution;
pub(crate) mod body_twist_unknowns;
pub(crate) mod elimination_order;
pub(crate) mod embedding;
pub(crate) mod factorised;
pub(crate) mod formulation_axes;
pub(crate) mod mass_matrix;
pub(crate) mod measures_by_jets;
pub(crate) mod newton_euler;
pub(crate) mod null_space;
pub(crate) mod pivots;
pub(crate) mod projected;
pub(crate) mod regroup;
mod released_column;
pub(crate) mod rotors;
pub(crate) mod saddle;
pub(crate) mod solved;
pub(crate) mod sparse_system;
