//! Position of a joint's origin along its axis.
//!
//! Problem: the pole of a body is the origin of its inboard joint, and every twist, wrench and
//! inertia is shifted over the arms between poles. A joint along or about one axis is the same
//! wherever on the axis its origin is; the arm is not.
//! Method:  a *level* joint has its origin where the arm from the parent's pole is perpendicular to
//! its axis: both frames of the joint are displaced along it by the same distance. The frames of
//! the bodies stay, and with them all data of the spec. The choice affects only the cost: every
//! choice gives the same motion. `optimise` searches for a good one.
//! Limits:  exact rotations; exact numbers, or an axis along one of the parent's axes, so that a
//! length given as a parameter is dropped and not subtracted. Not handled: joints with several
//! axes; angles measured from the ground.
//! Not invariant: quantities about poles, such as joint wrenches. Functions that emit those use the
//! origins of the spec.

use crate::mechanism::arenas::Mechanism;
use dqdt_algebra::Number;
use std::borrow::Cow;

use super::{Formulation, JointOrigins};
use crate::mechanism::axis::AxisVector;
use crate::mechanism::exact_turn::{ExactVector, rotate_exact_vector};
use crate::mechanism::formula::Formula;
use crate::mechanism::index::JointId;
use crate::mechanism::joint::{JointKind, Turning};
use crate::mechanism::model::{Joint, Rotation};

impl Formulation {
    /// The mechanism with its joint origins moved along their axes as this formulation chooses.
    pub fn move_joint_origins<'m>(&self, m: &'m Mechanism) -> Cow<'m, Mechanism> {
        match &self.joint_origins {
            Some(origins) if origins.level.contains(&true) => {
                Cow::Owned(Mechanism { joints: origins.move_joint_origins(&m.joints), ..m.clone() })
            }
            _ => Cow::Borrowed(m),
        }
    }
}

impl JointOrigins {
    /// The joints of a spec with their origins moved along their axes as this choice says.
    pub fn move_joint_origins(&self, joints: &[Joint]) -> Vec<Joint> {
        let mut out: Vec<Joint> = Vec::with_capacity(joints.len());
        for (i, joint) in JointId::enumerate(joints) {
            let parent =
                joint.parent.and_then(|p| out.get(p.index())).filter(|_| self.is_level_with_parent(i));
            let moved = parent.and_then(|p| move_origin_level(joint, &p.child_frame.origin));
            out.push(moved.unwrap_or_else(|| joint.clone()));
        }
        out
    }

    /// Choice that moves every joint's origin for which that is allowed and changes the origin.
    pub fn all_level(joints: &[Joint]) -> Self {
        JointOrigins { level: vec![true; joints.len()] }.keep_effective(joints)
    }

    /// The same choice without joints whose origins it does not change.
    pub fn keep_effective(&self, joints: &[Joint]) -> Self {
        let level = self.move_joint_origins(joints).iter().zip(joints).map(|(a, b)| a != b).collect();
        JointOrigins { level }
    }
}

/// Axis along which the origin of a joint may be moved without changing the motion; `None` if there
/// is none.
fn axis_for_moving_origin(joint: &Joint) -> Option<AxisVector> {
    let axis = match (&joint.kind, joint.kind.form().allowed_rotation()) {
        (JointKind::Prismatic(p), _) => p.0,
        (_, Turning::About(axis)) => axis,
        _ => return None,
    };
    (!joint.absolute && joint.coordinates.len() == 1).then_some(axis)
}

/// The joint with its origin level with the point `pole` of the parent; `None` if it is level
/// already, or may not be moved.
fn move_origin_level(joint: &Joint, pole: &[Formula; 3]) -> Option<Joint> {
    let axis = axis_for_moving_origin(joint)?.0;
    let on_parent = rotate_axis_exactly(&joint.parent_frame.rotation, axis)?;
    let on_child = rotate_axis_exactly(&joint.child_frame.rotation, axis)?;
    let mut out = joint.clone();
    let (at_parent, at_child) = (&mut out.parent_frame.origin, &mut out.child_frame.origin);
    let along: Vec<usize> = (0..3).filter(|i| !on_parent[*i].is_zero()).collect();
    let displacement = if let [k] = along[..] {
        let arm = add_formulas(&pole[k], &at_parent[k], true)?;
        at_parent[k] = pole[k].clone();
        scale_formula(&arm, Number::ONE.checked_div(on_parent[k])?)?
    } else {
        let arm = exact_difference(pole, at_parent)?;
        let displacement = exact_dot(arm, on_parent)?.checked_div(exact_dot(on_parent, on_parent)?)?;
        for (x, a) in at_parent.iter_mut().zip(on_parent) {
            *x = add_formulas(x, &Formula::Number(displacement.checked_mul(a)?), false)?;
        }
        Formula::Number(displacement)
    };
    if displacement.is_zero() {
        return None;
    }
    for (x, a) in at_child.iter_mut().zip(on_child) {
        *x = add_formulas(x, &scale_formula(&displacement, a)?, false)?;
    }
    Some(out)
}

/// The axis rotated exactly; `None` if the rotation is inexact. A matrix with rounded entries is
/// not a rotation and would change the axis: frames displaced along it would separate by the
/// rounding error times the distance.
fn rotate_axis_exactly(r: &Rotation, axis: ExactVector) -> Option<ExactVector> {
    rotate_exact_vector(r, axis, false).filter(|rotated| rotate_exact_vector(r, *rotated, true) == Some(axis))
}

/// Difference `a − b` of constant vectors; `None` if a component is no number.
fn exact_difference(a: &[Formula; 3], b: &[Formula; 3]) -> Option<ExactVector> {
    let mut out = [Number::ZERO; 3];
    for (x, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
        *x = a.as_number()?.checked_add(b.as_number()?.checked_neg()?)?;
    }
    Some(out)
}

fn exact_dot(a: ExactVector, b: ExactVector) -> Option<Number> {
    AxisVector(a).dot(AxisVector(b))
}

/// Sum `a + b`, or `a − b` if `subtract`; simplified if a term is zero or both are numbers.
fn add_formulas(a: &Formula, b: &Formula, subtract: bool) -> Option<Formula> {
    if b.is_zero() {
        return Some(a.clone());
    }
    if subtract && a == b {
        return Some(Formula::ZERO);
    }
    if let (Some(a), Some(b)) = (a.as_number(), b.as_number()) {
        return Some(Formula::Number(a.checked_add(if subtract { b.checked_neg()? } else { b })?));
    }
    let boxed = || (Box::new(a.clone()), Box::new(b.clone()));
    Some(match (a.is_zero(), subtract) {
        (true, true) => Formula::Neg(Box::new(b.clone())),
        (true, false) => b.clone(),
        (false, true) => {
            let (a, b) = boxed();
            Formula::Sub(a, b)
        }
        (false, false) => {
            let (a, b) = boxed();
            Formula::Add(a, b)
        }
    })
}

/// Product of a formula and a number, simplified for 0, 1, −1 and constants.
fn scale_formula(a: &Formula, factor: Number) -> Option<Formula> {
    if factor.is_zero() || a.is_zero() {
        return Some(Formula::ZERO);
    }
    if factor.is_one() {
        return Some(a.clone());
    }
    if let Some(a) = a.as_number() {
        return Some(Formula::Number(a.checked_mul(factor)?));
    }
    if factor.checked_neg().is_some_and(|n| n.is_one()) {
        return Some(Formula::Neg(Box::new(a.clone())));
    }
    Some(Formula::Mul(Box::new(Formula::Number(factor)), Box::new(a.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::index::{BodyId, CoordinateId, SpeedId};
    use crate::mechanism::model::{JointVariable, Placement};

    fn decimal(text: &str) -> Formula {
        Formula::Number(Number::parse_decimal(text).unwrap())
    }

    fn ratio(n: i64, d: i64) -> Formula {
        Formula::Number(Number::ratio(n, d).unwrap())
    }

    fn joint(rotation: Rotation) -> Joint {
        Joint {
            name: "j".to_owned(),
            kind: crate::mechanism::joint::Revolute(AxisVector::coordinate_axis(0)).into(),
            parent: Some(BodyId(0)),
            parent_frame: Placement { origin: [decimal("3"), decimal("0.5"), Formula::ZERO], rotation },
            child_frame: Placement::IDENTITY,
            absolute: false,
            coordinates: vec![JointVariable::Free(CoordinateId(0))],
            names: vec!["q".to_owned()],
            speeds: vec![JointVariable::Free(SpeedId(0))],
            armature: vec![None],
            rotor: None,
            limits: Default::default(),
        }
    }

    fn matrix(rows: [[&str; 3]; 3]) -> Rotation {
        Rotation::Matrix(Box::new(rows.map(|row| row.map(decimal))))
    }

    #[test]
    fn a_joint_is_level_where_its_rotation_is_exact_and_stays_where_it_is_rounded() {
        let origin = [Formula::ZERO, Formula::ZERO, Formula::ZERO];
        let plain = move_origin_level(&joint(Rotation::Identity), &origin).unwrap();
        assert_eq!(plain.parent_frame.origin, [Formula::ZERO, ratio(1, 2), Formula::ZERO]);
        assert_eq!(plain.child_frame.origin, [Formula::from_integer(-3), Formula::ZERO, Formula::ZERO]);
        assert!(move_origin_level(&plain, &origin).is_none(), "it is level");
        let exact = matrix([["0.6", "-0.8", "0"], ["0.8", "0.6", "0"], ["0", "0", "1"]]);
        let slanted = move_origin_level(&joint(exact), &origin).unwrap();
        // 3 · 0.6 + 0.5 · 0.8 = 2.2 along the axis.
        assert_eq!(slanted.child_frame.origin[0], ratio(-11, 5));
        assert_eq!(slanted.parent_frame.origin, [ratio(42, 25), ratio(-63, 50), Formula::ZERO]);
        let h = "0.7071067812";
        let rounded = matrix([[h, "-0.7071067812", "0"], [h, h, "0"], ["0", "0", "1"]]);
        assert!(move_origin_level(&joint(rounded), &origin).is_none());
    }
}
