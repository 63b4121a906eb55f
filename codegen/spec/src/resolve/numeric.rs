//! Numeric evaluation of formulas of parameters, and of axes, rotations and partial velocities of
//! joints.

use dqdt_algebra::{Mat3, Number, Vec3};
use dqdt_mechanics::mechanism::joint::{JointKind, Reference};
use dqdt_mechanics::mechanism::{
    AxisVector, Environment, Formula, Parameter, ParameterKind, Partition, Rotation, Variable,
};

/// A generic joint angle in radians, at which no joint is in a singular pose.
const GENERIC: f64 = 0.7;

/// Velocity and angular velocity of the joint frame on the child, in its own axes, for a unit of
/// one speed.
pub(super) type JointTwist = (Vec3<f64>, Vec3<f64>);

/// Value of a formula at the parameters `p`; NaN if it depends on anything but parameters.
pub(super) fn evaluate_formula(f: &Formula, p: &[f64]) -> f64 {
    let unknown = f.any_variable(&|v| !matches!(v, Variable::Parameter(i) if i.index() < p.len()));
    if unknown {
        return f64::NAN;
    }

    f.eval(&Environment {
        number: &Number::to_f64,
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

pub(super) fn evaluate_vector(v: &[Formula; 3], p: &[f64]) -> [f64; 3] {
    [0, 1, 2].map(|i| evaluate_formula(&v[i], p))
}

/// Values of all parameters of a mechanism; `free` maps the index and the default of a free one to
/// its value.
pub(super) fn parameter_values(list: &[Parameter], free: impl Fn(usize, f64) -> f64) -> Vec<f64> {
    let mut p = Vec::with_capacity(list.len());
    for (i, parameter) in list.iter().enumerate() {
        let value = match &parameter.kind {
            ParameterKind::Free(n) => free(i, n.to_f64()),
            ParameterKind::Constant(f) | ParameterKind::Derived(f) => evaluate_formula(f, &p),
        };
        p.push(value);
    }
    p
}

/// The axis of a joint, scaled to unit length.
pub(super) fn unit_axis(a: &AxisVector) -> Vec3<f64> {
    let v = a.to_f64();
    v.scale(1.0 / v.dot(v).sqrt())
}

/// Matrix of a constant rotation of the spec, at the parameters `p`.
pub(super) fn rotation_matrix(r: &Rotation, p: &[f64]) -> Mat3<f64> {
    match r {
        Rotation::Identity => Mat3::identity(),
        Rotation::Sequence { axes, angles } => Mat3::euler_rotation(*axes, evaluate_vector(angles, p)),
        Rotation::Matrix(rows) => Mat3([0, 1, 2].map(|i| evaluate_vector(&rows[i], p))),
    }
}

/// Partial velocities of the speeds of a joint in a generic pose, in axes of the joint frame on the
/// child.
pub(super) fn partial_velocities(kind: &JointKind, p: &[f64]) -> Vec<JointTwist> {
    let env = Environment {
        number: &Number::to_f64,
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
    let q = vec![GENERIC; kind.form().coordinate_components().len()];
    let columns = kind.subspace(&q, &[], &Reference::parent(), &env).columns;
    columns.into_iter().map(|twist| (twist.v, twist.w)).collect()
}
