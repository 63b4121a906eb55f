//! Measures (formulas of frame positions, rotations and velocities): against models written by
//! hand, and against poses of the bodies.

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::{at, forward, interpret_forward, relative, trees};
use dqdt_codegen::pipeline;
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::kinematics::{
    body_poses, coordinate_rates, evaluate_measures, evaluate_placement, kinematics,
};
use dqdt_mechanics::mechanism::{
    BodyId, Environment, Formula, MeasureKind, MeasureSubject, Mechanism, Placement,
};
use dqdt_samples::random::{Sample, random_mechanism};
use dqdt_samples::tier::cases_by_tier;
use nalgebra::{Matrix2, Matrix2x4, Matrix3, Matrix4, Vector2, Vector3, Vector4};

const G: f64 = 9.81;

/// Compares the accelerations of a mechanism of `tests/data/measures`, by all formalisms, with
/// those of a hand-written model, at random states near `around`.
fn compare_with_model(name: &str, around: &[f64], model: impl Fn(&Sample) -> Vec<f64>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/measures").join(name);
    let m = pipeline::load(&path).unwrap_or_else(|e| panic!("{e}")).mechanism;
    let mut state = 7u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    for k in 0..40 {
        // The first state is at rest with everything aligned.
        let size = if k == 0 { 0.0 } else { 0.4 };
        let s = Sample {
            mechanism: m.clone(),
            formulation: Default::default(),
            partition: Default::default(),
            t: 0.3 * f64::from(k),
            q: around.iter().map(|q| q + size * draw()).collect(),
            v: (0..m.nv()).map(|_| if k < 2 { 0.0 } else { draw() }).collect(),
            z: vec![],
            u: vec![],
        };
        let expected = model(&s);
        for f in Formalism::ALL {
            let actual = forward(f, &s).accelerations;
            assert!(
                relative(&actual, &expected) < 1e-11,
                "{name}, {f:?}, state {k}: {actual:?} against {expected:?}"
            );
        }
        let (actual, _) = interpret_forward(Formalism::Kane, &s);
        assert!(relative(&actual, &expected) < 1e-11, "{name}, recorded, state {k}");
    }
}

/// The wheel moves on a circle about the pivot, and the tyre force is vertical.
#[test]
fn a_quarter_car_with_a_vertical_tyre_is_the_model_by_hand() {
    compare_with_model("quarter_car.toml", &[0.4, 0.26], |s| {
        let (mb, ma, j, l, r) = (300.0, 40.0, 1.5, 0.4, 0.3);
        let (z, th, dz, dth) = (s.q[0], s.q[1], s.v[0], s.v[1]);
        // The hub is behind the pivot and rises with theta.
        let (hub, rate) = (z + l * th.sin(), dz + l * th.cos() * dth);
        let (road, road_rate) = (0.02 * (8.0 * s.t).sin(), 0.16 * (8.0 * s.t).cos());
        let tyre = (2e5 * (road + r - hub) + 150.0 * (road_rate - rate)).max(0.0);
        let mass = Matrix2::new(mb + ma, ma * l * th.cos(), ma * l * th.cos(), ma * l * l + j);
        let force = Vector2::new(
            tyre - (mb + ma) * G + ma * l * th.sin() * dth * dth,
            (tyre - ma * G) * l * th.cos() - 2500.0 * th - 200.0 * dth,
        );
        mass.lu().solve(&force).unwrap().as_slice().to_vec()
    });
}

#[test]
fn an_arm_with_drag_on_its_tip_is_the_double_pendulum_with_that_force() {
    compare_with_model("dragged_arm.toml", &[0.3, 0.7], |s| {
        let (m1, m2, l1, l2) = (1.5, 0.8, 0.7, 0.5);
        let (a, b) = (s.q[0], s.q[0] + s.q[1]);
        let (da, db) = (s.v[0], s.v[0] + s.v[1]);
        let velocity =
            Vector2::new(-l1 * a.sin() * da - l2 * b.sin() * db, l1 * a.cos() * da + l2 * b.cos() * db);
        let drag = -0.6 * velocity.norm() * velocity;
        // In absolute angles.
        let (c, d) = (0.5 * m2 * l1 * l2 * (a - b).cos(), 0.5 * m2 * l1 * l2 * (a - b).sin());
        let mass = Matrix2::new((m1 / 3.0 + m2) * l1 * l1, c, c, m2 * l2 * l2 / 3.0);
        let force = Vector2::new(
            -d * db * db - (m1 / 2.0 + m2) * G * l1 * a.cos() + l1 * (-a.sin() * drag[0] + a.cos() * drag[1]),
            d * da * da - m2 / 2.0 * G * l2 * b.cos() + l2 * (-b.sin() * drag[0] + b.cos() * drag[1]),
        );
        let x = mass.lu().solve(&force).unwrap();
        vec![x[0], x[1] - x[0]]
    });
}

fn hopper_accelerations(s: &Sample) -> Vec<f64> {
    let (th, l) = (s.q[2], s.q[3]);
    let (dth, dl) = (s.v[2], s.v[3]);
    // The foot is along −z of the body, which rotates about y: rows x, z;
    // columns z, x, theta, s.
    let down = Vector2::new(-th.sin(), -th.cos());
    let turned = Vector2::new(-th.cos(), th.sin());
    let jacobian = Matrix2x4::new(0.0, 1.0, l * turned[0], down[0], 1.0, 0.0, l * turned[1], down[1]);
    let bias = 2.0 * dl * dth * turned - l * dth * dth * down;
    let height = s.q[0] + l * down[1];
    let velocity = jacobian * Vector4::from_column_slice(&s.v);
    let depth = -height;
    let normal = if depth > 0.0 { (3e4 * depth - 200.0 * velocity[1]).max(0.0) } else { 0.0 };
    let contact = Vector2::new(-0.7 * normal * (velocity[0] / 0.01).tanh(), normal);
    let (mb, mf) = (5.0, 0.4);
    let mass = Matrix4::from_diagonal(&Vector4::new(mb, mb, 0.3, 0.0)) + mf * jacobian.transpose() * jacobian;
    let force = Vector4::new(-mb * G, 0.0, 0.0, -1500.0 * (l - 0.5) - 8.0 * dl)
        + jacobian.transpose() * (contact - mf * (bias + Vector2::new(0.0, G)));
    mass.lu().solve(&force).unwrap().as_slice().to_vec()
}

#[test]
fn a_hopper_on_soft_ground_is_the_model_by_hand() {
    compare_with_model("hopper.toml", &[0.3, 0.0, 0.0, 0.5], hopper_accelerations);
    compare_with_model("hopper.toml", &[1.5, 0.0, 0.3, 0.5], hopper_accelerations);
}

#[test]
fn a_cable_over_a_moving_pulley_pulls_with_one_tension() {
    compare_with_model("pulleys.toml", &[1.0, 1.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0], |s| {
        let (anchor, pulley) = (Vector3::new(0.0, 0.0, 1.0), Vector3::new(s.q[0], 0.0, 0.0));
        let weight = Vector3::new(s.q[1], s.q[2], s.q[3]);
        let (vp, vw) = (Vector3::new(s.v[0], 0.0, 0.0), Vector3::new(s.v[1], s.v[2], s.v[3]));
        let (a, b) = (pulley - anchor, weight - pulley);
        let stretch = a.norm() + b.norm() - 2.0;
        let rate = a.dot(&vp) / a.norm() + b.dot(&(vw - vp)) / b.norm();
        let tension = (800.0 * stretch + 5.0 * rate).max(0.0);
        let on_pulley = tension * (b.normalize() - a.normalize());
        let of_weight = -tension / 2.0 * b.normalize() - Vector3::new(0.0, 0.0, G);
        // The cable acts at the centre of the weight, so the angular velocity of the
        // round body is constant.
        vec![on_pulley[0] / 3.0, of_weight[0], of_weight[1], of_weight[2], 0.0, 0.0, 0.0]
    });
}

/// Against the same mechanism without gravity and without these efforts.
#[test]
fn a_tree_with_its_gravity_efforts_moves_as_without_gravity_in_every_formalism() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/measures/compensated.toml");
    let compensated = pipeline::load(&path).unwrap_or_else(|e| panic!("{e}")).mechanism;
    let mut weightless = compensated.clone();
    weightless.gravity = [Formula::ZERO, Formula::ZERO, Formula::ZERO];
    weightless.loads.clear();
    for (q, v) in [
        ([0.0; 5], [0.0; 5]),
        ([0.4, -0.3, 0.7, 0.2, 1.1], [0.0; 5]),
        ([0.9, 0.5, -0.4, 0.3, -0.6], [0.7, -1.1, 0.4, 0.3, 0.8]),
    ] {
        let sample = |mechanism: &Mechanism| Sample {
            mechanism: mechanism.clone(),
            formulation: Default::default(),
            partition: Default::default(),
            t: 0.0,
            q: q.to_vec(),
            v: v.to_vec(),
            z: vec![],
            u: vec![],
        };
        let expected = forward(Formalism::Kane, &sample(&weightless)).accelerations;
        for f in Formalism::ALL {
            let accelerations = forward(f, &sample(&compensated)).accelerations;
            assert!(
                relative(&accelerations, &expected) < 1e-11,
                "{f:?}: {accelerations:?} against {expected:?}"
            );
        }
    }
}

#[test]
fn measures_are_differences_of_positions_and_their_rates_on_random_trees() {
    let mut counts = BTreeMap::new();
    for seed in 0..trees(150) {
        let s = random_mechanism(seed, 5);
        let m = &s.mechanism;
        let (now, before, after) = at(&s, |env| {
            let k = kinematics(m, env);
            let step = 1e-6;
            let shifted = |h: f64| {
                let q: Vec<f64> = env.q.iter().zip(&k.rates).map(|(q, d)| q + h * d).collect();
                let env = &Environment { t: env.t + h, q: &q, ..*env };
                measure_by_hand(&s, env)
            };
            ((evaluate_measures(m, &k, env), measure_by_hand(&s, env)), shifted(-step), shifted(step))
        });
        let (values, by_hand) = now;
        for (i, measure) in m.measures.iter().enumerate() {
            let rate = |value_of_measure: &dyn Fn(&[f64; 13]) -> f64| {
                (value_of_measure(&after[i]) - value_of_measure(&before[i])) / 2e-6
            };
            let here = &by_hand[i];
            let function = measure.kind.form().function();
            let (stem, axes) = match function.rsplit_once('_') {
                Some((stem, axes)) if axes.chars().all(|axis| "xyz".contains(axis)) => (stem, axes),
                _ => (function.as_str(), ""),
            };
            let axes: Vec<usize> = axes.chars().filter_map(|axis| "xyz".find(axis)).collect();
            let (expected, limit) = match (stem, &axes[..]) {
                ("position", [a]) => (here[*a], 1e-12),
                ("rotation", [r, c]) => (here[3 + 3 * r + c], 1e-12),
                ("distance", []) => (here[12], 1e-12),
                ("velocity", [a]) => (rate(&|x| x[*a]), 1e-7),
                ("angular_velocity", [a]) => {
                    // Expected angular velocity by ω̃ = Ṙ Rᵀ.
                    let (r, c) = ((a + 2) % 3, (a + 1) % 3);
                    ((0..3).map(|k| rate(&|x| x[3 + 3 * r + k]) * here[3 + 3 * c + k]).sum(), 1e-7)
                }
                ("distance_rate", []) => (rate(&|x| x[12]), 1e-7),
                ("gravity_effort", []) => (slope_of_gravity(&s, &measure.subject), 1e-6),
                expected => panic!("{function} is not checked: add {expected:?} with its value from poses"),
            };
            let kind = MeasureKind::by_kind().iter().position(|all| all.contains(&measure.kind));
            *counts.entry(kind.unwrap()).or_insert(0) += 1;
            let size = expected.abs().max(1.0);
            assert!(
                (values[i] - expected).abs() < limit * size,
                "{seed}: {measure:?}: {} against {expected}",
                values[i]
            );
        }
    }
    assert_eq!(counts.len(), MeasureKind::TEXTS.len(), "kinds that were drawn: {counts:?}");
    assert!(counts.values().all(|n| *n > cases_by_tier(1, 20)), "{counts:?}");
}

/// Potential energy of the weights, from poses in ground axes.
fn gravity_potential(m: &Mechanism, env: &Environment<'_, f64>) -> f64 {
    let gravity = Vector3::from_fn(|i, _| m.gravity[i].eval(env));
    let poses = body_poses(m, env);
    let weights = m.bodies.iter().zip(&poses).map(|(body, pose)| {
        let arm = Vector3::from_fn(|i, _| body.center_of_mass[i].eval(env) - pose.pole[i]);
        let rotation = Matrix3::from_fn(|i, j| pose.rotation.0[i][j]);
        let origin = Vector3::new(pose.origin[0], pose.origin[1], pose.origin[2]);
        -body.mass.eval(env) * gravity.dot(&(origin + rotation * arm))
    });
    weights.sum()
}

/// Slope of the potential of gravity along the rates of the coordinates for one unit of the speed,
/// by central differences.
fn slope_of_gravity(s: &Sample, subject: &MeasureSubject) -> f64 {
    let MeasureSubject::Speed(speed) = subject else { panic!("a measure of frames: {subject:?}") };
    let m = &s.mechanism;
    let step = 1e-6;
    let [after, before] = [step, -step].map(|h| {
        at(s, |env| {
            let directions = coordinate_rates(m, env).1;
            let q: Vec<f64> =
                env.q.iter().zip(&directions).map(|(q, row)| q + h * row[speed.index()]).collect();
            gravity_potential(m, &Environment { q: &q, ..*env })
        })
    });
    (after - before) / (2.0 * step)
}

/// For each measure: position of the observed frame, its rotation by rows, and the distance, from
/// poses in ground axes.
fn measure_by_hand(s: &Sample, env: &Environment<'_, f64>) -> Vec<[f64; 13]> {
    let m = &s.mechanism;
    let poses = body_poses(m, env);
    let frame = |(body, placed): &(Option<BodyId>, Placement)| {
        let (origin, turn) = evaluate_placement(placed, env);
        let origin = Vector3::new(origin[0], origin[1], origin[2]);
        let turn = Matrix3::from_fn(|i, j| turn.0[i][j]);
        match body {
            None => (origin, turn),
            Some(b) => {
                let pose = &poses[*b];
                let r = Matrix3::from_fn(|i, j| pose.rotation.0[i][j]);
                let pole = Vector3::new(pose.pole[0], pose.pole[1], pose.pole[2]);
                let at = Vector3::new(pose.origin[0], pose.origin[1], pose.origin[2]);
                (at + r * (origin - pole), r * turn)
            }
        }
    };
    m.measures
        .iter()
        .map(|x| {
            let Some(ends) = x.subject.ends() else { return [0.0; 13] };
            let ((a, first), (b, second)) = (frame(&ends.from), frame(&ends.to));
            let (position, rotation) = (first.transpose() * (b - a), first.transpose() * second);
            let mut out = [0.0; 13];
            out[..3].copy_from_slice(position.as_slice());
            out[3..12].copy_from_slice(rotation.transpose().as_slice());
            out[12] = (b - a).norm();
            out
        })
        .collect()
}
