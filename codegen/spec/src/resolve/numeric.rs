//! Formulas of parameters, axes, rotations and motions of joints in doubles.

use dqdt_algebra::{Mat3, Number, Vec3};
use dqdt_mechanics::mechanism::joint::{JointKind, Reference};
use dqdt_mechanics::mechanism::{
    AxisVector, Environment, Formula, Parameter, ParameterKind, Partition, Rotation, Variable,
};

/// An angle at which no joint is in a special pose.
const GENERIC: f64 = 0.7;

/// A motion of the child's joint frame: velocity and angular velocity in its own axes.
pub(super) type JointTwist = (Vec3<f64>, Vec3<f64>);

/// The value of a formula of parameters.
pub(super) fn evaluate(f: &Formula, p: &[f64]) -> f64 {
    let unknown = f.mentions(&|v| !matches!(v, Variable::Parameter(i) if i.index() < p.len()));
    if unknown {
        return f64::NAN;
    }
    let number = |n: Number| n.to_f64();
    f.eval(&Environment {
        number: &number,
        t: 0.0,
        q: &[],
        v: &[],
        z: &[],
        u: &[],
        p,
        named: &[],
        measures: &[],
        regrouped: &[],
        formulation: None,
        partition: Partition::ALL_ROWS,
    })
}

pub(super) fn evaluate3(v: &[Formula; 3], p: &[f64]) -> [f64; 3] {
    [0, 1, 2].map(|i| evaluate(&v[i], p))
}

/// The value of every parameter; `free` may change the default of a free one.
pub(super) fn parameters(list: &[Parameter], free: impl Fn(usize, f64) -> f64) -> Vec<f64> {
    let mut p = Vec::with_capacity(list.len());
    for (i, parameter) in list.iter().enumerate() {
        let value = match &parameter.kind {
            ParameterKind::Free(n) => free(i, n.to_f64()),
            ParameterKind::Constant(f) | ParameterKind::Derived(f) => evaluate(f, &p),
        };
        p.push(value);
    }
    p
}

/// The axis with length one.
pub(super) fn unit(a: &AxisVector) -> Vec3<f64> {
    let v = a.to_f64();
    v.scale(1.0 / v.dot(v).sqrt())
}

/// The matrix of a constant rotation.
pub(super) fn rotation(r: &Rotation, p: &[f64]) -> Mat3<f64> {
    match r {
        Rotation::Identity => Mat3::identity(),
        Rotation::Sequence { axes, angles } => Mat3::sequence(*axes, evaluate3(angles, p)),
        Rotation::Matrix(rows) => Mat3([0, 1, 2].map(|i| evaluate3(&rows[i], p))),
    }
}

/// The motions of a joint's speeds in a generic pose, in the axes of the child's joint frame.
pub(super) fn motions(kind: &JointKind, p: &[f64]) -> Vec<JointTwist> {
    let number = |n: Number| n.to_f64();
    let env = Environment {
        number: &number,
        t: 0.0,
        q: &[],
        v: &[],
        z: &[],
        u: &[],
        p,
        named: &[],
        measures: &[],
        regrouped: &[],
        formulation: None,
        partition: Partition::ALL_ROWS,
    };
    let q = vec![GENERIC; kind.form().coordinates().len()];
    let columns = kind.subspace(&q, &[], &Reference::parent(), &env).columns;
    columns.into_iter().map(|twist| (twist.v, twist.w)).collect()
}
