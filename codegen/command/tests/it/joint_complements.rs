//! Complements of joint motions: `[A H]` and `[Y Z]` are dual bases, in particular `ZᵀA = 0`, for
//! all joint kinds, with absolute angles and prescribed motion.

use crate::common::at;
use dqdt_algebra::{Twist, Wrench};
use dqdt_mechanics::kinematics::{constrained_directions, kinematics};
use dqdt_samples::random::random_mechanism;

#[test]
fn what_joints_hold_completes_their_motion_to_dual_bases() {
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for seed in 0..500 {
        let s = random_mechanism(seed, 8);
        let m = &s.mechanism;
        at(&s, |env| {
            let k = kinematics(m, env);
            for ((joint, body), held) in
                m.joints.iter().zip(&k.bodies).zip(constrained_directions(m, &k, env))
            {
                let free = || body.columns.iter().filter(|c| c.speed.is_some());
                let twists: Vec<Twist<f64>> =
                    free().map(|c| c.twist).chain(held.iter().map(|h| h.twist)).collect();
                let wrenches: Vec<Wrench<f64>> =
                    free().map(|c| c.dual).chain(held.iter().map(|h| h.wrench)).collect();
                assert_eq!((twists.len(), wrenches.len()), (6, 6), "seed {seed}: {:?}", joint.kind);
                for (i, w) in wrenches.iter().enumerate() {
                    for (j, t) in twists.iter().enumerate() {
                        let expected = if i == j { 1.0 } else { 0.0 };
                        let error = (w.power_on_twist(*t) - expected).abs();
                        assert!(error < 1e-14, "seed {seed}: {:?}: {i}, {j}: {error:e}", joint.kind);
                    }
                }
                let name = format!("{:?}", joint.kind);
                let kind = name.split(['(', ' ']).next().unwrap_or_default();
                let absolute = if joint.absolute { ", absolute" } else { "" };
                *counts.entry(format!("{kind}{absolute}")).or_default() += 1;
            }
        });
    }
    assert!(counts.len() >= 14, "{counts:?}");
}
