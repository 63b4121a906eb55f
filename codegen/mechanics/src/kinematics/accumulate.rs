//! Wrenches accumulated from the leaves to the root, and their shares along partial velocities.
//!
//! Problem: `Tᵀ W` and `Aᵀ Tᵀ W` of wrenches on the bodies.
//! Method:  one sweep: each body hands what it has accumulated to its parent, by `Cᵀ`.
//! Frames:  body axes, about the pole.
//! Cost:    O(bodies).

use crate::kinematics::Kinematics;
use crate::mechanism::{BodyId, Mechanism};
use dqdt_algebra::{Scalar, Wrench};

/// The wrench on each body together with all wrenches on its descendants: `Tᵀ W`. `kind` says of what, in names.
pub(crate) fn accumulated_to_root<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    mut wrenches: Vec<Wrench<S>>,
    kind: &str,
) -> Vec<Wrench<S>> {
    for (i, body) in BodyId::enumerate(&k.bodies).rev() {
        if let Some(parent) = m.parent(i) {
            let (own, parents) = (&m.bodies[i].name, &m.bodies[parent].name);
            let share = body.gather(wrenches[i]).named(kind, &|| format!("{own}_in_{parents}"));
            wrenches[parent] = (wrenches[parent] + share).named(&format!("tree_{kind}"), &|| parents.clone());
        }
    }
    wrenches
}

/// The share of each speed in accumulated wrenches: `Aᵀ Tᵀ W`.
pub(crate) fn along_partial_velocities<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    accumulated: &[Wrench<S>],
) -> Vec<S> {
    let mut forces = vec![S::ZERO; m.nv()];
    for (body, wrench) in k.bodies.iter().zip(accumulated) {
        for column in &body.columns {
            if let Some(speed) = column.speed {
                forces[speed] = wrench.power(column.twist);
            }
        }
    }
    forces
}
