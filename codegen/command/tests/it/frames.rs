//! Named frames: Jacobians are derivatives of poses, bias accelerations are derivatives of twists.
//! Comparison with Pinocchio: `urdf.rs`.

use crate::common::{at, trees};
use dqdt_algebra::{Jet, Vec3};
use dqdt_mechanics::formalism::frame_accelerations;
use dqdt_mechanics::kinematics::{coordinate_rates, frame_motions};
use dqdt_samples::random::random_mechanism;

/// Angular velocity ω in body axes, from the skew matrix `Rᵀ Ṙ`.
fn spin(r: &[[Jet<f64>; 3]; 3]) -> [f64; 3] {
    let entry = |a: usize, b: usize| (0..3).map(|k| r[k][a].v * r[k][b].d).sum::<f64>();
    [entry(2, 1), entry(0, 2), entry(1, 0)]
}

fn assert_close(a: &[f64], b: &[f64], what: &str) {
    let size = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    assert!(a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-11 * size), "{what}: {a:?} against {b:?}");
}

#[test]
fn twists_are_rates_of_poses_and_accelerations_are_rates_of_velocities() {
    for seed in 0..trees(100) {
        let s = random_mechanism(seed, 5);
        let m = &s.mechanism;
        at(&s, |env| {
            let (qdot, n) = coordinate_rates(m, env);
            let now = frame_motions(m, env);
            let still = vec![0.0; m.nv()];
            let moving = env.with_jets(1.0, &qdot, &still, |env| frame_motions(m, env));
            assert_eq!(now.len(), m.bodies.iter().map(|b| b.points.len()).sum::<usize>());
            for (i, (f, d)) in now.iter().zip(&moving).enumerate() {
                let what = format!("tree {seed}, {} of body {}", f.name, f.body.index());
                let to_frame = |x: [f64; 3]| match f.in_ground_axes {
                    true => x,
                    false => f.rotation.apply_transposed(Vec3(x)).0,
                };
                assert_close(
                    &f.twist.v.0,
                    &to_frame(d.position.0.map(|x| x.d)),
                    &format!("{what}: velocity"),
                );
                let spun = |r: &[[Jet<f64>; 3]; 3]| match f.in_ground_axes {
                    true => f.rotation.apply(Vec3(spin(r))).0,
                    false => spin(r),
                };
                assert_close(&f.twist.w.0, &spun(&d.rotation.0), &format!("{what}: angular velocity"));
                // The derivative of a vector in moving axes lacks ω × x.
                let rate = |x: &Vec3<Jet<f64>>, turns: bool| {
                    let derivative = Vec3(x.0.map(|x| x.d));
                    if turns && !f.in_ground_axes {
                        derivative + f.twist.w.cross(Vec3(x.0.map(|x| x.v)))
                    } else {
                        derivative
                    }
                };
                assert_close(&f.bias.v.0, &rate(&d.twist.v, true).0, &format!("{what}: acceleration"));
                assert_close(
                    &f.bias.w.0,
                    &rate(&d.twist.w, false).0,
                    &format!("{what}: angular acceleration"),
                );
                let accelerations: Vec<f64> = (0..m.nv()).map(|j| (1.3 * j as f64 + 0.4).sin()).collect();
                let acceleration = frame_accelerations(m, env, &accelerations).swap_remove(i);
                let wanted =
                    f.jacobian.iter().zip(&accelerations).fold(f.bias, |sum, (c, a)| sum + c.scale(*a));
                assert_close(&acceleration.v.0, &wanted.v.0, &format!("{what}: acceleration at v̇"));
                assert_close(&acceleration.w.0, &wanted.w.0, &format!("{what}: angular acceleration at v̇"));
                for (j, column) in f.jacobian.iter().enumerate() {
                    let along: Vec<f64> = n.iter().map(|row| row[j]).collect();
                    let moved =
                        env.with_jets(0.0, &along, &still, |env| frame_motions(m, env).swap_remove(i));
                    let what = format!("{what}, column {j}");
                    assert_close(&column.v.0, &to_frame(moved.position.0.map(|x| x.d)), &what);
                    assert_close(&column.w.0, &spun(&moved.rotation.0), &what);
                }
            }
        });
    }
}
