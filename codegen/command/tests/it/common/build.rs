//! Builders for mechanisms written in test code.

#![allow(dead_code)]

use dqdt_algebra::{Axis, Dimension, Number};
use dqdt_mechanics::mechanism::joint::{Revolute, Spherical};
use dqdt_mechanics::mechanism::load::kinds::Actuator;
use dqdt_mechanics::mechanism::{
    Attitude, AxisVector, Body, BodyId, Coordinate, CoordinateId, Formula, Input, Joint, JointKind,
    JointVariable, Load, Mechanism, Placement, Rotation, Speed, SpeedId, SpeedKind, Variable,
};
use dqdt_samples::random::Sample;

/// Bryant angles: rotations about x, y, z.
pub const BRYANT: Attitude = Attitude::Sequence([Axis::X, Axis::Y, Axis::Z]);

pub fn number(x: f64) -> Formula {
    Formula::Number(Number::float(x))
}

pub fn ratio(n: i64, d: i64) -> Formula {
    Formula::Number(Number::ratio(n, d).unwrap())
}

pub fn vector(x: [f64; 3]) -> [Formula; 3] {
    x.map(number)
}

pub fn axis(x: i64, y: i64, z: i64) -> AxisVector {
    AxisVector([x, y, z].map(Number::integer))
}

pub fn spherical(speeds: SpeedKind) -> JointKind {
    Spherical { attitude: BRYANT, angular: speeds }.into()
}

/// A rigid body from mass, centre of mass and central inertia tensor (xx, yy, zz, xy, xz, yz).
pub fn rigid(mass: Formula, center: [Formula; 3], inertia: [Formula; 6]) -> Body {
    Body {
        name: String::new(),
        mass,
        center_of_mass: center,
        inertia,
        inertia_about: None,
        points: Vec::new(),
    }
}

/// The number zero.
pub fn zero() -> Formula {
    Formula::ZERO
}

/// The origin of a frame.
pub fn origin() -> [Formula; 3] {
    [zero(), zero(), zero()]
}

pub fn sine(f: Formula) -> Formula {
    Formula::Sin(Box::new(f))
}

pub fn add(a: Formula, b: Formula) -> Formula {
    Formula::Add(Box::new(a), Box::new(b))
}

pub fn multiply(a: Formula, b: Formula) -> Formula {
    Formula::Mul(Box::new(a), Box::new(b))
}

pub fn hinge_about_z() -> JointKind {
    JointKind::from(Revolute(axis(0, 0, 1)))
}

pub fn sphere(mass: Formula, center: [Formula; 3], j: Formula) -> Body {
    rigid(mass, center, [j.clone(), j.clone(), j, zero(), zero(), zero()])
}

/// A mechanism without bodies, with the given gravity.
pub fn empty(gravity: [Formula; 3]) -> Mechanism {
    Mechanism {
        named_formulas: Vec::new(),
        tables: Vec::new(),
        shapes: Vec::new(),
        name: "test".to_owned(),
        description: String::new(),
        parameters: Vec::new(),
        coordinates: Vec::new(),
        speeds: Vec::new(),
        inputs: Vec::new(),
        states: Vec::new(),
        bodies: Vec::new(),
        joints: Vec::new(),
        gravity,
        measures: Vec::new(),
        loads: Vec::new(),
        constraints: Vec::new(),
        events: Vec::new(),
        outputs: Vec::new(),
        driven: Vec::new(),
        ground_points: Vec::new(),
    }
}

fn unrotated(origin: [Formula; 3]) -> Placement {
    Placement { origin, rotation: Rotation::Identity }
}

/// Adds a body with its joint. All coordinates are free and numbered in order. Returns
/// the index of the body.
pub fn attach(
    m: &mut Mechanism,
    body: Body,
    kind: JointKind,
    parent: Option<BodyId>,
    at_parent: [Formula; 3],
    at_child: [Formula; 3],
) -> BodyId {
    let body_id = BodyId(m.bodies.len());
    let (id, joint) = (body_id.inboard_joint(), m.joints.len());
    let (nq, nv) = (kind.form().coordinate_components().len(), kind.form().speed_components().len());
    let coordinates = (0..nq).map(|k| JointVariable::Free(CoordinateId(m.nq() + k))).collect();
    let speeds = (0..nv).map(|k| JointVariable::Free(SpeedId(m.nv() + k))).collect();
    for k in 0..nq {
        m.coordinates.push(Coordinate {
            name: format!("q{joint}_{k}"),
            description: String::new(),
            dimension: Dimension::NONE,
            joint: id,
            start: Formula::ZERO,
        });
    }
    for k in 0..nv {
        m.speeds.push(Speed {
            name: format!("v{joint}_{k}"),
            description: String::new(),
            dimension: Dimension::new([0, 0, -1, 0, 0]),
            joint: id,
            start: Formula::ZERO,
        });
    }
    m.joints.push(Joint {
        name: format!("joint{joint}"),
        kind,
        parent,
        parent_frame: unrotated(at_parent),
        child_frame: unrotated(at_child),
        absolute: false,
        coordinates,
        names: Vec::new(),
        speeds,
        armature: vec![None; nv],
        rotor: None,
        limits: Default::default(),
    });
    m.bodies.push(Body { name: format!("body{joint}"), ..body });
    body_id
}

/// Adds an input that acts as the effort on a speed.
pub fn drive(m: &mut Mechanism, speed: SpeedId) {
    let input = m.inputs.len();
    m.inputs.push(Input {
        law: None,
        name: format!("tau{input}"),
        unit: String::new(),
        description: String::new(),
        dimension: None,
        default: Formula::ZERO,
        limits: None,
    });
    let effort = Formula::Variable(Variable::Input(input));
    m.loads.push(Load { name: format!("drive{input}"), kind: Actuator { speed, effort }.into() });
}

/// The planar chain of the chain lecture: `n` rods, total mass 10 kg, total length
/// 1 m, gravity along −y.
pub fn chain(n: i64) -> Mechanism {
    let mut m = empty([zero(), ratio(-981, 100), zero()]);
    for i in 0..n {
        // Central inertia m l²/12 of a rod of 10/n kg and 1/n m.
        let j = ratio(10, 12 * n * n * n);
        let rod = rigid(
            ratio(10, n),
            [ratio(1, 2 * n), zero(), zero()],
            [zero(), j.clone(), j, zero(), zero(), zero()],
        );
        let parent = usize::try_from(i - 1).ok().map(BodyId);
        let at = if i == 0 { zero() } else { ratio(1, n) };
        attach(&mut m, rod, Revolute(axis(0, 0, 1)).into(), parent, [at, zero(), zero()], origin());
    }
    m
}

/// A sample: a mechanism with time, coordinates, speeds and inputs.
pub fn state(mechanism: Mechanism, t: f64, q: Vec<f64>, v: Vec<f64>, u: Vec<f64>) -> Sample {
    Sample {
        mechanism,
        formulation: Default::default(),
        partition: Default::default(),
        t,
        q,
        v,
        z: Vec::new(),
        u,
    }
}
