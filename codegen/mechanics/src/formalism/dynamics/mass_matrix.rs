//! CRBA: the mass matrix of a tree from the composite inertias of its subtrees.
//!
//! Problem: `H = Aᵀ M̄ A` with `M̄ = Tᵀ M T`, or its diagonal alone.
//! Method:  the composite inertia of each subtree, from the leaves to the root. A column of H is
//!          the wrench for a unit rate of its speed, transformed to the root (tree-forms paper,
//!          5.5).
//! Frames:  body axes, about the pole.
//! Cost:    O(nv · depth).

use crate::kinematics::{Kinematics, composite_inertias};
use crate::mechanism::{BodyId, Mechanism, SpeedId};
use dqdt_algebra::Scalar;

/// Mass matrix `H = Aᵀ M̄ A` of the tree by CRBA, nv × nv, by speeds in spec order.
pub(crate) fn mass_matrix<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) -> Vec<Vec<S>> {
    let mut mass = vec![vec![S::ZERO; m.nv()]; m.nv()];
    let moved = composite_inertias(m, k);
    for (b, body) in BodyId::enumerate(&k.bodies) {
        for (position, column) in body.columns.iter().enumerate() {
            let Some(j) = column.speed else { continue };
            // Σ_k Cᵀ M_k J_kj over the bodies that the joint moves.
            let speed = m.speed_name_stem(j);
            let mut wrench = moved[b].momentum(column.twist).name_parts("column", &|| speed.to_owned());
            for other in &body.columns[..=position] {
                if let Some(speed) = other.speed {
                    set_symmetric_entry(&mut mass, speed, j, wrench.power_on_twist(other.twist));
                }
            }
            mass[j][j] = mass[j][j] + column.armature;
            let mut at = b;
            while let Some(parent) = m.parent_body(at) {
                let parents = &m.bodies[parent].name;
                wrench = k.bodies[at]
                    .transmit_wrench_to_parent(wrench)
                    .name_parts("column", &|| format!("{speed}_in_{parents}"));
                for other in &k.bodies[parent].columns {
                    if let Some(speed) = other.speed {
                        set_symmetric_entry(&mut mass, speed, j, wrench.power_on_twist(other.twist));
                    }
                }
                at = parent;
            }
        }
    }
    for rotor in &k.rotors {
        let Some(s) = rotor.speed else { continue };
        let mut wrench = rotor.moment_on_carrier(S::ONE);
        let mut at = Some(rotor.carrier);
        while let Some(body) = at {
            for column in &k.bodies[body].columns {
                if let Some(j) = column.speed {
                    let share = wrench.power_on_twist(column.twist);
                    mass[s][j] = mass[s][j] + share;
                    mass[j][s] = mass[j][s] + share;
                }
            }
            wrench = k.bodies[body].transmit_wrench_to_parent(wrench);
            at = m.parent_body(body);
        }
    }
    mass
}

/// A mass matrix and the vectors that occur with it in an equation, replaced by equal expressions
/// with fewer operations.
pub(crate) fn simplify_mass_and_vectors<S: Scalar, const N: usize>(
    mass: &[Vec<S>],
    vectors: [&[S]; N],
) -> (Vec<Vec<S>>, [Vec<S>; N]) {
    let n = mass.len();
    let upper: Vec<S> = mass.iter().enumerate().flat_map(|(i, row)| row[i..].to_vec()).collect();
    let groups: Vec<&[S]> = std::iter::once(&upper[..]).chain(vectors).collect();
    let mut forms = S::normal_forms(&groups).into_iter();
    let entries = forms.next().unwrap_or(upper).into_iter();
    let mut full = vec![vec![S::ZERO; n]; n];
    let places = (0..n).flat_map(|i| (i..n).map(move |j| (i, j)));
    for ((i, j), x) in places.zip(entries) {
        (full[i][j], full[j][i]) = (x, x);
    }
    (full, std::array::from_fn(|_| forms.next().unwrap_or_default()))
}

/// Diagonal of the mass matrix, by speed, without its other entries. Scale of the pivots.
pub(crate) fn mass_diagonal<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) -> Vec<S> {
    let mut diagonal = vec![S::ZERO; m.nv()];
    for (body, inertia) in k.bodies.iter().zip(composite_inertias(m, k)) {
        for column in &body.columns {
            if let Some(speed) = column.speed {
                diagonal[speed] =
                    inertia.momentum(column.twist).power_on_twist(column.twist) + column.armature;
            }
        }
    }
    for rotor in k.rotors.iter().filter(|r| r.carrier == r.joint.child()) {
        if let Some((s, column)) = rotor.speed.zip(k.bodies[rotor.joint.child()].columns.first()) {
            diagonal[s] = diagonal[s] + S::ratio(2, 1) * rotor.project_on_momentum(column.twist);
        }
    }
    diagonal
}

/// Sets entries (i, j) and (j, i) of a mass matrix.
fn set_symmetric_entry<S: Scalar>(mass: &mut [Vec<S>], i: SpeedId, j: SpeedId, value: S) {
    mass[i][j] = value;
    mass[j][i] = value;
}
