//! Energy and momentum.
//!
//! Problem: `T = T₂ + T₁ + T₀` by degree in the speeds, V, momentum; and T and V as functions of
//!          `(q, q̇, t)`.
//! Method:  sums over bodies of `½ Vᵀ M V`, with the twist split into `Σ J v` and the drift of
//!          prescribed joints. For the Lagrangian, the relative twist of each joint comes from the
//!          rate of its pose (`R`, `r` over jets, ω from `RᵀṘ`) and not from a motion subspace, so
//!          that it checks those. V: gravity relative to the ground's origin, springs relative to
//!          zero stretch.
//! Rotors:  `½ J (n v)² + J n v (a · ω)` with the angular velocity ω of the carrier, and `h v` in
//!          its angular momentum.
//! Armature: `½ I v²` of its speed, without momentum. It is part of the Lagrangian if the speed is
//!           the rate of a coordinate; for others there is an inertia force, but no energy from
//!           which Lagrange's equations would give it (see `lagrange`).
//! Frames:  momentum in ground axes, about the ground's origin.
//! Units:   J, kg·m/s, kg·m²/s.
//! Cost:    O(bodies + loads · depth); O(bodies · depth) if a joint on the path is prescribed.
//!
//! Not handled: energy of user states and of actuators.

use crate::formalism::dynamics::actions::is_identically_zero;
use crate::kinematics::{
    Pose, body_poses, evaluate_rotation, evaluate_vector, inertia_about_pole, joint_armature, kinematics,
    relative_pose, rotor_momentum,
};
use crate::mechanism::load::{LoadState, PoseContext, RelativePose};
use crate::mechanism::{
    BodyId, Environment, Formula, JointId, JointVariable, Mechanism, Placement, Variable, joint,
};
use dqdt_algebra::{Jet, Mat3, Scalar, Twist, Vec3, Wrench};

/// Kinetic energy of a state by degree in the speeds, `T = T₂ + T₁ + T₀`, and potential energy
/// \[J\].
#[derive(Clone, Copy, Debug)]
pub struct Energy<S> {
    /// Kinetic energy T of all bodies and rotors.
    pub kinetic: S,
    /// Part `½ vᵀ M v` of T that is quadratic in the speeds.
    pub t2: S,
    /// Part of T that is linear in the speeds, due to prescribed motion.
    pub t1: S,
    /// Part of T that the prescribed motion alone has.
    pub t0: S,
    /// Potential energy of gravity (from the ground's origin) and springs.
    pub potential: S,
}

/// Linear and angular momentum of all bodies, in ground axes.
#[derive(Clone, Copy, Debug)]
pub struct Momentum<S> {
    /// Linear momentum of all bodies [kg·m/s].
    pub linear: Vec3<S>,
    /// Angular momentum of all bodies about the ground's origin [kg·m²/s].
    pub angular: Vec3<S>,
}

/// Kinetic and potential energy of the mechanism at a state.
pub fn energy<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Energy<S> {
    let k = kinematics(m, env);
    let half = S::ratio(1, 2);
    let (mut t2, mut t1, mut t0) = (S::ZERO, S::ZERO, S::ZERO);
    let mut by_speeds: Vec<Twist<S>> = Vec::with_capacity(k.bodies.len());
    for (motion, body) in k.bodies.iter().zip(&m.bodies) {
        let mut of_speeds = Twist::ZERO;
        if motion.drift.w.0.iter().chain(&motion.drift.v.0).all(|x| x.is_zero()) {
            // Without prescribed motion on the path, the sum below equals the known twist.
            of_speeds = motion.twist;
        } else {
            for (speed, partial) in &motion.partial {
                of_speeds = of_speeds + partial.scale(env.v[*speed]);
            }
        }
        let momentum = motion.inertia.momentum(of_speeds).name_parts("momentum", &|| body.name.clone());
        t2 = t2
            + half
                * momentum.power_on_twist(of_speeds).suggest_name(&|| format!("twice_kinetic_{}", body.name));
        t1 = t1 + motion.inertia.momentum(motion.drift).power_on_twist(of_speeds);
        t0 = t0 + motion.inertia.kinetic_energy(motion.drift);
        for column in &motion.columns {
            let armature = half * column.armature * column.rate.squared();
            match column.speed {
                Some(_) => t2 = t2 + armature,
                None => t0 = t0 + armature,
            }
        }
        by_speeds.push(of_speeds);
    }
    for rotor in &k.rotors {
        let [free, drift] = [by_speeds[rotor.carrier], k.bodies[rotor.carrier].drift]
            .map(|carrier| rotor.project_on_momentum(carrier) * rotor.rate);
        match rotor.speed {
            Some(_) => (t2, t1) = (t2 + free, t1 + drift),
            None => (t1, t0) = (t1 + free, t0 + drift),
        }
    }
    let poses: Vec<Pose<S>> = k.bodies.iter().map(|b| b.pose()).collect();
    Energy { kinetic: t2 + t1 + t0, t2, t1, t0, potential: potential_energy(m, &poses, env) }
}

/// Linear and angular momentum of all bodies at a state, in ground axes.
pub fn momentum<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Momentum<S> {
    let k = kinematics(m, env);
    let mut total = Momentum { linear: Vec3::ZERO, angular: Vec3::ZERO };
    let mut body_momenta: Vec<Wrench<S>> = k.bodies.iter().map(|b| b.inertia.momentum(b.twist)).collect();
    for rotor in &k.rotors {
        body_momenta[rotor.carrier] = body_momenta[rotor.carrier] + rotor.moment_on_carrier(rotor.rate);
    }
    for (body, h) in k.bodies.iter().zip(body_momenta) {
        let linear = body.rotation.apply(h.f);
        total.linear = total.linear + linear;
        total.angular = total.angular + body.rotation.apply(h.m) + body.origin.cross(linear);
    }
    total
}

/// Potential energy of gravity in a pose, relative to the ground's origin \[J\].
pub(crate) fn gravity_potential<S: Scalar>(m: &Mechanism, poses: &[Pose<S>], env: &Environment<'_, S>) -> S {
    let g = evaluate_vector(&m.gravity, env);
    let mut energy = S::ZERO;
    for ((joint, body), pose) in m.joints.iter().zip(&m.bodies).zip(poses) {
        let inertia = inertia_about_pole(joint, body, pose.pole, env);
        let moment = pose.origin.scale(inertia.mass) + pose.rotation.apply(inertia.first);
        moment.name_components(&|| format!("ground_mc_{}", body.name));
        energy = energy - g.dot(moment);
    }
    energy
}

/// Potential energy of gravity and springs in a pose \[J\].
pub(crate) fn potential_energy<S: Scalar>(m: &Mechanism, poses: &[Pose<S>], env: &Environment<'_, S>) -> S {
    let mut energy = gravity_potential(m, poses, env);
    let pose = PoseState { m, poses, env };
    for part in m.loads.iter().filter_map(|load| load.kind.potential(&pose)) {
        energy = energy + part;
    }
    energy
}

/// Rate of the potential energy in a fixed pose \[W\], due to gravity that depends on time. `None`
/// if gravity is constant.
pub fn potential_energy_drift<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Option<S> {
    if !m.gravity.iter().any(|g| g.any_variable(&|v| v == Variable::Time)) {
        return None;
    }
    let (dq, dv) = (vec![S::ZERO; env.q.len()], vec![S::ZERO; env.v.len()]);
    let rate = env.with_jets(S::ONE, &dq, &dv, |env| evaluate_vector(&m.gravity, env)).map(|g| g.d);
    let bodies = m.joints.iter().zip(&m.bodies).zip(body_poses(m, env));
    Some(bodies.fold(S::ZERO, |sum, ((joint, body), pose)| {
        let inertia = inertia_about_pole(joint, body, pose.pole, env);
        sum - rate.dot(pose.origin.scale(inertia.mass) + pose.rotation.apply(inertia.first))
    }))
}

/// Context in which loads are evaluated from poses alone: a mechanism with the poses of its bodies.
pub(crate) struct PoseState<'a, S> {
    /// The mechanism.
    pub m: &'a Mechanism,
    /// Poses of its bodies.
    pub poses: &'a [Pose<S>],
    /// Values of the variables.
    pub env: &'a Environment<'a, S>,
}

impl<S: Scalar> LoadState<S> for PoseState<'_, S> {
    fn environment(&self) -> &Environment<'_, S> {
        self.env
    }

    fn is_identically_zero(&self, f: &Formula) -> bool {
        is_identically_zero(self.m, f)
    }
}

impl<S: Scalar> PoseContext<S> for PoseState<'_, S> {
    fn arm_to_point(&self, body: Option<BodyId>, point: &Placement) -> Vec3<S> {
        evaluate_vector(&point.origin, self.env) - body.map_or(Vec3::ZERO, |b| self.poses[b].pole)
    }

    fn frame_rotation(&self, frame: &Placement) -> Mat3<S> {
        evaluate_rotation(&frame.rotation, self.env)
    }

    fn relative_pose(&self, a: Option<BodyId>, b: Option<BodyId>) -> RelativePose<S> {
        relative_pose(self.m, &|i| self.poses[i], a, b)
    }
}

/// Angular velocity in body axes from a rotation matrix and its rate: `ω̃ = RᵀṘ`.
pub(crate) fn angular_velocity_from_rotation<S: Scalar>(r: &Mat3<Jet<S>>) -> Vec3<S> {
    let [x, y, z] = [0, 1, 2].map(|j| r.column(j));
    Vec3([dot_with_rate(z, y), dot_with_rate(x, z), dot_with_rate(y, x)])
}

/// Scalar product of a vector with the rate of another.
fn dot_with_rate<S: Scalar>(a: Vec3<Jet<S>>, b: Vec3<Jet<S>>) -> S {
    a.map(|x| x.v).dot(b.map(|x| x.d))
}

/// Kinetic and potential energy as functions of `q`, `q̇` and `t`, by derivatives of the pose;
/// `env.v` is not used. For tests of other formulas.
pub fn lagrangian_energies<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, rates: &[S]) -> (S, S) {
    let still = vec![S::ZERO; env.v.len()];
    let moving = env.with_jets(S::ONE, rates, &still, |env| body_poses(m, env));
    let mut twists: Vec<Twist<S>> = Vec::with_capacity(moving.len());
    let mut kinetic = S::ZERO;
    for (id, ((joint, body), pose)) in JointId::enumerate(m.joints.iter().zip(&m.bodies).zip(&moving)) {
        let parent = joint.parent.map_or(Twist::ZERO, |p| twists[p]);
        let turn = pose.relative_rotation.map(|x| x.v);
        let velocity = parent.v + parent.w.cross(pose.offset.map(|x| x.v)) + pose.offset.map(|x| x.d);
        let w = if joint.absolute {
            angular_velocity_from_rotation(&pose.rotation)
        } else {
            turn.apply_transposed(parent.w) + angular_velocity_from_rotation(&pose.relative_rotation)
        };
        let twist = Twist { v: turn.apply_transposed(velocity), w };
        twists.push(twist);
        let inertia = inertia_about_pole(joint, body, pose.pole.map(|x| x.v), env);
        kinetic = kinetic + inertia.kinetic_energy(twist);
        for (i, slot) in
            joint.coordinates.iter().enumerate().filter(|(i, _)| joint::is_coordinate_rate(joint, *i))
        {
            let rate = match slot {
                JointVariable::Free(q) => rates[*q],
                JointVariable::Prescribed(f) => time_derivative(f, env),
            };
            kinetic = kinetic + S::ratio(1, 2) * joint_armature(joint, i, env) * rate.squared();
            if let (0, Some((carrier, momentum))) = (i, rotor_momentum(m, id, env)) {
                kinetic = kinetic + momentum.dot(twists[carrier].w) * rate;
            }
        }
    }
    (kinetic, potential_energy(m, &body_poses(m, env), env))
}

/// Time derivative of a formula of t.
fn time_derivative<S: Scalar>(f: &Formula, env: &Environment<'_, S>) -> S {
    let (dq, dv) = (vec![S::ZERO; env.q.len()], vec![S::ZERO; env.v.len()]);
    env.with_jets(S::ONE, &dq, &dv, |env| f.eval(env)).d
}
