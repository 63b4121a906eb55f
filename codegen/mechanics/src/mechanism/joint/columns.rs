//! Columns of motion subspaces and of constrained directions that several joint kinds share.

use super::kind::{ConstrainedDirection, RateMatrix};
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use dqdt_algebra::{Number, Scalar, Twist, Vec3, Wrench};

/// Rate matrix `N` that is the identity, for speeds that are rates of the coordinates.
pub(super) fn identity_rate_matrix<S: Scalar>(n: usize) -> RateMatrix<S> {
    let matrix = (0..n).map(|i| (0..n).map(|j| if i == j { S::ONE } else { S::ZERO }).collect()).collect();
    RateMatrix { matrix, denominators: Vec::new() }
}

/// The first `N` local coordinates or speeds, padded with zeros.
pub(super) fn first_values<S: Scalar, const N: usize>(x: &[S]) -> [S; N] {
    std::array::from_fn(|i| x.get(i).copied().unwrap_or(S::ZERO))
}

/// The unit vectors along the coordinate axes.
pub(super) fn coordinate_unit_vectors<S: Scalar>() -> [Vec3<S>; 3] {
    [0, 1, 2].map(Vec3::unit_vector)
}

/// Twist of a pure translation with this velocity.
pub(super) fn translation_twist<S: Scalar>(v: Vec3<S>) -> Twist<S> {
    Twist { v, w: Vec3::ZERO }
}

/// Twist of a pure rotation with this angular velocity.
pub(super) fn rotation_twist<S: Scalar>(w: Vec3<S>) -> Twist<S> {
    Twist { v: Vec3::ZERO, w }
}

/// Wrench of a pure force.
pub(super) fn force_wrench<S: Scalar>(f: Vec3<S>) -> Wrench<S> {
    Wrench { f, m: Vec3::ZERO }
}

/// Wrench of a pure moment.
pub(super) fn moment_wrench<S: Scalar>(m: Vec3<S>) -> Wrench<S> {
    Wrench { f: Vec3::ZERO, m }
}

/// Constrained directions of a joint: forces along `forces` and moments about `moments`, each
/// orthonormal, so that `H = Z`.
pub(super) fn orthonormal_constraints<S: Scalar>(
    forces: &[Vec3<S>],
    moments: &[Vec3<S>],
) -> Vec<ConstrainedDirection<S>> {
    let forces = forces
        .iter()
        .map(|f| ConstrainedDirection { wrench: force_wrench(*f), twist: translation_twist(*f) });
    let moments =
        moments.iter().map(|m| ConstrainedDirection { wrench: moment_wrench(*m), twist: rotation_twist(*m) });
    forces.chain(moments).collect()
}

/// Two orthonormal vectors perpendicular to an axis. The first is the cross product of the axis
/// with the coordinate axis along which it is smallest. That is known at derivation, so no divisor
/// can vanish.
pub(super) fn perpendicular_unit_vectors<S: Scalar>(
    axis: AxisVector,
    number: &dyn Fn(Number) -> S,
) -> [Vec3<S>; 2] {
    let size = axis.0.map(|n| n.to_f64().abs());
    let least = (0..3).fold(0, |least, i| if size[i] < size[least] { i } else { least });
    let mut product = [Number::ZERO; 3];
    let z = axis.0[(least + 2) % 3];
    product[(least + 1) % 3] = z.checked_neg().unwrap_or_else(|| Number::float(-z.to_f64()));
    product[(least + 2) % 3] = axis.0[(least + 1) % 3];
    let first = unit_vector_along(AxisVector(product), number);
    [first, unit_vector_along(axis, number).cross(first)]
}
