//! The attribute `springdamper`: springs and dampers given by a time constant and a damping ratio.
//!
//! Problem: stiffness and damping depend on the inertia that the joint moves.
//! Method:  as in MuJoCo's compiler. In the reference pose, for a joint with n coordinates (a free
//!          joint: all six), I = n / Σ (M⁻¹)ᵢᵢ; k = I/(T² ζ²), d = 2 I/T, with the time T and the
//!          damping ratio ζ. M includes the armature of joints and actuators, but no constraints.
//! Frames:  axes of the world.

use super::model::{Drive, MjcfJointKind, Model};
use crate::robot::decimal::Decimal;
use dqdt_diagnostics::base::Span;

/// Motion of the world per unit of a joint coordinate in the reference pose: rotation about an axis
/// through a point, or translation along the axis.
#[derive(Clone, Copy)]
struct UnitMotion {
    turns: bool,
    axis: [f64; 3],
    point: [f64; 3],
}

/// A coordinate of a joint of an MJCF, with its unit motion; a row of the mass matrix.
struct Coordinate {
    body: usize,
    joint: usize,
    motion: UnitMotion,
}

/// Sets stiffness and damping of the joints that have `springdamper`. Returns the places of joints
/// where this is impossible, with the reason.
pub(super) fn set_spring_dampers(model: &mut Model) -> Vec<(Span, &'static str)> {
    if !model.bodies.iter().flat_map(|b| &b.joints).any(|j| j.spring_damper.is_some()) {
        return Vec::new();
    }
    let coordinates = list_unit_motions(model);
    let inverse = inverse_diagonal(reference_mass_matrix(model, &coordinates));
    let mut problems = Vec::new();
    for (body, b) in model.bodies.iter_mut().enumerate() {
        for (joint, j) in b.joints.iter_mut().enumerate() {
            let Some([time, ratio]) = j.spring_damper else { continue };
            let Some(inverse) = &inverse else {
                problems.push((j.span, "a joint of the robot moves no inertia"));
                continue;
            };
            let entries = coordinates.iter().zip(inverse).filter(|(c, _)| (c.body, c.joint) == (body, joint));
            let (n, sum) = entries.fold((0.0, 0.0), |(n, sum), (_, x)| (n + 1.0, sum + x));
            let inertia = n / sum;
            j.stiffness = Decimal::from_f64(inertia / (time * time * ratio * ratio));
            j.damping = Decimal::from_f64(2.0 * inertia / time);
        }
    }
    problems
}

/// All coordinates of the model, with their unit motions in the reference pose.
fn list_unit_motions(model: &Model) -> Vec<Coordinate> {
    let mut all = Vec::new();
    for (body, b) in model.bodies.iter().enumerate() {
        let pose = model.reference_pose(Some(body));
        for (joint, j) in b.joints.iter().enumerate() {
            let at = pose.turn.rotate_vector(j.at.clone().map(|x| x.value));
            let point = add_vectors(pose.position_values(), at);
            let mut add = |turns, axis| {
                all.push(Coordinate { body, joint, motion: UnitMotion { turns, axis, point } });
            };
            match j.kind {
                MjcfJointKind::Hinge | MjcfJointKind::Slide => {
                    let axis = j.axis.clone().map(|x| x.value);
                    let length = dot(axis, axis).sqrt();
                    add(j.kind == MjcfJointKind::Hinge, pose.turn.rotate_vector(axis.map(|x| x / length)));
                }
                MjcfJointKind::Ball => {
                    (0..3).for_each(|k| add(true, pose.turn.rotate_vector(unit_vector(k))))
                }
                MjcfJointKind::Free => {
                    (0..3).for_each(|k| add(false, unit_vector(k)));
                    (0..3).for_each(|k| add(true, pose.turn.rotate_vector(unit_vector(k))));
                }
            }
        }
    }
    all
}

/// The mass matrix M in the reference pose, with the armatures of joints and actuators.
fn reference_mass_matrix(model: &Model, coordinates: &[Coordinate]) -> Vec<Vec<f64>> {
    let n = coordinates.len();
    let mut matrix = vec![vec![0.0; n]; n];
    for (body, b) in model.bodies.iter().enumerate() {
        let Some(inertia) = &b.inertia else { continue };
        let pose = model.reference_pose(Some(body));
        let center = add_vectors(
            pose.position_values(),
            pose.turn.rotate_vector(inertia.center.clone().map(|x| x.value)),
        );
        let tensor = inertia.tensor_matrix();
        let columns: Vec<(usize, [f64; 3], [f64; 3])> = coordinates
            .iter()
            .enumerate()
            .filter(|(_, c)| is_ancestor_or_same(model, c.body, body))
            .map(|(i, c)| {
                let UnitMotion { turns, axis, point } = c.motion;
                let arm = [0, 1, 2].map(|k| center[k] - point[k]);
                // The axis in axes of the body, in which its tensor is given.
                let local_axis = [0, 1, 2].map(|k| dot(axis, pose.turn.rotate_vector(unit_vector(k))));
                if turns { (i, cross(axis, arm), local_axis) } else { (i, axis, [0.0; 3]) }
            })
            .collect();
        for (i, v, w) in &columns {
            let momentum = tensor.map(|row| dot(row, *w));
            for (j, u, s) in &columns {
                matrix[*i][*j] += inertia.mass.value * dot(*v, *u) + dot(momentum, *s);
            }
        }
    }
    for (i, c) in coordinates.iter().enumerate() {
        let armature = model.joint_at_indices((c.body, c.joint)).map_or(0.0, |j| j.armature.value);
        let drives = model.actuators.iter().filter(|a| a.drive == Drive::Joint((c.body, c.joint)));
        let geared: f64 = drives.map(|a| a.gear.value * a.gear.value * a.armature.value).sum();
        matrix[i][i] += armature + geared;
    }
    matrix
}

/// True if `body` is `other` or one of its ancestors in the tree of the model.
fn is_ancestor_or_same(model: &Model, body: usize, other: usize) -> bool {
    std::iter::successors(Some(other), |at| model.bodies.get(*at).and_then(|b| b.parent)).any(|at| at == body)
}

/// Diagonal of the inverse of a symmetric matrix, by Cholesky decomposition; `None` if it is not
/// positive definite.
fn inverse_diagonal(mut a: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = a.len();
    for j in 0..n {
        let pivot = a[j][j] - (0..j).map(|k| a[j][k] * a[j][k]).sum::<f64>();
        if pivot.is_nan() || pivot <= 1e-14 * a[j][j].abs() {
            return None;
        }
        a[j][j] = pivot.sqrt();
        for i in j + 1..n {
            let sum: f64 = (0..j).map(|k| a[i][k] * a[j][k]).sum();
            a[i][j] = (a[i][j] - sum) / a[j][j];
        }
    }
    // For A = L Lᵀ, the entry is the squared norm of a column of L⁻¹.
    let entries = (0..n).map(|k| {
        let mut x = vec![0.0; n];
        for i in k..n {
            let sum: f64 = (k..i).map(|j| a[i][j] * x[j]).sum();
            x[i] = (f64::from(u8::from(i == k)) - sum) / a[i][i];
        }
        x.iter().map(|x| x * x).sum()
    });
    Some(entries.collect())
}

fn unit_vector(k: usize) -> [f64; 3] {
    [0, 1, 2].map(|i| f64::from(u8::from(i == k)))
}

fn add_vectors(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] + b[k])
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::inverse_diagonal;

    #[test]
    fn the_diagonal_of_an_inverse_is_that_of_the_adjugate_over_the_determinant() {
        let diagonal = inverse_diagonal(vec![vec![4.0, 2.0], vec![2.0, 3.0]]).unwrap();
        assert!((diagonal[0] - 3.0 / 8.0).abs() < 1e-15 && (diagonal[1] - 0.5).abs() < 1e-15, "{diagonal:?}");
        assert!(inverse_diagonal(vec![vec![1.0, 1.0], vec![1.0, 1.0]]).is_none());
    }
}
