//! Redundant quasi-velocities: the twists of the bodies as unknowns, in body axes or in joint
//! bases.
//!
//! Problem: the formalisms of Lagrange of the first kind and of Maggi share the unknowns `V̇` and
//!          the rows `Zᵀ S V̇ = Zᵀ w`. In body axes these are the equations of the paper; solved in
//!          body axes, pivots would be entries of Z, which can vanish.
//! Method:  `V̇_i = B_i η_i`. In body axes `B_i = E`. In the basis of the joint `B_i = [A_i H_i]`,
//!          with the dual basis `[Y_i Z_i]`: then `Z_iᵀ B_i` and `Y_iᵀ B_i` are rows of the
//!          identity in every pose, and their pivots are one. Acceleration of a speed:
//!          `v̇ = Yᵀ (V̇ − C V̇_k − w)`.
//! Frames:  body axes, about the pole.
//! Cost:    O(bodies).

use super::sparse_system::unit_twists;
use crate::kinematics::{Kinematics, TurningRotor, constrained_directions};
use crate::mechanism::{BodyId, Environment, Mechanism, SpeedId};
use dqdt_algebra::{Scalar, SparseRows, Twist, Wrench};

/// Basis in which the twists of the bodies are unknowns of the sparse systems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Components {
    /// Body axes, as in the printed equations.
    Axes,
    /// Basis of the inboard joint: free columns first, then constrained directions.
    Joint,
}

/// Unknowns of one body in the sparse systems of Lagrange (first kind) and Maggi: basis of its
/// twist, and the constrained wrenches of its joint.
pub(crate) struct BodyUnknowns<S> {
    /// The six twists of which the body's acceleration is a combination.
    pub basis: Vec<Twist<S>>,
    /// Speeds of the free columns of the joint.
    pub speeds: Vec<SpeedId>,
    /// Dual wrenches Y of the joint's free columns.
    pub duals: Vec<Wrench<S>>,
    /// Armature of each free column of the joint.
    pub armature: Vec<S>,
    /// Wrenches Z along the constrained directions of the joint.
    pub constrained: Vec<Wrench<S>>,
    /// Basis of the parent expressed at this body's pole, `C B_k`; empty if the parent is the
    /// ground.
    pub parent_basis: Vec<Twist<S>>,
    /// Basis in which the twist is an unknown.
    components: Components,
    /// First row and column of the joint's kinematics and multipliers in the system.
    pub offset: usize,
}

impl<S: Scalar> BodyUnknowns<S> {
    /// Entry `Z_bᵀ B_a` of the kinematic rows, for constrained direction `b` and basis twist `a`.
    pub fn constrained_entry(&self, b: usize, a: usize) -> S {
        self.wrench_basis_entry(&self.constrained[b], self.speeds.len() + b, a)
    }

    /// Entry `Y_sᵀ B_a` of the rows of a speed, for free column `s` and basis twist `a`.
    pub fn dual_entry(&self, s: usize, a: usize) -> S {
        self.wrench_basis_entry(&self.duals[s], s, a)
    }

    /// Product of a wrench with basis twist `a`; 0 or 1 in the joint's dual bases. `position`:
    /// place of the wrench in the dual basis.
    fn wrench_basis_entry(&self, wrench: &Wrench<S>, position: usize, a: usize) -> S {
        match self.components {
            Components::Axes => wrench.power_on_twist(self.basis[a]),
            Components::Joint if position == a => S::ONE,
            Components::Joint => S::ZERO,
        }
    }
}

/// Unknowns of all bodies. The rows and columns of the joints follow the 6N components of `V̇`.
pub(crate) fn body_unknowns<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    components: Components,
) -> Vec<BodyUnknowns<S>> {
    let mut body_unknowns: Vec<BodyUnknowns<S>> = Vec::with_capacity(k.bodies.len());
    let mut offset = 6 * k.bodies.len();
    for (i, (body, constrained)) in BodyId::enumerate(k.bodies.iter().zip(constrained_directions(m, k, env)))
    {
        let free = || body.columns.iter().filter(|c| c.speed.is_some());
        let basis: Vec<Twist<S>> = match components {
            Components::Axes => unit_twists().to_vec(),
            Components::Joint => free().map(|c| c.twist).chain(constrained.iter().map(|h| h.twist)).collect(),
        };
        let parent = m.parent_body(i);
        let parent_basis =
            parent.map(|p| body_unknowns[p].basis.iter().map(|b| body.carry_parent_twist(*b)).collect());
        let unknowns = BodyUnknowns {
            basis,
            speeds: free().filter_map(|c| c.speed).collect(),
            duals: free().map(|c| c.dual).collect(),
            armature: free().map(|c| c.armature).collect(),
            constrained: constrained.iter().map(|h| h.wrench).collect(),
            parent_basis: parent_basis.unwrap_or_default(),
            components,
            offset,
        };
        offset += unknowns.constrained.len();
        body_unknowns.push(unknowns);
    }
    body_unknowns
}

/// Adds `scale · v̇_s`, expressed in the unknowns, to a row of the system. `s` is the local index
/// of a free speed of body `i`. Known terms go to the right-hand side.
pub(crate) fn add_speed_acceleration<S: Scalar>(
    rows: &mut SparseRows<S>,
    row: usize,
    scale: S,
    m: &Mechanism,
    (i, s): (BodyId, usize),
    bodies: &[BodyUnknowns<S>],
    convective: &Twist<S>,
) {
    let unknowns = &bodies[i];
    for a in 0..6 {
        rows.add_entry(row, 6 * i.index() + a, scale * unknowns.dual_entry(s, a));
    }
    if let Some(parent) = m.parent_body(i) {
        for (a, twist) in unknowns.parent_basis.iter().enumerate() {
            rows.add_entry(row, 6 * parent.index() + a, -(scale * unknowns.duals[s].power_on_twist(*twist)));
        }
    }
    rows.add_right_hand_side(row, scale * unknowns.duals[s].power_on_twist(*convective));
}

/// Adds `scale · h · ω̇` of a rotor's carrier to a row of the system.
pub(crate) fn add_rotor_carrier_term<S: Scalar>(
    rows: &mut SparseRows<S>,
    row: usize,
    scale: S,
    rotor: &TurningRotor<S>,
    bodies: &[BodyUnknowns<S>],
) {
    for (a, twist) in bodies[rotor.carrier].basis.iter().enumerate() {
        rows.add_entry(row, 6 * rotor.carrier.index() + a, scale * rotor.project_on_momentum(*twist));
    }
}

/// Adds the kinematic rows `−Zᵀ S V̇ = −Zᵀ w`. Their indices are the column indices of the joints
/// minus `up`.
pub(crate) fn add_joint_kinematic_rows<S: Scalar>(
    rows: &mut SparseRows<S>,
    up: usize,
    m: &Mechanism,
    k: &Kinematics<S>,
    bodies: &[BodyUnknowns<S>],
) {
    for (i, unknowns) in BodyId::enumerate(bodies) {
        for (b, wrench) in unknowns.constrained.iter().enumerate() {
            let row = unknowns.offset + b - up;
            for a in 0..6 {
                rows.add_entry(row, 6 * i.index() + a, -unknowns.constrained_entry(b, a));
            }
            if let Some(parent) = m.parent_body(i) {
                for (a, twist) in unknowns.parent_basis.iter().enumerate() {
                    rows.add_entry(row, 6 * parent.index() + a, wrench.power_on_twist(*twist));
                }
            }
            rows.add_right_hand_side(row, -wrench.power_on_twist(k.bodies[i].convective));
        }
    }
}

/// Accelerations `V̇` of all bodies and `v̇` of all speeds, from the solution `x` of the sparse
/// system.
pub(crate) fn recover_accelerations<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    bodies: &[BodyUnknowns<S>],
    x: &[S],
) -> (Vec<Twist<S>>, Vec<S>) {
    let mut rates: Vec<Twist<S>> = Vec::with_capacity(bodies.len());
    let mut accelerations = vec![S::ZERO; m.nv()];
    for (i, unknowns) in BodyId::enumerate(bodies) {
        let eta = &x[6 * i.index()..6 * i.index() + 6];
        let rate = unknowns.basis.iter().zip(eta).fold(Twist::ZERO, |sum, (b, x)| sum + b.scale(*x));
        let carried = m.parent_body(i).map_or(Twist::ZERO, |p| k.bodies[i].carry_parent_twist(rates[p]));
        let known = carried + k.bodies[i].convective;
        for (s, speed) in unknowns.speeds.iter().enumerate() {
            let along = (0..6).fold(S::ZERO, |sum, a| sum + unknowns.dual_entry(s, a) * eta[a]);
            accelerations[*speed] = along - unknowns.duals[s].power_on_twist(known);
        }
        rates.push(rate);
    }
    (rates, accelerations)
}
