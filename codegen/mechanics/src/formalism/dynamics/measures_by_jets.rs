//! Measures by differentiation of poses.
//!
//! Problem: what formulas measure of frames, without twists: for Lagrange's equations, which know none.
//! Method:  positions, rotations and distances from poses; their rates by jets along the motion, `ω̃ = Ṙ Rᵀ` for angles.
//! Frames:  components in the frame that it is seen from.
//! Cost:    O(measures · bodies).
//! Not handled: accelerations.

use crate::formalism::quantities::energy::spin;
use crate::kinematics::{placed, poses};
use crate::mechanism::{Ends, Environment, MeasureKind, Mechanism};
use dqdt_algebra::{Jet, Mat3, Scalar, Vec3};

/// The values of all measures, with the rates of the coordinates `qdot`.
pub(crate) fn measures_by_jets<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, qdot: &[S]) -> Vec<S> {
    if m.measures.is_empty() {
        return Vec::new();
    }
    let still = vec![S::ZERO; m.nv()];
    let moving = |ends: &Ends| -> (Mat3<Jet<S>>, Vec3<Jet<S>>) {
        env.with_jets(S::ONE, qdot, &still, |env| {
            let poses = poses(m, env);
            placed(m, &|b| poses[b], ends, env)
        })
    };
    let length = |span: Vec3<Jet<S>>| span.dot(span).sqrt();
    let value = |kind: MeasureKind, ends: &Ends| {
        let (rotation, span) = moving(ends);
        match kind {
            MeasureKind::Position(axis) => span[axis].v,
            MeasureKind::Rotation { row, column } => rotation.0[row][column].v,
            MeasureKind::Distance => length(span).v,
            MeasureKind::Velocity(axis) => span[axis].d,
            MeasureKind::AngularVelocity(axis) => rotation.map(|x| x.v).apply(spin(&rotation))[axis],
            MeasureKind::DistanceRate => length(span).d,
        }
    };
    m.measures.iter().map(|x| value(x.kind, &x.ends)).collect()
}
