//! Small dense linear systems on the stack.
//!
//! Problem: `A x = b` with `A` of shape N×N, row by row, where the size is that of a mechanism.
//! Method:  [`solve_ldlt`] for symmetric positive definite matrices and any scalar. [`solve_lu`]
//!          (several right-hand sides: [`solve_lu_columns`]) for general matrices, with a pivot
//!          search that branches, so for one state at a time.
//! Errors:  [`Singular`](crate::Singular) with the row of the pivot; zeros in place of a solution,
//!          never NaN.

mod ldlt;
mod lu;

pub use ldlt::solve_ldlt;
pub use lu::{solve_lu, solve_lu_columns};
