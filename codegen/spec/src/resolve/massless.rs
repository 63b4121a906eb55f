//! Check that every degree of freedom has inertia; otherwise the mass matrix is singular in every
//! pose.
//!
//! Two checks that do not depend on the pose: whether any body outboard of a joint has mass or
//! inertia, and whether a terminal body can move in its joint without kinetic energy. The second is
//! numeric, first at the default parameters. Other values then distinguish a mechanism that never
//! works from one with unsuitable defaults.

use super::Build;
use super::inertia::central_inertia;
use super::numeric::{self, JointTwist, partial_velocities, rotation_matrix};
use dqdt_algebra::{Dimension, Mat3, Vec3};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::joint::SpeedComponent;
use dqdt_mechanics::mechanism::{BodyId, Formula, Joint, JointVariable, Mechanism};

/// Smallest admissible pivot of the mass matrix of one joint with a terminal body, scaled to a unit
/// diagonal.
const TOLERANCE: f64 = 1e-12;

impl Build<'_> {
    /// Checks that every degree of freedom has inertia.
    pub(super) fn check_massless(&mut self, m: &Mechanism, order: &[usize], p: &[f64]) {
        let n = m.bodies.len();
        let (mut mass, mut inertia, mut children) = (vec![false; n], vec![false; n], vec![0; n]);
        for i in m.body_ids().rev() {
            let body = &m.bodies[i];
            mass[i] |= !body.mass.is_zero();
            inertia[i] |= body.inertia.iter().any(|f| !f.is_zero());
            if let Some(parent) = m.parent_body(i) {
                let (a, b) = (mass[i], inertia[i]);
                mass[parent] |= a;
                inertia[parent] |= b;
                children[parent] += 1;
            }
        }
        for i in m.body_ids() {
            let joint = &m.joints[i.inboard_joint()];
            let has_bare_speed = joint
                .speeds
                .iter()
                .enumerate()
                .any(|(i, s)| matches!(s, JointVariable::Free(_)) && !has_own_inertia(joint, i));
            if !has_bare_speed {
                continue;
            }
            let nothing = !mass[i] && !inertia[i];
            if nothing || (!mass[i] && has_massless_translation(joint)) {
                self.report_massless(order[i], joint, nothing, true);
            } else if children[i] == 0 && self.is_joint_mass_matrix_singular(m, i, p) {
                // Generic values of the parameters, all positive and different.
                let other =
                    numeric::parameter_values(&m.parameters, |k, _| 0.5 + 0.618_034 * (k as f64 + 1.0) % 1.0);
                let never = self.is_joint_mass_matrix_singular(m, i, &other);
                self.report_massless(order[i], joint, false, never);
            }
        }
    }

    /// Records the error about a joint that can move without inertia.
    fn report_massless(&mut self, body: usize, joint: &Joint, nothing: bool, never: bool) {
        let body = &self.spec.bodies[body];
        let name = &body.name.value;
        let (message, label) = if nothing {
            (
                format!("no body outboard of joint `{}` has mass or inertia", joint.name),
                format!("body `{name}` is massless, as are the bodies outboard of it"),
            )
        } else {
            (
                format!("joint `{}` allows a motion of body `{name}` that no inertia resists", joint.name),
                "the mass matrix is singular in every pose".to_owned(),
            )
        };
        let spec = self.spec.joints.iter().find(|j| j.name.value == joint.name);
        let joint_span = spec.and_then(|j| j.name.span);
        let d = if never {
            Diagnostic::error("massless", message)
        } else {
            Diagnostic::warning("massless", format!("{message}, at the default parameters"))
        };
        let d = d.at(body.name.span, label).also(joint_span, "this joint carries the body");
        let d = d.help(match joint.kind.form().attitude_coordinate() {
            Some(_) => {
                "give the body `inertia`, or use a joint without that rotation (universal, direction): a point mass has no rotational inertia, and a thin rod has none about its axis"
            }
            None => "give the body `mass` and `inertia`, give the joint an `armature` or a `rotor`, or make the joint fixed",
        });
        if never { self.massless.push(d) } else { self.report(d) }
    }

    /// True if the mass matrix of the inboard joint of a terminal body is singular at the
    /// parameters `p`.
    fn is_joint_mass_matrix_singular(&self, m: &Mechanism, i: BodyId, p: &[f64]) -> bool {
        let (body, joint) = (&m.bodies[i], &m.joints[i.inboard_joint()]);
        let mass = numeric::evaluate_formula(&body.mass, p);
        let j = Mat3(central_inertia(body, mass, p));
        let center = Vec3(numeric::evaluate_vector(&body.center_of_mass, p));
        let origin = Vec3(numeric::evaluate_vector(&joint.child_frame.origin, p));
        let r = rotation_matrix(&joint.child_frame.rotation, p);
        let c = center - origin;
        // Partial velocities in body axes.
        let motions: Vec<JointTwist> =
            partial_velocities(&joint.kind, p).into_iter().map(|(v, w)| (r.apply(v), r.apply(w))).collect();
        let free: Vec<(JointTwist, f64)> = motions
            .into_iter()
            .zip(joint.speeds.iter().enumerate())
            .filter(|(_, (_, s))| matches!(s, JointVariable::Free(_)))
            .map(|(motion, (i, _))| {
                let value = |f: &Formula| numeric::evaluate_formula(f, p);
                let armature = joint.armature.get(i).and_then(Option::as_ref).map_or(0.0, value);
                let rotor = joint.rotor.as_ref().filter(|_| i == 0);
                (motion, armature + rotor.map_or(0.0, |r| value(&r.inertia) * value(&r.ratio).powi(2)))
            })
            .collect();
        let velocity = |(v, w): JointTwist| v + w.cross(c);
        let mut matrix: Vec<Vec<f64>> = free
            .iter()
            .enumerate()
            .map(|(x, (a, extra))| {
                free.iter()
                    .enumerate()
                    .map(|(y, (b, _))| {
                        let inertia = mass * velocity(*a).dot(velocity(*b)) + a.1.dot(j.apply(b.1));
                        inertia + if x == y { *extra } else { 0.0 }
                    })
                    .collect()
            })
            .collect();
        scaled_pivots_vanish(&mut matrix)
    }
}

/// True if a pivot of the Cholesky decomposition of a matrix vanishes, after scaling to a unit
/// diagonal.
fn scaled_pivots_vanish(a: &mut [Vec<f64>]) -> bool {
    let n = a.len();
    let diagonal: Vec<f64> = (0..n).map(|i| a[i][i]).collect();
    if diagonal.iter().any(|d| d.is_nan() || *d <= f64::MIN_POSITIVE) {
        return true;
    }
    for i in 0..n {
        for k in 0..n {
            a[i][k] /= (diagonal[i] * diagonal[k]).sqrt();
        }
    }
    for k in 0..n {
        if a[k][k] < TOLERANCE {
            return true;
        }
        let (above, below) = a.split_at_mut(k + 1);
        let pivot = &above[k];
        for row in below {
            let f = row[k] / pivot[k];
            row.iter_mut().zip(pivot).for_each(|(x, p)| *x -= f * p);
        }
    }
    false
}

/// True if speed `i` of the joint has inertia of its own: an armature or a rotor.
fn has_own_inertia(joint: &Joint, i: usize) -> bool {
    (i == 0 && joint.rotor.is_some()) || joint.armature.get(i).is_some_and(Option::is_some)
}

/// True if a free speed of the joint is linear and has no inertia of its own.
fn has_massless_translation(joint: &Joint) -> bool {
    let speeds = joint.kind.form().speed_components();
    speeds.iter().enumerate().any(|(i, part)| {
        let is_linear = match part {
            SpeedComponent::RateOf(c) => joint
                .kind
                .form()
                .coordinate_components()
                .get(*c)
                .is_some_and(|c| c.dimension == Dimension::LENGTH),
            SpeedComponent::Own(part) => part.dimension == Dimension::VELOCITY,
        };
        let is_free = matches!(joint.speeds.get(i), Some(JointVariable::Free(_)));
        is_linear && is_free && !has_own_inertia(joint, i)
    })
}
