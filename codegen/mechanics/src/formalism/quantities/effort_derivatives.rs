//! Derivatives of inverse dynamics by displacements and speeds, from composite inertias of
//! subtrees.
//!
//! Problem: the derivatives of the efforts `τ = M a + c` by the pose and the speeds, at constant
//!          accelerations of the speeds.
//! Method:  a displacement `ξ` of a joint moves everything beyond it as one body. In axes that move
//!          along, each velocity there changes by `η = V × ξ`, with the twist V of the body that
//!          carries the joint, and each acceleration by `A × ξ + V × η − V_k × η`. The wrench on
//!          the subtree changes by `2 B η + I (A × ξ + V × η)` with its inertia I and
//!          `B = ½ (V ×* I − I V × + (I V) ×̄*)`; for ancestors also by `ξ ×* F` of the force F on
//!          the subtree. A speed with the partial velocity `S` changes the wrench by
//!          `2 B S + I (V × S + V_i × S)` (Singh, Russell and Wensing 2022, there in the ground
//!          frame). B is `(ω × p, tr(K) ω − K ω)` of the momentum p and the dyad `K = ∫ u rᵀ dm`,
//!          as in `coriolis`. Four columns of each speed are transformed to the root: `I S`,
//!          `2 Bᵀ S`, and both changes. Velocities of poles are not needed: velocities beyond a
//!          joint are relative to the pole of its body. If a joint on the ground can produce such a
//!          change by its accelerations alone, as a free base can along its axes, the column is
//!          `M w` with known w and needs no solve (rotated gravity on a free base, Galilean
//!          invariance).
//! Frames:  body axes, about the pole.
//! Cost:    O(nv · depth).
//!
//! Not handled: prescribed motion, angles from the ground, rotors, partial velocities that change
//! in body axes; loads.

use super::inverse::{body_accelerations_with_ground, ground_acceleration_for_gravity};
use crate::kinematics::accumulate::accumulate_wrenches_to_root;
use crate::kinematics::composite_inertias;
use crate::kinematics::{BodyMotion, Kinematics};
use crate::mechanism::{BodyId, Environment, Mechanism, SpeedId};
use dqdt_algebra::{Inertia, Mat3, Scalar, Twist, Vec3, Wrench};

/// Derivatives of the efforts `M a + c` of inverse dynamics. Rows are efforts, columns speeds.
pub struct EffortDerivatives<S> {
    /// Derivatives of the efforts by displacements along the partial velocities of speeds, nv × nv.
    pub by_displacement: Vec<Vec<S>>,
    /// Derivatives of the efforts by speeds, nv × nv.
    pub by_speed: Vec<Vec<S>>,
    /// Accelerations w of the joint's own speeds for each column of `by_displacement` that equals
    /// `M w`; `None` for other columns.
    pub equivalent_by_displacement: Vec<EquivalentAcceleration<S>>,
    /// Accelerations w for each column of `by_speed` that equals `M w`; `None` for other columns.
    pub equivalent_by_speed: Vec<EquivalentAcceleration<S>>,
}

/// Accelerations w, with their speeds, for which a column of derivatives equals `M w`.
pub type EquivalentAcceleration<S> = Option<Vec<(SpeedId, S)>>;

/// Twice the momentum and the dyad `∫ u rᵀ dm` of a subtree, with velocities u relative to the
/// pole.
#[derive(Clone, Copy)]
pub struct Momenta<S> {
    /// Twice the linear momentum, in body axes.
    linear: Vec3<S>,
    /// Twice the dyad of velocities and positions, in body axes.
    dyad: Mat3<S>,
}

impl<S: Scalar> Momenta<S> {
    /// Momentum and dyad of one body with this inertia and angular velocity, twice.
    pub fn new(inertia: &Inertia<S>, w: Vec3<S>) -> Self {
        let j = &inertia.second.0;
        // 2 ∫ r rᵀ dm from the tensor J = ∫ (r² E − r rᵀ) dm.
        let places = Mat3([0, 1, 2].map(|a| {
            [0, 1, 2].map(|b| match a == b {
                true => j[(a + 1) % 3][(a + 1) % 3] + j[(a + 2) % 3][(a + 2) % 3] - j[a][a],
                false => -(j[a.min(b)][a.max(b)] + j[a.min(b)][a.max(b)]),
            })
        }));
        Momenta {
            linear: w.cross(inertia.first + inertia.first),
            dyad: Mat3::cross_product_matrix(w).mul(&places),
        }
    }

    /// Momentum and dyad about the parent's pole, in parent axes. `twice` is twice the velocity of
    /// this pole relative to the parent's.
    fn momenta_in_parent(&self, body: &BodyMotion<S>, inertia: &Inertia<S>, twice: Vec3<S>) -> Self {
        let r = &body.relative_rotation;
        let linear = r.apply(self.linear) + twice.scale(inertia.mass);
        let shifted = Mat3::matrix_sum(
            &Mat3::outer_product(linear, body.offset),
            &Mat3::outer_product(twice, r.apply(inertia.first)),
        );
        Momenta { linear, dyad: Mat3::matrix_sum(&r.rotate_tensor(&self.dyad), &shifted) }
    }

    /// Sum of the momenta and dyads of two parts.
    fn add_momenta(&self, o: &Self) -> Self {
        Momenta { linear: self.linear + o.linear, dyad: Mat3::matrix_sum(&self.dyad, &o.dyad) }
    }

    /// Matrix `tr(K) E − K` of the dyad K.
    fn trace_minus_dyad(&self) -> Mat3<S> {
        let k = &self.dyad.0;
        Mat3([0, 1, 2].map(|i| {
            [0, 1, 2].map(|j| match i == j {
                true => k[(i + 1) % 3][(i + 1) % 3] + k[(i + 2) % 3][(i + 2) % 3],
                false => -k[i][j],
            })
        }))
    }

    /// Wrench `2 B W` of a subtree for a twist W.
    fn wrench_for_twist(&self, t: Twist<S>) -> Wrench<S> {
        Wrench { f: t.w.cross(self.linear), m: self.trace_minus_dyad().apply(t.w) }
    }

    /// Moment of `2 Bᵀ W` for a twist W; its force is zero.
    pub fn transposed_moment_for_twist(&self, t: Twist<S>) -> Vec3<S> {
        self.linear.cross(t.v) + self.trace_minus_dyad().apply_transposed(t.w)
    }
}

/// Changes of the motion beyond a joint, by a displacement and by the speed of one joint column.
pub struct MotionChange<S> {
    /// Speed of the column.
    pub speed: SpeedId,
    /// Partial velocity of the column, in body axes at the pole.
    pub twist: Twist<S>,
    /// Change `η` of the velocity by a displacement along the column.
    pub velocity: Twist<S>,
    /// Change `A × ξ + V × η` of the acceleration by a displacement along the column.
    pub acceleration: Twist<S>,
    /// Change `V × S + V_i × S` of the acceleration by the speed of the column.
    pub rate: Twist<S>,
}

/// Changes of the motion for the columns of a body, with velocities relative to its pole. `rates`
/// are accelerations of poles and angular accelerations.
pub fn motion_changes<S: Scalar>(
    k: &Kinematics<S>,
    body: &BodyMotion<S>,
    parent: Option<BodyId>,
    rates: &[Twist<S>],
    ground: Twist<S>,
) -> Vec<MotionChange<S>> {
    let o = &body.relative_rotation;
    let joint_velocity = body.columns.iter().fold(Vec3::ZERO, |sum, c| sum + c.twist.v.scale(c.rate));
    let (w, a) = match parent {
        None => (Vec3::ZERO, body.carry_parent_twist(ground)),
        Some(p) => {
            let (w, a) = (k.bodies[p].twist.w, rates[p]);
            let v = o.apply_transposed(a.v + Mat3::relative_acceleration_matrix(w, a.w).apply(body.offset));
            (o.apply_transposed(w), Twist { v, w: o.apply_transposed(a.w) })
        }
    };
    let carrier = Twist { v: -joint_velocity, w };
    // Acceleration of a point, less `ω × v`.
    let accelerated = Twist { v: a.v - w.cross(carrier.v), w: a.w };
    let itself = Twist { v: Vec3::ZERO, w: body.twist.w };
    let free = body.columns.iter().filter_map(|c| c.speed.map(|speed| (speed, c.twist)));
    free.map(|(speed, twist)| {
        let velocity = carrier.cross(twist);
        let acceleration = accelerated.cross(twist) + carrier.cross(velocity);
        MotionChange { speed, twist, velocity, acceleration, rate: velocity + itself.cross(twist) }
    })
    .collect()
}

/// Accelerations of the joint's own speeds that accelerate the subtree by this field; `None` if
/// there are none.
fn equivalent_acceleration<S: Scalar>(body: &BodyMotion<S>, field: Twist<S>) -> EquivalentAcceleration<S> {
    let components = (0..6).filter(|i| !field.component(*i).is_zero());
    components
        .map(|i| {
            let column = body.columns.iter().find(|c| c.armature.is_zero() && is_unit_component(&c.twist, i));
            column.and_then(|c| c.speed).map(|speed| (speed, field.component(i)))
        })
        .collect()
}

/// True if component `i` of a twist is one, and all others are zero.
fn is_unit_component<S: Scalar>(t: &Twist<S>, i: usize) -> bool {
    (0..6).all(|k| if k == i { (t.component(i) - S::ONE).is_zero() } else { t.component(k).is_zero() })
}

/// True if the twist has an angular part.
fn is_rotating<S: Scalar>(t: Twist<S>) -> bool {
    !t.w.0.iter().all(|x| x.is_zero())
}

/// Acceleration that is equivalent to `field` beyond a joint on the ground; `None` for a twist that
/// rotates.
fn equivalent_without_rotation<S: Scalar>(
    body: &BodyMotion<S>,
    twist: Twist<S>,
    field: Twist<S>,
) -> EquivalentAcceleration<S> {
    if is_rotating(twist) { None } else { equivalent_acceleration(body, field) }
}

/// Wrenches of a speed's column that are transformed to the root.
pub struct ColumnWrenches<S> {
    /// Wrench `I S` of the column.
    pub momentum: Wrench<S>,
    /// Moment of `2 Bᵀ S` of the column.
    dual: Vec3<S>,
    /// Change of the subtree's wrench by a displacement along the column.
    pub by_displacement: Wrench<S>,
    /// Change of the subtree's wrench by the speed of the column.
    pub by_speed: Wrench<S>,
}

impl<S: Scalar> ColumnWrenches<S> {
    /// Wrenches of a column at its own body, whose subtree has this inertia and these momenta.
    pub fn new(inertia: &Inertia<S>, momenta: &Momenta<S>, field: &MotionChange<S>) -> Self {
        ColumnWrenches {
            momentum: inertia.momentum(field.twist),
            dual: momenta.transposed_moment_for_twist(field.twist),
            by_displacement: inertia.momentum(field.acceleration) + momenta.wrench_for_twist(field.velocity),
            by_speed: inertia.momentum(field.rate) + momenta.wrench_for_twist(field.twist),
        }
    }

    /// The wrenches about the parent's pole, in parent axes. `twice` is twice the velocity of this
    /// pole relative to the parent's.
    pub fn transmit_to_parent(&self, body: &BodyMotion<S>, twice: Vec3<S>) -> Self {
        let momentum = body.transmit_wrench_to_parent(self.momentum);
        ColumnWrenches {
            momentum,
            dual: body.relative_rotation.apply(self.dual) + twice.cross(momentum.f),
            by_displacement: body.transmit_wrench_to_parent(self.by_displacement),
            by_speed: body.transmit_wrench_to_parent(self.by_speed),
        }
    }
}

/// Twice the velocity of each pole relative to that of its parent, in parent axes.
pub fn doubled_pole_velocities<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) -> Vec<Vec3<S>> {
    BodyId::enumerate(&k.bodies)
        .map(|(i, body)| {
            let joint = body.columns.iter().fold(Vec3::ZERO, |sum, c| sum + c.twist.v.scale(c.rate));
            let turning = m.parent_body(i).map_or(Vec3::ZERO, |p| k.bodies[p].twist.w);
            turning.cross(body.offset + body.offset) + body.relative_rotation.apply(joint + joint)
        })
        .collect()
}

/// Momenta of the subtrees; `twice` are the velocities of `doubled_pole_velocities`.
pub fn composite_momenta<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    inertias: &[Inertia<S>],
    twice: &[Vec3<S>],
) -> Vec<Momenta<S>> {
    let mut momenta: Vec<Momenta<S>> = k.bodies.iter().map(|b| Momenta::new(&b.inertia, b.twist.w)).collect();
    for (i, body) in BodyId::enumerate(&k.bodies).rev() {
        let Some(parent) = m.parent_body(i) else { continue };
        momenta[parent] =
            momenta[parent].add_momenta(&momenta[i].momenta_in_parent(body, &inertias[i], twice[i]));
    }
    momenta
}

/// Wrenches that accelerate the subtrees at these rates of their bodies.
pub fn wrenches_on_subtrees<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    rates: &[Twist<S>],
) -> Vec<Wrench<S>> {
    let of_bodies = k.bodies.iter().zip(rates).map(|(b, rate)| b.inertia.inertial_wrench(b.twist.w, *rate));
    accumulate_wrenches_to_root(m, k, of_bodies.collect(), "needed_dv")
}

/// Derivatives of the efforts `M a + c` by displacements and speeds, with gravity as an
/// acceleration of the ground and the inertias of `k`. `speed_accelerations` are the accelerations
/// a.
pub fn effort_derivatives<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    k: &Kinematics<S>,
    speed_accelerations: &[S],
) -> EffortDerivatives<S> {
    let upwards = ground_acceleration_for_gravity(m, env);
    let rates = body_accelerations_with_ground(m, k, speed_accelerations, upwards, "d");
    let ground = Twist { v: upwards, w: Vec3::ZERO };
    let forces = wrenches_on_subtrees(m, k, &rates);
    let inertias = composite_inertias(m, k);
    let twice = doubled_pole_velocities(m, k);
    let momenta = composite_momenta(m, k, &inertias, &twice);
    let fields: Vec<Vec<MotionChange<S>>> = k
        .bodies
        .iter()
        .zip(&m.joints)
        .map(|(b, joint)| motion_changes(k, b, joint.parent, &rates, ground))
        .collect();
    let square = || vec![vec![S::ZERO; m.nv()]; m.nv()];
    let (mut by_displacement, mut by_speed) = (square(), square());
    let none = || -> Vec<EquivalentAcceleration<S>> { vec![None; m.nv()] };
    let (mut equivalent_by_displacement, mut equivalent_by_speed) = (none(), none());
    for (i, body_fields) in BodyId::enumerate(&fields) {
        let (inertia, momenta) = (&inertias[i], &momenta[i]);
        for field in body_fields {
            let j = field.speed;
            // On the ground, no other body is affected; without rotation, only accelerations
            // change.
            if m.parent_body(i).is_none() {
                let body = &k.bodies[i];
                equivalent_by_displacement[j] =
                    equivalent_without_rotation(body, field.velocity, field.acceleration);
                equivalent_by_speed[j] = equivalent_without_rotation(body, field.twist, field.rate);
            }
            let mut carried = ColumnWrenches::new(inertia, momenta, field);
            for other in body_fields {
                by_displacement[other.speed][j] = carried.by_displacement.power_on_twist(other.twist);
                by_speed[other.speed][j] = carried.by_speed.power_on_twist(other.twist);
            }
            // Ancestors do not rotate with the force.
            let (t, force) = (field.twist, forces[i]);
            let turned = Wrench { f: t.w.cross(force.f), m: t.w.cross(force.m) + t.v.cross(force.f) };
            carried.by_displacement = carried.by_displacement + turned;
            let mut at = i;
            while let Some(parent) = m.parent_body(at) {
                carried = carried.transmit_to_parent(&k.bodies[at], twice[at]);
                for other in &fields[parent] {
                    by_displacement[other.speed][j] = carried.by_displacement.power_on_twist(other.twist);
                    by_speed[other.speed][j] = carried.by_speed.power_on_twist(other.twist);
                    by_displacement[j][other.speed] = carried.momentum.power_on_twist(other.acceleration)
                        + carried.dual.dot(other.velocity.w);
                    by_speed[j][other.speed] =
                        carried.momentum.power_on_twist(other.rate) + carried.dual.dot(other.twist.w);
                }
                at = parent;
            }
        }
    }
    EffortDerivatives { by_displacement, by_speed, equivalent_by_displacement, equivalent_by_speed }
}
