//! Velocities, bias accelerations and partial velocities of all bodies.
//!
//! Problem: twist `V`, bias acceleration at `v̇ = 0` and Jacobian columns of every body, and
//! `q̇ = N v + n₀`.
//! Method:  mechanics 1.1, root to leaf: `V = C V_p + A v`. The acceleration `a` of a pole is that
//! of the point, not the rate of the components of its velocity (which lacks `ω × v`). With `O` to
//! body axes and the relative twist `(v_r; ω_r)`: `a = O (a_p + ω̇_p × r) + A_v v̇ + w`,
//! `w = O (ω_p × (ω_p × r)) + (Oω_p + ω) × v_r + Ȧ v + A q̈_prescribed` (Luh, Walker and Paul
//! 1980). So the only velocity of a pole that is needed is that of a joint that moves its pole. The
//! angular part is `ω̇ = O ω̇_p + A_w v̇ − ω_r × Oω_p + Ȧ v`. With absolute angles the parent's
//! angular velocity is not carried over: `C′`, whose lower right block is zero, replaces `C`, and
//! `ω_r = ω − O ω_p`.
//! Shapes:  one [`BodyMotion`] a body; its Jacobian has one column for each speed on the path to
//! the root.
//! Frames:  body axes, about the pole.
//! Units:   SI.
//! Cost:    O(bodies · depth) with the Jacobian columns; O(bodies) without.
//! Not handled: loops; flexible bodies.

use super::bodies::{BodyMotion, Column, Kinematics, TurningRotor};
use super::pose::{
    Pose, body_poses, child_pose, evaluate_placement, evaluate_prescribed_motion, evaluate_vector,
    joint_coordinate_values,
};
use crate::mechanism::joint::{self, JointMotion, Reference};
use crate::mechanism::{
    Body, BodyId, Carrier, Environment, Joint, JointId, JointVariable, Mechanism, SpeedId,
};
use dqdt_algebra::{Inertia, Mat3, Scalar, Twist, Vec3, Wrench};

impl<S: Scalar> BodyMotion<S> {
    /// Expresses a twist of the parent at this body's pole, in body axes: `C V`.
    pub fn carry_parent_twist(&self, parent: Twist<S>) -> Twist<S> {
        let o = &self.relative_rotation;
        let v = o.apply_transposed(parent.v + parent.w.cross(self.offset));
        Twist { v, w: if self.absolute { Vec3::ZERO } else { o.apply_transposed(parent.w) } }
    }

    /// Acceleration of the pole and angular acceleration of the body at `v̇ = 0`. `parent`: the
    /// parent's angular velocity and acceleration; `None` for a body on the ground, which starts
    /// from `ground`.
    pub fn carry_parent_acceleration(
        &self,
        parent: Option<(Vec3<S>, Twist<S>)>,
        ground: Twist<S>,
    ) -> Twist<S> {
        let Some((w, a)) = parent else { return self.carry_parent_twist(ground) + self.convective };
        let o = &self.relative_rotation;
        let v = o.apply_transposed(a.v + Mat3::relative_acceleration_matrix(w, a.w).apply(self.offset));
        let carried = Twist { v, w: if self.absolute { Vec3::ZERO } else { o.apply_transposed(a.w) } };
        carried + self.relative_convective
    }

    /// Maps a wrench on this body to the parent by `Cᵀ`: the transpose of
    /// [`BodyMotion::carry_parent_twist`]. With absolute angles no moment is transmitted.
    pub fn transmit_wrench_to_parent(&self, wrench: Wrench<S>) -> Wrench<S> {
        let f = self.relative_rotation.apply(wrench.f);
        let m = self.offset.cross(f);
        if self.absolute {
            return Wrench { f, m };
        }
        Wrench { f, m: self.relative_rotation.apply(wrench.m) + m }
    }

    /// The same wrench about the parent's pole in parent axes, its moment included even if the
    /// joint's angles are absolute.
    pub fn wrench_about_parent_pole(&self, wrench: Wrench<S>) -> Wrench<S> {
        let f = self.relative_rotation.apply(wrench.f);
        Wrench { f, m: self.relative_rotation.apply(wrench.m) + self.offset.cross(f) }
    }

    /// Rotates a free vector from ground axes to body axes.
    pub fn rotate_to_body_axes(&self, ground: Vec3<S>) -> Vec3<S> {
        self.rotation.apply_transposed(ground)
    }
}

/// Inertia of a body about `pole`, in body axes, from the formulas of the spec.
pub(crate) fn inertia_about_pole<S: Scalar>(
    joint: &Joint,
    body: &Body,
    pole: Vec3<S>,
    env: &Environment<'_, S>,
) -> Inertia<S> {
    let (mass, center, central) = central_inertia(body, env);
    if body.inertia_about.as_ref() == Some(&joint.child_frame.origin) {
        // Given about the pole: shifting to the centre and back would not cancel in the graph.
        return Inertia {
            mass,
            first: (center - pole).scale(mass),
            second: evaluate_inertia_tensor(body, env),
        };
    }
    Inertia::from_central_inertia(mass, center - pole, central)
}

/// Mass, centre of mass in the body frame \[m\], and inertia tensor about the centre of mass,
/// evaluated from the formulas of the spec.
pub(crate) fn central_inertia<S: Scalar>(body: &Body, env: &Environment<'_, S>) -> (S, Vec3<S>, Mat3<S>) {
    let mass = body.mass.eval(env);
    let center = evaluate_vector(&body.center_of_mass, env);
    let tensor = evaluate_inertia_tensor(body, env);
    let central = match &body.inertia_about {
        None => tensor,
        Some(point) => {
            // Steiner's theorem in reverse: shift with the opposite mass.
            Inertia::from_central_inertia(-mass, center - evaluate_vector(point, env), tensor).second
        }
    };
    (mass, center, central)
}

/// Inertia tensor of the spec as a matrix, from its six entries.
fn evaluate_inertia_tensor<S: Scalar>(body: &Body, env: &Environment<'_, S>) -> Mat3<S> {
    let [xx, yy, zz, xy, xz, yz] = std::array::from_fn(|i| body.inertia[i].eval(env));
    Mat3([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
}

/// One speed of a joint with its value, free or prescribed.
pub(super) struct LocalSpeed<S> {
    /// The speed if it is free, `None` if it is prescribed.
    pub id: Option<SpeedId>,
    /// Value of the joint speed \[m/s or rad/s\].
    pub value: S,
    /// Prescribed acceleration of the joint speed; zero if the speed is free.
    pub acceleration: S,
}

/// The speeds of one joint with their values, free and prescribed, in the order of the joint.
pub(super) fn joint_speed_values<S: Scalar>(joint: &Joint, env: &Environment<'_, S>) -> Vec<LocalSpeed<S>> {
    let speeds = joint.speeds.iter();
    speeds
        .map(|slot| match slot {
            JointVariable::Free(i) => LocalSpeed { id: Some(*i), value: env.v[*i], acceleration: S::ZERO },
            JointVariable::Prescribed(f) => {
                let [_, value, acceleration] = evaluate_prescribed_motion(f, env);
                LocalSpeed { id: None, value, acceleration }
            }
        })
        .collect()
}

/// Reference from which the joint measures its angles: the parent, or the ground if the angles are
/// absolute.
pub(super) fn joint_angle_reference<S: Scalar>(
    joint: &Joint,
    parent: Option<(Mat3<S>, Vec3<S>)>,
    env: &Environment<'_, S>,
) -> Reference<S> {
    if !joint.absolute {
        return Reference::parent();
    }
    let to_parent = evaluate_placement(&joint.parent_frame, env).1;
    match parent {
        None => Reference { rotation: to_parent, angular_velocity: Vec3::ZERO },
        Some((rotation, w)) => {
            Reference { rotation: rotation.mul(&to_parent), angular_velocity: to_parent.apply_transposed(w) }
        }
    }
}

/// Collects the blocks of each joint's rate matrix `N` and rates `q̇` into those of the mechanism.
struct RateCollector<S> {
    /// Rates `q̇` of the free coordinates.
    rates: Vec<S>,
    /// Rate matrix `N`, nq × nv.
    matrix: Vec<Vec<S>>,
}

impl<S: Scalar> RateCollector<S> {
    fn new(m: &Mechanism) -> Self {
        RateCollector { rates: vec![S::ZERO; m.nq()], matrix: vec![vec![S::ZERO; m.nv()]; m.nq()] }
    }

    /// Adds the rates and the block of `N` of one joint.
    fn add_joint_rates(&mut self, joint: &Joint, local_matrix: &[Vec<S>], speeds: &[LocalSpeed<S>]) {
        for (slot, row) in joint.coordinates.iter().zip(local_matrix) {
            let JointVariable::Free(i) = slot else { continue };
            let mut rate = S::ZERO;
            for (speed, n) in speeds.iter().zip(row) {
                rate = rate + *n * speed.value;
                if let Some(id) = speed.id {
                    self.matrix[*i][id] = *n;
                }
            }
            self.rates[*i] = rate;
        }
    }
}

/// Rates `q̇` of the free coordinates and the matrix `N` (nq × nv) that maps speeds to them.
/// Computes poses only, no body velocities.
pub fn coordinate_rates<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> (Vec<S>, Vec<Vec<S>>) {
    let poses = body_poses(m, env);
    let mut collector = RateCollector::new(m);
    for joint in &m.joints {
        let q = joint_coordinate_values(joint, env);
        let parent = joint.parent.map(|p| (poses[p].rotation, Vec3::ZERO));
        let n = joint::joint_rate_matrix(joint, &q, &joint_angle_reference(joint, parent, env), env);
        collector.add_joint_rates(joint, &n.matrix, &joint_speed_values(joint, env));
    }
    (collector.rates, collector.matrix)
}

/// Motion of all bodies at `env`, with Jacobian columns.
pub fn kinematics<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Kinematics<S> {
    compute_kinematics(m, env, true)
}

/// Motion of all bodies without Jacobian columns, in O(bodies). For methods that need no partial
/// velocities.
pub fn kinematics_without_jacobians<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Kinematics<S> {
    compute_kinematics(m, env, false)
}

/// Motion of all bodies, root to leaf. `with_columns`: compute their Jacobian columns.
fn compute_kinematics<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    with_columns: bool,
) -> Kinematics<S> {
    let mut bodies: Vec<BodyMotion<S>> = Vec::with_capacity(m.bodies.len());
    let mut collector = RateCollector::new(m);
    let (mut denominators, mut dual_denominators) = (Vec::new(), Vec::new());
    for (joint, body) in m.joints.iter().zip(&m.bodies) {
        let parent = joint.parent.map(|p| &bodies[p]);
        let q = joint_coordinate_values(joint, env);
        let speeds = joint_speed_values(joint, env);
        let v: Vec<S> = speeds.iter().map(|s| s.value).collect();
        let reference = joint_angle_reference(joint, parent.map(|p| (p.rotation, p.twist.w)), env);
        let local = joint::joint_motion(joint, &q, &v, &reference, env);
        collector.add_joint_rates(joint, &local.rate_matrix, &speeds);
        denominators.extend(local.denominators.iter().map(|d| (joint.name.clone(), *d)));
        dual_denominators.extend(local.dual_denominator.map(|d| (joint.name.clone(), d)));
        let pose = child_pose(joint, parent.map(BodyMotion::pose), local.rotation, local.translation, env);
        let inertia = inertia_about_pole(joint, body, pose.pole, env);
        bodies.push(body_motion_from_parent(
            joint,
            pose,
            inertia,
            parent,
            &local,
            &speeds,
            with_columns,
            env,
        ));
    }
    let rotors = rotors_on_bodies(m, &bodies, env);
    Kinematics {
        bodies,
        rotors,
        rates: collector.rates,
        rate_matrix: collector.matrix,
        denominators,
        dual_denominators,
    }
}

/// Motion of one body from its parent's and the joint's. `pose`, `inertia` and `parent` must be in
/// the axes wanted for the result.
#[allow(clippy::too_many_arguments)]
pub(super) fn body_motion_from_parent<S: Scalar>(
    joint: &Joint,
    pose: Pose<S>,
    inertia: Inertia<S>,
    parent: Option<&BodyMotion<S>>,
    local: &JointMotion<S>,
    speeds: &[LocalSpeed<S>],
    with_columns: bool,
    env: &Environment<'_, S>,
) -> BodyMotion<S> {
    let to_body = evaluate_placement(&joint.child_frame, env).1;
    let columns = joint_columns_in_body_axes(joint, local, speeds, &to_body, env);
    let mut joint_twist = Twist::ZERO;
    let mut joint_drift = Twist::ZERO;
    let mut joint_bias = rotate_twist(&to_body, local.bias);
    for column in &columns {
        let share = column.twist.scale(column.rate);
        joint_twist = joint_twist + share;
        if column.speed.is_none() {
            joint_drift = joint_drift + share;
            joint_bias = joint_bias + column.twist.scale(column.acceleration);
        }
    }
    // Rates of velocity components; the acceleration of the pole has `ω × v` in addition.
    let component_rates = joint_bias;
    joint_bias.v = joint_bias.v + joint_twist.w.cross(joint_twist.v);
    let mut motion = BodyMotion {
        rotation: pose.rotation,
        origin: pose.origin,
        relative_rotation: pose.relative_rotation,
        offset: pose.offset,
        pole: pose.pole,
        twist: joint_twist,
        drift: joint_drift,
        bias: joint_bias,
        convective: joint_bias,
        relative_convective: joint_bias,
        partial: if with_columns {
            columns.iter().filter_map(|c| c.speed.map(|s| (s, c.twist))).collect()
        } else {
            Vec::new()
        },
        columns,
        inertia,
        absolute: joint.absolute,
    };
    if let Some(parent) = parent {
        let carried = motion.carry_parent_twist(parent.twist);
        let turned = motion.relative_rotation.apply_transposed(parent.twist.w);
        // With absolute angles the joint gives the whole angular velocity.
        let relative = if motion.absolute { joint_twist.w - turned } else { joint_twist.w };
        let centripetal = Mat3::relative_acceleration_matrix(parent.twist.w, Vec3::ZERO).apply(motion.offset);
        let coriolis = if relative.is_zero() {
            turned.cross(joint_twist.v.scale(S::ratio(2, 1)))
        } else {
            (turned + (turned + relative)).cross(joint_twist.v)
        };
        let transport =
            Twist { v: coriolis, w: if motion.absolute { Vec3::ZERO } else { -relative.cross(turned) } };
        motion.relative_convective = component_rates + transport;
        let centripetal = motion.relative_rotation.apply_transposed(centripetal);
        motion.convective = Twist { v: centripetal, w: Vec3::ZERO } + motion.relative_convective;
        motion.bias = motion.carry_parent_acceleration(Some((parent.twist.w, parent.bias)), Twist::ZERO);
        motion.twist = carried + joint_twist;
        motion.drift = motion.carry_parent_twist(parent.drift) + joint_drift;
        let joint_columns = std::mem::take(&mut motion.partial);
        motion.partial = parent
            .partial
            .iter()
            .map(|(s, t)| (*s, motion.carry_parent_twist(*t)))
            .chain(joint_columns)
            .collect();
    }
    motion
}

/// Columns of the joint's motion subspace, rotated from the child's joint frame to body axes.
fn joint_columns_in_body_axes<S: Scalar>(
    joint: &Joint,
    local: &JointMotion<S>,
    speeds: &[LocalSpeed<S>],
    to_body: &Mat3<S>,
    env: &Environment<'_, S>,
) -> Vec<Column<S>> {
    speeds
        .iter()
        .zip(local.subspace.iter().zip(&local.dual))
        .enumerate()
        .map(|(i, (speed, (a, y)))| Column {
            speed: speed.id,
            twist: rotate_twist(to_body, *a),
            dual: Wrench { f: to_body.apply(y.f), m: to_body.apply(y.m) },
            rate: speed.value,
            acceleration: speed.acceleration,
            armature: joint_armature(joint, i, env),
        })
        .collect()
}

/// Rotates both parts of a twist by a rotation matrix.
fn rotate_twist<S: Scalar>(rotation: &Mat3<S>, twist: Twist<S>) -> Twist<S> {
    Twist { v: rotation.apply(twist.v), w: rotation.apply(twist.w) }
}

/// Inertia that only speed `i` of the joint accelerates: armature of the spec, and `J n²` of its
/// rotor on the first speed. Added to the diagonal of M.
pub(crate) fn joint_armature<S: Scalar>(joint: &Joint, i: usize, env: &Environment<'_, S>) -> S {
    let armature = joint.armature.get(i).and_then(Option::as_ref).map_or(S::ZERO, |f| f.eval(env));
    match &joint.rotor {
        Some(rotor) if i == 0 => armature + rotor.inertia.eval(env) * rotor.ratio.eval(env).squared(),
        _ => armature,
    }
}

/// The body that carries the rotor of a joint, and the rotor's momentum `J n a` for one unit of
/// speed, in its axes; `None` without a rotor or if the ground carries it.
pub(crate) fn rotor_momentum<S: Scalar>(
    m: &Mechanism,
    joint: JointId,
    env: &Environment<'_, S>,
) -> Option<(BodyId, Vec3<S>)> {
    let driven = &m.joints[joint];
    let rotor = driven.rotor.as_ref()?;
    let (carrier, frame) = match rotor.carrier {
        Carrier::Child => (joint.child(), &driven.child_frame),
        Carrier::Parent => (driven.parent?, &driven.parent_frame),
    };
    let axis = evaluate_placement(frame, env).1.apply(joint::unit_vector_along(rotor.axis, env.number));
    Some((carrier, axis.scale(rotor.inertia.eval(env) * rotor.ratio.eval(env))))
}

/// Rotors of all joints that bodies carry, with their speeds.
fn rotors_on_bodies<S: Scalar>(
    m: &Mechanism,
    bodies: &[BodyMotion<S>],
    env: &Environment<'_, S>,
) -> Vec<TurningRotor<S>> {
    JointId::enumerate(bodies)
        .filter_map(|(joint, body)| {
            let (carrier, momentum) = rotor_momentum(m, joint, env)?;
            let column = body.columns.first()?;
            let (speed, rate, acceleration) = (column.speed, column.rate, column.acceleration);
            Some(TurningRotor { joint, speed, carrier, momentum, rate, acceleration })
        })
        .collect()
}

impl<S: Scalar> BodyMotion<S> {
    /// Pose of this body, without its velocities and accelerations.
    pub fn pose(&self) -> Pose<S> {
        Pose {
            rotation: self.rotation,
            origin: self.origin,
            relative_rotation: self.relative_rotation,
            offset: self.offset,
            pole: self.pole,
        }
    }
}
