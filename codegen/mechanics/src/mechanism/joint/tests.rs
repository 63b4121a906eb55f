//! Tests of every joint kind against jets of its pose.

use super::*;
use crate::mechanism::{AxisVector, Formula, JointLimits, JointVariable, Partition, Placement, SpeedId};
use dqdt_algebra::{Axis, Jet, Number};

type J = Jet<f64>;

fn axis(x: i64, y: i64, z: i64) -> AxisVector {
    AxisVector([x, y, z].map(Number::integer))
}

fn joint(kind: impl Into<JointKind>, nv: usize) -> Joint {
    Joint {
        name: "joint".to_owned(),
        kind: kind.into(),
        parent: None,
        parent_frame: Placement::IDENTITY,
        child_frame: Placement::IDENTITY,
        absolute: false,
        coordinates: Vec::new(),
        names: Vec::new(),
        speeds: SpeedId::range(nv).map(JointVariable::Free).collect(),
        armature: vec![None; nv],
        rotor: None,
        limits: JointLimits::default(),
    }
}

fn with_env<S: Scalar, R>(number: &dyn Fn(Number) -> S, f: impl FnOnce(&Environment<'_, S>) -> R) -> R {
    f(&Environment {
        number,
        t: S::ZERO,
        q: &[],
        v: &[],
        z: &[],
        u: &[],
        p: &[],
        named: &[],
        measures: &[],
        regrouped: &[],
        formulation: None,
        partition: Partition::ALL_ROWS,
    })
}

fn constant_jet(n: Number) -> J {
    J::constant(n.to_f64())
}

fn vee(r: &Mat3<J>) -> [f64; 3] {
    let w = r.map(|x| x.v).transposed_mul(&r.map(|x| x.d)).0;
    for (i, row) in w.iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            assert!((x + w[j][i]).abs() < 1e-14, "not skew");
        }
    }
    [w[2][1], w[0][2], w[1][0]]
}

fn assert_close(a: &[f64], b: &[f64], what: &str) {
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() < 2e-14, "{what}: {a:?} against {b:?}");
    }
}

/// A reference that rotates about an oblique axis, or the parent itself.
fn reference(turning: bool) -> (Reference<f64>, Reference<J>) {
    if !turning {
        return (Reference::parent(), Reference::parent());
    }
    let axis = Vec3([0.6, 0.0, 0.8]);
    let w = axis.scale(0.7);
    (
        Reference { rotation: Mat3::rotation_about_vector(axis, 0.4), angular_velocity: w },
        Reference {
            rotation: Mat3::rotation_about_vector(axis.map(J::constant), Jet::new(0.4, 0.7)),
            angular_velocity: w.map(J::constant),
        },
    )
}

fn check(kind: impl Into<JointKind>, q: &[f64], v: &[f64], turning: bool) {
    let joint = joint(kind, v.len());
    assert_eq!(joint.kind.form().speed_components().len(), v.len());
    assert_eq!(joint.kind.form().coordinate_components().len(), q.len());
    let (still, moving) = reference(turning);
    let at = with_env(&Number::to_f64, |env| joint_motion(&joint, q, v, &still, env));
    let rates: Vec<f64> =
        at.rate_matrix.iter().map(|row| row.iter().zip(v).map(|(n, v)| n * v).sum()).collect();
    assert_eq!(rates.len(), q.len());
    let q: Vec<J> = q.iter().zip(&rates).map(|(q, d)| Jet::new(*q, *d)).collect();
    let v: Vec<J> = v.iter().map(|v| J::constant(*v)).collect();
    let after = with_env(&constant_jet, |env| joint_motion(&joint, &q, &v, &moving, env));
    let (rotation, translation) = with_env(&constant_jet, |env| joint_pose(&joint, &q, env));

    let mut twist = Twist::ZERO;
    let mut moving_twist = Twist::ZERO;
    for (i, v) in v.iter().enumerate() {
        twist = twist + at.subspace[i].scale(v.v);
        moving_twist = moving_twist + after.subspace[i].scale(*v);
        for (j, y) in at.dual.iter().enumerate() {
            let expected = if i == j { 1.0 } else { 0.0 };
            assert_close(&[y.power_on_twist(at.subspace[i])], &[expected], "dual");
        }
    }
    assert_close(&twist.w.0, &vee(&rotation), "angular velocity");
    let to_child = at.rotation.transposed_mul(&still.rotation);
    assert_close(&twist.v.0, &to_child.apply(translation.map(|x| x.d)).0, "velocity");
    assert_close(&at.bias.w.0, &moving_twist.w.map(|x| x.d).0, "angular bias");
    assert_close(&at.bias.v.0, &moving_twist.v.map(|x| x.d).0, "linear bias");
}

fn sequences() -> Vec<Attitude> {
    let axes = [Axis::X, Axis::Y, Axis::Z];
    let mut all = Vec::new();
    for i in axes {
        for j in axes {
            for k in axes {
                if i != j && j != k {
                    all.push(Attitude::Sequence([i, j, k]));
                }
            }
        }
    }
    assert_eq!(all.len(), 12);
    all
}

fn quaternion() -> [f64; 4] {
    let q = [0.5, -0.7, 0.3, 0.4];
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / norm)
}

#[test]
fn one_axis_kinds_move_as_their_poses_do() {
    for a in [axis(0, 0, 1), axis(0, -2, 0), axis(1, -2, 3)] {
        check(Revolute(a), &[0.7], &[-1.3], false);
        check(Revolute(a), &[0.7], &[-1.3], true);
        check(Prismatic(a), &[0.7], &[-1.3], false);
        let pitch = Formula::Number(Number::ratio(3, 10).unwrap());
        check(Helical { axis: a, pitch }, &[0.7], &[-1.3], false);
        check(Cylindrical(a), &[0.7, -0.2], &[-1.3, 0.8], false);
    }
    check(Fixed, &[], &[], false);
}

#[test]
fn universal_planar_and_direction_move_as_their_poses_do() {
    check(Universal { first: axis(1, 0, 0), second: axis(0, 1, 0) }, &[0.7, -0.4], &[-1.3, 0.9], false);
    check(Universal { first: axis(1, 2, 0), second: axis(0, 1, -1) }, &[0.7, -0.4], &[-1.3, 0.9], false);
    for frame in [VelocityFrame::Parent, VelocityFrame::Body] {
        let kind = Planar { first: axis(1, 0, 0), second: axis(0, 1, 0), linear: frame };
        check(kind, &[0.7, -0.4, 1.1], &[-1.3, 0.9, 0.5], false);
        let kind = Planar { first: axis(1, 2, 2), second: axis(2, 1, -2), linear: frame };
        check(kind, &[0.7, -0.4, 1.1], &[-1.3, 0.9, 0.5], false);
    }
    for turning in [false, true] {
        check(Direction, &[0.7, -0.4], &[-1.3, 0.9], turning);
    }
}

#[test]
fn attitudes_move_as_their_poses_do_in_all_sequences_and_speeds() {
    let (angles, w) = ([0.7, 0.4, -1.1], [-1.3, 0.9, 0.6]);
    for turning in [false, true] {
        for attitude in sequences() {
            for (_, speeds) in SpeedKind::WORDS {
                check(Spherical { attitude, angular: speeds }, &angles, &w, turning);
            }
        }
        for angular in [SpeedKind::BodyRates, SpeedKind::ParentRates] {
            check(Spherical { attitude: Attitude::Quaternion, angular }, &quaternion(), &w, turning);
        }
    }
}

#[test]
fn free_joints_move_as_their_poses_do_in_both_velocity_frames() {
    let v = [0.3, -0.8, 0.5, -1.3, 0.9, 0.6];
    let position = [0.2, -0.3, 0.9];
    for turning in [false, true] {
        for frame in [VelocityFrame::Parent, VelocityFrame::Body] {
            for attitude in sequences() {
                for (_, angular) in SpeedKind::WORDS {
                    let q = [&position[..], &[0.7, 0.4, -1.1]].concat();
                    check(Free { attitude, angular, linear: frame }, &q, &v, turning);
                }
            }
            let q = [&position[..], &quaternion()].concat();
            for angular in [SpeedKind::BodyRates, SpeedKind::ParentRates] {
                check(Free { attitude: Attitude::Quaternion, angular, linear: frame }, &q, &v, turning);
            }
        }
    }
}

#[test]
fn the_norm_of_a_quaternion_stands_still() {
    let joint = joint(Spherical { attitude: Attitude::Quaternion, angular: SpeedKind::BodyRates }, 3);
    let n = with_env(&Number::to_f64, |env| {
        joint_rate_matrix::<f64>(&joint, &quaternion(), &Reference::parent(), env)
    });
    for column in 0..3 {
        let rate: f64 = n.matrix.iter().zip(quaternion()).map(|(row, q)| row[column] * q).sum();
        assert!(rate.abs() < 1e-15);
    }
}

#[test]
fn denominators_are_the_cosine_or_sine_of_the_middle_angle() {
    for attitude in sequences() {
        let Attitude::Sequence([i, _, k]) = attitude else { continue };
        for (angular, sign) in [
            (SpeedKind::BodyRates, 1.0),
            (SpeedKind::IntermediateRates, 1.0),
            // The middle angle of the inverse rotation has the other sign.
            (SpeedKind::ParentRates, if i == k { -1.0 } else { 1.0 }),
        ] {
            let joint = joint(Spherical { attitude, angular }, 3);
            let q = [0.7, 0.4, -1.1];
            let n = with_env(&Number::to_f64, |env| {
                joint_rate_matrix::<f64>(&joint, &q, &Reference::parent(), env)
            });
            let expected = sign * if i == k { 0.4f64.sin() } else { 0.4f64.cos() };
            assert_eq!(n.denominators, vec![expected]);
        }
    }
}

#[test]
fn every_draw_of_a_random_kind_is_of_one_kind() {
    /// A source that returns the same number for every draw.
    struct ConstantDraw(usize);
    impl Draw for ConstantDraw {
        fn random_axis(&mut self) -> AxisVector {
            AxisVector::coordinate_axis(2)
        }
        fn random_constant(&mut self, _low: i64, _high: i64) -> Formula {
            Formula::ZERO
        }
        fn random_attitude(&mut self) -> (Attitude, SpeedKind) {
            (Attitude::Quaternion, SpeedKind::BodyRates)
        }
        fn below(&mut self, n: usize) -> usize {
            self.0 % n
        }
    }
    let drawn = JointKind::DRAWN.concat();
    let mut sorted = drawn.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..drawn.len()).collect::<Vec<_>>());
    for few in [true, false] {
        let kinds: Vec<JointKind> =
            (0..drawn.len()).map(|i| JointKind::random(few, &mut ConstantDraw(i))).collect();
        let fixed = kinds.iter().filter(|k| matches!(k, JointKind::Fixed(_))).count();
        assert_eq!(fixed, if few { drawn.len() / FEW } else { 1 }, "{kinds:?}");
    }
}
