//! Attitudes: three angles of an intrinsic sequence, or a unit quaternion.
//!
//! Problem: rotation matrix, angular velocity and coordinate rates of an attitude.
//! Method:  with `R = R₁ R₂ R₃` about axes i, j, k and `b_x = R₃ᵀ e_x`, `s, c` of the middle angle:
//!
//! | kind            | ω in C axes                                        | denominator |
//! |-----------------|----------------------------------------------------|-------------|
//! | Bryant, k ≠ i   | `c q̇₁ b_i + q̇₂ b_j + (q̇₃ + σ s q̇₁) e_k`            | c           |
//! | Euler, k = i    | `σ s q̇₁ b_m + q̇₂ b_j + (q̇₃ + c q̇₁) e_k`, m ≠ i, j | s           |
//!
//! where `σ = e_i · (e_j × e_k)`, or `e_i · (e_j × e_m)`. The three vectors on the right are
//! orthonormal, which gives the inverse at once (Wittenburg 2008, section 2.2). Quaternions:
//! `q̇ = ½ q ⊗ (0, ω)`, scalar first, C to P, of any non-zero length: the rate keeps the length,
//! and R is formed with 2/|q|². In P axes `ω_P = R ω` and `q̇ = ½ (0, ω_P) ⊗ q`. The angles of Rᵀ
//! are those of R in reverse order with opposite signs, so the table applies with 1 and 3
//! exchanged. In the intermediate axes after `R₁ R₂`, `b_x = e_x`.
//! Frames:  ω in C axes, relative to P (or to the ground, for absolute angles); speeds in the axes
//! of their kind.
//! Cost:    O(1).
//! Not handled: gimbal lock; the denominator is returned and the caller decides. A zero quaternion:
//! its squared length is a divisor.

use super::columns::{coordinate_unit_vectors, first_values};
use super::form::{Attitude, JointComponent, SpeedComponent, SpeedKind};
use super::kind::RateMatrix;
use dqdt_algebra::{Axis, Dimension, Mat3, Scalar, Vec3};

/// True if the speeds of an attitude are the rates of its angles.
pub(super) fn speeds_are_rates(attitude: Attitude, speeds: SpeedKind) -> bool {
    matches!((attitude, speeds), (Attitude::Sequence(_), SpeedKind::Rates))
}

/// The coordinates of an attitude: three angles, or four quaternion components.
pub(super) fn attitude_coordinates(attitude: Attitude) -> Vec<JointComponent> {
    match attitude {
        Attitude::Sequence(_) => vec![
            JointComponent::angle_component("1", "first angle"),
            JointComponent::angle_component("2", "second angle"),
            JointComponent::angle_component("3", "third angle"),
        ],
        Attitude::Quaternion => vec![
            JointComponent::angle_component("qw", "scalar part of the quaternion"),
            JointComponent::angle_component("qx", "x component of the quaternion"),
            JointComponent::angle_component("qy", "y component of the quaternion"),
            JointComponent::angle_component("qz", "z component of the quaternion"),
        ],
    }
}

/// The three angular speeds of an attitude whose local coordinates begin at `first`.
pub(super) fn attitude_speeds(attitude: Attitude, speeds: SpeedKind, first: usize) -> [SpeedComponent; 3] {
    if speeds_are_rates(attitude, speeds) {
        return [0, 1, 2].map(|i| SpeedComponent::RateOf(first + i));
    }
    let dimension = Dimension::new([0, 0, -1, 0, 0]);
    let quasi_velocity = |suffix, text| SpeedComponent::Own(JointComponent { suffix, dimension, text });
    match speeds {
        SpeedKind::Rates | SpeedKind::BodyRates => [
            quasi_velocity("omega_x", "angular velocity about the x axis of the body"),
            quasi_velocity("omega_y", "angular velocity about the y axis of the body"),
            quasi_velocity("omega_z", "angular velocity about the z axis of the body"),
        ],
        SpeedKind::ParentRates => [
            quasi_velocity("omega_x", "angular velocity about the x axis of the parent"),
            quasi_velocity("omega_y", "angular velocity about the y axis of the parent"),
            quasi_velocity("omega_z", "angular velocity about the z axis of the parent"),
        ],
        SpeedKind::IntermediateRates => [
            quasi_velocity(
                "omega_x",
                "angular velocity about the x axis after rotation by the first two angles",
            ),
            quasi_velocity(
                "omega_y",
                "angular velocity about the y axis after rotation by the first two angles",
            ),
            quasi_velocity(
                "omega_z",
                "angular velocity about the z axis after rotation by the first two angles",
            ),
        ],
    }
}

/// Text for an attitude and its speeds in tables of reports, such as "angles zyx, body rates".
pub(super) fn describe_attitude(attitude: Attitude, speeds: SpeedKind) -> String {
    let coordinates = match attitude {
        Attitude::Quaternion => "unit quaternion".to_owned(),
        Attitude::Sequence(axes) => format!("angles {}", sequence_letters(axes)),
    };
    let speeds = match speeds {
        SpeedKind::Rates => "rates",
        SpeedKind::BodyRates => "body rates",
        SpeedKind::ParentRates => "angular velocity in parent axes",
        SpeedKind::IntermediateRates => "angular velocity in intermediate axes",
    };
    format!("{coordinates}, {speeds}")
}

/// Letters of the three axes of a sequence, such as `zyx`.
fn sequence_letters(axes: [Axis; 3]) -> String {
    axes.iter().map(|a| ["x", "y", "z"][a.index()]).collect()
}

/// Message about the gimbal lock of an angle sequence; `None` for quaternions. `middle`: name of
/// the second angle.
pub(super) fn gimbal_lock_message(attitude: Attitude, middle: Option<String>) -> Option<String> {
    let Attitude::Sequence(axes) = attitude else { return None };
    let letters = sequence_letters(axes);
    let middle = middle.unwrap_or_else(|| "the middle angle".to_owned());
    let lock = if axes[0] == axes[2] { "0 and 180 deg" } else { "±90 deg" };
    Some(format!(
        "angles {letters} are singular at {middle} = {lock}: use another sequence of angles, or a quaternion"
    ))
}

/// Message about poses in which the speeds do not give all rotations, or their accelerations are
/// undefined; `None` if there are none.
pub(super) fn singular_pose_message(
    attitude: Attitude,
    speeds: SpeedKind,
    middle: Option<String>,
) -> Option<String> {
    match speeds {
        SpeedKind::Rates | SpeedKind::IntermediateRates => gimbal_lock_message(attitude, middle),
        SpeedKind::BodyRates | SpeedKind::ParentRates => None,
    }
}

/// Ranges of the coordinates of a random attitude, away from gimbal lock.
pub(super) fn random_coordinate_ranges(attitude: Attitude) -> Vec<(f64, f64)> {
    let angle = (-2.5, 2.5);
    match attitude {
        Attitude::Sequence([i, _, k]) if i == k => vec![angle, (0.7, 2.3), angle],
        Attitude::Sequence(_) => vec![angle, (-0.8, 0.8), angle],
        Attitude::Quaternion => vec![(0.1, 1.0), (-1.0, 1.0), (-1.0, 1.0), (-1.0, 1.0)],
    }
}

/// Rotation matrix from child (C) axes to parent (P) axes, from the coordinates of the attitude.
pub(super) fn attitude_rotation<S: Scalar>(attitude: Attitude, q: &[S]) -> Mat3<S> {
    match attitude {
        Attitude::Sequence(axes) => Mat3::euler_rotation(axes, first_values(q)),
        Attitude::Quaternion => Mat3::from_quaternion(first_values(q)),
    }
}

/// Terms of ω for an angle sequence: `ω = along q̇₁ u₁ + q̇₂ u₂ + (q̇₃ + across q̇₁) u₃` with
/// orthonormal `u`.
struct AngularVelocityTerms<S> {
    /// The three orthonormal directions.
    u: [Vec3<S>; 3],
    /// Coefficient of `q̇₁` along `u₁`.
    along: S,
    /// Coefficient of `q̇₁` along `u₃`.
    across: S,
    /// Sign σ or 1, with `along = sign · denominator`.
    sign: S,
    /// Divisor of the inverse: sine or cosine of the middle angle, zero at gimbal lock.
    denominator: S,
}

/// Terms of ω for an angle sequence, in C axes.
fn angular_velocity_terms<S: Scalar>(axes: [Axis; 3], q: [S; 3]) -> AngularVelocityTerms<S> {
    angular_velocity_terms_in(axes, q[1].sin_cos(), Mat3::rotation_about_axis(axes[2], q[2]))
}

/// Terms of ω for an angle sequence, in axes that the rotation `last` maps to the intermediate axes
/// after the first two angles. `(s, c)`: sine and cosine of the second angle.
fn angular_velocity_terms_in<S: Scalar>(
    axes: [Axis; 3],
    (s, c): (S, S),
    last: Mat3<S>,
) -> AngularVelocityTerms<S> {
    let [i, j, k] = axes.map(Axis::index);
    let third = 3 - i - j;
    let sign = if (i + 1) % 3 == j { S::ONE } else { -S::ONE };
    if k == i {
        AngularVelocityTerms {
            u: [last.row(third), last.row(j), Vec3::unit_vector(k)],
            along: sign * s,
            across: c,
            sign,
            denominator: s,
        }
    } else {
        AngularVelocityTerms {
            u: [last.row(i), last.row(j), Vec3::unit_vector(k)],
            along: c,
            across: sign * s,
            sign: S::ONE,
            denominator: c,
        }
    }
}

/// Columns of `A` in `ω = A q̇` for speeds that are rates of the angles, and the bias `Ȧ q̇`, in C
/// axes.
pub(super) fn angle_rate_columns<S: Scalar>(
    axes: [Axis; 3],
    q: [S; 3],
    v: [S; 3],
) -> ([Vec3<S>; 3], Vec3<S>) {
    let p = angular_velocity_terms(axes, q);
    let columns = [p.u[0].scale(p.along) + p.u[2].scale(p.across), p.u[1], p.u[2]];
    // Each column is fixed in a frame that the later rotations move relative to C.
    let first = columns[0].scale(v[0]);
    let second = columns[1].scale(v[1]);
    let third = columns[2].scale(v[2]);
    (columns, -((second + third).cross(first) + third.cross(second)))
}

/// Rows of the inverse of `A`, so that `q̇ = rows · ω` with ω in C axes; and the denominator, zero
/// at gimbal lock.
pub(super) fn angle_rates_from_omega<S: Scalar>(axes: [Axis; 3], q: [S; 3]) -> ([Vec3<S>; 3], S) {
    invert_angular_velocity_terms(angular_velocity_terms(axes, q))
}

/// Rows as by [`angle_rates_from_omega`] for an angular velocity in the intermediate axes after the
/// first two angles.
fn angle_rates_from_intermediate_omega<S: Scalar>(axes: [Axis; 3], q: [S; 3]) -> ([Vec3<S>; 3], S) {
    invert_angular_velocity_terms(angular_velocity_terms_in(axes, q[1].sin_cos(), Mat3::identity()))
}

/// Rows as by [`angle_rates_from_omega`] for an angular velocity in P axes. `−ω_P` is the angular
/// velocity of P relative to C, whose angles are those of C relative to P in reverse order with
/// opposite signs.
fn angle_rates_from_parent_omega<S: Scalar>(axes: [Axis; 3], q: [S; 3]) -> ([Vec3<S>; 3], S) {
    let [i, j, k] = axes;
    let (s, c) = q[1].sin_cos();
    let ([third, second, first], denominator) = invert_angular_velocity_terms(angular_velocity_terms_in(
        [k, j, i],
        (-s, c),
        Mat3::rotation_about_axis(i, q[0]).transpose(),
    ));
    ([first, second, third], denominator)
}

/// Rows of the inverse of `A` from the terms of ω, with the denominator.
fn invert_angular_velocity_terms<S: Scalar>(p: AngularVelocityTerms<S>) -> ([Vec3<S>; 3], S) {
    let (one, ratio) = (p.sign / p.denominator, p.across * p.sign / p.denominator);
    ([p.u[0].scale(one), p.u[1], p.u[2] - p.u[0].scale(ratio)], p.denominator)
}

/// Columns of `A` with ω = `A v` in C axes, bias `Ȧ v`, and the dual moments `Y`.
pub(super) fn attitude_subspace<S: Scalar>(
    attitude: Attitude,
    speeds: SpeedKind,
    q: &[S],
    v: &[S],
) -> ([Vec3<S>; 3], Vec3<S>, [Vec3<S>; 3]) {
    match (attitude, speeds) {
        (Attitude::Sequence(axes), SpeedKind::Rates) => {
            let (columns, bias) = angle_rate_columns(axes, first_values(q), first_values(v));
            (columns, bias, angle_rates_from_omega(axes, first_values(q)).0)
        }
        (Attitude::Sequence(axes), SpeedKind::IntermediateRates) => {
            let (angles, w) = (first_values::<S, 3>(q), Vec3(first_values(v)));
            let last = Mat3::rotation_about_axis(axes[2], angles[2]);
            let columns = [0, 1, 2].map(|i| last.row(i));
            let spin = angle_rates_from_intermediate_omega(axes, angles).0[2].dot(w);
            let bias = -Vec3::unit_vector(axes[2].index()).scale(spin).cross(last.apply_transposed(w));
            (columns, bias, columns)
        }
        // Ȧ v = −ω × ω.
        (_, SpeedKind::ParentRates) => {
            let rotation = attitude_rotation(attitude, q);
            let columns = [0, 1, 2].map(|i| rotation.row(i));
            (columns, Vec3::ZERO, columns)
        }
        (Attitude::Quaternion, _) | (_, SpeedKind::BodyRates) => {
            (coordinate_unit_vectors(), Vec3::ZERO, coordinate_unit_vectors())
        }
    }
}

/// Matrix `N` from the angular speeds to the rates of the attitude's coordinates; `None` if the
/// speeds are the rates.
pub(super) fn attitude_rate_matrix<S: Scalar>(
    attitude: Attitude,
    speeds: SpeedKind,
    q: &[S],
) -> Option<RateMatrix<S>> {
    let (rows, denominator) = match (attitude, speeds) {
        (Attitude::Sequence(_), SpeedKind::Rates) => return None,
        (Attitude::Sequence(axes), SpeedKind::BodyRates) => angle_rates_from_omega(axes, first_values(q)),
        (Attitude::Sequence(axes), SpeedKind::ParentRates) => {
            angle_rates_from_parent_omega(axes, first_values(q))
        }
        (Attitude::Sequence(axes), SpeedKind::IntermediateRates) => {
            angle_rates_from_intermediate_omega(axes, first_values(q))
        }
        (Attitude::Quaternion, _) => {
            let [w, x, y, z] = first_values::<S, 4>(q).map(|x| S::ratio(1, 2) * x);
            let matrix = match speeds {
                SpeedKind::ParentRates => {
                    vec![vec![-x, -y, -z], vec![w, z, -y], vec![-z, w, x], vec![y, -x, w]]
                }
                _ => vec![vec![-x, -y, -z], vec![w, -z, y], vec![z, w, -x], vec![-y, x, w]],
            };
            return Some(RateMatrix { matrix, denominators: Vec::new() });
        }
    };
    Some(RateMatrix { matrix: rows.iter().map(|r| r.0.to_vec()).collect(), denominators: vec![denominator] })
}
