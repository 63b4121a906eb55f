//! Random constrained mechanisms in an assembled state: each constraint is placed to fit the pose
//! of a random tree, and the speeds are projected onto the constraints.

#![allow(dead_code)]

use dqdt_algebra::{Mat3, Number, Vec3};
use dqdt_mechanics::kinematics::{body_poses, constraint_rows};
use dqdt_mechanics::mechanism::constraint::{
    CylindricalClosure, Distance, HelicalClosure, KnifeEdge, PlanarClosure, PlanarPrismatic, PlanarRevolute,
    PointOnLine, PointOnPlane, PointOnSurface, Position, PrismaticClosure, RevoluteClosure, RollingBall,
    RollingDisc, SphericalClosure, UniversalClosure, Velocity, Weld,
};
use dqdt_mechanics::mechanism::{
    AxisVector, BodyId, Constraint, ConstraintKind, CoordinateId, Ends, Formula, Placement, Rotation,
    SpeedId, Variable,
};
use dqdt_samples::random::{Sample, random_mechanism};
use nalgebra::{DMatrix, DVector};

use crate::common::at;

/// The kinds of constraints of a random mechanism.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavour {
    Loops,
    Nonholonomic,
    Both,
    Redundant,
}

pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5555_1234_0000_4321)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// A random number in [−1, 1], a multiple of 1/2048.
    pub fn value(&mut self) -> f64 {
        self.below(4097) as f64 / 2048.0 - 1.0
    }

    fn vector(&mut self) -> Vec3<f64> {
        Vec3([self.value(), self.value(), self.value()])
    }

    /// A random axis with small integer components; half of the axes are x, y or z.
    fn axis(&mut self) -> AxisVector {
        loop {
            let n = if self.below(2) == 0 {
                let mut n = [0; 3];
                n[self.below(3)] = if self.below(2) == 0 { 1 } else { -1 };
                n
            } else {
                [(); 3].map(|()| self.below(5) as i64 - 2)
            };
            if n != [0; 3] {
                return AxisVector(n.map(Number::integer));
            }
        }
    }

    fn turn(&mut self) -> Mat3<f64> {
        let axis = self.vector() + Vec3([0.3, 0.1, 2.1]);
        Mat3::rotation_about_vector(axis.scale(1.0 / axis.dot(axis).sqrt()), 3.0 * self.value())
    }
}

fn number(x: f64) -> Formula {
    Formula::Number(Number::float(x))
}

fn placement(origin: Vec3<f64>, rotation: Mat3<f64>) -> Placement {
    let rows = rotation.0.map(|row| row.map(number));
    Placement { origin: origin.0.map(number), rotation: Rotation::Matrix(Box::new(rows)) }
}

fn unit(a: AxisVector) -> Vec3<f64> {
    let v = Vec3(a.0.map(Number::to_f64));
    v.scale(1.0 / v.dot(v).sqrt())
}

fn constraint(name: String, kind: ConstraintKind) -> Constraint {
    Constraint::new(name, kind)
}

/// The type of a random loop-closing constraint, named after the joint that it leaves free.
enum RandomClosure {
    Weld,
    Revolute(AxisVector),
    Prismatic(AxisVector),
    Helical(AxisVector, Formula),
    Cylindrical(AxisVector),
    Universal(AxisVector, AxisVector),
    Spherical,
    Planar(AxisVector),
    PlanarRevolute(AxisVector),
    PlanarPrismatic(AxisVector, AxisVector),
}

impl RandomClosure {
    fn between(self, ends: Ends) -> ConstraintKind {
        match self {
            RandomClosure::Weld => Weld(ends).into(),
            RandomClosure::Revolute(a) => RevoluteClosure { ends, axis: a }.into(),
            RandomClosure::Prismatic(a) => PrismaticClosure { ends, axis: a }.into(),
            RandomClosure::Helical(a, pitch) => HelicalClosure { ends, axis: a, pitch }.into(),
            RandomClosure::Cylindrical(a) => CylindricalClosure { ends, axis: a }.into(),
            RandomClosure::Universal(a, b) => UniversalClosure { ends, first: a, second: b }.into(),
            RandomClosure::Spherical => SphericalClosure(ends).into(),
            RandomClosure::Planar(n) => PlanarClosure { ends, normal: n }.into(),
            RandomClosure::PlanarRevolute(n) => PlanarRevolute { ends, normal: n }.into(),
            RandomClosure::PlanarPrismatic(a, n) => PlanarPrismatic { ends, along: a, normal: n }.into(),
        }
    }
}

fn rotation_about(a: AxisVector, angle: f64) -> Mat3<f64> {
    Mat3::rotation_about_vector(unit(a), angle)
}

/// A random rotation and displacement of the second frame in the first that the closure allows.
fn random_relative_pose(closure: &RandomClosure, d: &mut Draw) -> (Mat3<f64>, Vec3<f64>) {
    let (angle, along) = (2.0 * d.value(), 0.4 * d.value());
    let none = Vec3::ZERO;
    match closure {
        RandomClosure::Weld => (Mat3::identity(), none),
        RandomClosure::Revolute(a) => (rotation_about(*a, angle), none),
        RandomClosure::Prismatic(a) => (Mat3::identity(), unit(*a).scale(along)),
        RandomClosure::Helical(a, pitch) => {
            let p = pitch.as_number().map_or(0.0, Number::to_f64);
            // More than a full turn.
            let angle = 4.0 * angle;
            (rotation_about(*a, angle), unit(*a).scale(p * angle))
        }
        RandomClosure::Cylindrical(a) => (rotation_about(*a, angle), unit(*a).scale(along)),
        RandomClosure::Universal(a, b) => {
            // The second axis must be perpendicular to the first.
            let (a, b) = (unit(*a), unit(*b));
            let across = a.cross(Vec3([0.3, -0.7, 0.2]));
            let across = across.scale(1.0 / across.dot(across).sqrt());
            let axis = b.cross(across);
            let sine = axis.dot(axis).sqrt();
            let bring = if sine > 1e-6 {
                Mat3::rotation_about_vector(axis.scale(1.0 / sine), sine.atan2(b.dot(across)))
            } else if b.dot(across) > 0.0 {
                Mat3::identity()
            } else {
                let other = b.cross(a);
                Mat3::rotation_about_vector(other.scale(1.0 / other.dot(other).sqrt()), std::f64::consts::PI)
            };
            (Mat3::rotation_about_vector(a, angle).mul(&bring), none)
        }
        RandomClosure::Spherical => (d.turn(), none),
        RandomClosure::Planar(n) => {
            let n = unit(*n);
            let free = d.vector().scale(0.3);
            (Mat3::rotation_about_vector(n, angle), free - n.scale(free.dot(n)))
        }
        RandomClosure::PlanarRevolute(n) => (rotation_about(*n, angle), unit(*n).scale(along)),
        RandomClosure::PlanarPrismatic(a, n) => (
            Mat3::rotation_about_vector(unit(*a), angle),
            unit(*a).scale(along) + unit(*n).scale(0.3 * d.value()),
        ),
    }
}

fn coordinate_axis(i: usize) -> AxisVector {
    AxisVector([0, 1, 2].map(|k| Number::integer(i64::from(k == i % 3))))
}

fn random_closure(d: &mut Draw) -> RandomClosure {
    match d.below(10) {
        0 => RandomClosure::Weld,
        1 => RandomClosure::Revolute(d.axis()),
        2 => RandomClosure::Prismatic(d.axis()),
        3 => RandomClosure::Helical(d.axis(), Formula::Number(Number::ratio(-1, 8).unwrap())),
        4 => RandomClosure::Cylindrical(d.axis()),
        5 => RandomClosure::Universal(d.axis(), d.axis()),
        6 => RandomClosure::Spherical,
        7 => RandomClosure::Planar(d.axis()),
        8 => RandomClosure::PlanarRevolute(d.axis()),
        _ => {
            let i = d.below(3);
            RandomClosure::PlanarPrismatic(coordinate_axis(i), coordinate_axis(i + 1))
        }
    }
}

fn coordinate_formula(i: usize) -> Formula {
    Formula::Variable(Variable::Coordinate(CoordinateId(i)))
}

fn speed_formula(i: usize) -> Formula {
    Formula::Variable(Variable::Speed(SpeedId(i)))
}

/// Two different bodies; one of them may be the ground (`None`).
fn random_bodies(s: &Sample, d: &mut Draw) -> (Option<BodyId>, Option<BodyId>) {
    let n = s.mechanism.bodies.len();
    loop {
        let mut one = || d.below(n + 1).checked_sub(1).map(BodyId);
        let (a, b) = (one(), one());
        if a != b {
            return (a, b);
        }
    }
}

/// The frame on `b` at rotation and displacement `then` relative to the frame `first` on `a`, at
/// the pose of the sample.
fn matching_placement(
    s: &Sample,
    a: Option<BodyId>,
    b: Option<BodyId>,
    first: (Vec3<f64>, Mat3<f64>),
    then: (Mat3<f64>, Vec3<f64>),
) -> Placement {
    at(s, |env| {
        let poses = body_poses(&s.mechanism, env);
        let turn = |body: Option<BodyId>| body.map_or(Mat3::identity(), |i| poses[i].rotation);
        let point = first.0 + first.1.apply(then.1);
        let origin = a.map_or(point, |i| poses[i].point_in_ground_axes(point));
        let axes = turn(a).mul(&first.1).mul(&then.0);
        let rotation = turn(b).transposed_mul(&axes);
        let local = match b {
            None => origin,
            Some(i) => poses[i].pole + turn(b).apply_transposed(origin - poses[i].origin),
        };
        placement(local, rotation)
    })
}

fn random_holonomic(s: &Sample, d: &mut Draw) -> ConstraintKind {
    let (a, b) = random_bodies(s, d);
    let first = (d.vector().scale(0.5), d.turn());
    let ends = |then: (Mat3<f64>, Vec3<f64>)| Ends {
        from: (a, placement(first.0, first.1)),
        to: (b, matching_placement(s, a, b, first, then)),
    };
    let free = (d.turn(), d.vector().scale(0.6));
    match d.below(10) {
        0 => {
            let r = free.1.dot(free.1).sqrt();
            Distance { ends: ends(free), length: value_plus_sine(r, 0.2) }.into()
        }
        1 => {
            let axis = d.axis();
            PointOnLine { ends: ends((free.0, unit(axis).scale(0.3))), axis }.into()
        }
        2 => {
            let n = d.axis();
            let off = free.1 - unit(n).scale(free.1.dot(unit(n)));
            PointOnPlane { ends: ends((free.0, off)), normal: n }.into()
        }
        3 => {
            // The surface x y + z² − c(t) = 0.
            let q = |i| coordinate_formula(s.mechanism.nq() + i);
            let product = Formula::Mul(Box::new(q(0)), Box::new(q(1)));
            let square = Formula::Power(Box::new(q(2)), 2);
            let [x, y, z] = free.1.0;
            let sum = Formula::Add(Box::new(product), Box::new(square));
            let f = Formula::Sub(Box::new(sum), Box::new(value_plus_sine(x * y + z * z, 0.3)));
            PointOnSurface { ends: ends(free), formulas: vec![f] }.into()
        }
        4 => {
            // A coupling of two coordinates: sin(qᵢ) + 0.7 qₖ − its value.
            let i = d.below(s.mechanism.nq());
            let k = d.below(s.mechanism.nq());
            let f = Formula::Add(
                Box::new(Formula::Sin(Box::new(coordinate_formula(i)))),
                Box::new(Formula::Mul(Box::new(number(0.7)), Box::new(coordinate_formula(k)))),
            );
            let value = s.q[i].sin() + 0.7 * s.q[k];
            Position(Formula::Sub(Box::new(f), Box::new(value_plus_sine(value, -0.1)))).into()
        }
        _ => {
            let closure = random_closure(d);
            let then = random_relative_pose(&closure, d);
            closure.between(ends(then))
        }
    }
}

/// The formula `value + rate · sin(t)`.
fn value_plus_sine(value: f64, rate: f64) -> Formula {
    let t = Formula::Sin(Box::new(Formula::Variable(Variable::Time)));
    Formula::Add(Box::new(number(value)), Box::new(Formula::Mul(Box::new(number(rate)), Box::new(t))))
}

fn random_nonholonomic(s: &Sample, d: &mut Draw) -> ConstraintKind {
    let (a, b) = random_bodies(s, d);
    let first = (d.vector().scale(0.5), d.turn());
    let free = (d.turn(), d.vector().scale(0.6));
    let ends = |then| Ends {
        from: (a, placement(first.0, first.1)),
        to: (b, matching_placement(s, a, b, first, then)),
    };
    match d.below(4) {
        0 => KnifeEdge { ends: ends(free), axis: d.axis() }.into(),
        1 => {
            let normal = d.axis();
            let n = unit(normal);
            let height = n.scale(0.25 - free.1.dot(n));
            RollingBall { ends: ends((free.0, free.1 + height)), normal, radius: number(0.25) }.into()
        }
        2 => {
            let (normal, axle) = (d.axis(), d.axis());
            let n = unit(normal);
            let cosine = free.0.apply(unit(axle)).dot(n);
            let height = 0.25 * (1.0 - cosine * cosine).sqrt();
            let shift = free.1 + n.scale(height - free.1.dot(n));
            RollingDisc { ends: ends((free.0, shift)), normal, axle, radius: number(0.25) }.into()
        }
        _ => {
            // The velocity row cos(q) vᵢ + 0.4 vₖ + 0.3 sin(t) + 0.1 = 0.
            let m = &s.mechanism;
            let (i, k, c) = (d.below(m.nv()), d.below(m.nv()), d.below(m.nq()));
            let cosine = Formula::Cos(Box::new(Formula::Variable(Variable::Coordinate(CoordinateId(c)))));
            let sum = Formula::Add(
                Box::new(Formula::Mul(Box::new(cosine), Box::new(speed_formula(i)))),
                Box::new(Formula::Mul(Box::new(number(0.4)), Box::new(speed_formula(k)))),
            );
            Velocity(Formula::Add(Box::new(sum), Box::new(value_plus_sine(0.1, 0.3)))).into()
        }
    }
}

/// The constraint Jacobian A, and the velocity residuals of its rows.
pub fn matrix(s: &Sample) -> (DMatrix<f64>, DVector<f64>) {
    let rows = at(s, |env| constraint_rows(&s.mechanism, env));
    let a = DMatrix::from_fn(rows.len(), s.mechanism.nv(), |i, j| rows[i].jacobian[j]);
    (a, DVector::from_iterator(rows.len(), rows.iter().map(|r| r.velocity)))
}

/// Numerical rank by singular values, with rows normalised to length one.
pub fn rank(a: &DMatrix<f64>) -> usize {
    let mut scaled = a.clone();
    for mut row in scaled.row_iter_mut() {
        let norm = row.norm();
        if norm > 1e-12 {
            row /= norm;
        }
    }
    scaled.svd(false, false).singular_values.iter().filter(|x| **x > 1e-8).count()
}

/// Largest number of bodies of a random constrained mechanism.
pub const BODIES: usize = 7;

/// A random constrained mechanism on its constraints at t = 0, with this state as its start. `None`
/// if the random choice leaves no motion, gives a large speed, or has singular values that leave
/// the rank ambiguous.
pub fn random_constrained(seed: u64, flavour: Flavour, bodies: usize) -> Option<Sample> {
    let mut s = random_mechanism(seed, bodies);
    s.t = 0.0;
    let mut d = Draw::new(seed);
    let count = 1 + d.below(2);
    for i in 0..count {
        let kind = match flavour {
            Flavour::Loops | Flavour::Redundant => random_holonomic(&s, &mut d),
            Flavour::Nonholonomic => random_nonholonomic(&s, &mut d),
            Flavour::Both if i == 0 => random_holonomic(&s, &mut d),
            Flavour::Both => random_nonholonomic(&s, &mut d),
        };
        s.mechanism.constraints.push(constraint(format!("c{i}"), kind));
    }
    if flavour == Flavour::Both && count == 1 {
        let kind = random_nonholonomic(&s, &mut d);
        s.mechanism.constraints.push(constraint("c1".to_owned(), kind));
    }
    if flavour == Flavour::Redundant {
        let mut again = s.mechanism.constraints[0].clone();
        again.name = "again".to_owned();
        s.mechanism.constraints.push(again);
    }
    let (a, value) = matrix(&s);
    let svd = a.clone().svd(true, true);
    let sizes = &svd.singular_values;
    let open = sizes.iter().any(|x| *x > 1e-11 && *x < 3e-2);
    if open || rank(&a) >= s.mechanism.nv() {
        return None;
    }
    let correction = svd.solve(&value, 1e-9).ok()?;
    s.v.iter_mut().zip(correction.iter()).for_each(|(v, c)| *v -= c);
    let (_, left) = matrix(&s);
    if left.amax() > 1e-11 || s.v.iter().any(|v| v.abs() > 20.0) {
        return None;
    }
    for (c, q) in s.mechanism.coordinates.iter_mut().zip(&s.q) {
        c.start = number(*q);
    }
    for (c, v) in s.mechanism.speeds.iter_mut().zip(&s.v) {
        c.start = number(*v);
    }
    Some(s)
}
