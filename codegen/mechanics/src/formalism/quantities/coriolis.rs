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

use super::super::dynamics::regroup::regrouped;
use super::inverse::inverse_dynamics;
use crate::kinematics::composite_inertias;
use crate::kinematics::{BodyMotion, Column, Kinematics, in_axes, kinematics, motions};
use crate::mechanism::{BodyId, Environment, Formula, JointVariable, Mechanism, SpeedId};
use dqdt_algebra::{Inertia, Jet, Mat3, Scalar, Twist, Vec3, Wrench};

/// Momentum of a body and its descendants, and the dyad `∫ u rᵀ dm` of velocities u and positions
/// r.
#[derive(Clone, Copy)]
struct Momenta<S> {
    linear: Vec3<S>,
    dyad: Mat3<S>,
}

fn trace<S: Scalar>(a: &Mat3<S>) -> S {
    a.0[0][0] + a.0[1][1] + a.0[2][2]
}

impl<S: Scalar> Momenta<S> {
    fn of(inertia: &Inertia<S>, twist: Twist<S>) -> Self {
        let linear = twist.v.scale(inertia.mass) + twist.w.cross(inertia.first);
        // ∫ r rᵀ dm from the tensor J = ∫ (r² E − r rᵀ) dm.
        let half = S::ratio(1, 2) * trace(&inertia.second);
        let entry = |i: usize, j: usize| match i == j {
            true => half - inertia.second.0[i][i],
            false => -inertia.second.0[i.min(j)][i.max(j)],
        };
        let places = Mat3([0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j))));
        let turning = Mat3::tilde(twist.w).mul(&places);
        Momenta { linear, dyad: Mat3::sum(&Mat3::outer(twist.v, inertia.first), &turning) }
    }

    /// The same quantities about the parent's pole, in parent axes.
    fn in_parent(&self, body: &BodyMotion<S>) -> Self {
        let r = &body.relative_rotation;
        let linear = r.apply(self.linear);
        let turned = r.mul(&self.dyad).mul(&r.transpose());
        Momenta { linear, dyad: Mat3::sum(&turned, &Mat3::outer(linear, body.offset)) }
    }

    fn plus(&self, o: &Self) -> Self {
        Momenta { linear: self.linear + o.linear, dyad: Mat3::sum(&self.dyad, &o.dyad) }
    }

    /// Wrench `B W` of a subtree for a twist W.
    fn on(&self, t: Twist<S>) -> Wrench<S> {
        let m = t.w.scale(trace(&self.dyad)) - self.dyad.apply(t.w);
        Wrench { f: t.w.cross(self.linear), m }
    }

    /// Moment of `Bᵀ W`; its force is zero.
    fn dual(&self, t: Twist<S>) -> Vec3<S> {
        self.linear.cross(t.v) + t.w.scale(trace(&self.dyad)) - self.dyad.apply_transposed(t.w)
    }
}

/// A column during its transformation to the root, with which it contributes to the rows and
/// columns of other speeds.
struct Carried<S> {
    /// Wrench `I Ẇ + B W` of the column.
    rate: Wrench<S>,
    /// Wrench `I W` of the column.
    own: Wrench<S>,
    /// Moment of `Bᵀ W` of the column.
    dual: Vec3<S>,
}

impl<S: Scalar> Carried<S> {
    /// Transforms from a body, whose pole has the velocity `pole`, to its parent.
    fn in_parent(&self, body: &BodyMotion<S>, pole: Vec3<S>) -> Self {
        // Across absolute angles, everything beyond the pole moves with the pole.
        let dual = if body.absolute { pole.cross(self.own.f) } else { self.dual };
        Carried {
            rate: body.gather(self.rate),
            own: body.gather(self.own),
            dual: body.relative_rotation.apply(dual),
        }
    }
}

/// Twists of the bodies due to the free speeds, without prescribed motion.
fn by_speeds<S: Scalar>(k: &Kinematics<S>, env: &Environment<'_, S>) -> Vec<Twist<S>> {
    let twist = |body: &BodyMotion<S>| match body.drift.is_zero() {
        true => body.twist,
        false => body.partial.iter().fold(Twist::ZERO, |sum, (s, t)| sum + t.scale(env.v[*s])),
    };
    k.bodies.iter().map(twist).collect()
}

/// A partial velocity, and the rate of its field at fixed points.
struct Field<S> {
    speed: SpeedId,
    twist: Twist<S>,
    rate: Twist<S>,
}

/// Fields of the speeds of each joint, in body axes.
fn fields<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    twists: &[Twist<S>],
    env: &Environment<'_, S>,
) -> Vec<Vec<Field<S>>> {
    let rate = |row: &Vec<S>| row.iter().zip(env.v).fold(S::ZERO, |sum, (n, v)| sum + *n * *v);
    let rates: Vec<S> = k.rate_matrix.iter().map(rate).collect();
    let still = vec![S::ZERO; m.nv()];
    // Most partial velocities are constant in body axes, with zero rates.
    let moving = env.with_jets(S::ZERO, &rates, &still, |env| motions(m, env));
    let of_body = |body: &BodyMotion<S>, moving: &BodyMotion<Jet<S>>, v: &Twist<S>| {
        let columns = body.columns.iter().zip(&moving.columns);
        let field = |(c, moved): (&Column<S>, &Column<Jet<S>>)| {
            let own = Twist { v: moved.twist.v.map(|x| x.d), w: moved.twist.w.map(|x| x.d) };
            let w = c.twist.w;
            let turned = Twist { v: v.w.cross(c.twist.v) + v.v.cross(w), w: v.w.cross(w) };
            c.speed.map(|speed| Field { speed, twist: c.twist, rate: own + turned })
        };
        columns.filter_map(field).collect()
    };
    let both = k.bodies.iter().zip(&moving.bodies);
    both.zip(twists).map(|((body, moving), v)| of_body(body, moving, v)).collect()
}

/// Coriolis matrix `C(q, v)`, nv × nv: row k is an effort, column j belongs to speed j.
pub fn coriolis_matrix<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<Vec<S>> {
    let k = in_axes(m, env, regrouped(m, kinematics(m, env), env), true).kinematics;
    let twists = by_speeds(&k, env);
    let fields = fields(m, &k, &twists, env);
    let inertias = composite_inertias(m, &k);
    let mut momenta: Vec<Momenta<S>> =
        k.bodies.iter().zip(&twists).map(|(b, t)| Momenta::of(&b.inertia, *t)).collect();
    let half = S::ratio(1, 2);
    let free_rotors = || k.rotors.iter().filter_map(|r| r.speed.map(|s| (r, s)));
    for (rotor, _) in free_rotors() {
        let spin = Mat3::tilde(rotor.momentum.scale(half * rotor.rate));
        momenta[rotor.carrier].dyad = Mat3::sum(&momenta[rotor.carrier].dyad, &spin);
    }
    for (i, body) in BodyId::enumerate(&k.bodies).rev() {
        let Some(parent) = m.parent(i) else { continue };
        let share = if body.absolute {
            let linear = body.relative_rotation.apply(twists[i].v.scale(inertias[i].mass));
            Momenta { linear, dyad: Mat3::outer(linear, body.offset) }
        } else {
            momenta[i].in_parent(body)
        };
        momenta[parent] = momenta[parent].plus(&share);
    }
    let mut matrix = vec![vec![S::ZERO; m.nv()]; m.nv()];
    // Adds a column, and the row of the same speed, for all ancestors of a body.
    let above = |matrix: &mut Vec<Vec<S>>, speed: SpeedId, from: BodyId, mut carried: Carried<S>| {
        let mut at = from;
        while let Some(parent) = m.parent(at) {
            carried = carried.in_parent(&k.bodies[at], twists[at].v);
            for other in &fields[parent] {
                add(matrix, other, speed, &carried);
            }
            at = parent;
        }
    };
    for (b, own) in BodyId::enumerate(&fields) {
        for field in own {
            let carried = Carried {
                rate: inertias[b].apply(field.rate) + momenta[b].on(field.twist),
                own: inertias[b].apply(field.twist),
                dual: momenta[b].dual(field.twist),
            };
            for other in own {
                matrix[other.speed][field.speed] = carried.rate.power(other.twist);
            }
            above(&mut matrix, field.speed, b, carried);
        }
    }
    for (rotor, speed) in free_rotors() {
        let (carrier, h) = (rotor.carrier, rotor.momentum);
        let moment = twists[carrier].w.cross(h).scale(half);
        let wrench = |m: Vec3<S>| Wrench { f: Vec3::ZERO, m };
        let carried = Carried { rate: wrench(moment), own: wrench(h), dual: moment };
        for other in &fields[carrier] {
            add(&mut matrix, other, speed, &carried);
        }
        above(&mut matrix, speed, carrier, carried);
    }
    matrix
}

/// Adds the contributions of a transformed column to the entries with another speed.
fn add<S: Scalar>(matrix: &mut [Vec<S>], other: &Field<S>, speed: SpeedId, carried: &Carried<S>) {
    let column = &mut matrix[other.speed][speed];
    *column = *column + carried.rate.power(other.twist);
    let row = &mut matrix[speed][other.speed];
    *row = *row + (carried.own.power(other.rate) + carried.dual.dot(other.twist.w));
}

/// `C(q, v) v`: efforts of the motion without gravity and loads, by RNEA; by the matrix if motion
/// is prescribed.
pub fn coriolis_efforts<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    let prescribed = |slot: &JointVariable<SpeedId>| matches!(slot, JointVariable::Prescribed(_));
    if m.joints.iter().any(|j| j.speeds.iter().any(prescribed)) {
        let along = |row: &Vec<S>| {
            let terms = row.iter().zip(env.v).filter(|(c, _)| !c.is_zero());
            terms.fold(S::ZERO, |sum, (c, v)| sum + *c * *v)
        };
        return coriolis_matrix(m, env).iter().map(along).collect();
    }
    let gravity = std::array::from_fn(|_| Formula::ZERO);
    let alone = Mechanism { loads: Vec::new(), gravity, ..m.clone() };
    inverse_dynamics(&alone, env, &vec![S::ZERO; m.nv()])
}
