//! Second derivatives of weighted efforts of inverse dynamics, from composite inertias of subtrees.
//!
//! Problem: the second derivatives of `wᵀ τ`, with `τ = M a + c`, by displacements, speeds and
//!          accelerations, for constant weights w.
//! Method:  let W be the twists of the bodies if w were the speeds, π their momenta, f and h the
//!          derivatives of `wᵀ τ` by W and V of a subtree. As in `effort_derivatives`, a
//!          displacement of joint k changes everything beyond it, in axes that move along, by
//!          `η = V × S`, `ζ = W × S` and `α = A × S + V × η` of the body that carries the joint; a
//!          speed changes V by S and A by `ρ`. The gradient by a displacement of joint j beyond k
//!          is `ζ·f + α·π + η·h`, by its speed `ρ·π + S·h`. Both are differentiated once more.
//!          The result consists of six wrenches of each column j, transformed to the root:
//!          `X = S ×* f + I α + 2 B η`, `Y = I ζ + S ×* π`, `Z = S ×* h + 2 Bᵀ ζ − 2 Cᵀ η`,
//!          `P = I ρ + 2 B S`, `Q = −2 Cᵀ S` and `I S`, where C is B of the twists W instead of V.
//!          Z and Q are moments. By pairs: `ζ·X + α·Y + η·Z` for two displacements, `ζ·P + η·Q`
//!          for the speed of j and a displacement of k, `ρ·Y + S·Z` for the converse, `S·Q` for two
//!          speeds.
//! Frames:  body axes, about the pole. V and h are relative to the velocity of the pole, W is not.
//! Cost:    O(nv · depth).
//!
//! Not handled: pairs with a joint of several speeds, whose displacements do not commute; what
//! `effort_derivatives` does not handle.

use dqdt_algebra::{Inertia, Mat3, Scalar, Twist, Vec3, Wrench};
use dqdt_mechanics::formalism::{
    ColumnWrenches, Momenta, MotionChange, body_rates, composite_momenta, doubled_pole_velocities,
    ground_acceleration_for_gravity, motion_changes, subtree_inertias, wrenches_on_subtrees,
};
use dqdt_mechanics::kinematics::{BodyMotion, Kinematics};
use dqdt_mechanics::mechanism::{BodyId, Environment, Mechanism, SpeedId};

/// Second derivatives of the weighted efforts `wᵀ (M a + c)` of inverse dynamics, nv × nv each.
pub struct EffortHessian<S> {
    /// Derivatives by two displacements; symmetric.
    pub by_displacements: Vec<Vec<S>>,
    /// Derivatives by a speed (row) and a displacement (column).
    pub by_speed_and_displacement: Vec<Vec<S>>,
    /// Derivatives by two speeds; symmetric.
    pub by_speeds: Vec<Vec<S>>,
    /// Derivatives by an acceleration (row) and a displacement (column): those of `M w`.
    pub by_acceleration_and_displacement: Vec<Vec<S>>,
}

/// Motion of a subtree with the weights as speeds: linear momentum and the dyad `∫ u rᵀ dm` of
/// velocities and positions.
#[derive(Clone, Copy)]
struct WeightedMotion<S> {
    momentum: Vec3<S>,
    dyad: Mat3<S>,
}

impl<S: Scalar> WeightedMotion<S> {
    /// Momentum and dyad of one body with this twist.
    fn new(inertia: &Inertia<S>, twist: Twist<S>) -> Self {
        let j = &inertia.second.0;
        let places = Mat3([0, 1, 2].map(|a| {
            [0, 1, 2].map(|b| match a == b {
                true => {
                    let twice = j[(a + 1) % 3][(a + 1) % 3] + j[(a + 2) % 3][(a + 2) % 3] - j[a][a];
                    S::ratio(1, 2) * twice
                }
                false => -j[a.min(b)][a.max(b)],
            })
        }));
        let turning = Mat3::cross_product_matrix(twist.w).mul(&places);
        WeightedMotion {
            momentum: inertia.momentum(twist).f,
            dyad: Mat3::matrix_sum(&turning, &Mat3::outer_product(twist.v, inertia.first)),
        }
    }

    /// Sum of two parts, the second about the pole of a child.
    fn add_child(&self, body: &BodyMotion<S>, child: &Self) -> Self {
        let r = &body.relative_rotation;
        let momentum = r.apply(child.momentum);
        let dyad =
            Mat3::matrix_sum(&r.rotate_tensor(&child.dyad), &Mat3::outer_product(momentum, body.offset));
        WeightedMotion { momentum: self.momentum + momentum, dyad: Mat3::matrix_sum(&self.dyad, &dyad) }
    }

    /// Angular momentum `∫ r × u dm`.
    fn angular_momentum(&self) -> Vec3<S> {
        let k = &self.dyad.0;
        Vec3([0, 1, 2].map(|a| {
            let (b, c) = ((a + 1) % 3, (a + 2) % 3);
            k[c][b] - k[b][c]
        }))
    }

    /// Moment of `−2 Cᵀ T` for a twist T; its force is zero.
    fn opposed_moment(&self, t: Twist<S>) -> Vec3<S> {
        let k = &self.dyad.0;
        let matrix = Mat3([0, 1, 2].map(|i| {
            [0, 1, 2].map(|j| match i == j {
                true => k[(i + 1) % 3][(i + 1) % 3] + k[(i + 2) % 3][(i + 2) % 3],
                false => -k[j][i],
            })
        }));
        (matrix.apply(t.w) + self.momentum.cross(t.v)).scale(S::ratio(-2, 1))
    }
}

/// Wrench `T ×* F`: the rate of a wrench F that is fixed in a body with the twist T.
fn carried_wrench<S: Scalar>(t: Twist<S>, f: Wrench<S>) -> Wrench<S> {
    Wrench { f: t.w.cross(f.f), m: t.w.cross(f.m) + t.v.cross(f.f) }
}

/// Twists of the bodies if the weights were the speeds: of the body that carries each joint, at the
/// pole of the joint's body and in its axes, and of the body itself.
fn weighted_twists<S: Scalar>(m: &Mechanism, k: &Kinematics<S>, weights: &[S]) -> Vec<[Twist<S>; 2]> {
    let mut all: Vec<[Twist<S>; 2]> = Vec::with_capacity(k.bodies.len());
    for (i, body) in BodyId::enumerate(&k.bodies) {
        let carrier = m.parent_body(i).map_or(Twist::ZERO, |p| body.carry_parent_twist(all[p][1]));
        let columns = body.columns.iter().filter_map(|c| Some((c.twist, weights[c.speed?])));
        let twist = columns.fold(carrier, |sum, (twist, weight)| sum + twist.scale(weight));
        all.push([carrier, twist.name_parts("weighted_", &|| m.bodies[i].name.clone())]);
    }
    all
}

/// The six wrenches of a column that are transformed to the root.
struct SecondWrenches<S> {
    /// `I S`, X and P.
    first: ColumnWrenches<S>,
    /// Y of the column, a wrench.
    y: Wrench<S>,
    /// Z of the column, a moment.
    z: Vec3<S>,
    /// Q of the column, a moment.
    q: Vec3<S>,
}

impl<S: Scalar> SecondWrenches<S> {
    /// The wrenches about the parent's pole, in parent axes; `twice` as in `effort_derivatives`.
    fn transmit_to_parent(&self, body: &BodyMotion<S>, twice: Vec3<S>) -> Self {
        let (r, y) = (&body.relative_rotation, body.transmit_wrench_to_parent(self.y));
        SecondWrenches {
            first: self.first.transmit_to_parent(body, twice),
            y,
            z: r.apply(self.z) + twice.cross(y.f),
            q: r.apply(self.q),
        }
    }
}

/// Change `ζ` of W by a displacement along a column, with the changes of the velocities.
struct SecondChange<S> {
    first: MotionChange<S>,
    zeta: Twist<S>,
}

/// The moment h of each subtree, from `2 Bᵀ W` of its bodies.
fn accumulated_duals<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    twists: &[[Twist<S>; 2]],
    weighted: &[WeightedMotion<S>],
    twice: &[Vec3<S>],
) -> Vec<Vec3<S>> {
    let bodies = k.bodies.iter().zip(twists);
    let mut duals: Vec<Vec3<S>> = bodies
        .map(|(b, [_, w])| Momenta::new(&b.inertia, b.twist.w).transposed_moment_for_twist(*w))
        .collect();
    for (i, body) in BodyId::enumerate(&k.bodies).rev() {
        if let Some(parent) = m.parent_body(i) {
            let r = &body.relative_rotation;
            let share = r.apply(duals[i]) + twice[i].cross(r.apply(weighted[i].momentum));
            duals[parent] = duals[parent] + share;
        }
    }
    duals
}

/// Second derivatives of the weighted efforts `wᵀ (M a + c)`, with gravity as an acceleration of
/// the ground and the inertias of `k`. Only pairs of joints with one speed each are meaningful.
pub fn effort_hessian<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    k: &Kinematics<S>,
    speed_accelerations: &[S],
    weights: &[S],
) -> EffortHessian<S> {
    let upwards = ground_acceleration_for_gravity(m, env);
    let rates = body_rates(m, k, speed_accelerations, upwards, "d");
    let ground = Twist { v: upwards, w: Vec3::ZERO };
    let forces = wrenches_on_subtrees(m, k, &rates);
    let inertias = subtree_inertias(m, k);
    let twice = doubled_pole_velocities(m, k);
    let momenta = composite_momenta(m, k, &inertias, &twice);
    let twists = weighted_twists(m, k, weights);
    let mut weighted: Vec<WeightedMotion<S>> =
        k.bodies.iter().zip(&twists).map(|(b, [_, w])| WeightedMotion::new(&b.inertia, *w)).collect();
    for (i, body) in BodyId::enumerate(&k.bodies).rev() {
        if let Some(parent) = m.parent_body(i) {
            weighted[parent] = weighted[parent].add_child(body, &weighted[i]);
        }
    }
    let duals = accumulated_duals(m, k, &twists, &weighted, &twice);
    let bodies = k.bodies.iter().zip(&m.joints).zip(&twists);
    let changes: Vec<Vec<SecondChange<S>>> = bodies
        .map(|((b, joint), [carrier, _])| {
            let first = motion_changes(k, b, joint.parent, &rates, ground).into_iter();
            first.map(|first| SecondChange { zeta: carrier.cross(first.twist), first }).collect()
        })
        .collect();
    let square = || vec![vec![S::ZERO; m.nv()]; m.nv()];
    let mut out = EffortHessian {
        by_displacements: square(),
        by_speed_and_displacement: square(),
        by_speeds: square(),
        by_acceleration_and_displacement: square(),
    };
    for (i, body_changes) in BodyId::enumerate(&changes) {
        let (inertia, motion) = (&inertias[i], &weighted[i]);
        let pi = Wrench { f: motion.momentum, m: motion.angular_momentum() };
        for change in body_changes {
            let (j, t) = (change.first.speed, change.first.twist);
            let mut first = ColumnWrenches::new(inertia, &momenta[i], &change.first);
            first.by_displacement = first.by_displacement + carried_wrench(t, forces[i]);
            let dual = momenta[i].transposed_moment_for_twist(change.zeta);
            let mut carried = SecondWrenches {
                first,
                y: inertia.momentum(change.zeta) + carried_wrench(t, pi),
                z: t.w.cross(duals[i]) + dual + motion.opposed_moment(change.first.velocity),
                q: motion.opposed_moment(t),
            };
            if body_changes.len() == 1 {
                out.add_pairs(j, &carried, body_changes, true);
            }
            let mut at = i;
            while let Some(parent) = m.parent_body(at) {
                carried = carried.transmit_to_parent(&k.bodies[at], twice[at]);
                out.add_pairs(j, &carried, &changes[parent], false);
                at = parent;
            }
        }
    }
    out
}

impl<S: Scalar> EffortHessian<S> {
    /// Sets the entries of the column of speed `j` with the columns of the same joint or of a joint
    /// closer to the root.
    fn add_pairs(&mut self, j: SpeedId, x: &SecondWrenches<S>, others: &[SecondChange<S>], same: bool) {
        for other in others {
            let (k, zeta, change) = (other.first.speed, other.zeta, &other.first);
            let both = x.first.by_displacement.power_on_twist(zeta)
                + x.y.power_on_twist(change.acceleration)
                + x.z.dot(change.velocity.w);
            (self.by_displacements[j][k], self.by_displacements[k][j]) = (both, both);
            self.by_speed_and_displacement[j][k] =
                x.first.by_speed.power_on_twist(zeta) + x.q.dot(change.velocity.w);
            let speeds = x.q.dot(change.twist.w);
            (self.by_speeds[j][k], self.by_speeds[k][j]) = (speeds, speeds);
            self.by_acceleration_and_displacement[j][k] = x.first.momentum.power_on_twist(zeta);
            if !same {
                self.by_speed_and_displacement[k][j] =
                    x.y.power_on_twist(change.rate) + x.z.dot(change.twist.w);
                self.by_acceleration_and_displacement[k][j] = x.y.power_on_twist(change.twist);
            }
        }
    }
}
