//! The building blocks of the methods: loads on a tree, sweeps over it, solves.
//!
//! | file | what |
//! |---|---|
//! | `actions`, `applied`, `rotors` | loads as wrenches and efforts; with gravity and gyroscopic terms; turning rotors |
//! | `measures_by_jets` | what formulas measure of frames, without twists |
//! | `carried` | accelerations from the root to the leaves, then wrenches back |
//! | `mass_matrix`, `factorised` | M from the inertias of subtrees; `M = LᵀDL` |
//! | `regroup` | base inertial parameters |
//! | `sweep`, `group_sweep`, `group_motion`, `giving_way` | articulated bodies; groups of joints at once |
//! | `sparse_system`, `redundant`, `elimination_order` | systems of more unknowns, and the order of their pivots |
//! | `saddle`, `null_space`, `embedding`, `projected` | constraints by the Schur complement; what they leave free; loops as generalised joints; projection on it |
//! | `pivots` | what is divided by, when it vanishes, what that means |
//! | `solved` | what every method hands out |

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
