//! Reactions: the wrench on each body through its inboard joint.
//!
//! Problem: wrenches that the joints transmit at given accelerations, `R = Tᵀ (M V̇ − F*)`
//!          (mechanics 1.3).
//! Method:  Newton and Euler for each body cut free, from the leaves to the root:
//!          `R_i = M_i V̇_i − F*_i + Σ Cᵀ R_j` over its children j. Drives act through the joint:
//!          `Aᵀ R` is the effort of the drives, less the terms of a rotor and the armature. A rotor
//!          exerts a moment on the body on which it is mounted. Absolute angles: the forms of the
//!          paper transform wrenches by C′, which omits moments. The wrench that the joint
//!          transmits is transformed by C; the opposite of an actuator's moment is then part of it,
//!          and springs, friction, generalised forces and rotors, which act on such a speed from
//!          the ground, are loads on the child.
//! Frames:  body axes, about the pole: the origin of the joint's frame on the child.
//! Units:   N, N·m.
//! Cost:    O(bodies + loads).
//! Constraints: a geometric constraint acts by wrenches on its bodies, a formula by `Aᵀ λ` on the
//! speeds, like an effort.
//!
//! Not handled: constraints that inputs realise.

use crate::formalism::dynamics::actions::{self, sum_actions};
use crate::formalism::dynamics::applied::Applied;
use crate::formalism::dynamics::newton_euler;
use crate::kinematics::{ConstraintRow, Kinematics, constraint_wrenches, kinematics_without_jacobians};
use crate::mechanism::{Environment, JointId, LoadKind, Mechanism};
use dqdt_algebra::{Scalar, Vec3, Wrench};

/// Joint reactions of a motion: wrench on each body through its inboard joint, from inertia, loads
/// and the forces of constraints with their multipliers.
pub fn reactions<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    accelerations: &[S],
    rows: &[ConstraintRow<S>],
    multipliers: &[S],
) -> Vec<Wrench<S>> {
    reactions_with_drives(m, env, accelerations, (rows, multipliers), &vec![S::ZERO; m.nv()])
}

/// Joint reactions like [`reactions`], with additional efforts of drives on the speeds, which are
/// not loads of the spec.
pub(crate) fn reactions_with_drives<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    accelerations: &[S],
    held: (&[ConstraintRow<S>], &[S]),
    drives: &[S],
) -> Vec<Wrench<S>> {
    let k = kinematics_without_jacobians(m, env);
    let mut applied = Applied::with_accelerated_ground(m, &k, env);
    let mut efforts = drives.to_vec();
    add_constraint_forces(m, env, held, &mut applied.loads, &mut efforts);
    let rates =
        newton_euler::body_accelerations(m, &k, applied.ground, accelerations, newton_euler::SOLVED_NAMES);
    let transmitted = newton_euler::transmitted_wrenches(
        m,
        &k,
        &applied,
        accelerations,
        &rates,
        newton_euler::SOLVED_NAMES,
    );
    reactions_from_transmitted(m, &k, env, accelerations, &efforts, transmitted)
}

/// True if the load acts back on the parent of its joint, as actuators do.
pub(crate) fn is_actuator(kind: &LoadKind) -> bool {
    kind.form().acts_back_on_parent()
}

/// Adds the forces of constraints at these multipliers: geometric ones to the wrenches on bodies,
/// formulas to the efforts on speeds.
pub(crate) fn add_constraint_forces<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    (rows, multipliers): (&[ConstraintRow<S>], &[S]),
    wrenches: &mut [Wrench<S>],
    efforts: &mut [S],
) {
    let on_bodies = constraint_wrenches(m, env);
    for (row, lambda) in rows.iter().zip(multipliers) {
        let row_wrenches = on_bodies.iter().find(|w| (w.constraint, w.index) == (row.constraint, row.index));
        if row_wrenches.is_none() {
            efforts.iter_mut().zip(&row.jacobian).for_each(|(x, a)| *x = *x + *a * *lambda);
        }
        for (body, wrench) in row_wrenches.iter().flat_map(|row_wrenches| &row_wrenches.wrenches) {
            wrenches[*body] =
                wrenches[*body] + Wrench { f: wrench.f.scale(*lambda), m: wrench.m.scale(*lambda) };
        }
    }
}

/// Wrenches that the joints transmit, from `carried`, which C′ transforms (without moments across
/// absolute angles). `besides` are efforts that are not loads of the spec, such as those of
/// constraints and drives.
pub(crate) fn reactions_from_transmitted<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    accelerations: &[S],
    besides: &[S],
    carried: Vec<Wrench<S>>,
) -> Vec<Wrench<S>> {
    if !has_absolute_angles(m) {
        return carried;
    }
    let (opposites, _) = sum_actions(m, &actions::selected_load_actions(m, k, env, &is_actuator));
    let (_, mut efforts) =
        sum_actions(m, &actions::selected_load_actions(m, k, env, &|kind| !is_actuator(kind)));
    efforts.iter_mut().zip(besides).for_each(|(effort, x)| *effort = *effort + *x);
    correct_for_absolute_angles(m, k, accelerations, &opposites, &efforts, carried)
}

/// True if the joint measures its angles from the ground although it has a parent body.
fn is_measured_from_ground(m: &Mechanism, joint: JointId) -> bool {
    m.joints[joint].absolute && m.joints[joint].parent.is_some()
}

/// True if a joint between two bodies measures its angles from the ground.
pub(crate) fn has_absolute_angles(m: &Mechanism) -> bool {
    m.joint_ids().any(|joint| is_measured_from_ground(m, joint))
}

/// Corrects transmitted wrenches like [`reactions_from_transmitted`], from the opposite moments of
/// actuators on the bodies and the efforts that act from the ground.
pub(crate) fn correct_for_absolute_angles<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    accelerations: &[S],
    opposites: &[Wrench<S>],
    efforts: &[S],
    carried: Vec<Wrench<S>>,
) -> Vec<Wrench<S>> {
    let mut through = carried.clone();
    for i in m.body_ids().rev() {
        let body = &k.bodies[i];
        // The opposite moments of actuators reach a body within the wrenches of its children, so
        // they are no longer loads on it.
        through[i] = through[i] + opposites[i];
        if is_measured_from_ground(m, i.inboard_joint()) {
            for column in &body.columns {
                let Some(speed) = column.speed else { continue };
                let effort = efforts[speed] - column.armature * accelerations[speed];
                let load = Wrench { f: Vec3::ZERO, m: column.dual.m.scale(effort) };
                through[i] = through[i] - load;
            }
        }
        if let Some(parent) = m.parent_body(i) {
            through[parent] = through[parent] + body.wrench_about_parent_pole(through[i])
                - body.transmit_wrench_to_parent(carried[i]);
        }
    }
    through
}
