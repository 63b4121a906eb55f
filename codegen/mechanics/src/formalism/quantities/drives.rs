//! Efforts of the drives of prescribed coordinates.
//!
//! Problem: what the drive of each prescribed coordinate must supply so that it moves as its formula says.
//! Method:  `A_dᵀ Tᵀ (M V̇ + gyroscopic − W)` of the prescribed columns `A_d`, with the share of a rotor and the armature, at
//! given accelerations; W holds the loads, gravity and what geometric constraints do to the bodies.
//! Units:   N, N·m: conjugate to the rate of the coordinate, positive along it on the child.
//! Cost:    O(bodies).
//! Angles measured from the ground: the drive acts from the ground, as the equations of the free speeds have it.
//! Not handled: a constraint that is a formula acts on the free speeds alone.

use crate::formalism::dynamics::rotors;
use crate::kinematics::accumulate::accumulated_to_root;
use crate::kinematics::{BodyMotion, Column, Kinematics};
use crate::mechanism::{JointId, JointVariable, Mechanism};
use dqdt_algebra::{Scalar, Twist, Wrench};

/// Effort of the drive of each speed of each joint, in the order of their slots; `None` where the speed is free.
pub(crate) type Drives<S> = Vec<Vec<Option<S>>>;

/// True if a coordinate of the joint is prescribed.
pub(crate) fn is_driven(m: &Mechanism, joint: JointId) -> bool {
    m.joints[joint].speeds.iter().any(|slot| matches!(slot, JointVariable::Prescribed(_)))
}

/// The efforts of all drives, from `applied`, the wrenches on the bodies, and the rates of the twists.
pub(crate) fn drives<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    accelerations: &[S],
    rates: &[Twist<S>],
    applied: Vec<Wrench<S>>,
) -> Drives<S> {
    let mut needed: Vec<Wrench<S>> = k
        .bodies
        .iter()
        .zip(rates.iter().zip(applied))
        .map(|(b, (rate, w))| b.inertia.inertial_wrench(b.twist.w, *rate) - w)
        .collect();
    rotors::add_gyroscopic(k, &mut needed);
    rotors::add_accelerated(k, accelerations, &mut needed);
    let carried = accumulated_to_root(m, k, needed, "needed");
    let of_joint = |(joint, (body, wrench)): (JointId, (&BodyMotion<S>, &Wrench<S>))| {
        let effort = |(i, column): (usize, &Column<S>)| {
            column.speed.is_none().then(|| {
                let effort = wrench.power(column.twist) + column.armature * column.acceleration;
                let rotors = k.rotors.iter().filter(|r| i == 0 && r.joint == joint && r.speed.is_none());
                rotors.fold(effort, |sum, rotor| sum + rotor.share(rates[rotor.carrier]))
            })
        };
        body.columns.iter().enumerate().map(effort).collect()
    };
    JointId::enumerate(k.bodies.iter().zip(&carried)).map(of_joint).collect()
}
