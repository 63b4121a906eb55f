//! Distances, and massless bodies that only combine displacements.

use dqdt_algebra::Vec3;
use dqdt_diagnostics::base::JointSymbol;
use dqdt_mechanics::mechanism::{BodyId, Mechanism};

/// Returns `true` for a massless body that is connected to the ground by prismatic joints only.
/// Such bodies combine several displacements, so the next body is not guided by a rail on the
/// ground, and nothing is drawn between.
pub(super) fn is_massless_slider(m: &Mechanism, body: BodyId) -> bool {
    let joint = &m.joints[body.inboard_joint()];
    m.bodies[body].mass.is_zero()
        && joint.kind.form().drawing_symbol() == JointSymbol::Prismatic
        && joint.parent.is_none_or(|parent| is_massless_slider(m, parent))
}

pub(super) fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (Vec3(a) - Vec3(b)).0.iter().map(|x| x * x).sum::<f64>().sqrt()
}
