//! Poses far from the start that fulfil the constraints without assembly.
//!
//! Problem: choices made at the start (rows, pivots) must remain valid wherever the mechanism
//! moves; a vehicle turns through every heading.
//! Method:  a coordinate is free if the position constraints remain fulfilled when it alone is
//! displaced: place and heading of a vehicle, angles of its wheels, its steering. For a quaternion,
//! the displacements are rotations about the axes of the parent. All free coordinates are displaced
//! together by pseudo-random amounts.
//! Cost:    a few evaluations of the residuals a coordinate, in doubles.
//! Not handled: poses that need assembly, as those of closed loops.

use super::constraints::position_residuals;
use crate::mechanism::{CoordinateId, Environment, Mechanism, joint};

/// Tolerance within which a constraint residual counts as unchanged by a trial displacement.
const TOLERANCE: f64 = 1e-9;

/// A trial displacement of one coordinate, or a rotation about one axis of the quaternion that
/// begins at `first`.
#[derive(Clone, Copy, Debug)]
enum Displacement {
    /// Shift of a single coordinate.
    Coordinate(CoordinateId),
    /// Rotation of a quaternion joint about one axis of its parent.
    Turn { first: CoordinateId, axis: usize },
}

impl Displacement {
    /// Displaces `q` by `amount` (rad for a rotation).
    fn displace_pose(self, q: &mut [f64], amount: f64) {
        match self {
            Displacement::Coordinate(i) => q[i] += amount,
            Displacement::Turn { first: CoordinateId(i), axis } => {
                // A rotation about an axis of the parent is applied from the left: (c, s n) ⊗ e.
                let (s, c) = (amount / 2.0).sin_cos();
                let mut n = [0.0; 3];
                n[axis] = s;
                let [w, x, y, z] = [q[i], q[i + 1], q[i + 2], q[i + 3]];
                q[i] = c * w - n[0] * x - n[1] * y - n[2] * z;
                q[i + 1] = c * x + n[0] * w + n[1] * z - n[2] * y;
                q[i + 2] = c * y + n[1] * w + n[2] * x - n[0] * z;
                q[i + 3] = c * z + n[2] * w + n[0] * y - n[1] * x;
            }
        }
    }
}

/// One trial displacement a coordinate, and three rotations a quaternion.
fn candidate_displacements(m: &Mechanism) -> Vec<Displacement> {
    let quaternions: Vec<CoordinateId> = m.joints.iter().filter_map(joint::free_quaternion).collect();
    let plain =
        m.coordinate_ids().filter(|i| !quaternions.iter().any(|q| q.quaternion_range().contains(&i.index())));
    let turns = quaternions.iter().flat_map(|q| (0..3).map(|axis| Displacement::Turn { first: *q, axis }));
    plain.map(Displacement::Coordinate).chain(turns).collect()
}

/// Up to `count` pseudo-random poses around `env.q` that fulfil the position constraints as well as
/// `env.q` does; none if no coordinate is free. Used to test choices of rows and pivots.
pub fn sample_free_poses(m: &Mechanism, env: &Environment<'_, f64>, count: usize) -> Vec<Vec<f64>> {
    let residual = |q: &[f64]| position_residuals(m, &Environment { q, ..*env });
    let start = residual(env.q);
    let fulfils_constraints = |q: &[f64]| {
        let now = residual(q);
        now.len() == start.len() && now.iter().zip(&start).all(|(a, b)| (a - b).abs() < TOLERANCE)
    };
    let mut free = candidate_displacements(m);
    free.retain(|displacement| {
        [0.7, -1.9].iter().all(|amount| {
            let mut q = env.q.to_vec();
            displacement.displace_pose(&mut q, *amount);
            fulfils_constraints(&q)
        })
    });
    if free.is_empty() {
        return Vec::new();
    }
    // Irrational steps give distinct values and the same sequence in every run.
    let mut phase = 0.3f64;
    let mut poses = Vec::with_capacity(count);
    for _ in 0..count {
        let mut q = env.q.to_vec();
        for displacement in &free {
            phase += 1.618_033_988_749_895;
            displacement.displace_pose(&mut q, std::f64::consts::PI * f64::sin(phase * phase));
        }
        poses.push(q);
    }
    poses.retain(|q| fulfils_constraints(q));
    poses
}
