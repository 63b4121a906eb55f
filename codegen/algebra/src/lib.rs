//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Contains scalars and generic mathematics: exact numbers, jets, vectors, rotations, spatial
//! vectors, linear solvers.
//!
//! The mechanics is written once, generic over [`Scalar`]. This crate does not depend on mechanisms
//! or graphs.

mod articulated;
mod decimal;
mod dense_solve;
mod jet;
mod named;
mod number;
mod piecewise;
mod pivots;
pub mod polynomial;
mod ratio;
mod rotation;
mod scalar;
mod sparse;
mod spatial;
mod subtree_inertia;
mod tensor_rotation;
mod tree_columns;
mod tree_factors;
mod units;
mod vector;
mod wide;

pub use articulated::ArticulatedInertia;
pub use dense_solve::{DenseFactors, dot};
pub use jet::Jet;
pub use number::Number;
pub use piecewise::PiecewiseCubic;
pub use pivots::{
    choose_leading_steady_pivots, choose_steady_block, choose_steady_pivots, pivot_order, scale_columns,
};
pub use ratio::Ratio;
pub use rotation::{Axis, Mat3, quaternion_norm_squared};
pub use scalar::{Cmp, Func, Func2, Scalar};
pub use sparse::{Eliminated, SparseRows, choose_sparse_pivots};
pub use spatial::{Inertia, Twist, Wrench};
pub use subtree_inertia::Hanging;
pub use tensor_rotation::symmetric_matrix;
pub use tree_columns::TreeColumns;
pub use tree_factors::{TreeFactors, solve_tree_system};
pub use units::si_unit_text;
pub use units::{Dimension, Unit, UnitError};
pub use units::{UNITS, list_units_for_help};
pub use vector::Vec3;
pub use wide::Wide;
