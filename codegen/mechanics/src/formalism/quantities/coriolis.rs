//! The Coriolis matrix: `C(q, v) v` is the velocity-quadratic part of c, and `Ṁ − 2C` is skew.
//!
//! Problem: among the matrices C with that product, find that of the Levi-Civita connection of M in
//!          the frame of the speeds: Christoffel symbols where `v = q̇`, and with the structure
//!          coefficients of `N` elsewhere.
//! Method:  the mechanism lies in the space of its particles, where the connection is flat; its
//!          projection is the connection of M. With the partial velocities `W_j`, the field of
//!          twists of speed j, `C_kj = Σ ∫ W_k · (dW_j/dt) dm` along the motion. For a body with
//!          the momentum p and the dyad `K = ∫ u rᵀ dm` of velocities u and positions r about the
//!          pole, `∫ dW/dt dm` is the wrench `I Ẇ + B W`, `B W = (ω_W × p, tr(K) ω_W − K ω_W)`,
//!          where `Ẇ` is the rate of the field at fixed points. I, p and K of bodies are summed
//!          from the leaves to the root; each column is transformed to the root (Echeandia and
//!          Wensing 2021, with this B).
//! Rotors:  a rotor that rotates at `n v` about the axis of `h = J n a` in its carrier adds
//!          `½ v h̃` to K. For its speed s it adds the moments `½ ω × h` to `C_ks`, `½ ω × h` on
//!          ω_k and h on ω̇_k to `C_sk`.
//! Frames:  body axes, about the pole.
//! Cost:    O(nv · depth).
//!
//! Not handled: terms that prescribed motion adds to c: linear in the speeds, or without them.

use super::super::dynamics::regroup::regroup_inertias;
use super::super::dynamics::rotors::moment_wrench;
use super::inverse::inverse_dynamics;
use crate::kinematics::composite_inertias;
use crate::kinematics::{
    BodyMotion, Column, Kinematics, convert_to_formulation_axes, kinematics, kinematics_without_jacobians,
};
use crate::mechanism::{BodyId, Environment, Formula, JointVariable, Mechanism, SpeedId};
use dqdt_algebra::{Inertia, Jet, Mat3, Scalar, Twist, Vec3, Wrench};

/// Momentum of a body and its descendants, and the dyad `∫ u rᵀ dm` of velocities u and positions r
/// about the pole.
#[derive(Clone, Copy)]
struct Momenta<S> {
    /// Linear momentum, in body axes.
    linear: Vec3<S>,
    /// Dyad K of velocities and positions, in body axes.
    dyad: Mat3<S>,
}

fn matrix_trace<S: Scalar>(a: &Mat3<S>) -> S {
    a.0[0][0] + a.0[1][1] + a.0[2][2]
}

impl<S: Scalar> Momenta<S> {
    /// Momentum and dyad of one body with this inertia and twist.
    fn new(inertia: &Inertia<S>, twist: Twist<S>) -> Self {
        let linear = twist.v.scale(inertia.mass) + twist.w.cross(inertia.first);
        // ∫ r rᵀ dm from the tensor J = ∫ (r² E − r rᵀ) dm.
        let half = S::ratio(1, 2) * matrix_trace(&inertia.second);
        let places = Mat3([0, 1, 2].map(|i| {
            [0, 1, 2].map(|j| match i == j {
                true => half - inertia.second.0[i][i],
                false => -inertia.second.0[i.min(j)][i.max(j)],
            })
        }));
        let turning = Mat3::cross_product_matrix(twist.w).mul(&places);
        Momenta { linear, dyad: Mat3::matrix_sum(&Mat3::outer_product(twist.v, inertia.first), &turning) }
    }

    /// Momentum and dyad about the parent's pole, in parent axes.
    fn momenta_in_parent(&self, body: &BodyMotion<S>) -> Self {
        let r = &body.relative_rotation;
        let linear = r.apply(self.linear);
        let turned = r.mul(&self.dyad).mul(&r.transpose());
        Momenta { linear, dyad: Mat3::matrix_sum(&turned, &Mat3::outer_product(linear, body.offset)) }
    }

    /// Sum of the momenta and dyads of two parts.
    fn add_momenta(&self, o: &Self) -> Self {
        Momenta { linear: self.linear + o.linear, dyad: Mat3::matrix_sum(&self.dyad, &o.dyad) }
    }

    /// Wrench `B W` of a subtree for a twist W.
    fn wrench_for_twist(&self, t: Twist<S>) -> Wrench<S> {
        let m = t.w.scale(matrix_trace(&self.dyad)) - self.dyad.apply(t.w);
        Wrench { f: t.w.cross(self.linear), m }
    }

    /// Moment of `Bᵀ W` for a twist W; its force is zero.
    fn transposed_moment_for_twist(&self, t: Twist<S>) -> Vec3<S> {
        self.linear.cross(t.v) + t.w.scale(matrix_trace(&self.dyad)) - self.dyad.apply_transposed(t.w)
    }
}

/// Column of the Coriolis matrix during its transformation to the root, with which it contributes
/// to the rows and columns of other speeds.
struct TransformedColumn<S> {
    /// Wrench `I Ẇ + B W` of the column.
    rate: Wrench<S>,
    /// Wrench `I W` of the column.
    momentum: Wrench<S>,
    /// Moment of `Bᵀ W` of the column.
    dual: Vec3<S>,
}

impl<S: Scalar> TransformedColumn<S> {
    /// Transforms the column from a body, whose pole has the velocity `pole`, to its parent.
    fn column_in_parent(&self, body: &BodyMotion<S>, pole: Vec3<S>) -> Self {
        // Across absolute angles, everything beyond the pole moves with the pole.
        let dual = if body.absolute { pole.cross(self.momentum.f) } else { self.dual };
        TransformedColumn {
            rate: body.transmit_wrench_to_parent(self.rate),
            momentum: body.transmit_wrench_to_parent(self.momentum),
            dual: body.relative_rotation.apply(dual),
        }
    }
}

/// Twists of the bodies due to the free speeds alone, without prescribed motion.
fn twists_without_drift<S: Scalar>(k: &Kinematics<S>, env: &Environment<'_, S>) -> Vec<Twist<S>> {
    (k.bodies.iter())
        .map(|body| match body.drift.is_zero() {
            true => body.twist,
            false => body.partial.iter().fold(Twist::ZERO, |sum, (s, t)| sum + t.scale(env.v[*s])),
        })
        .collect()
}

/// Partial velocity of a speed, and the rate of its field at fixed points.
struct VelocityField<S> {
    /// Speed of the field.
    speed: SpeedId,
    /// Partial velocity, in body axes at the pole.
    twist: Twist<S>,
    /// Rate of the field at fixed points, in body axes.
    rate: Twist<S>,
}

/// Velocity fields of the speeds of each joint, in body axes, one list a body.
fn partial_velocity_fields<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    twists: &[Twist<S>],
    env: &Environment<'_, S>,
) -> Vec<Vec<VelocityField<S>>> {
    let rates: Vec<S> = (k.rate_matrix.iter())
        .map(|row| row.iter().zip(env.v).fold(S::ZERO, |sum, (n, v)| sum + *n * *v))
        .collect();
    let still = vec![S::ZERO; m.nv()];
    // Most partial velocities are constant in body axes, with zero rates.
    let moving = env.with_jets(S::ZERO, &rates, &still, |env| kinematics_without_jacobians(m, env));
    let bodies = k.bodies.iter().zip(&moving.bodies).zip(twists);
    bodies
        .map(|((body, moving), v)| {
            let columns = body.columns.iter().zip(&moving.columns);
            columns.filter_map(|(column, moving)| partial_velocity_field(column, moving, v)).collect()
        })
        .collect()
}

/// Field of a column of a body with the twist `v`; `moving` is the column along the motion. `None`
/// for a prescribed column.
fn partial_velocity_field<S: Scalar>(
    column: &Column<S>,
    moving: &Column<Jet<S>>,
    v: &Twist<S>,
) -> Option<VelocityField<S>> {
    let rate_in_body = Twist { v: moving.twist.v.map(|x| x.d), w: moving.twist.w.map(|x| x.d) };
    let Twist { v: linear, w } = column.twist;
    let turned = Twist { v: v.w.cross(linear) + v.v.cross(w), w: v.w.cross(w) };
    column.speed.map(|speed| VelocityField { speed, twist: column.twist, rate: rate_in_body + turned })
}

/// Coriolis matrix `C(q, v)`, nv × nv: row k is an effort, column j belongs to speed j.
pub fn coriolis_matrix<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<Vec<S>> {
    let k =
        convert_to_formulation_axes(m, env, regroup_inertias(m, kinematics(m, env), env), true).kinematics;
    let twists = twists_without_drift(&k, env);
    let fields = partial_velocity_fields(m, &k, &twists, env);
    let inertias = composite_inertias(m, &k);
    let mut momenta: Vec<Momenta<S>> =
        k.bodies.iter().zip(&twists).map(|(b, t)| Momenta::new(&b.inertia, *t)).collect();
    let half = S::ratio(1, 2);
    let free_rotors = || k.rotors.iter().filter_map(|r| r.speed.map(|s| (r, s)));
    for (rotor, _) in free_rotors() {
        let spin = Mat3::cross_product_matrix(rotor.momentum.scale(half * rotor.rate));
        momenta[rotor.carrier].dyad = Mat3::matrix_sum(&momenta[rotor.carrier].dyad, &spin);
    }
    for (i, body) in BodyId::enumerate(&k.bodies).rev() {
        let Some(parent) = m.parent_body(i) else { continue };
        let share = if body.absolute {
            let linear = body.relative_rotation.apply(twists[i].v.scale(inertias[i].mass));
            Momenta { linear, dyad: Mat3::outer_product(linear, body.offset) }
        } else {
            momenta[i].momenta_in_parent(body)
        };
        momenta[parent] = momenta[parent].add_momenta(&share);
    }
    let mut matrix = vec![vec![S::ZERO; m.nv()]; m.nv()];
    // Adds a column, and the row of the same speed, for all ancestors of a body.
    let add_to_ancestors =
        |matrix: &mut Vec<Vec<S>>, speed: SpeedId, from: BodyId, mut carried: TransformedColumn<S>| {
            let mut at = from;
            while let Some(parent) = m.parent_body(at) {
                carried = carried.column_in_parent(&k.bodies[at], twists[at].v);
                for other in &fields[parent] {
                    add_coriolis_entries(matrix, other, speed, &carried);
                }
                at = parent;
            }
        };
    for (b, body_fields) in BodyId::enumerate(&fields) {
        for field in body_fields {
            let carried = TransformedColumn {
                rate: inertias[b].momentum(field.rate) + momenta[b].wrench_for_twist(field.twist),
                momentum: inertias[b].momentum(field.twist),
                dual: momenta[b].transposed_moment_for_twist(field.twist),
            };
            for other in body_fields {
                matrix[other.speed][field.speed] = carried.rate.power_on_twist(other.twist);
            }
            add_to_ancestors(&mut matrix, field.speed, b, carried);
        }
    }
    for (rotor, speed) in free_rotors() {
        let (carrier, h) = (rotor.carrier, rotor.momentum);
        let moment = twists[carrier].w.cross(h).scale(half);
        let carried =
            TransformedColumn { rate: moment_wrench(moment), momentum: moment_wrench(h), dual: moment };
        for other in &fields[carrier] {
            add_coriolis_entries(&mut matrix, other, speed, &carried);
        }
        add_to_ancestors(&mut matrix, speed, carrier, carried);
    }
    matrix
}

/// Adds the contributions of a transformed column to the entries of the Coriolis matrix with
/// another speed.
fn add_coriolis_entries<S: Scalar>(
    matrix: &mut [Vec<S>],
    other: &VelocityField<S>,
    speed: SpeedId,
    carried: &TransformedColumn<S>,
) {
    let column = &mut matrix[other.speed][speed];
    *column = *column + carried.rate.power_on_twist(other.twist);
    let row = &mut matrix[speed][other.speed];
    *row = *row + (carried.momentum.power_on_twist(other.rate) + carried.dual.dot(other.twist.w));
}

/// Coriolis and centrifugal efforts `C(q, v) v`, without gravity and loads, by RNEA; by the matrix
/// if motion is prescribed.
pub fn coriolis_efforts<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    if m.joints.iter().flat_map(|j| &j.speeds).any(|s| matches!(s, JointVariable::Prescribed(_))) {
        return coriolis_matrix(m, env)
            .iter()
            .map(|row| {
                let terms = row.iter().zip(env.v).filter(|(c, _)| !c.is_zero());
                terms.fold(S::ZERO, |sum, (c, v)| sum + *c * *v)
            })
            .collect();
    }
    let gravity = std::array::from_fn(|_| Formula::ZERO);
    let alone = Mechanism { loads: Vec::new(), gravity, ..m.clone() };
    inverse_dynamics(&alone, env, &vec![S::ZERO; m.nv()])
}
