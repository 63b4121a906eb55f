//! Reactions of closed loops, checked by Newton's and Euler's equations of each body.
//!
//! Accelerations are finite differences of positions from trigonometry; the generator's
//! kinematics is not used.

use dqdt_codegen::pipeline::{self, Request};
use dqdt_codegen::{Formalism, functions};
use dqdt_derivation::assemble::{Manifold, find_state};
use dqdt_graph::ir::{Arguments, Machine};

type PlaneVector = [f64; 2];

fn vector_at_angle(length: f64, angle: f64) -> PlaneVector {
    [length * angle.cos(), length * angle.sin()]
}

fn add(a: PlaneVector, b: PlaneVector) -> PlaneVector {
    [a[0] + b[0], a[1] + b[1]]
}

fn less(a: PlaneVector, b: PlaneVector) -> PlaneVector {
    [a[0] - b[0], a[1] - b[1]]
}

/// Moment about the axis z of a force at a lever arm.
fn moment(arm: PlaneVector, force: PlaneVector) -> f64 {
    arm[0] * force[1] - arm[1] * force[0]
}

/// A state on the constraints with its accelerations, reactions and multipliers.
struct LoopMotion {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    /// Force and moment through each joint, in child axes.
    reactions: Vec<Vec<f64>>,
    multipliers: Vec<f64>,
}

impl LoopMotion {
    fn new(spec: &str, formalism: Formalism, (q, v): (f64, f64), u: f64) -> LoopMotion {
        let path = format!("{}/../../examples/specs/{spec}.toml", env!("CARGO_MANIFEST_DIR"));
        let loaded = pipeline::load(std::path::Path::new(&path)).unwrap();
        let mut request = Request::all(formalism);
        request.functions.push(functions::REACTIONS);
        let program = pipeline::program(&loaded, &request);
        let mut at = Arguments::defaults(&program);
        // The crank is given; the other two coordinates depend on it.
        (at.q[0], at.v[0], at.u[0]) = (q, v, u);
        let manifold = Manifold::with_default_parameters(&loaded.mechanism);
        let held = [true, false, false];
        let state = find_state(&manifold, 0.0, (&at.q, &at.v), (&held, &held)).unwrap();
        (at.q, at.v) = (state.q, state.v);
        assert!((at.q[0] - q).abs() < 1e-12 && (at.v[0] - v).abs() < 1e-12);
        let call = |kind| Machine::new(&program, kind).unwrap().call(&at).unwrap().to_vec();
        LoopMotion {
            a: call(functions::DQDT)[3..].to_vec(),
            reactions: call(functions::REACTIONS).chunks(6).map(<[f64]>::to_vec).collect(),
            multipliers: call(functions::MULTIPLIERS),
            q: at.q,
            v: at.v,
        }
    }

    /// Second time derivative of a function of the coordinates along the motion, by central
    /// differences with two steps and Richardson extrapolation.
    fn second_derivative(&self, f: impl Fn(&[f64]) -> f64) -> f64 {
        let at = |t: f64| {
            let q: Vec<f64> = (0..3).map(|i| self.q[i] + t * self.v[i] + 0.5 * t * t * self.a[i]).collect();
            f(&q)
        };
        let difference = |h: f64| (at(h) - 2.0 * at(0.0) + at(-h)) / (h * h);
        let h = 4e-4;
        (4.0 * difference(h / 2.0) - difference(h)) / 3.0
    }

    fn acceleration(&self, place: impl Fn(&[f64]) -> PlaneVector) -> PlaneVector {
        [self.second_derivative(|q| place(q)[0]), self.second_derivative(|q| place(q)[1])]
    }

    /// The in-plane force through a joint, in ground axes. Panics if any other component but the
    /// moment about z is non-zero.
    fn force(&self, joint: usize, angle: f64) -> PlaneVector {
        let r = &self.reactions[joint];
        let across = [r[2], r[3], r[4]];
        assert!(across.iter().all(|x| x.abs() < 1e-9), "joint {joint}: {across:?}");
        add(vector_at_angle(r[0], angle), vector_at_angle(r[1], angle + std::f64::consts::FRAC_PI_2))
    }
}

fn assert_near(actual: f64, expected: f64, scale: f64, what: &str) {
    assert!((actual - expected).abs() < 1e-6 * scale, "{what}: {actual} against {expected}");
}

/// Checks Newton's and Euler's equations of a body under forces with points of
/// application, and moments.
fn assert_balance(
    motion: &LoopMotion,
    (mass, inertia): (f64, f64),
    centre: impl Fn(&[f64]) -> PlaneVector,
    angle: impl Fn(&[f64]) -> f64,
    forces: &[(PlaneVector, PlaneVector)],
    moments: f64,
    what: &str,
) {
    let acceleration = motion.acceleration(&centre);
    let weight = [0.0, -9.81 * mass];
    let sum = forces.iter().fold(weight, |sum, (_, f)| add(sum, *f));
    let at = centre(&motion.q);
    let turned = forces.iter().fold(moments, |sum, (place, f)| sum + moment(less(*place, at), *f));
    let scale = forces.iter().flat_map(|(_, f)| f).fold(1.0f64, |m, x| m.max(x.abs()));
    assert_near(sum[0], mass * acceleration[0], scale, &format!("{what}, along x"));
    assert_near(sum[1], mass * acceleration[1], scale, &format!("{what}, along y"));
    assert_near(turned, inertia * motion.second_derivative(&angle), scale, &format!("{what}, moment"));
}

fn opposite(f: PlaneVector) -> PlaneVector {
    [-f[0], -f[1]]
}

const FORMALISMS: [Formalism; 3] = [Formalism::Kane, Formalism::Lagrange, Formalism::CompositeBody];

/// Mass and moment of inertia of a uniform rod about its centre.
fn rod_inertia(m: f64, l: f64) -> (f64, f64) {
    (m, m * l * l / 12.0)
}

#[test]
fn every_link_of_the_four_bar_is_in_balance() {
    let (a, b, c, d) = (0.1, 0.5, 0.4, 0.4);
    for formalism in FORMALISMS {
        for (phi, rate, drive) in [(1.6, 10.0, 0.0), (0.3, -4.0, 2.5), (2.9, 25.0, -7.0), (4.4, 0.0, 1.0)] {
            let s = LoopMotion::new("four_bar", formalism, (phi, rate), drive);
            let [p, q, r] = [s.q[0], s.q[0] + s.q[1], s.q[2]];
            let (hinge_b, hinge_d) = (vector_at_angle(a, p), [d, 0.0]);
            let hinge_c = add(hinge_d, vector_at_angle(c, r));
            assert_near(
                less(add(hinge_b, vector_at_angle(b, q)), hinge_c)[0],
                0.0,
                1e-4,
                "the loop is closed",
            );
            let (on_crank, on_coupler, on_rocker) = (s.force(0, p), s.force(1, q), s.force(2, r));
            // The force of the rocker on the coupler; multipliers are in rocker axes.
            let cut = add(
                vector_at_angle(s.multipliers[0], r),
                vector_at_angle(s.multipliers[1], r + std::f64::consts::FRAC_PI_2),
            );
            // A hinge transmits the moment of its drive and no other.
            assert_near(s.reactions[0][5], drive, 1.0, "moment at A");
            assert_near(s.reactions[1][5], 0.0, 1.0, "moment at B");
            assert_near(s.reactions[2][5], 0.0, 1.0, "moment at D");
            assert_balance(
                &s,
                rod_inertia(0.5, a),
                |q| vector_at_angle(a / 2.0, q[0]),
                |q| q[0],
                &[([0.0, 0.0], on_crank), (hinge_b, opposite(on_coupler))],
                s.reactions[0][5],
                "crank",
            );
            assert_balance(
                &s,
                rod_inertia(1.0, b),
                |q| add(vector_at_angle(a, q[0]), vector_at_angle(b / 2.0, q[0] + q[1])),
                |q| q[0] + q[1],
                &[(hinge_b, on_coupler), (hinge_c, cut)],
                0.0,
                "coupler",
            );
            assert_balance(
                &s,
                rod_inertia(0.8, c),
                |q| add([d, 0.0], vector_at_angle(c / 2.0, q[2])),
                |q| q[2],
                &[(hinge_d, on_rocker), (hinge_c, opposite(cut))],
                0.0,
                "rocker",
            );
        }
    }
}

#[test]
fn every_part_of_the_slider_crank_is_in_balance() {
    let (r, l) = (0.3, 0.5);
    for formalism in FORMALISMS {
        for (phi, rate, gas) in [(1.5, 8.0, 0.0), (0.4, -5.0, 40.0), (2.5, 20.0, -100.0), (5.0, 0.0, 10.0)] {
            let s = LoopMotion::new("slider_crank", formalism, (phi, rate), gas);
            let [p, q] = [s.q[0], s.q[0] + s.q[1]];
            let (hinge_b, hinge_c) = (vector_at_angle(r, p), [s.q[2], 0.0]);
            assert_near(
                less(add(hinge_b, vector_at_angle(l, q)), hinge_c)[1],
                0.0,
                1e-4,
                "the loop is closed",
            );
            let (on_crank, on_rod, on_slider) = (s.force(0, p), s.force(1, q), s.force(2, 0.0));
            // The force of the slider on the rod, in slider axes.
            let cut = [s.multipliers[0], s.multipliers[1]];
            assert_near(s.reactions[0][5], 0.0, 1.0, "moment at A");
            assert_near(s.reactions[1][5], 0.0, 1.0, "moment at B");
            assert_near(on_slider[0], gas, 1.0, "the guide carries no force along itself but the drive's");
            assert_balance(
                &s,
                rod_inertia(0.8, r),
                |q| vector_at_angle(r / 2.0, q[0]),
                |q| q[0],
                &[([0.0, 0.0], on_crank), (hinge_b, opposite(on_rod))],
                0.0,
                "crank",
            );
            assert_balance(
                &s,
                rod_inertia(0.5, l),
                |q| add(vector_at_angle(r, q[0]), vector_at_angle(l / 2.0, q[0] + q[1])),
                |q| q[0] + q[1],
                &[(hinge_b, on_rod), (hinge_c, cut)],
                0.0,
                "rod",
            );
            assert_balance(
                &s,
                (1.2, 0.0),
                |q| [q[2], 0.0],
                |_| 0.0,
                &[(hinge_c, on_slider), (hinge_c, opposite(cut))],
                s.reactions[2][5],
                "slider",
            );
        }
    }
}
