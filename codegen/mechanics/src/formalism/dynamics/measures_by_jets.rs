//! Measures by differentiation of poses.
//!
//! Problem: measures of frames in formulas, without twists, for Lagrange's equations, which use
//!          none.
//! Method:  positions, rotations and distances from poses; their rates by jets along the motion,
//!          `ω̃ = Ṙ Rᵀ` for angles.
//! Frames:  components in the frame of the observer.
//! Cost:    O(measures · bodies).
//!
//! Not handled: accelerations.

use crate::formalism::quantities::energy::spin;
use crate::kinematics::{placed, poses};
use crate::mechanism::measure::{Measure, MeasureContext};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::{Jet, Mat3, Scalar, Vec3};

/// Pose of the measured frame relative to the observer, with its time derivative.
struct Moving<S> {
    rotation: Mat3<Jet<S>>,
    origin: Vec3<Jet<S>>,
}

impl<S: Scalar> MeasureContext<S> for Moving<S> {
    fn rotation(&self) -> Mat3<S> {
        self.rotation.map(|x| x.v)
    }

    fn origin(&self) -> Vec3<S> {
        Vec3(self.origin.0.map(|x| x.v))
    }

    fn velocity(&self) -> Vec3<S> {
        Vec3(self.origin.0.map(|x| x.d))
    }

    fn angular_velocity(&self) -> Vec3<S> {
        self.rotation.map(|x| x.v).apply(spin(&self.rotation))
    }
}

/// Values of all measures, for the rates `qdot` of the coordinates.
pub(crate) fn measures_by_jets<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, qdot: &[S]) -> Vec<S> {
    if m.measures.is_empty() {
        return Vec::new();
    }
    let still = vec![S::ZERO; m.nv()];
    let value = |measure: &Measure| {
        let (rotation, origin) = env.with_jets(S::ONE, qdot, &still, |env| {
            let poses = poses(m, env);
            placed(m, &|b| poses[b], &measure.ends, env)
        });
        measure.kind.value(&Moving { rotation, origin })
    };
    m.measures.iter().map(value).collect()
}
