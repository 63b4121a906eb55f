//! Poses of all bodies: body frames and poles.
//!
//! Problem: rotations and pole positions of a tree at `q` and `t`.
//! Method:  root to leaf; a placement on each side of a joint and the joint's own pose between them. With absolute
//! angles the rotation is that of the joint alone, and the one relative to the parent follows from both.
//! Frames:  axes of a body are those of its body frame in the spec; the pole is the origin of the inboard joint's frame
//! on the body. Offsets are kept relative to the parent, so that nothing cancels when bodies are compared.
//! Cost:    O(bodies).
//! Not handled: velocities (`motion`).

use crate::algebra::{Jet, Mat3, Scalar, Vec3};
use crate::mechanism::{Environment, Formula, Joint, JointVariable, Mechanism, Placement, Rotation, joint};

/// Pose of a body.
#[derive(Clone, Copy, Debug)]
pub struct Pose<S> {
    /// Body to ground axes.
    pub rotation: Mat3<S>,
    /// The pole, from the ground's origin in ground axes \[m\].
    pub origin: Vec3<S>,
    /// Body to parent axes.
    pub relative_rotation: Mat3<S>,
    /// From the parent's pole to this pole, in parent axes \[m\].
    pub offset: Vec3<S>,
    /// The pole in the body frame \[m\].
    pub pole: Vec3<S>,
}

impl<S: Scalar> Pose<S> {
    /// A point of the body frame, in ground axes.
    pub fn point(&self, r: Vec3<S>) -> Vec3<S> {
        self.origin + self.rotation.apply(r - self.pole)
    }
}

/// Values of three formulas.
pub(crate) fn vector<S: Scalar>(f: &[Formula; 3], env: &Environment<'_, S>) -> Vec3<S> {
    Vec3([f[0].eval(env), f[1].eval(env), f[2].eval(env)])
}

/// Placed frame to body axes.
pub(crate) fn rotation<S: Scalar>(r: &Rotation, env: &Environment<'_, S>) -> Mat3<S> {
    match r {
        Rotation::Identity => Mat3::identity(),
        Rotation::Sequence(axes, angles) => Mat3::sequence(*axes, vector(angles, env).0),
        Rotation::Matrix(rows) => Mat3([0, 1, 2].map(|i| vector(&rows[i], env).0)),
    }
}

/// Origin and rotation of a placement.
pub fn placement<S: Scalar>(p: &Placement, env: &Environment<'_, S>) -> (Vec3<S>, Mat3<S>) {
    (vector(&p.origin, env), rotation(&p.rotation, env))
}

/// A formula of `t` with its first and second derivative.
pub(crate) fn prescribed<S: Scalar>(f: &Formula, env: &Environment<'_, S>) -> [S; 3] {
    let (dq, dv) = (vec![S::ZERO; env.q.len()], vec![S::ZERO; env.v.len()]);
    let (lq, lv) = (vec![Jet::ZERO; env.q.len()], vec![Jet::ZERO; env.v.len()]);
    let x = env.with_jets(S::ONE, &dq, &dv, |env| env.with_jets(Jet::ONE, &lq, &lv, |env| f.eval(env)));
    [x.v.v, x.v.d, x.d.d]
}

/// Values of the joint's coordinates.
pub(super) fn local_coordinates<S: Scalar>(joint: &Joint, env: &Environment<'_, S>) -> Vec<S> {
    let value = |slot: &JointVariable| match slot {
        JointVariable::Free(i) => env.q[*i],
        JointVariable::Prescribed(f) => f.eval(env),
    };
    joint.coordinates.iter().map(value).collect()
}

/// Poses of all bodies, in the order of the mechanism.
pub fn poses<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<Pose<S>> {
    let mut poses: Vec<Pose<S>> = Vec::with_capacity(m.bodies.len());
    for joint in &m.joints {
        let q = local_coordinates(joint, env);
        let (turn, shift) = joint::pose(joint, &q, env);
        poses.push(place(joint, joint.parent.map(|p| poses[p]), turn, shift, env));
    }
    poses
}

/// Pose of a child from that of its parent and that of the joint.
pub(super) fn place<S: Scalar>(
    joint: &Joint,
    parent: Option<Pose<S>>,
    turn: Mat3<S>,
    shift: Vec3<S>,
    env: &Environment<'_, S>,
) -> Pose<S> {
    let (at_parent, to_parent) = placement(&joint.parent_frame, env);
    let (pole, to_child) = placement(&joint.child_frame, env);
    let turned = turn.mul(&to_child.transpose());
    let along = at_parent + to_parent.apply(shift);
    match parent {
        None => {
            let rotation = if joint.absolute { turned } else { to_parent.mul(&turned) };
            Pose { rotation, origin: along, relative_rotation: rotation, offset: along, pole }
        }
        Some(parent) => {
            let (rotation, relative_rotation) = if joint.absolute {
                (turned, parent.rotation.transposed_mul(&turned))
            } else {
                let relative = to_parent.mul(&turned);
                (parent.rotation.mul(&relative), relative)
            };
            let offset = along - parent.pole;
            Pose {
                rotation,
                origin: parent.origin + parent.rotation.apply(offset),
                relative_rotation,
                offset,
                pole,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{kinematics, parameters, positions, rates};
    use super::*;
    use crate::algebra::{Number, Twist};
    use crate::mechanism::AxisVector;
    use crate::mechanism::joint::{Cylindrical, Helical, JointKind, Planar, Prismatic, Revolute};
    use crate::mechanism::random::{Sample, random_mechanism};

    fn at<R>(s: &Sample, f: impl FnOnce(&Environment<'_, f64>) -> R) -> R {
        let number = |n: Number| n.to_f64();
        let p = parameters(&s.mechanism, &number, &[]);
        f(&Environment {
            number: &number,
            t: s.t,
            q: &s.q,
            v: &s.v,
            z: &s.z,
            u: &s.u,
            p: &p,
            measures: &[],
            regrouped: &[],
            formulation: None,
        })
    }

    fn close(a: Vec3<f64>, b: Vec3<f64>, what: &str) {
        let size = b.0.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        assert!((a - b).0.iter().all(|x| x.abs() < 1e-13 * size), "{what}: {a:?} against {b:?}");
    }

    #[test]
    fn both_bodies_agree_on_what_their_joint_leaves_alone() {
        for seed in 0..200 {
            let s = random_mechanism(seed, 6);
            at(&s, |env| {
                let poses = poses(&s.mechanism, env);
                for (joint, pose) in s.mechanism.joints.iter().zip(&poses) {
                    // Origin and axes of the joint's two frames, in ground axes.
                    let frame = |p: &Placement, pose: Option<&Pose<f64>>| {
                        let (origin, turn) = placement(p, env);
                        pose.map_or((origin, turn), |pose| (pose.point(origin), pose.rotation.mul(&turn)))
                    };
                    let (p, to_p) = frame(&joint.parent_frame, joint.parent.map(|p| &poses[p]));
                    let (c, to_c) = frame(&joint.child_frame, Some(pose));
                    close(c, pose.origin, "the pole is the origin of the child's joint frame");
                    let shared = |a: &AxisVector| {
                        let a = joint::unit(*a, env.number);
                        let expected = if joint.absolute { a } else { to_p.apply(a) };
                        close(to_c.apply(a), expected, "axis");
                        to_p.apply(a)
                    };
                    let along = |a: Vec3<f64>| close((c - p).cross(a), Vec3::ZERO, "along the axis");
                    let same_axes = || (0..3).for_each(|i| close(to_c.column(i), to_p.column(i), "axes"));
                    match &joint.kind {
                        JointKind::Fixed(_) => {
                            same_axes();
                            close(c, p, "origin");
                        }
                        JointKind::Revolute(Revolute(a)) => {
                            shared(a);
                            close(c, p, "origin");
                        }
                        JointKind::Prismatic(Prismatic(a)) => {
                            same_axes();
                            along(shared(a));
                        }
                        JointKind::Helical(Helical(a, _)) | JointKind::Cylindrical(Cylindrical(a)) => {
                            along(shared(a))
                        }
                        JointKind::Planar(Planar(a, b, _)) => {
                            let [a, b] = [a, b].map(|x| joint::unit(*x, env.number));
                            let normal = a.cross(b);
                            close(to_c.apply(normal), to_p.apply(normal), "normal");
                            assert!((c - p).dot(to_p.apply(normal)).abs() < 1e-13);
                        }
                        JointKind::Universal(_) | JointKind::Spherical(_) | JointKind::Direction(_) => {
                            close(c, p, "origin");
                        }
                        // Free, and kinds that are never drawn.
                        _ => {}
                    }
                }
            });
        }
    }

    #[test]
    fn twists_and_biases_are_derivatives_of_poses_and_twists() {
        for seed in 0..200 {
            let s = random_mechanism(seed, 6);
            let m = &s.mechanism;
            let zero = vec![0.0; m.nv()];
            at(&s, |env| {
                let now = kinematics(m, env);
                let (qdot, n) = rates(m, env);
                assert_eq!((&now.rates, &now.rate_matrix), (&qdot, &n));
                let moving = env.with_jets(1.0, &qdot, &zero, |env| kinematics(m, env));
                for (b, d) in now.bodies.iter().zip(&moving.bodies) {
                    close(b.rotation.apply(b.twist.v), d.origin.map(|x| x.d), "velocity of the pole");
                    for i in 0..3 {
                        let turning = b.rotation.apply(b.twist.w.cross(Vec3::unit(i)));
                        close(turning, d.rotation.column(i).map(|x| x.d), "angular velocity");
                    }
                    let rate = d.twist.v.map(|x| x.d) + b.twist.w.cross(b.twist.v);
                    close(b.bias.v, rate, "acceleration of the pole");
                    close(b.bias.w, d.twist.w.map(|x| x.d), "angular bias");
                    let sum =
                        b.partial.iter().fold(b.drift, |sum: Twist<f64>, (s, j)| sum + j.scale(env.v[*s]));
                    close(sum.v, b.twist.v, "linear part of the columns");
                    close(sum.w, b.twist.w, "angular part of the columns");
                }
            });
        }
    }

    #[test]
    fn named_points_are_where_their_bodies_are() {
        let s = random_mechanism(3, 6);
        at(&s, |env| {
            let (poses, points) = (poses(&s.mechanism, env), positions(&s.mechanism, env));
            assert_eq!(points.len(), 2 * s.mechanism.bodies.len());
            for point in points {
                let body = point.body.expect("a body's point");
                let named = s.mechanism.bodies[body].points.iter().find(|p| p.name == point.name);
                let origin = vector(&named.expect("its name").placement.origin, env);
                let arm = origin - poses[body].pole;
                close(point.position, poses[body].origin + poses[body].rotation.apply(arm), "point");
            }
        });
    }
}
