//! The theory chapters: their formulas with dense matrices reproduce the program and their numbers.
//!
//! All matrices are built here from sines, cosines and products; only the command is used.
//!
//! Above 500 lines: one function per chapter, for one arm with shared structure matrices.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nalgebra::{DMatrix, DVector};
use serde_json::{Value, json};

use crate::book;

type DenseMatrix = DMatrix<f64>;
type DenseVector = DVector<f64>;

/// The planar two-link arm of the chapters, at a state.
#[derive(Clone, Copy, Debug)]
struct Arm {
    g: f64,
    l: f64,
    m: [f64; 2],
    angle: [f64; 2],
    rate: [f64; 2],
    tau: [f64; 2],
}

const OF_THE_BOOK: Arm = Arm {
    g: 10.0,
    l: 1.0,
    m: [1.0, 1.0],
    angle: [0.0, std::f64::consts::FRAC_PI_2],
    rate: [1.0, 2.0],
    tau: [0.0, 0.0],
};

/// Matrix blocks of the structure chapter, in components (x, y, rotation).
struct Structure {
    twist: [DenseVector; 2],
    /// Twist transformation C from body 1 to body 2.
    carry: DenseMatrix,
    motion: DenseVector,
    inertia: [DenseMatrix; 2],
    bias: [DenseVector; 2],
    load: [DenseVector; 2],
    /// Velocity-dependent inertial wrench of each body, `(ω × (ω × m c); ω × J ω)`.
    gyroscopic: [DenseVector; 2],
    s: DenseMatrix,
    t: DenseMatrix,
    a: DenseMatrix,
}

fn vector(values: &[f64]) -> DenseVector {
    DenseVector::from_column_slice(values)
}

fn matrix(rows: &[&[f64]]) -> DenseMatrix {
    DenseMatrix::from_row_iterator(rows.len(), rows[0].len(), rows.iter().flat_map(|r| r.iter().copied()))
}

/// Matrix from components to components in axes rotated by an angle.
fn rotation(angle: f64) -> DenseMatrix {
    let (s, c) = angle.sin_cos();
    matrix(&[&[c, s], &[-s, c]])
}

fn stack(parts: &[DenseVector; 2]) -> DenseVector {
    DenseVector::from_iterator(6, parts.iter().flat_map(|p| p.iter().copied()))
}

fn block_diagonal(parts: &[DenseMatrix; 2]) -> DenseMatrix {
    let mut all = DenseMatrix::zeros(6, 6);
    all.view_mut((0, 0), (3, 3)).copy_from(&parts[0]);
    all.view_mut((3, 3), (3, 3)).copy_from(&parts[1]);
    all
}

impl Arm {
    fn structure(&self) -> Structure {
        let Arm { g, l, m, angle, rate, .. } = *self;
        let turning = [rate[0], rate[0] + rate[1]];
        let motion = vector(&[0.0, 0.0, 1.0]);
        // C = (O, −O r̃; 0, 1) with r = (l, 0): ω × r = (0, l ω).
        let o = rotation(angle[1]);
        let arm = &o * vector(&[0.0, l]);
        let carry =
            matrix(&[&[o[(0, 0)], o[(0, 1)], arm[0]], &[o[(1, 0)], o[(1, 1)], arm[1]], &[0.0, 0.0, 1.0]]);
        let first = vector(&[0.0, 0.0, rate[0]]);
        let second = &carry * &first + &motion * rate[1];
        let inertia = m.map(|m| matrix(&[&[m, 0.0, 0.0], &[0.0, m, m * l], &[0.0, m * l, m * l * l]]));
        // ω × (ω × r) = −ω² r.
        let pulled = &o * vector(&[-turning[0] * turning[0] * l, 0.0]);
        let bias = [DenseVector::zeros(3), vector(&[pulled[0], pulled[1], 0.0])];
        let ground = [angle[0], angle[0] + angle[1]];
        let load = [0, 1].map(|i| {
            let f = rotation(ground[i]) * vector(&[0.0, -g * m[i]]);
            vector(&[f[0], f[1], l * f[1]])
        });
        let gyroscopic = [0, 1].map(|i| vector(&[-turning[i] * turning[i] * m[i] * l, 0.0, 0.0]));
        let mut s = DenseMatrix::identity(6, 6);
        s.view_mut((3, 0), (3, 3)).copy_from(&-&carry);
        let t = s.clone().try_inverse().unwrap();
        let mut a = DenseMatrix::zeros(6, 2);
        a[(2, 0)] = 1.0;
        a[(5, 1)] = 1.0;
        Structure { twist: [first, second], carry, motion, inertia, bias, load, gyroscopic, s, t, a }
    }

    fn tau(&self) -> DenseVector {
        vector(&[self.tau[0], self.tau[1]])
    }
}

impl Structure {
    fn m(&self) -> DenseMatrix {
        block_diagonal(&self.inertia)
    }

    fn forces(&self) -> [DenseVector; 2] {
        [0, 1].map(|i| &self.load[i] - &self.gyroscopic[i])
    }

    fn f(&self) -> DenseVector {
        stack(&self.forces())
    }

    fn w(&self) -> DenseVector {
        stack(&self.bias)
    }

    fn ta(&self) -> DenseMatrix {
        &self.t * &self.a
    }
}

fn solve(a: &DenseMatrix, b: &DenseVector) -> DenseVector {
    a.clone().lu().solve(b).unwrap()
}

/// Results of a chapter: accelerations and, if computed, reactions.
struct ChapterSolution {
    v: DenseVector,
    /// Reactions of both joints, if the formalism computes them.
    r: Option<DenseVector>,
}

/// Values in the chapters by name.
type ChapterValues = BTreeMap<String, Vec<f64>>;

fn record_matrix(table: &mut ChapterValues, name: &str, values: &DenseMatrix) {
    // By rows, as they are printed.
    table.insert(name.to_owned(), values.transpose().iter().copied().collect());
}

fn record_vector(table: &mut ChapterValues, name: &str, values: &DenseVector) {
    table.insert(name.to_owned(), values.iter().copied().collect());
}

fn kane(arm: &Arm, t: &mut ChapterValues) -> ChapterSolution {
    let s = arm.structure();
    let columns = [[s.motion.clone(), &s.carry * &s.motion], [DenseVector::zeros(3), s.motion.clone()]];
    let still = [0, 1].map(|i| &s.inertia[i] * &s.bias[i] + &s.gyroscopic[i]);
    let along = |x: &[DenseVector; 2]| {
        DenseVector::from_iterator(2, columns.iter().map(|c| c[0].dot(&x[0]) + c[1].dot(&x[1])))
    };
    let (q, c) = (along(&s.load) + arm.tau(), along(&still));
    let m = DenseMatrix::from_fn(2, 2, |i, j| {
        [0, 1].iter().map(|b| columns[i][*b].dot(&(&s.inertia[*b] * &columns[j][*b]))).sum()
    });
    for (i, (load, inertial)) in s.load.iter().zip(&still).enumerate() {
        record_vector(t, &format!("W{}", i + 1), load);
        record_vector(t, &format!("I{}", i + 1), inertial);
    }
    record_vector(t, "Q", &q);
    record_vector(t, "c", &c);
    record_matrix(t, "M", &m);
    ChapterSolution { v: solve(&m, &(q - c)), r: None }
}

fn direct(arm: &Arm, t: &mut ChapterValues) -> ChapterSolution {
    let s = arm.structure();
    let (j, m) = (s.ta(), s.m());
    let mass = j.transpose() * &m * &j;
    let h = j.transpose() * (s.f() - &m * &s.t * s.w()) + arm.tau();
    record_matrix(t, "TA", &j);
    record_vector(t, "Tw", &(&s.t * s.w()));
    record_vector(t, "h", &h);
    for i in 0..2 {
        let jacobian = j.rows(3 * i, 3).into_owned();
        record_matrix(
            t,
            &format!("M of body {}", i + 1),
            &(jacobian.transpose() * &s.inertia[i] * &jacobian),
        );
    }
    let v = solve(&mass, &h);
    let accelerations = &s.t * (&s.a * &v + s.w());
    record_vector(t, "Vdot", &accelerations);
    ChapterSolution { r: Some(s.t.transpose() * (&m * accelerations - s.f())), v }
}

/// Solves by `Y = LᵀDL` with two speeds, the second first. Records pivots, L₂₁, y and z.
fn from_the_leaves(h: &DenseMatrix, right: &DenseVector, t: &mut ChapterValues) -> DenseVector {
    let second = h[(1, 1)];
    let l = h[(1, 0)] / second;
    let first = h[(0, 0)] - l * second * l;
    let y = vector(&[right[0] - l * right[1], right[1]]);
    let z = vector(&[y[0] / first, y[1] / second]);
    let v = vector(&[z[0], z[1] - l * z[0]]);
    record_vector(t, "D", &vector(&[first, second]));
    t.insert("L21".to_owned(), vec![l]);
    record_vector(t, "y", &y);
    record_vector(t, "z", &z);
    v
}

fn composite_body(arm: &Arm, t: &mut ChapterValues) -> ChapterSolution {
    let s = arm.structure();
    let ct = s.carry.transpose();
    let second = s.inertia[1].clone();
    let carried = &ct * &second * &s.carry;
    let first = &s.inertia[0] + &carried;
    let y = &second * &s.motion;
    let y_first = &ct * &y;
    record_matrix(t, "Mc2", &second);
    record_matrix(t, "C2' Mc2 C2", &carried);
    record_matrix(t, "Mc1", &first);
    record_vector(t, "Y2", &y);
    record_vector(t, "C2' Y2", &y_first);
    let (a, b) = (s.motion.dot(&(&first * &s.motion)), s.motion.dot(&y_first));
    let mass = matrix(&[&[a, b], &[b, s.motion.dot(&y)]]);
    // At v̇ = 0, with the ground accelerated against gravity.
    let up = rotation(arm.angle[0]) * vector(&[0.0, arm.g]);
    let first = vector(&[up[0], up[1], 0.0]);
    let second = &s.carry * &first + &s.bias[1];
    let through_second = &s.inertia[1] * &second + &s.gyroscopic[1];
    let through_first = &s.inertia[0] * &first + &s.gyroscopic[0] + ct * &through_second;
    let needed = vector(&[s.motion.dot(&through_first), s.motion.dot(&through_second)]);
    record_vector(t, "V1 still", &first);
    record_vector(t, "V2 still", &second);
    record_vector(t, "R1 still", &through_first);
    record_vector(t, "R2 still", &through_second);
    ChapterSolution { v: from_the_leaves(&mass, &(arm.tau() - needed), t), r: None }
}

fn lagrange(arm: &Arm, t: &mut ChapterValues) -> ChapterSolution {
    let Arm { g, l, m, angle, rate, .. } = *arm;
    let both = angle[0] + angle[1];
    let radial = |a: f64| vector(&[l * a.cos(), l * a.sin()]);
    let across = |a: f64| vector(&[-l * a.sin(), l * a.cos()]);
    // Positions, ∂x/∂q by particle and coordinate, and their rates.
    let x = [radial(angle[0]), radial(angle[0]) + radial(both)];
    let dx = [[across(angle[0]), DenseVector::zeros(2)], [across(angle[0]) + across(both), across(both)]];
    let turning = rate[0] + rate[1];
    let (one, two) = (radial(angle[0]) * -rate[0], radial(both) * -turning);
    let rates = [[one.clone(), DenseVector::zeros(2)], [&one + &two, two.clone()]];
    let speed = [0, 1].map(|i| &dx[i][0] * rate[0] + &dx[i][1] * rate[1]);
    let sum = |f: &dyn Fn(usize) -> f64| m[0] * f(0) + m[1] * f(1);
    let by = |f: &dyn Fn(usize, usize) -> f64| vector(&[sum(&|i| f(i, 0)), sum(&|i| f(i, 1))]);
    let mass = DenseMatrix::from_fn(2, 2, |a, b| sum(&|i| dx[i][a].dot(&dx[i][b])));
    // ẍ at q̈ = 0.
    let bias = [0, 1].map(|i| &rates[i][0] * rate[0] + &rates[i][1] * rate[1]);
    let momenta = by(&|i, k| speed[i].dot(&dx[i][k]));
    let of_t = by(&|i, k| speed[i].dot(&rates[i][k]));
    let changing = by(&|i, k| bias[i].dot(&dx[i][k])) + &of_t;
    let of_v = by(&|i, k| g * dx[i][k][1]);
    for i in 0..2 {
        record_vector(t, &format!("x{}", i + 1), &x[i]);
        record_vector(t, &format!("xdot{}", i + 1), &speed[i]);
        for (k, column) in dx[i].iter().enumerate().take(i + 1) {
            record_vector(t, &format!("dx{}/dtheta{}", i + 1, k + 1), column);
        }
    }
    t.insert("T".to_owned(), vec![sum(&|i| speed[i].dot(&speed[i]) / 2.0)]);
    t.insert("V".to_owned(), vec![sum(&|i| g * x[i][1])]);
    record_vector(t, "dT/dv", &momenta);
    record_vector(t, "dT/dq", &of_t);
    record_vector(t, "d/dt dT/dv at rest of v", &changing);
    record_vector(t, "dV/dq", &of_v);
    let c = changing - of_t;
    ChapterSolution { v: solve(&mass, &(arm.tau() - of_v - c)), r: None }
}

fn momentum(arm: &Arm, t: &mut ChapterValues) -> ChapterSolution {
    let s = arm.structure();
    let momenta = [0, 1].map(|i| &s.inertia[i] * &s.twist[i]);
    let p = s.ta().transpose() * stack(&momenta);
    // C depends on the joint angle: its axes rotate with the rate of joint 2.
    let (sine, cosine) = arm.angle[1].sin_cos();
    let turning = vector(&[arm.l * cosine, -arm.l * sine, 0.0]) * arm.rate[1];
    let moved = [0, 1].map(|i| {
        let v = &s.twist[i];
        &s.inertia[i] * vector(&[-v[2] * v[1], v[2] * v[0], 0.0])
    });
    let f = s.forces();
    let left = [0, 1].map(|i| &f[i] - &moved[i]);
    let mut rate = s.ta().transpose() * stack(&left) + arm.tau();
    rate[0] += turning.dot(&momenta[1]);
    // Ṁ v: M depends on angle 2 by 2 m₂ l² cos and m₂ l² cos.
    let k = -arm.m[1] * arm.l * arm.l * sine * arm.rate[1];
    let changing = matrix(&[&[2.0 * k, k], &[k, 0.0]]) * vector(&[arm.rate[0], arm.rate[1]]);
    let mass = s.ta().transpose() * s.m() * s.ta();
    for (i, of_body) in momenta.iter().enumerate() {
        record_vector(t, &format!("M{0} V{0}", i + 1), of_body);
    }
    record_vector(t, "p", &p);
    record_vector(t, "rate of TA of body 2 by theta1", &turning);
    record_vector(t, "M2 (omega x v)", &moved[1]);
    record_vector(t, "pdot", &rate);
    record_vector(t, "Mdot v", &changing);
    ChapterSolution { v: solve(&mass, &(rate - changing)), r: None }
}

fn articulated_body(arm: &Arm, t: &mut ChapterValues) -> ChapterSolution {
    let s = arm.structure();
    let (ct, f) = (s.carry.transpose(), s.forces());
    let h = &s.inertia[1] * &s.motion;
    let u = s.motion.dot(&h);
    let effort = arm.tau[1] + s.motion.dot(&f[1]);
    let left = &s.inertia[1] - &h * h.transpose() / u;
    let force = &f[1] - &h * (effort / u) - &left * &s.bias[1];
    let carried = &ct * &left * &s.carry;
    let carried_force = &ct * &force;
    let (first, first_force) = (&s.inertia[0] + &carried, &f[0] + &carried_force);
    let u1 = s.motion.dot(&(&first * &s.motion));
    let v1 = (arm.tau[0] + s.motion.dot(&first_force)) / u1;
    let rate1 = &s.motion * v1;
    let x = &s.carry * &rate1 + &s.bias[1];
    let v2 = (effort - h.dot(&x)) / u;
    let rate2 = &x + &s.motion * v2;
    record_vector(t, "h2", &h);
    t.insert("U2".to_owned(), vec![u]);
    t.insert("U1".to_owned(), vec![u1]);
    record_matrix(t, "left of M2", &left);
    record_vector(t, "left of F2", &force);
    record_matrix(t, "C2' left C2", &carried);
    record_vector(t, "C2' left of F2", &carried_force);
    record_matrix(t, "M1*", &first);
    record_vector(t, "F1*", &first_force);
    record_vector(t, "X2", &x);
    record_vector(t, "V1dot", &rate1);
    record_vector(t, "V2dot", &rate2);
    let r = [&first * &rate1 - first_force, &s.inertia[1] * &rate2 - &f[1]];
    ChapterSolution { v: vector(&[v1, v2]), r: Some(stack(&r)) }
}

/// The mixed formalism with one elimination group of both joints.
fn mixed(arm: &Arm, t: &mut ChapterValues) -> ChapterSolution {
    let s = arm.structure();
    let ct = s.carry.transpose();
    let whole = &s.inertia[0] + &ct * &s.inertia[1] * &s.carry;
    let y = &s.inertia[1] * &s.motion;
    let columns = [&whole * &s.motion, &ct * &y];
    let k = DenseMatrix::from_columns(&columns);
    let h = matrix(&[
        &[s.motion.dot(&columns[0]), s.motion.dot(&columns[1])],
        &[columns[1].dot(&s.motion), s.motion.dot(&y)],
    ]);
    let inverse = h.clone().try_inverse().unwrap();
    record_matrix(t, "K", &k);
    record_matrix(t, "H", &h);
    record_matrix(t, "left of the group", &(&whole - &k * inverse * k.transpose()));
    let f = s.forces();
    let second = &f[1] - &s.inertia[1] * &s.bias[1];
    let first = &f[0] + ct * &second;
    let u = arm.tau() + vector(&[s.motion.dot(&first), s.motion.dot(&second)]);
    ChapterSolution { v: solve(&h, &u), r: None }
}

fn extended(arm: &Arm, t: &mut ChapterValues) -> ChapterSolution {
    let s = arm.structure();
    let mut all = DenseMatrix::zeros(14, 14);
    all.view_mut((0, 0), (6, 6)).copy_from(&s.m());
    all.view_mut((0, 6), (6, 6)).copy_from(&-s.s.transpose());
    all.view_mut((6, 0), (6, 6)).copy_from(&-&s.s);
    all.view_mut((6, 12), (6, 2)).copy_from(&s.a);
    all.view_mut((12, 6), (2, 6)).copy_from(&s.a.transpose());
    let mut right = DenseVector::zeros(14);
    right.rows_mut(0, 6).copy_from(&s.f());
    right.rows_mut(6, 6).copy_from(&-s.w());
    right.rows_mut(12, 2).copy_from(&arm.tau());
    let x = solve(&all, &right);
    record_vector(t, "A2' M2 C2", &((&s.inertia[1] * &s.carry).transpose() * &s.motion));
    let joint_force = s.motion.dot(&(&s.forces()[1] - &s.inertia[1] * &s.bias[1]));
    t.insert("A2' (F2 - M2 w2)".to_owned(), vec![joint_force]);
    ChapterSolution { v: x.rows(12, 2).into_owned(), r: Some(x.rows(6, 6).into_owned()) }
}

/// Z of both hinges: the directions of their constraint wrenches.
fn held() -> DenseMatrix {
    let mut z = DenseMatrix::zeros(6, 4);
    for (row, column) in [(0, 0), (1, 1), (3, 2), (4, 3)] {
        z[(row, column)] = 1.0;
    }
    z
}

fn lagrange_first(arm: &Arm, t: &mut ChapterValues) -> ChapterSolution {
    let s = arm.structure();
    let (z, y) = (held(), s.a.clone());
    let mut all = DenseMatrix::zeros(10, 10);
    all.view_mut((0, 0), (6, 6)).copy_from(&s.m());
    all.view_mut((0, 6), (6, 4)).copy_from(&-(s.s.transpose() * &z));
    all.view_mut((6, 0), (4, 6)).copy_from(&-(z.transpose() * &s.s));
    let mut right = DenseVector::zeros(10);
    right.rows_mut(0, 6).copy_from(&(s.f() + s.s.transpose() * &y * arm.tau()));
    right.rows_mut(6, 4).copy_from(&-(z.transpose() * s.w()));
    let x = solve(&all, &right);
    let (rates, lambda) = (x.rows(0, 6).into_owned(), x.rows(6, 4).into_owned());
    t.insert("det M1".to_owned(), vec![s.inertia[0].determinant()]);
    record_vector(t, "lambda1", &lambda.rows(0, 2).into_owned());
    record_vector(t, "lambda2", &lambda.rows(2, 2).into_owned());
    ChapterSolution { v: y.transpose() * (&s.s * rates - s.w()), r: Some(z * lambda + y * arm.tau()) }
}

fn maggi(arm: &Arm, t: &mut ChapterValues) -> ChapterSolution {
    let s = arm.structure();
    let z = held();
    let motion = s.ta().transpose() * s.m();
    let mut all = DenseMatrix::zeros(6, 6);
    all.view_mut((0, 0), (2, 6)).copy_from(&motion);
    all.view_mut((2, 0), (4, 6)).copy_from(&(z.transpose() * &s.s));
    let of_motion = s.ta().transpose() * s.f() + arm.tau();
    let of_kinematics = z.transpose() * s.w();
    let mut right = DenseVector::zeros(6);
    right.rows_mut(0, 2).copy_from(&of_motion);
    right.rows_mut(2, 4).copy_from(&of_kinematics);
    let rates = solve(&all, &right);
    for i in 0..2 {
        record_matrix(t, &format!("row {} of motion", i + 1), &motion.rows(i, 1).into_owned());
    }
    record_vector(t, "right side of motion", &of_motion);
    record_vector(t, "right side of kinematics", &of_kinematics);
    let v = s.a.transpose() * (&s.s * &rates - s.w());
    ChapterSolution { v, r: Some(s.t.transpose() * (s.m() * rates - s.f())) }
}

/// v̇ and λ with the belt constraint, by multipliers and by projection.
fn with_belt(arm: &Arm, t: &mut ChapterValues) -> [(DenseVector, f64); 2] {
    let s = arm.structure();
    let m = s.ta().transpose() * s.m() * s.ta();
    let h = s.ta().transpose() * (s.f() - s.m() * &s.t * s.w()) + arm.tau();
    let g = vector(&[2.0, 1.0]);
    let (of_row, free) = (solve(&m, &g), solve(&m, &h));
    let (complement, constraint_rate) = (g.dot(&of_row), g.dot(&free));
    let lambda = -constraint_rate / complement;
    t.insert("G M^-1 G'".to_owned(), vec![complement]);
    t.insert("G M^-1 h".to_owned(), vec![constraint_rate]);
    t.insert("lambda".to_owned(), vec![lambda]);
    let b = vector(&[1.0, -2.0]);
    let (inertia, force) = (b.dot(&(&m * &b)), b.dot(&h));
    let projected = &b * (force / inertia);
    record_vector(t, "G", &g);
    record_vector(t, "B", &b);
    record_vector(t, "h with belt", &h);
    t.insert("B' M B".to_owned(), vec![inertia]);
    t.insert("B' h".to_owned(), vec![force]);
    record_vector(t, "vdot with belt", &projected);
    let of_dependent = (&m * &projected - &h)[1];
    [(free + of_row * lambda, lambda), (projected, of_dependent)]
}

/// Name of a formalism, and the function of its chapter.
type Chapter = (&'static str, fn(&Arm, &mut ChapterValues) -> ChapterSolution);

const CHAPTERS: [Chapter; 10] = [
    ("kane", kane),
    ("direct", direct),
    ("composite_body", composite_body),
    ("lagrange", lagrange),
    ("momentum", momentum),
    ("articulated_body", articulated_body),
    ("mixed", mixed),
    ("extended", extended),
    ("lagrange_first", lagrange_first),
    ("maggi", maggi),
];

/// States and parameters without symmetry.
fn states() -> Vec<Arm> {
    let mut seed = 0x9e37_79b9_u64;
    let mut pair = move |from: f64, to: f64| {
        [0; 2].map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            from + (to - from) * ((seed >> 11) as f64 / (1_u64 << 53) as f64)
        })
    };
    (0..3)
        .map(|_| {
            let [g, l] = pair(0.5, 3.0);
            Arm {
                g,
                l,
                m: pair(0.2, 2.0),
                angle: pair(-3.0, 3.0),
                rate: pair(-2.0, 2.0),
                tau: pair(-4.0, 4.0),
            }
        })
        .collect()
}

fn program(spec: &Path, formalism: &str, arm: &Arm) -> Value {
    let at = json!({
        "q": { "theta1": arm.angle[0], "theta2": arm.angle[1] },
        "v": { "theta1_dot": arm.rate[0], "theta2_dot": arm.rate[1] },
        "u": { "tau1": arm.tau[0], "tau2": arm.tau[1] },
        "p": { "g": arm.g, "l": arm.l, "m1": arm.m[0], "m2": arm.m[1] },
    });
    let mut child = Command::new(env!("CARGO_BIN_EXE_dqdt"))
        .arg("eval")
        .arg(spec)
        .args(["--formalism", formalism, "--at", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(at.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{formalism}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn assert_close(actual: &[f64], expected: &[f64], what: &str) {
    let size = expected.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
    let same = actual.len() == expected.len()
        && actual.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-11 * size);
    assert!(same, "{what}: {actual:?} beside {expected:?}");
}

/// Writes the spec files of the chapters. Returns the paths of `arm.toml` and `belt.toml`.
fn specs(folder: &Path) -> [PathBuf; 2] {
    for chapter in ["theory/structure.md", "theory/maggi_coordinates.md"] {
        book::write_files(chapter, folder);
    }
    ["arm.toml", "belt.toml"].map(|f| folder.join(f))
}

fn accelerations(value: &Value) -> [f64; 2] {
    ["theta1_dot", "theta2_dot"].map(|n| value["vdot"][n].as_f64().unwrap())
}

#[test]
fn the_formulas_of_every_chapter_are_those_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let [spec, belt] = specs(folder.path());
    let mut nothing = ChapterValues::new();
    for arm in states() {
        for (name, chapter) in CHAPTERS {
            let solution = chapter(&arm, &mut nothing);
            let program = program(&spec, name, &arm);
            assert_close(solution.v.as_slice(), &accelerations(&program), name);
            let Some(r) = solution.r else { continue };
            let mut theirs = Vec::new();
            for joint in ["shoulder", "elbow"] {
                let r = &program["reactions"][joint];
                let component = |part: &str, k: usize| r[part][k].as_f64().unwrap();
                theirs.extend([component("force", 0), component("force", 1), component("moment", 2)]);
            }
            assert_close(r.as_slice(), &theirs, name);
        }
        for ((v, lambda), name) in
            with_belt(&arm, &mut nothing).iter().zip(["composite_body", "maggi_coordinates"])
        {
            let program = program(&belt, name, &arm);
            assert_close(v.as_slice(), &accelerations(&program), name);
            assert_close(&[*lambda], &[program["multipliers"]["belt"].as_f64().unwrap()], name);
        }
    }
}

/// Parses the numbers of a line such as `(1, 0; 2, -3)`.
fn numbers(text: &str) -> Vec<f64> {
    let inner = text.trim().trim_start_matches('(').trim_end_matches(')');
    inner.split([',', ';']).map(|x| x.trim().parse().unwrap_or_else(|_| panic!("{text}"))).collect()
}

#[test]
fn the_numbers_in_the_chapters_are_those_of_their_formulas() {
    let mut table = ChapterValues::new();
    let s = OF_THE_BOOK.structure();
    for i in 0..2 {
        let n = i + 1;
        record_vector(&mut table, &format!("V{n}"), &s.twist[i]);
        record_vector(&mut table, &format!("A{n}"), &s.motion);
        record_matrix(&mut table, &format!("M{n}"), &s.inertia[i]);
        record_vector(&mut table, &format!("w{n}"), &s.bias[i]);
        record_vector(&mut table, &format!("F{n}"), &s.forces()[i]);
    }
    record_matrix(&mut table, "C2", &s.carry);
    for (name, chapter) in CHAPTERS {
        let solution = chapter(&OF_THE_BOOK, &mut table);
        assert_close(solution.v.as_slice(), &[-5.5, 4.5], name);
        record_vector(&mut table, "vdot", &solution.v);
        if let Some(r) = solution.r {
            record_vector(&mut table, "R1", &r.rows(0, 3).into_owned());
            record_vector(&mut table, "R2", &r.rows(3, 3).into_owned());
        }
    }
    with_belt(&Arm { rate: [1.0, -2.0], ..OF_THE_BOOK }, &mut table);
    let mut message = std::collections::BTreeSet::new();
    for chapter in book::chapters().iter().filter(|c| c.starts_with("theory/")) {
        let mut matched = 0;
        for block in book::blocks_of(chapter).into_iter().filter(|b| b.fence == "text,numbers") {
            for line in block.text.lines() {
                let (name, value) = line.split_once(" = ").unwrap_or_else(|| panic!("{chapter}: {line}"));
                let known = table.get(name).unwrap_or_else(|| panic!("{chapter}: what is {name}?"));
                assert_close(&numbers(value), known, &format!("{chapter}: {name}"));
                message.insert(name.to_owned());
                matched += 1;
            }
        }
        assert!(matched >= 4 || chapter.ends_with("formalisms.md"), "{chapter} has {matched} numbers");
    }
    let untold: Vec<&String> = table.keys().filter(|k| !message.contains(*k)).collect();
    assert!(untold.is_empty(), "in no chapter: {untold:?}");
}

/// The chapter on groups: three links, a group of the last two, its articulated inertia.
#[test]
fn a_group_that_gives_way_hands_on_what_the_chapter_says() {
    let l = 0.7;
    let angles: [f64; 3] = [0.4, -1.1, 0.8];
    let masses = [1.3, 0.4, 0.9];
    let carry = |angle: f64| {
        let o = rotation(angle);
        matrix(&[
            &[o[(0, 0)], o[(0, 1)], o[(0, 1)] * l],
            &[o[(1, 0)], o[(1, 1)], o[(1, 1)] * l],
            &[0.0, 0.0, 1.0],
        ])
    };
    let inertia = |m: f64| matrix(&[&[m, 0.0, 0.0], &[0.0, m, m * l], &[0.0, m * l, m * l * l + 0.02]]);
    let a = vector(&[0.0, 0.0, 1.0]);
    // The mass matrix by partial velocities.
    let mut columns = vec![vec![DenseVector::zeros(3); 3]; 3];
    for (j, column) in columns.iter_mut().enumerate() {
        column[j] = a.clone();
        for i in j + 1..3 {
            column[i] = carry(angles[i]) * &column[i - 1];
        }
    }
    let mass = DenseMatrix::from_fn(3, 3, |i, j| {
        (0..3).map(|b| columns[i][b].dot(&(inertia(masses[b]) * &columns[j][b]))).sum()
    });
    // The group of joints 2 and 3 at its first body, 2.
    let third = carry(angles[2]);
    let whole = inertia(masses[1]) + third.transpose() * inertia(masses[2]) * &third;
    let k = DenseMatrix::from_columns(&[&whole * &a, third.transpose() * inertia(masses[2]) * &a]);
    let h = mass.view((1, 1), (2, 2)).into_owned();
    let left = &whole - &k * h.clone().try_inverse().unwrap() * k.transpose();
    let second = carry(angles[1]);
    let felt = inertia(masses[0]) + second.transpose() * left * &second;
    // The inertia about joint 1 equals the pivot of M after elimination of both others.
    let row = mass.view((0, 1), (1, 2)).into_owned();
    let pivot = mass[(0, 0)] - (&row * h.try_inverse().unwrap() * row.transpose())[(0, 0)];
    assert!((a.dot(&(felt * &a)) - pivot).abs() < 1e-13);
}
