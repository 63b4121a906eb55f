//! Efforts of the drives of prescribed coordinates.
//!
//! Problem: the effort with which the drive of each prescribed coordinate must act so that the
//!          coordinate follows its formula.
//! Method:  `A_dᵀ Tᵀ (M V̇ + gyroscopic − W)` of the prescribed columns `A_d`, with the terms of a
//!          rotor and the armature, at given accelerations. W contains the loads, gravity and the
//!          wrenches of geometric constraints.
//! Units:   N, N·m: conjugate to the rate of the coordinate, positive along it on the child.
//! Cost:    O(bodies). For absolute angles, the drive acts from the ground, as in the equations of
//!          the free speeds.
//!
//! Not handled: a constraint that is a formula acts on the free speeds only.

use crate::formalism::dynamics::rotors;
use crate::kinematics::Kinematics;
use crate::kinematics::accumulate::accumulate_wrenches_to_root;
use crate::mechanism::{JointId, JointVariable, Mechanism};
use dqdt_algebra::{Scalar, Twist, Wrench};

/// Efforts of the drives of prescribed speeds, by joint and slot; `None` if the speed is free.
pub(crate) type Drives<S> = Vec<Vec<Option<S>>>;

/// True if a coordinate of the joint is prescribed, so that a drive acts in it.
pub(crate) fn has_prescribed_speed(m: &Mechanism, joint: JointId) -> bool {
    m.joints[joint].speeds.iter().any(|slot| matches!(slot, JointVariable::Prescribed(_)))
}

/// Efforts of the drives of all prescribed coordinates. `applied` are the wrenches on the bodies,
/// `rates` their accelerations.
pub(crate) fn drive_efforts<S: Scalar>(
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
    rotors::add_rotor_gyroscopic_moments(k, &mut needed);
    rotors::add_rotor_acceleration_moments(k, accelerations, &mut needed);
    let carried = accumulate_wrenches_to_root(m, k, needed, "needed");
    let mut drives = Vec::with_capacity(k.bodies.len());
    for (joint, (body, wrench)) in JointId::enumerate(k.bodies.iter().zip(&carried)) {
        let columns = body.columns.iter().enumerate();
        let efforts = columns.map(|(i, column)| {
            column.speed.is_none().then(|| {
                let effort = wrench.power_on_twist(column.twist) + column.armature * column.acceleration;
                let rotors = k.rotors.iter().filter(|r| i == 0 && r.joint == joint && r.speed.is_none());
                rotors.fold(effort, |sum, rotor| sum + rotor.project_on_momentum(rates[rotor.carrier]))
            })
        });
        drives.push(efforts.collect());
    }
    drives
}
