//! Rotations: matrices, unit quaternions, Euler and Bryant angles.
//!
//! Frames: a rotation matrix `R` of shape 3×3, row by row, maps components in the body frame to
//!         components in the parent frame. A quaternion `[w, x, y, z]` is of unit norm, scalar
//!         first, and represents the same map; `q` and `−q` are the same attitude.
//!         `q̇ = ½ q ⊗ (0, ω)` with ω of the body relative to the parent, in body axes.
//! Source: Wittenburg, Dynamics of Multibody Systems, 2nd ed. 2008, chapter 2.

mod euler;
mod quaternion;

pub use euler::Sequence;
pub use quaternion::{
    matrix_from_quaternion, normalise_quaternion, normalise_quaternion_at, quaternion_from_matrix,
    quaternion_product, quaternion_rate,
};
