//! Lagrange's equations by symbolic differentiation, against equations derived by hand
//! with partial velocities.
use std::time::Instant;

use dqdt_algebra::{Axis, Cmp, Func, Inertia, Jet, Mat3, PiecewiseCubic, Scalar, Twist, Vec3};
use dqdt_equations::symbolic::{
    Assumptions, LagrangeInput, LagrangeRequest, LagrangeVerdicts, RateMap, Reason, Status, Verdict,
    prove_lagrange,
};
use dqdt_graph::ir::{Graph, NodeId, SymbolKind, Tracer};

fn symbol<'g>(g: &'g Graph, name: &str, kind: SymbolKind) -> Tracer<'g> {
    Tracer::new(g, g.symbol(name, kind))
}

struct Parameters<'g> {
    g: &'g Graph,
    next: usize,
}

impl<'g> Parameters<'g> {
    fn new(g: &'g Graph) -> Self {
        Parameters { g, next: 0 }
    }
    fn get(&mut self, name: &str) -> Tracer<'g> {
        self.next += 1;
        symbol(self.g, name, SymbolKind::Parameter(self.next - 1))
    }
    fn vector(&mut self, name: &str) -> Vec3<Tracer<'g>> {
        Vec3(["x", "y", "z"].map(|a| self.get(&format!("{name}_{a}"))))
    }
    fn inertia(&mut self, name: &str) -> Inertia<Tracer<'g>> {
        let mass = self.get(&format!("m{name}"));
        let first = self.vector(&format!("s{name}"));
        let [xx, yy, zz] = self.vector(&format!("J{name}")).0;
        let [xy, yz, xz] = self.vector(&format!("C{name}")).0;
        Inertia { mass, first, second: Mat3([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) }
    }
}

fn lift_inertia<'g>(i: &Inertia<Tracer<'g>>) -> Inertia<Jet<Tracer<'g>>> {
    Inertia {
        mass: Jet::constant(i.mass),
        first: i.first.map(Jet::constant),
        second: i.second.map(Jet::constant),
    }
}

fn twist_value<'g>(t: &Twist<Jet<Tracer<'g>>>) -> Twist<Tracer<'g>> {
    Twist { v: t.v.map(|x| x.v), w: t.w.map(|x| x.v) }
}

/// Acceleration with that of the pole as a point, so with `ω × v`.
fn twist_acceleration<'g>(t: &Twist<Jet<Tracer<'g>>>) -> Twist<Tracer<'g>> {
    let now = twist_value(t);
    Twist { v: t.v.map(|x| x.d) + now.w.cross(now.v), w: t.w.map(|x| x.d) }
}

/// Mass matrix and bias (without gravity) by Kane's method, for bodies with given twists.
fn kane<'g>(
    q: &[Tracer<'g>],
    v: &[Tracer<'g>],
    rates: &[Tracer<'g>],
    inertias: &[Inertia<Tracer<'g>>],
    twists: impl Fn(&[Jet<Tracer<'g>>], &[Jet<Tracer<'g>>]) -> Vec<Twist<Jet<Tracer<'g>>>>,
) -> (Vec<Tracer<'g>>, Vec<Tracer<'g>>) {
    let constant: Vec<_> = q.iter().map(|x| Jet::constant(*x)).collect();
    let partials: Vec<Vec<Twist<Tracer<'g>>>> = (0..v.len())
        .map(|k| {
            let unit: Vec<_> = (0..v.len()).map(|i| if i == k { Jet::ONE } else { Jet::ZERO }).collect();
            twists(&constant, &unit).iter().map(twist_value).collect()
        })
        .collect();
    let moving: Vec<_> = q.iter().zip(rates).map(|(q, r)| Jet::new(*q, *r)).collect();
    let steady: Vec<_> = v.iter().map(|v| Jet::constant(*v)).collect();
    let now = twists(&moving, &steady);
    let mut mass = Vec::new();
    let mut bias = Vec::new();
    for a in &partials {
        for b in &partials {
            let m = inertias.iter().zip(a).zip(b).map(|((i, x), y)| i.momentum(*y).power_on_twist(*x));
            mass.push(m.fold(Tracer::ZERO, |s, x| s + x));
        }
        let c =
            inertias.iter().zip(a).zip(&now).map(|((i, x), t)| {
                i.inertial_wrench(twist_value(t).w, twist_acceleration(t)).power_on_twist(*x)
            });
        bias.push(c.fold(Tracer::ZERO, |s, x| s + x));
    }
    (mass, bias)
}

fn ids(g: &Graph, all: &[Tracer<'_>]) -> Vec<NodeId> {
    all.iter().map(|t| t.id(g)).collect()
}

fn gradient<'g>(q: &[Tracer<'g>], f: impl Fn(&[Jet<Tracer<'g>>]) -> Jet<Tracer<'g>>) -> Vec<Tracer<'g>> {
    (0..q.len())
        .map(|k| {
            let x: Vec<_> = q
                .iter()
                .enumerate()
                .map(|(i, q)| if i == k { Jet::variable(*q) } else { Jet::constant(*q) })
                .collect();
            f(&x).d
        })
        .collect()
}

/// Planar double pendulum in relative angles, `q̇ = v`, with a damper at the second joint.
/// `has_wrong_sign` reverses the sign of gravity.
fn double_pendulum<'g>(g: &'g Graph, has_wrong_sign: bool) -> LagrangeRequest {
    let mut p = Parameters::new(g);
    let [l, gravity, d] = ["l", "g", "d"].map(|n| p.get(n));
    let inertias = [p.inertia("1"), p.inertia("2")];
    let q: Vec<_> =
        (0..2).map(|i| symbol(g, &format!("theta{}", i + 1), SymbolKind::Coordinate(i))).collect();
    let v: Vec<_> = (0..2).map(|i| symbol(g, &format!("omega{}", i + 1), SymbolKind::Speed(i))).collect();
    let r: Vec<_> = (0..2).map(|i| symbol(g, &format!("rate{}", i + 1), SymbolKind::Rate(i))).collect();
    fn twists<S: Scalar>(l: S, q: &[S], v: &[S]) -> Vec<Twist<S>> {
        let z = Vec3::unit_vector(2);
        let first = Twist { v: Vec3::ZERO, w: z.scale(v[0]) };
        let turn = Mat3::rotation_about_axis(Axis::Z, q[1]);
        let at = first.velocity_at(Vec3::unit_vector(1).scale(-l));
        vec![first, Twist { v: turn.apply_transposed(at), w: z.scale(v[0] + v[1]) }]
    }
    let potential = |q: &[Jet<Tracer<'g>>]| {
        let first = Mat3::rotation_about_axis(Axis::Z, q[0]);
        let second = Mat3::rotation_about_axis(Axis::Z, q[0] + q[1]);
        let [a, b] = [lift_inertia(&inertias[0]), lift_inertia(&inertias[1])];
        let arm = Vec3::unit_vector(1).scale(-Jet::constant(l) * b.mass);
        let y = first.apply(a.first + arm)[1] + second.apply(b.first)[1];
        Jet::constant(gravity) * y
    };
    let kinetic =
        inertias.iter().zip(twists(l, &q, &r)).fold(Tracer::ZERO, |s, (i, t)| s + i.kinetic_energy(t));
    let (mass, mut bias) = kane(&q, &v, &v, &inertias, |q, v| twists(Jet::constant(l), q, v));
    let slope = gradient(&q, potential);
    for i in 0..2 {
        bias[i] = if has_wrong_sign && i == 1 { bias[i] - slope[i] } else { bias[i] + slope[i] };
    }
    bias[1] = bias[1] + d * v[1];
    let constant: Vec<_> = q.iter().map(|q| Jet::constant(*q)).collect();
    LagrangeRequest::new(&LagrangeInput {
        graph: g,
        nq: 2,
        nv: 2,
        kinetic: kinetic.id(g),
        potential: potential(&constant).v.id(g),
        map: None,
        mass: ids(g, &mass),
        bias: ids(g, &bias),
        forces: ids(g, &[Tracer::ZERO, -d * v[1]]),
    })
    .unwrap()
}

fn prove_timed(name: &str, request: LagrangeRequest, assumptions: &Assumptions) -> LagrangeVerdicts {
    let start = Instant::now();
    let verdicts = prove_lagrange(&request, assumptions).unwrap();
    println!("{name}: {:.2} s", start.elapsed().as_secs_f64());
    verdicts
}

#[test]
fn a_double_pendulum_by_hand_is_lagranges() {
    let g = Graph::new();
    let verdicts = prove_timed("double pendulum", double_pendulum(&g, false), &Assumptions::default());
    assert_eq!(verdicts.overall(), Verdict::Proved { inexact: false });
    assert_eq!((verdicts.mass.len(), verdicts.rest.len()), (4, 2));
}

#[test]
fn a_wrong_sign_of_gravity_is_refuted_in_its_entry() {
    let g = Graph::new();
    let verdicts = prove_timed("wrong pendulum", double_pendulum(&g, true), &Assumptions::default());
    assert!(verdicts.mass.iter().all(Verdict::is_proved) && verdicts.rest[0].is_proved());
    let Verdict::Refuted { which: 5, difference, witness } = &verdicts.rest[1] else {
        panic!("{:?}", verdicts.rest[1])
    };
    assert!(!witness.is_empty() && difference.contains("s2_x"), "{difference}");
}

/// Rods on a spherical and a revolute joint with general inertias, first moments and joint offset.
fn spherical_and_revolute<'g>(g: &'g Graph, has_quaternion: bool) -> LagrangeRequest {
    let mut p = Parameters::new(g);
    let gravity = p.get("g");
    let arm = p.vector("r");
    let inertias = [p.inertia("1"), p.inertia("2")];
    let nq = if has_quaternion { 5 } else { 4 };
    let q: Vec<_> =
        (0..nq).map(|i| symbol(g, &format!("alpha{}", i + 1), SymbolKind::Coordinate(i))).collect();
    let v: Vec<_> = ["omega_x", "omega_y", "omega_z", "alpha4_dot"]
        .iter()
        .enumerate()
        .map(|(i, n)| symbol(g, n, SymbolKind::Speed(i)))
        .collect();
    let r: Vec<_> = (0..nq).map(|i| symbol(g, &format!("rate{}", i + 1), SymbolKind::Rate(i))).collect();
    fn attitude<S: Scalar>(q: &[S]) -> Mat3<S> {
        if q.len() == 5 {
            Mat3::from_quaternion([q[0], q[1], q[2], q[3]])
        } else {
            Mat3::euler_rotation([Axis::X, Axis::Y, Axis::Z], [q[0], q[1], q[2]])
        }
    }
    fn twists<S: Scalar>(arm: Vec3<S>, q: &[S], v: &[S]) -> Vec<Twist<S>> {
        let first = Twist { v: Vec3::ZERO, w: Vec3([v[0], v[1], v[2]]) };
        let turn = Mat3::rotation_about_axis(Axis::Y, q[q.len() - 1]);
        let at = turn.apply_transposed(first.velocity_at(arm));
        vec![first, Twist { v: at, w: turn.apply_transposed(first.w) + Vec3::unit_vector(1).scale(v[3]) }]
    }
    let potential = |q: &[Jet<Tracer<'g>>]| {
        let first = attitude(q);
        let second = first.mul(&Mat3::rotation_about_axis(Axis::Y, q[q.len() - 1]));
        let [a, b] = [lift_inertia(&inertias[0]), lift_inertia(&inertias[1])];
        let at = first.apply(a.first + arm.map(Jet::constant).scale(b.mass)) + second.apply(b.first);
        Jet::constant(gravity) * at[2]
    };
    // ω̃ = Rᵀ Ṙ for angles; ω = 2 q* q̇ for quaternions.
    let two = Tracer::ratio(2, 1);
    let spin = if has_quaternion {
        let ([w, x, y, z], [dw, dx, dy, dz]) = ([q[0], q[1], q[2], q[3]], [r[0], r[1], r[2], r[3]]);
        [
            two * (w * dx - x * dw - y * dz + z * dy),
            two * (w * dy + x * dz - y * dw - z * dx),
            two * (w * dz - x * dy + y * dx - z * dw),
        ]
    } else {
        let moving: Vec<_> = q.iter().zip(&r).map(|(q, r)| Jet::new(*q, *r)).collect();
        let turn = attitude(&moving);
        let w = turn.map(|x| x.v).transposed_mul(&turn.map(|x| x.d));
        [w.0[2][1], w.0[0][2], w.0[1][0]]
    };
    let kinetic = inertias
        .iter()
        .zip(twists(arm, &q, &[spin[0], spin[1], spin[2], r[nq - 1]]))
        .fold(Tracer::ZERO, |s, (i, t)| s + i.kinetic_energy(t));
    let o = Tracer::ZERO;
    let n: Vec<Tracer<'g>> = if has_quaternion {
        let h = Tracer::ratio(1, 2);
        let [w, x, y, z] = [q[0] * h, q[1] * h, q[2] * h, q[3] * h];
        vec![-x, -y, -z, o, w, -z, y, o, z, w, -x, o, -y, x, w, o, o, o, o, Tracer::ONE]
    } else {
        let ((sb, cb), (sc, cc)) = (q[1].sin_cos(), q[2].sin_cos());
        vec![
            cc / cb,
            -sc / cb,
            o,
            o,
            sc,
            cc,
            o,
            o,
            -sb * cc / cb,
            sb * sc / cb,
            Tracer::ONE,
            o,
            o,
            o,
            o,
            Tracer::ONE,
        ]
    };
    let rates: Vec<Tracer<'g>> = (0..nq).map(|i| (0..4).fold(o, |s, k| s + n[i * 4 + k] * v[k])).collect();
    let (mass, mut bias) = kane(&q, &v, &rates, &inertias, |q, v| twists(arm.map(Jet::constant), q, v));
    let slope = gradient(&q, potential);
    for k in 0..4 {
        bias[k] = bias[k] + (0..nq).fold(o, |s, i| s + n[i * 4 + k] * slope[i]);
    }
    let constant: Vec<_> = q.iter().map(|q| Jet::constant(*q)).collect();
    LagrangeRequest::new(&LagrangeInput {
        graph: g,
        nq,
        nv: 4,
        kinetic: kinetic.id(g),
        potential: potential(&constant).v.id(g),
        map: Some(RateMap { n: ids(g, &n), n0: ids(g, &vec![o; nq]) }),
        mass: ids(g, &mass),
        bias: ids(g, &bias),
        forces: ids(g, &[o; 4]),
    })
    .unwrap()
}

#[test]
fn a_spherical_and_a_revolute_joint_in_bryant_angles_are_lagranges() {
    let g = Graph::new();
    let request = spherical_and_revolute(&g, false);
    println!("{} nodes", g.len());
    let verdicts = prove_timed("spherical and revolute, angles", request, &Assumptions::default());
    assert_eq!(verdicts.overall(), Verdict::Proved { inexact: false });
}

#[test]
fn a_spherical_and_a_revolute_joint_with_a_quaternion_are_lagranges() {
    let g = Graph::new();
    let unit = Assumptions { quaternions: vec![[0, 1, 2, 3]], ..Assumptions::default() };
    let request = spherical_and_revolute(&g, true);
    let verdicts = prove_timed("spherical and revolute, quaternion", request, &unit);
    assert_eq!(verdicts.overall(), Verdict::Proved { inexact: false });
}

/// A bead on a rod that rotates as `W t`, with a spring from a point fixed at the distance `d` from
/// the rod; the speed is `v = ṙ + W d cos(W t)`. `extra` is added to the potential, and its
/// derivative to the bias.
fn bead<'g>(g: &'g Graph, extra: impl Fn(Jet<Tracer<'g>>) -> Jet<Tracer<'g>>) -> LagrangeRequest {
    let mut p = Parameters::new(g);
    let [m, w, k, d] = ["m", "W", "k", "d"].map(|n| p.get(n));
    let q = symbol(g, "r", SymbolKind::Coordinate(0));
    let rate = symbol(g, "r_dot", SymbolKind::Rate(0));
    let t = symbol(g, "t", SymbolKind::Time);
    let half = Tracer::ratio(1, 2);
    let (s, c) = (w * t).sin_cos();
    let kinetic = half * m * (rate * rate + q * q * w * w);
    let potential = |q: Jet<Tracer<'g>>| {
        let length = (q * q + Jet::constant(d * d)).sqrt();
        let stretch = length - Jet::constant(d);
        Jet::constant(half * k) * stretch * stretch + extra(q)
    };
    // q̇ = v + n₀ with n₀ = −W d cos(W t), so q̈ = v̇ + W² d sin(W t).
    let n0 = -(w * d * c);
    let bias = m * (w * w * d * s) - m * q * w * w + potential(Jet::variable(q)).d;
    LagrangeRequest::new(&LagrangeInput {
        graph: g,
        nq: 1,
        nv: 1,
        kinetic: kinetic.id(g),
        potential: potential(Jet::constant(q)).v.id(g),
        map: Some(RateMap { n: ids(g, &[Tracer::ONE]), n0: ids(g, &[n0]) }),
        mass: ids(g, &[m]),
        bias: ids(g, &[bias]),
        forces: ids(g, &[Tracer::ZERO]),
    })
    .unwrap()
}

#[test]
fn moving_drives_and_springs_are_differentiated() {
    let g = Graph::new();
    let verdicts = prove_lagrange(&bead(&g, |_| Jet::ZERO), &Assumptions::default()).unwrap();
    assert_eq!(verdicts.overall(), Verdict::Proved { inexact: false });
    for f in [Func::Exp, Func::Tanh, Func::Atan, Func::Cosh, Func::Tan] {
        let g = Graph::new();
        let verdicts = prove_lagrange(&bead(&g, |q| q.apply_function(f)), &Assumptions::default()).unwrap();
        assert!(verdicts.overall().is_proved(), "{f:?}: {verdicts:?}");
    }
}

#[test]
fn tables_are_differentiated_and_selections_are_checked_by_numbers() {
    let g = Graph::new();
    let table = PiecewiseCubic::natural_spline(&[0.0, 1.0, 2.0], &[0.0, 1.0, 0.0]);
    let verdicts =
        prove_lagrange(&bead(&g, |q| q.interpolate_table(&table)), &Assumptions::default()).unwrap();
    assert_eq!(verdicts.overall(), Verdict::Proved { inexact: true });
    let g = Graph::new();
    let selection = bead(&g, |q| Scalar::select(Cmp::Lt, q, Scalar::ONE, Scalar::ZERO, q * q));
    let verdicts = prove_lagrange(&selection, &Assumptions::default()).unwrap();
    assert!(verdicts.mass[0].is_proved());
    let Verdict::Undecided { reason: Reason::NoDerivative { function }, .. } = &verdicts.rest[0] else {
        panic!("{verdicts:?}")
    };
    assert_eq!(function, "select_lt");
    assert_eq!(verdicts.rest[0].status(), Status::Checked, "{verdicts:?}");
    // A factor of 3 instead of 2.
    let g = Graph::new();
    let q = symbol(&g, "r", SymbolKind::Coordinate(0));
    let rate = symbol(&g, "r_dot", SymbolKind::Rate(0));
    let wrong = |factor: i32| {
        let stop = |value: Tracer<'_>| Tracer::select(Cmp::Lt, q, Tracer::ONE, Tracer::ZERO, value).id(&g);
        let request = LagrangeRequest::new(&LagrangeInput {
            graph: &g,
            nq: 1,
            nv: 1,
            kinetic: (Tracer::ratio(1, 2) * rate * rate).id(&g),
            potential: stop(q * q - Tracer::ONE),
            map: Some(RateMap { n: ids(&g, &[Tracer::ONE]), n0: ids(&g, &[Tracer::ZERO]) }),
            mass: ids(&g, &[Tracer::ONE]),
            bias: vec![stop(Tracer::ratio(factor, 1) * q)],
            forces: ids(&g, &[Tracer::ZERO]),
        });
        prove_lagrange(&request.unwrap(), &Assumptions::default()).unwrap().rest[0].status()
    };
    assert_eq!([wrong(2), wrong(3)], [Status::Checked, Status::Refuted]);
}

#[test]
fn what_the_engine_cannot_derive_is_checked_by_differences() {
    // With a quaternion (equal only at unit length), with rates as symbols, and in a driven frame.
    let g = Graph::new();
    let unit = Assumptions { quaternions: vec![[0, 1, 2, 3]], limit: 20, ..Assumptions::default() };
    let verdicts = prove_lagrange(&spherical_and_revolute(&g, true), &unit).unwrap();
    let all = verdicts.mass.iter().chain(&verdicts.rest);
    let open = all.clone().filter(|v| !v.is_proved()).count();
    assert!(open > 4 && all.clone().all(|v| v.status() <= Status::Checked), "{verdicts:?}");
    let g = Graph::new();
    let tight = Assumptions { limit: 2, ..Assumptions::default() };
    let verdicts = prove_lagrange(&bead(&g, |_| Jet::ZERO), &tight).unwrap();
    assert_eq!(verdicts.rest[0].status(), Status::Checked, "{verdicts:?}");
}
