//! Wrenches accumulated from the leaves to the root, and their components along partial velocities.
//!
//! Problem: `Tᵀ W` and `Aᵀ Tᵀ W` of wrenches on the bodies.
//! Method:  one inward sweep: each body adds its accumulated wrench to its parent, by `Cᵀ`.
//! Frames:  body axes, about the pole.
//! Cost:    O(bodies).

use crate::kinematics::Kinematics;
use crate::mechanism::{BodyId, Mechanism};
use dqdt_algebra::{Scalar, Wrench};

/// Sum of the wrench on each body and all wrenches on its descendants (`Tᵀ W`), one a body, in body
/// axes about the pole. `kind` is a prefix of the names of emitted values.
pub(crate) fn accumulate_wrenches_to_root<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    mut wrenches: Vec<Wrench<S>>,
    kind: &str,
) -> Vec<Wrench<S>> {
    for (i, body) in BodyId::enumerate(&k.bodies).rev() {
        if let Some(parent) = m.parent_body(i) {
            let (child_name, parent_name) = (&m.bodies[i].name, &m.bodies[parent].name);
            let share = body
                .transmit_wrench_to_parent(wrenches[i])
                .name_parts(kind, &|| format!("{child_name}_in_{parent_name}"));
            wrenches[parent] =
                (wrenches[parent] + share).name_parts(&format!("tree_{kind}"), &|| parent_name.clone());
        }
    }
    wrenches
}

/// Generalised forces `Aᵀ Tᵀ W`, one a speed: power of the accumulated wrench on each body along
/// the joint's partial velocities.
pub(crate) fn project_on_partial_velocities<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    accumulated: &[Wrench<S>],
) -> Vec<S> {
    let mut forces = vec![S::ZERO; m.nv()];
    for (body, wrench) in k.bodies.iter().zip(accumulated) {
        for column in &body.columns {
            if let Some(speed) = column.speed {
                forces[speed] = wrench.power_on_twist(column.twist);
            }
        }
    }
    forces
}
