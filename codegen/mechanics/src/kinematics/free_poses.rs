//! Poses far from a start that need no assembly.
//!
//! Problem: what is chosen at the start (rows, pivots) must hold where the mechanism goes; a vehicle turns through every
//! heading.
//! Method:  a coordinate may go anywhere if the constraints of positions stay fulfilled when it alone is moved: place and
//! heading of a vehicle, turns of its wheels, its steering. Of an attitude by a quaternion: turns about an axis of the parent.
//! All that may go anywhere is set at random together.
//! Cost:    some evaluations of the residuals a coordinate, over doubles.
//! Not handled: poses that only an assembly finds, as of closed loops.

use super::constraints::position_residuals;
use crate::mechanism::{CoordinateId, Environment, Mechanism, joint};

/// By how much a residual may change that does not change.
const SAME: f64 = 1e-9;

/// A displacement: of one coordinate, or a turn of the quaternion that begins at one, about an axis.
#[derive(Clone, Copy, Debug)]
enum Displacement {
    Coordinate(CoordinateId),
    Turn { first: CoordinateId, axis: usize },
}

impl Displacement {
    fn apply(self, q: &mut [f64], by: f64) {
        match self {
            Displacement::Coordinate(i) => q[i] += by,
            Displacement::Turn { first: CoordinateId(i), axis } => {
                // A turn about an axis of the parent comes first: (c, s n) ⊗ e.
                let (s, c) = (by / 2.0).sin_cos();
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

fn displacements(m: &Mechanism) -> Vec<Displacement> {
    let quaternions: Vec<CoordinateId> = m.joints.iter().filter_map(joint::quaternion).collect();
    let plain =
        m.coordinate_ids().filter(|i| !quaternions.iter().any(|q| q.quaternion().contains(&i.index())));
    let turns = quaternions.iter().flat_map(|q| (0..3).map(|axis| Displacement::Turn { first: *q, axis }));
    plain.map(Displacement::Coordinate).chain(turns).collect()
}

/// `count` poses around `env.q` in which the constraints of positions are fulfilled as well as there; none if nothing may go
/// anywhere.
pub fn free_poses(m: &Mechanism, env: &Environment<'_, f64>, count: usize) -> Vec<Vec<f64>> {
    let residual = |q: &[f64]| position_residuals(m, &Environment { q, ..*env });
    let start = residual(env.q);
    let stays = |q: &[f64]| {
        let now = residual(q);
        now.len() == start.len() && now.iter().zip(&start).all(|(a, b)| (a - b).abs() < SAME)
    };
    let alone = |displacement: &Displacement| {
        [0.7, -1.9].iter().all(|by| {
            let mut q = env.q.to_vec();
            displacement.apply(&mut q, *by);
            stays(&q)
        })
    };
    let free: Vec<Displacement> = displacements(m).into_iter().filter(alone).collect();
    if free.is_empty() {
        return Vec::new();
    }
    // Irrational steps: no two alike, and the same for the same mechanism.
    let mut phase = 0.3f64;
    let mut draw = || {
        phase += 1.618_033_988_749_895;
        std::f64::consts::PI * f64::sin(phase * phase)
    };
    let mut pose = || {
        let mut q = env.q.to_vec();
        free.iter().for_each(|displacement| displacement.apply(&mut q, draw()));
        q
    };
    let all: Vec<Vec<f64>> = (0..count).map(|_| pose()).collect();
    all.into_iter().filter(|q| stays(q)).collect()
}
