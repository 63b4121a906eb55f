//! Composite inertias: each body with its descendants as one rigid body.
//!
//! Method:  one sweep from the leaves to the root (Featherstone, Rigid Body Dynamics Algorithms,
//! 2008, section 6.2).
//! Frames:  body axes, about the pole.
//! Cost:    O(bodies).

use super::bodies::Kinematics;
use crate::mechanism::{BodyId, Mechanism};
use dqdt_algebra::{Inertia, Mat3, Scalar};

/// Composite inertias `Σ_k (C … C)ᵀ M_k (C … C)` over each body and its descendants. A joint with
/// absolute angles transmits no angular velocity: the subtree beyond it moves with its pole and
/// counts as a point mass there.
pub fn composite_inertias<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) -> Vec<Inertia<S>> {
    let mut composites: Vec<Inertia<S>> = k.bodies.iter().map(|b| b.inertia).collect();
    for (i, body) in BodyId::enumerate(&k.bodies).rev() {
        if let Some(parent) = m.parent_body(i) {
            let share = if body.absolute {
                Inertia::from_central_inertia(composites[i].mass, body.offset, Mat3([[S::ZERO; 3]; 3]))
            } else {
                composites[i].transform_to_frame(&body.relative_rotation, body.offset)
            };
            let (child_name, parent_name) = (&m.bodies[i].name, &m.bodies[parent].name);
            let kind = if m.joints.iter().any(|j| j.parent == Some(i)) { "tree_" } else { "" };
            let share = share.name_parts(kind, &|| format!("{child_name}_in_{parent_name}"));
            composites[parent] = (composites[parent] + share).name_parts("tree_", &|| parent_name.clone());
        }
    }
    composites
}
