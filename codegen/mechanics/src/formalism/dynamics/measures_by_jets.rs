//! Measures by differentiation of poses.
//!
//! Problem: measures in formulas, without twists, for Lagrange's equations, which use none.
//! Method:  positions, rotations and distances from poses; their rates by jets along the motion,
//!          `ω̃ = Ṙ Rᵀ` for angles; gravity efforts as `∂V/∂q` along the direction in which a
//!          speed moves the coordinates.
//! Frames:  components in the frame of the observer.
//! Cost:    O(measures · bodies).
//!
//! Not handled: accelerations.

use crate::formalism::quantities::energy::{angular_velocity_from_rotation, gravity_potential};
use crate::kinematics::{body_poses, relative_frame_pose};
use crate::mechanism::measure::{MeasureContext, MeasureSubject};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::{Jet, Mat3, Scalar, Vec3};

/// Pose of the measured frame relative to the observer, with its time derivative as jets; gravity
/// effort of the measured speed. Used by Lagrange's equations.
struct JetMeasure<S> {
    /// Rotation matrix from the observed frame's axes to the observer's, with its rate.
    rotation: Mat3<Jet<S>>,
    /// Origin of the observed frame, with its velocity \[m\].
    origin: Vec3<Jet<S>>,
    /// Effort that holds the measured speed against gravity; zero for frames.
    gravity_effort: S,
}

impl<S: Scalar> MeasureContext<S> for JetMeasure<S> {
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
        self.rotation.map(|x| x.v).apply(angular_velocity_from_rotation(&self.rotation))
    }

    fn gravity_effort(&self) -> S {
        self.gravity_effort
    }
}

/// Values of all measures, with rates by jets. Rates of the coordinates: `qdot` in the motion,
/// `directions[i][s]` of coordinate `i` for one unit of speed `s`.
pub(crate) fn evaluate_measures_by_jets<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    qdot: &[S],
    directions: &[Vec<S>],
) -> Vec<S> {
    let still = vec![S::ZERO; m.nv()];
    m.measures
        .iter()
        .map(|measure| {
            let mut moving =
                JetMeasure { rotation: Mat3::identity(), origin: Vec3::ZERO, gravity_effort: S::ZERO };
            match &measure.subject {
                MeasureSubject::Frames(ends) => {
                    (moving.rotation, moving.origin) = env.with_jets(S::ONE, qdot, &still, |env| {
                        let poses = body_poses(m, env);
                        relative_frame_pose(m, &|b| poses[b], ends, env)
                    });
                }
                MeasureSubject::Speed(speed) => {
                    let along: Vec<S> = directions.iter().map(|row| row[speed.index()]).collect();
                    let potential = env.with_jets(S::ZERO, &along, &still, |env| {
                        gravity_potential(m, &body_poses(m, env), env)
                    });
                    moving.gravity_effort = potential.d;
                }
            }
            measure.kind.value(&moving)
        })
        .collect()
}
