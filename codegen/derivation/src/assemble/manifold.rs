//! Constraints as numeric functions of `f64` coordinates and speeds.

use dqdt_algebra::{Mat3, Number, Vec3};
use dqdt_mechanics::kinematics::{self, ConstraintRow};
use dqdt_mechanics::mechanism::{CoordinateId, Environment, Mechanism, Partition, joint};

/// Largest residual of a constraint that counts as zero in assembly, in the unit of its row (m,
/// rad, or that of a formula).
pub(super) const TOLERANCE: f64 = 1e-11;

/// Constraints of a mechanism at given parameters, as functions of time, coordinates and speeds.
#[derive(Clone, Debug)]
pub struct Manifold<'m> {
    /// Mechanism whose constraints are evaluated.
    pub mechanism: &'m Mechanism,
    /// Values of all parameters of the mechanism.
    pub parameters: Vec<f64>,
    /// Index in `q` of the scalar part of each unit quaternion. Their norms are additional rows of
    /// the position residuals.
    quaternions: Vec<CoordinateId>,
    inputs: Vec<f64>,
    states: Vec<f64>,
}

/// Residuals of constraint rows, and their Jacobian by rows: the input of the Levenberg–Marquardt
/// solver.
pub(super) type Linearised = (Vec<f64>, Vec<Vec<f64>>);

impl<'m> Manifold<'m> {
    /// Constraints of `m` at the values `p` of all parameters.
    pub fn new(m: &'m Mechanism, p: Vec<f64>) -> Self {
        Manifold {
            mechanism: m,
            parameters: p,
            quaternions: m.joints.iter().filter_map(joint::free_quaternion).collect(),
            inputs: vec![0.0; m.inputs.len()],
            states: vec![0.0; m.states.len()],
        }
    }

    /// Constraints of `m` at its default parameters.
    pub fn with_default_parameters(m: &'m Mechanism) -> Self {
        Manifold::new(m, kinematics::evaluate_parameters(m, &Number::to_f64, &[]))
    }

    /// Calls `f` with the environment of a state, in which formulas are evaluated.
    pub fn with_environment<R>(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        f: impl FnOnce(&Environment<'_, f64>) -> R,
    ) -> R {
        let (number, z, u, p) = (&Number::to_f64, &self.states[..], &self.inputs[..], &self.parameters[..]);
        let partition = Partition::ALL_ROWS;
        f(&Environment {
            number,
            t,
            q,
            v,
            z,
            u,
            p,
            named: &[],
            measures: &[],
            regrouped: &[],
            formulation: None,
            partition,
        })
    }

    /// All constraint rows at a state, with residuals and Jacobians.
    pub fn constraint_rows(&self, t: f64, q: &[f64], v: &[f64]) -> Vec<ConstraintRow<f64>> {
        self.with_environment(t, q, v, |env| kinematics::constraint_rows(self.mechanism, env))
    }

    /// `Φ` and the norm residuals of quaternions, with their derivatives by q.
    pub(super) fn linearise_positions(&self, t: f64, q: &[f64]) -> Linearised {
        let v = vec![0.0; self.mechanism.nv()];
        let rows = self.with_environment(t, q, &v, |env| {
            let m = self.mechanism;
            (kinematics::position_residuals(m, env), kinematics::position_jacobian(m, env))
        });
        self.append_quaternion_norms(q, rows)
    }

    /// Like [`Manifold::linearise_positions`], with attitude differences that vanish only if no
    /// axis is reversed.
    pub(super) fn linearise_attitudes(&self, t: f64, q: &[f64]) -> Linearised {
        let v = vec![0.0; self.mechanism.nv()];
        let rows = self.with_environment(t, q, &v, |env| {
            let m = self.mechanism;
            (kinematics::attitude_residuals(m, env), kinematics::attitude_jacobian(m, env))
        });
        self.append_quaternion_norms(q, rows)
    }

    /// Appends the rows `(|e|² − 1) / 2` of all unit quaternions to residuals and Jacobian.
    fn append_quaternion_norms(&self, q: &[f64], (mut residual, mut jacobian): Linearised) -> Linearised {
        for i in &self.quaternions {
            let mut row = vec![0.0; q.len()];
            row[i.quaternion_range()].copy_from_slice(&q[i.quaternion_range()]);
            residual.push((row.iter().map(|x| x * x).sum::<f64>() - 1.0) / 2.0);
            jacobian.push(row);
        }
        (residual, jacobian)
    }

    /// Velocity residuals `A v + a₀` and their Jacobian A, by rows.
    pub(super) fn linearise_velocities(&self, t: f64, q: &[f64], v: &[f64]) -> Linearised {
        self.constraint_rows(t, q, v).into_iter().map(|row| (row.velocity, row.jacobian)).unzip()
    }

    /// True if every loop is closed as intended: no axis points backwards.
    pub fn axes_are_aligned(&self, t: f64, q: &[f64]) -> bool {
        self.most_reversed_constraint(t, q).is_none()
    }

    /// Index of the constraint with the most reversed axis; `None` if no axis is reversed.
    pub fn most_reversed_constraint(&self, t: f64, q: &[f64]) -> Option<usize> {
        let backwards = self.axis_alignments(t, q).into_iter().filter(|(_, x)| x.is_nan() || *x <= 0.0);
        backwards.reduce(|a, b| if b.1 < a.1 { b } else { a }).map(|(constraint, _)| constraint)
    }

    /// Cosines between axes that must point in the same direction, each with the index of its
    /// constraint.
    pub(super) fn axis_alignments(&self, t: f64, q: &[f64]) -> Vec<(usize, f64)> {
        let v = vec![0.0; self.mechanism.nv()];
        self.with_environment(t, q, &v, |env| kinematics::constraint_alignments(self.mechanism, env))
    }

    /// Attitude and origin of each body in the ground frame, to compare poses.
    pub(super) fn body_poses(&self, t: f64, q: &[f64]) -> Vec<(Mat3<f64>, Vec3<f64>)> {
        let (m, v) = (self.mechanism, vec![0.0; self.mechanism.nv()]);
        self.with_environment(t, q, &v, |env| {
            let poses = kinematics::body_poses(m, env);
            let in_ground = |b| kinematics::relative_pose(m, &|i| poses[i], Some(b), None);
            m.body_ids().map(|b| (in_ground(b).rotation, in_ground(b).offset)).collect()
        })
    }

    /// Normalises all quaternions; one of zero length becomes the identity.
    pub(super) fn normalise_quaternions(&self, q: &mut [f64]) {
        for i in &self.quaternions {
            let part = &mut q[i.quaternion_range()];
            let norm = part.iter().map(|x| x * x).sum::<f64>().sqrt();
            if norm > 1e-9 {
                part.iter_mut().for_each(|x| *x /= norm);
            } else {
                part.copy_from_slice(&[1.0, 0.0, 0.0, 0.0]);
            }
        }
    }
}
