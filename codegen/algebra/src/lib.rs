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
pub use pivots::{in_units, partly_steady_pivots, pivot_order, steady_block, steady_pivots};
pub use ratio::Ratio;
pub use rotation::{Axis, Mat3, quaternion_square};
pub use scalar::{Cmp, Func, Func2, Scalar};
pub use sparse::{Eliminated, SparseRows, pivot_places};
pub use spatial::{Inertia, Twist, Wrench};
pub use subtree_inertia::Hanging;
pub use tensor_rotation::symmetric;
pub use tree_columns::TreeColumns;
pub use tree_factors::{TreeFactors, solve_tree};
pub use units::in_si;
pub use units::{Dimension, Unit, UnitError};
pub use units::{UNITS, unit_help};
pub use vector::Vec3;
pub use wide::Wide;
