//! Possible rotations of bodies in the ground, which determine the inertia components that affect
//! the motion.

use super::checks::TOLERANCE;
use super::numeric;
use dqdt_algebra::Vec3;
use dqdt_mechanics::mechanism::{BodyId, Mechanism};

/// Possible rotations of a body in the ground. They decide which inertia components of the body
/// matter.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turns {
    /// The body does not rotate.
    Not,
    /// The body rotates about one axis that is fixed in it: a unit vector in body axes.
    About(Vec3<f64>),
    /// The body rotates about several axes.
    Freely,
}

/// Possible rotations of body `i` in the ground, at the parameters `p`.
pub(super) fn find_body_rotations(m: &Mechanism, i: BodyId, p: &[f64]) -> Turns {
    let mut path: Vec<BodyId> = m.path_to_root(i).collect();
    path.reverse();
    let mut turns = Turns::Not;
    for k in path {
        let joint = &m.joints[k.inboard_joint()];
        let back = numeric::rotation_matrix(&joint.parent_frame.rotation, p);
        let mut here = match turns {
            Turns::About(e) => Turns::About(back.apply_transposed(e)),
            other => other,
        };
        for (_, w) in numeric::partial_velocities(&joint.kind, p) {
            let length = w.dot(w).sqrt();
            if length == 0.0 {
                continue;
            }
            let w = w.scale(1.0 / length);
            here = match here {
                Turns::Not => Turns::About(w),
                // A rotation about e leaves e unchanged in both frames of the joint.
                Turns::About(e) if (1.0 - e.dot(w).abs()) < TOLERANCE => Turns::About(e),
                _ => Turns::Freely,
            };
        }
        turns = match here {
            Turns::About(e) => {
                Turns::About(numeric::rotation_matrix(&joint.child_frame.rotation, p).apply(e))
            }
            other => other,
        };
    }
    turns
}
