//! Rotations of bodies in the ground, and which of their inertia the motion can see.

use super::checks::TOLERANCE;
use super::numeric;
use dqdt_algebra::Vec3;
use dqdt_mechanics::mechanism::{BodyId, Mechanism};

/// How a body can turn in the ground.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turns {
    /// Not at all.
    Not,
    /// About one direction, which stands still in the body; in body axes, of length one.
    About(Vec3<f64>),
    /// About several.
    Freely,
}

/// How body `i` can turn; parameters have the values `p`.
pub(super) fn turns(m: &Mechanism, i: BodyId, p: &[f64]) -> Turns {
    let mut path: Vec<BodyId> = m.path(i).collect();
    path.reverse();
    let mut found = Turns::Not;
    for k in path {
        let joint = &m.joints[k.inboard_joint()];
        let back = numeric::rotation(&joint.parent_frame.rotation, p);
        let mut here = match found {
            Turns::About(e) => Turns::About(back.apply_transposed(e)),
            other => other,
        };
        for (_, w) in numeric::motions(&joint.kind, p) {
            let length = w.dot(w).sqrt();
            if length == 0.0 {
                continue;
            }
            let w = w.scale(1.0 / length);
            here = match here {
                Turns::Not => Turns::About(w),
                // Turning about e leaves e where it is, in both frames of the joint.
                Turns::About(e) if (1.0 - e.dot(w).abs()) < TOLERANCE => Turns::About(e),
                _ => Turns::Freely,
            };
        }
        found = match here {
            Turns::About(e) => Turns::About(numeric::rotation(&joint.child_frame.rotation, p).apply(e)),
            other => other,
        };
    }
    found
}
