//! The centre of mass of a mechanism, and momentum about it.
//!
//! Problem: position, velocity, Jacobian and bias acceleration of the centre of mass; the momentum
//!          matrix `A` of `h = A v + h₀` about it, and `Ȧ v + ḣ₀`.
//! Method:  sums over the bodies of momentum, of the momentum for unit speeds, and of inertial
//!          wrenches at `v̇ = 0`, all moved to the centre of mass (Orin, Goswami and Lee 2013).
//!          Without absolute angles, unit speeds move subtrees as rigid bodies, with the composite
//!          inertias of M.
//! Rotors:  `h` of a rotor is part of the angular momentum of its carrier; armature has none.
//! Frames:  ground axes.
//! Units:   m, kg·m/s, kg·m²/s, and their rates.
//! Cost:    O(bodies + nv); with absolute angles O(bodies · depth).

use super::super::dynamics::rotors;
use super::inverse::body_accelerations_with_ground;
use crate::kinematics::composite_inertias;
use crate::kinematics::{BodyMotion, Kinematics, kinematics};
use crate::mechanism::{BodyId, Environment, Mechanism};
use dqdt_algebra::{Inertia, Scalar, Vec3, Wrench};

/// Centre of mass of the mechanism, and momentum about it, in ground axes.
#[derive(Clone, Debug)]
pub struct Centroid<S> {
    /// Mass of all bodies \[kg\].
    pub mass: S,
    /// Position of the centre of mass, from the ground's origin \[m\].
    pub position: Vec3<S>,
    /// Linear momentum, and angular momentum about the centre of mass.
    pub momentum: Wrench<S>,
    /// Momentum for a unit of each speed: the columns of the matrix A of `h = A v + h₀`.
    pub matrix: Vec<Wrench<S>>,
    /// Rate of the momentum at `v̇ = 0`: `Ȧ v + ḣ₀`.
    pub bias: Wrench<S>,
}

/// Converts a wrench about a body's pole, in body axes, to one about the ground's origin, in ground
/// axes.
fn wrench_about_ground_origin<S: Scalar>(body: &BodyMotion<S>, wrench: Wrench<S>) -> Wrench<S> {
    let f = body.rotation.apply(wrench.f);
    Wrench { f, m: body.rotation.apply(wrench.m) + body.origin.cross(f) }
}

/// Momentum of all bodies for a unit of each speed, about the ground's origin.
fn momentum_by_speed<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) -> Vec<Wrench<S>> {
    let mut columns = vec![Wrench::ZERO; m.nv()];
    if k.bodies.iter().any(|b| b.absolute) {
        for body in &k.bodies {
            for (speed, twist) in &body.partial {
                columns[*speed] =
                    columns[*speed] + wrench_about_ground_origin(body, body.inertia.momentum(*twist));
            }
        }
    } else {
        for (body, inertia) in k.bodies.iter().zip(composite_inertias(m, k)) {
            for column in &body.columns {
                if let Some(speed) = column.speed {
                    columns[speed] = wrench_about_ground_origin(body, inertia.momentum(column.twist));
                }
            }
        }
    }
    for rotor in &k.rotors {
        if let Some(s) = rotor.speed {
            columns[s] = columns[s]
                + wrench_about_ground_origin(&k.bodies[rotor.carrier], rotor.moment_on_carrier(S::ONE));
        }
    }
    columns
}

/// Computes the centre of mass, and momentum about it, at a state.
pub fn evaluate_centroid<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Centroid<S> {
    let k = kinematics(m, env);
    let (mass, first) = total_mass_and_first_moment(m, &k);
    let position = first.map(|x| x / mass);
    let matrix = momentum_by_speed(m, &k);
    let still = vec![S::ZERO; m.nv()];
    let rates = body_accelerations_with_ground(m, &k, &still, Vec3::ZERO, "still_");
    let mut needed: Vec<Wrench<S>> =
        k.bodies.iter().zip(&rates).map(|(b, rate)| b.inertia.inertial_wrench(b.twist.w, *rate)).collect();
    rotors::add_rotor_gyroscopic_moments(&k, &mut needed);
    rotors::add_prescribed_rotor_moments(&k, &mut needed);
    let about = |w: Wrench<S>| Wrench { f: w.f, m: w.m - position.cross(w.f) };
    let matrix: Vec<Wrench<S>> = matrix.into_iter().map(about).collect();
    let momentum = if k.bodies.iter().flat_map(|b| &b.columns).all(|c| c.speed.is_some()) {
        matrix.iter().zip(env.v).fold(Wrench::ZERO, |sum, (c, v)| sum + c.scale(*v))
    } else {
        let mut body_momenta: Vec<Wrench<S>> = k.bodies.iter().map(|b| b.inertia.momentum(b.twist)).collect();
        for rotor in &k.rotors {
            body_momenta[rotor.carrier] = body_momenta[rotor.carrier] + rotor.moment_on_carrier(rotor.rate);
        }
        about(sum_wrenches_about_ground_origin(m, &k, body_momenta))
    };
    Centroid {
        mass,
        position,
        momentum,
        matrix,
        bias: about(sum_wrenches_about_ground_origin(m, &k, needed)),
    }
}

/// Mass of all bodies, and their first moment about the ground's origin in ground axes.
fn total_mass_and_first_moment<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) -> (S, Vec3<S>) {
    let parts: Vec<(S, Vec3<S>)> = if k.bodies.iter().any(|b| b.absolute) {
        k.bodies.iter().map(|b| mass_and_first_moment(b, &b.inertia)).collect()
    } else {
        let trees = k.bodies.iter().zip(composite_inertias(m, k)).zip(&m.joints);
        trees
            .filter(|(_, joint)| joint.parent.is_none())
            .map(|((b, i), _)| mass_and_first_moment(b, &i))
            .collect()
    };
    parts.into_iter().fold((S::ZERO, Vec3::ZERO), |(mass, first), (m, f)| (mass + m, first + f))
}

/// Mass of an inertia of a body, and its first moment about the ground's origin in ground axes.
fn mass_and_first_moment<S: Scalar>(body: &BodyMotion<S>, inertia: &Inertia<S>) -> (S, Vec3<S>) {
    (inertia.mass, body.origin.scale(inertia.mass) + body.rotation.apply(inertia.first))
}

/// Sum of wrenches on bodies, about the ground's origin in ground axes. Wrenches are accumulated
/// inwards first, so that few are rotated.
fn sum_wrenches_about_ground_origin<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    mut wrenches: Vec<Wrench<S>>,
) -> Wrench<S> {
    let mut sum = Wrench::ZERO;
    for (i, body) in BodyId::enumerate(&k.bodies).rev() {
        match m.parent_body(i) {
            Some(parent) => wrenches[parent] = wrenches[parent] + body.wrench_about_parent_pole(wrenches[i]),
            None => sum = sum + wrench_about_ground_origin(body, wrenches[i]),
        }
    }
    sum
}
