//! The composite-body form (5.5): `M̄ = Tᵀ M T` first, as inertias of subtrees, then `Aᵀ M̄ A`.
//!
//! Problem: `M v̇ + c = Q` of a tree.
//! Method:  tree-forms paper (5.5), MATH.md 1.3; Featherstone 2008, section 6.2. Leaf to root `Mᶜ_i = M_i + Σ Cᵀ Mᶜ_j C`;
//! then for each column `Y = Mᶜ_i A_i`, which is gathered towards the root, where each joint takes its share
//! `H_ki = A_kᵀ Y`. `H_ij` is there only if one of i, j is an ancestor of the other. The right side is one sweep of Newton
//! and Euler at `v̇ = 0`, with the ground accelerated against gravity.
//! Shapes:  nv.
//! Frames:  body axes, about the pole.
//! Units:   row i has the unit of effort i.
//! Cost:    O(nv · depth) for H, O(bodies) for the right side; then LᵀDL with the sparsity of the tree.
//! Rotors:  the armature stands on the diagonal; `h`, as `rotors` has it, is gathered from the carrier to the root and is
//! within the sparsity of the tree, since the carrier is an end of the joint.
//! Not handled: constraints; `forward` adds them.

use super::Implicit;
use super::actions::{self, total};
use super::applied::Applied;
use super::kane::{along_partial_velocities, gathered};
use super::{reactions, rotors};
use crate::algebra::{Inertia, Mat3, Scalar};
use crate::kinematics::{Kinematics, motions};
use crate::mechanism::{Environment, Mechanism};

/// The composite-body form at `env`.
pub(super) fn composite_body<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Implicit<S> {
    let k = motions(m, env);
    let still = vec![S::ZERO; m.nv()];
    let inertial = Applied::inertial(&k);
    let c = projected(m, &k, &inertial, &still);
    let mut acting = vec![actions::gravity(m, &k, env)];
    acting.extend(actions::loads(m, &k, env));
    let (wrenches, efforts) = total(m, &acting);
    let active = along_partial_velocities(m, &k, &gathered(m, &k, wrenches, "load"));
    let force = active.into_iter().zip(efforts).map(|(f, tau)| f + tau).collect();
    Implicit { mass: mass_matrix(m, &k), c, force }
}

/// `Q − c` by one sweep.
pub(super) fn right_side<S: Scalar>(m: &Mechanism, k: &Kinematics<S>, env: &Environment<'_, S>) -> Vec<S> {
    let applied = Applied::falling(m, k, env);
    let needed = projected(m, k, &applied, &vec![S::ZERO; m.nv()]);
    needed.into_iter().zip(&applied.efforts).map(|(x, tau)| *tau - x).collect()
}

/// `(T A)ᵀ (M V̇ − F*)` at given `v̇`.
fn projected<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    applied: &Applied<S>,
    accelerations: &[S],
) -> Vec<S> {
    let rates = reactions::rates(m, k, applied.ground, accelerations);
    let carried = reactions::carried(m, k, applied, accelerations, &rates);
    let mut efforts = along_partial_velocities(m, k, &carried);
    rotors::add_efforts(k, |b| rates[b], &mut efforts);
    efforts
}

/// `H = Aᵀ M̄ A`.
pub(super) fn mass_matrix<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) -> Vec<Vec<S>> {
    let mut mass = vec![vec![S::ZERO; m.nv()]; m.nv()];
    let moved = moved_inertias(m, k);
    for (b, body) in k.bodies.iter().enumerate() {
        for (position, column) in body.columns.iter().enumerate() {
            let Some(j) = column.speed else { continue };
            // Σ_k Cᵀ M_k J_kj over the bodies that the joint moves.
            let speed = &m.speeds[j].name;
            let mut wrench = moved[b].apply(column.twist).named("column", &|| speed.clone());
            for other in &body.columns[..=position] {
                if let Some(speed) = other.speed {
                    set(&mut mass, speed, j, wrench.power(other.twist));
                }
            }
            mass[j][j] = mass[j][j] + column.armature;
            let mut at = b;
            while let Some(parent) = m.joints[at].parent {
                let parents = &m.bodies[parent].name;
                wrench = k.bodies[at].gather(wrench).named("column", &|| format!("{speed}_in_{parents}"));
                for other in &k.bodies[parent].columns {
                    if let Some(speed) = other.speed {
                        set(&mut mass, speed, j, wrench.power(other.twist));
                    }
                }
                at = parent;
            }
        }
    }
    for rotor in &k.rotors {
        let Some(s) = rotor.speed else { continue };
        let mut wrench = rotor.along(S::ONE);
        let mut at = Some(rotor.carrier);
        while let Some(body) = at {
            for column in &k.bodies[body].columns {
                if let Some(j) = column.speed {
                    let share = wrench.power(column.twist);
                    mass[s][j] = mass[s][j] + share;
                    mass[j][s] = mass[j][s] + share;
                }
            }
            wrench = k.bodies[body].gather(wrench);
            at = m.joints[body].parent;
        }
    }
    mass
}

/// The diagonal of `H` alone.
pub(super) fn diagonal<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) -> Vec<S> {
    let mut diagonal = vec![S::ZERO; m.nv()];
    for (body, inertia) in k.bodies.iter().zip(moved_inertias(m, k)) {
        for column in &body.columns {
            if let Some(speed) = column.speed {
                diagonal[speed] = inertia.apply(column.twist).power(column.twist) + column.armature;
            }
        }
    }
    for rotor in k.rotors.iter().filter(|r| r.carrier == r.joint) {
        if let Some((s, column)) = rotor.speed.zip(k.bodies[rotor.joint].columns.first()) {
            diagonal[s] = diagonal[s] + S::ratio(2, 1) * rotor.share(column.twist);
        }
    }
    diagonal
}

/// `Σ_k (C … C)ᵀ M_k (C … C)` over each body and its descendants. A joint whose angles are measured from the ground
/// carries no angular velocity on: what lies beyond it moves with its pole, as a point mass there.
fn moved_inertias<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) -> Vec<Inertia<S>> {
    let mut moved: Vec<Inertia<S>> = k.bodies.iter().map(|b| b.inertia).collect();
    for (i, body) in k.bodies.iter().enumerate().rev() {
        if let Some(parent) = m.joints[i].parent {
            let share = if body.absolute {
                Inertia::about_pole(moved[i].mass, body.offset, Mat3([[S::ZERO; 3]; 3]))
            } else {
                moved[i].moved(&body.relative_rotation, body.offset)
            };
            let (own, parents) = (&m.bodies[i].name, &m.bodies[parent].name);
            let kind = if m.joints.iter().any(|j| j.parent == Some(i)) { "tree_" } else { "" };
            let share = share.named(kind, &|| format!("{own}_in_{parents}"));
            moved[parent] = (moved[parent] + share).named("tree_", &|| parents.clone());
        }
    }
    moved
}

fn set<S: Scalar>(mass: &mut [Vec<S>], i: usize, j: usize, value: S) {
    mass[i][j] = value;
    mass[j][i] = value;
}
