//! Articulated-body inertias: joint axes, shifts to another point.

use dqdt_algebra::{ArticulatedInertia, Inertia, Mat3, Scalar, Twist, Vec3, Wrench, symmetric_matrix};
use dqdt_graph::ir::Tracer;

fn sample(seed: f64) -> Vec3<f64> {
    Vec3([0.3, -1.1, 0.7].map(|x| (x * seed + 0.2 * seed).sin()))
}

fn assert_close(a: Wrench<f64>, b: Wrench<f64>) {
    let d = a - b;
    assert!(d.f.0.iter().chain(&d.m.0).all(|x| x.abs() < 1e-14), "{a:?} against {b:?}");
}

#[test]
fn what_gives_way_along_an_axis_resists_nothing_along_it() {
    let rigid =
        Inertia { mass: 1.3, first: sample(1.0), second: symmetric_matrix(|i, j| (1 + i + 2 * j) as f64) };
    let mut body = ArticulatedInertia::from_rigid(&rigid);
    for axis in [4, 0, 5] {
        let mut column = [0.0; 6];
        column[axis] = -1.0;
        let column =
            Twist { v: Vec3([column[0], column[1], column[2]]), w: Vec3([column[3], column[4], column[5]]) };
        let h = body.apply_to_twist(column);
        let left = body.subtract_free_column(h, 1.0 / h.power_on_twist(column));
        body = left.without_component(axis);
        assert_close(body.apply_to_twist(column), Wrench::ZERO);
        for seed in [4.0, 7.0] {
            let t = Twist { v: sample(seed), w: sample(seed + 1.0) };
            assert_close(body.apply_to_twist(t), left.apply_to_twist(t));
        }
    }
}

fn unit_component_of_rotation(axis: [Tracer<'_>; 3]) -> Option<usize> {
    Twist { v: Vec3::ZERO, w: Vec3(axis) }.sole_unit_component()
}

#[test]
fn an_axis_of_the_body_is_known_by_its_structure() {
    let (o, i) = (Tracer::ZERO, Tracer::ONE);
    let axes = [[o, i, o], [o, o, -i], [i, i, o], [o, o, o]];
    assert_eq!(axes.map(unit_component_of_rotation), [Some(4), Some(5), None, None]);
    assert_eq!(Twist { v: Vec3([i, o, o]), w: Vec3::ZERO }.sole_unit_component(), Some(0));
    assert_eq!(unit_component_of_rotation([Tracer::ratio(1, 2), o, o]), None);
}

#[test]
fn a_moved_inertia_carries_the_twist_and_gathers_the_wrench() {
    let rigid =
        Inertia { mass: 1.3, first: sample(1.0), second: symmetric_matrix(|i, j| (1 + i + 2 * j) as f64) };
    let h = Wrench { f: sample(2.0), m: sample(3.0) };
    let body = ArticulatedInertia::from_rigid(&rigid).subtract_free_column(h, 0.4);
    let t = Twist { v: sample(4.0), w: sample(5.0) };
    let by_parts = rigid.momentum(t)
        - Wrench { f: h.f.scale(0.4 * h.power_on_twist(t)), m: h.m.scale(0.4 * h.power_on_twist(t)) };
    assert_close(body.apply_to_twist(t), by_parts);
    let rotation = Mat3::rotation_about_vector(Vec3([0.6, 0.0, 0.8]), 0.7);
    let r = sample(6.0);
    for turning in [true, false] {
        let w = if turning { rotation.apply_transposed(t.w) } else { Vec3::ZERO };
        let carried = Twist { v: rotation.apply_transposed(t.v + t.w.cross(r)), w };
        let there = body.apply_to_twist(carried);
        let f = rotation.apply(there.f);
        let m = if turning { rotation.apply(there.m) } else { Vec3::ZERO };
        let moved = if turning {
            body.transform_to_frame(&rotation, r)
        } else {
            body.transform_without_rotation(&rotation, r)
        };
        assert_close(moved.apply_to_twist(t), Wrench { f, m: m + r.cross(f) });
    }
}
