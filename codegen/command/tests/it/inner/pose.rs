//! Poses and twists of bodies, and their derivatives.

use dqdt_algebra::{Number, Twist, Vec3};
use dqdt_mechanics::kinematics::{
    Pose, body_poses, coordinate_rates, evaluate_parameters, evaluate_placement, evaluate_vector, kinematics,
    point_positions,
};
use dqdt_mechanics::mechanism::joint::{self, Cylindrical, Helical, JointKind, Planar, Prismatic, Revolute};
use dqdt_mechanics::mechanism::{AxisVector, Environment, Partition, Placement};
use dqdt_samples::random::{Sample, random_mechanism};

fn at<R>(s: &Sample, f: impl FnOnce(&Environment<'_, f64>) -> R) -> R {
    let p = evaluate_parameters(&s.mechanism, &Number::to_f64, &[]);
    f(&Environment {
        number: &Number::to_f64,
        t: s.t,
        q: &s.q,
        v: &s.v,
        z: &s.z,
        u: &s.u,
        p: &p,
        named: &[],
        measures: &[],
        regrouped: &[],
        formulation: None,
        partition: Partition::ALL_ROWS,
    })
}

fn assert_close(a: Vec3<f64>, b: Vec3<f64>, what: &str) {
    let size = b.0.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    assert!((a - b).0.iter().all(|x| x.abs() < 1e-13 * size), "{what}: {a:?} against {b:?}");
}

#[test]
fn both_bodies_agree_on_what_their_joint_leaves_alone() {
    for seed in 0..200 {
        let s = random_mechanism(seed, 6);
        at(&s, |env| {
            let poses = body_poses(&s.mechanism, env);
            for (joint, pose) in s.mechanism.joints.iter().zip(&poses) {
                // Origin and axes of the joint's two frames, in ground axes.
                let frame = |p: &Placement, pose: Option<&Pose<f64>>| {
                    let (origin, turn) = evaluate_placement(p, env);
                    pose.map_or((origin, turn), |pose| {
                        (pose.point_in_ground_axes(origin), pose.rotation.mul(&turn))
                    })
                };
                let (p, to_p) = frame(&joint.parent_frame, joint.parent.map(|p| &poses[p]));
                let (c, to_c) = frame(&joint.child_frame, Some(pose));
                assert_close(c, pose.origin, "the pole is the origin of the child's joint frame");
                let shared = |a: &AxisVector| {
                    let a = joint::unit_vector_along(*a, env.number);
                    let expected = if joint.absolute { a } else { to_p.apply(a) };
                    assert_close(to_c.apply(a), expected, "axis");
                    to_p.apply(a)
                };
                let along = |a: Vec3<f64>| assert_close((c - p).cross(a), Vec3::ZERO, "along the axis");
                let same_axes = || (0..3).for_each(|i| assert_close(to_c.column(i), to_p.column(i), "axes"));
                match &joint.kind {
                    JointKind::Fixed(_) => {
                        same_axes();
                        assert_close(c, p, "origin");
                    }
                    JointKind::Revolute(Revolute(a)) => {
                        shared(a);
                        assert_close(c, p, "origin");
                    }
                    JointKind::Prismatic(Prismatic(a)) => {
                        same_axes();
                        along(shared(a));
                    }
                    JointKind::Helical(Helical { axis: a, .. }) | JointKind::Cylindrical(Cylindrical(a)) => {
                        along(shared(a))
                    }
                    JointKind::Planar(Planar { first: a, second: b, .. }) => {
                        let [a, b] = [a, b].map(|x| joint::unit_vector_along(*x, env.number));
                        let normal = a.cross(b);
                        assert_close(to_c.apply(normal), to_p.apply(normal), "normal");
                        assert!((c - p).dot(to_p.apply(normal)).abs() < 1e-13);
                    }
                    JointKind::Universal(_) | JointKind::Spherical(_) | JointKind::Direction(_) => {
                        assert_close(c, p, "origin");
                    }
                    // Free joints, and kinds that `random_mechanism` never draws.
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
            let (qdot, n) = coordinate_rates(m, env);
            assert_eq!((&now.rates, &now.rate_matrix), (&qdot, &n));
            let moving = env.with_jets(1.0, &qdot, &zero, |env| kinematics(m, env));
            for (b, d) in now.bodies.iter().zip(&moving.bodies) {
                assert_close(b.rotation.apply(b.twist.v), d.origin.map(|x| x.d), "velocity of the pole");
                for i in 0..3 {
                    let turning = b.rotation.apply(b.twist.w.cross(Vec3::unit_vector(i)));
                    assert_close(turning, d.rotation.column(i).map(|x| x.d), "angular velocity");
                }
                let rate = d.twist.v.map(|x| x.d) + b.twist.w.cross(b.twist.v);
                assert_close(b.bias.v, rate, "acceleration of the pole");
                assert_close(b.bias.w, d.twist.w.map(|x| x.d), "angular bias");
                let sum = b.partial.iter().fold(b.drift, |sum: Twist<f64>, (s, j)| sum + j.scale(env.v[*s]));
                assert_close(sum.v, b.twist.v, "linear part of the columns");
                assert_close(sum.w, b.twist.w, "angular part of the columns");
            }
        });
    }
}

#[test]
fn named_points_are_where_their_bodies_are() {
    let s = random_mechanism(3, 6);
    at(&s, |env| {
        let (poses, points) = (body_poses(&s.mechanism, env), point_positions(&s.mechanism, env));
        assert_eq!(points.len(), 2 * s.mechanism.bodies.len());
        for point in points {
            let body = point.body.expect("a body's point");
            let named = s.mechanism.bodies[body].points.iter().find(|p| p.name == point.name);
            let origin = evaluate_vector(&named.expect("its name").placement.origin, env);
            let arm = origin - poses[body].pole;
            assert_close(point.position, poses[body].origin + poses[body].rotation.apply(arm), "point");
        }
    });
}
