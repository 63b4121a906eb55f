//! The centre of mass of a mechanism, and momentum about it.
//!
//! Problem: place, velocity, Jacobian and bias acceleration of the centre of mass; the momentum matrix `A` of
//!          `h = A v + h₀` about it, and `Ȧ v + ḣ₀`.
//! Method:  sums over the bodies of momentum, of the momentum of unit speeds, and of inertial wrenches at `v̇ = 0`; all moved to
//!          the centre of mass (Orin, Goswami and Lee 2013). Where no angle is measured from the ground, unit speeds move
//!          subtrees as rigid bodies, whose inertias M is made of too.
//! Rotors:  `h` of a rotor counts to the angular momentum of its carrier; armature has none.
//! Frames:  ground axes.
//! Units:   m, kg·m/s, kg·m²/s, and their rates.
//! Cost:    O(bodies + nv); with absolute angles O(bodies · depth).

use super::super::dynamics::mass_matrix::moved_inertias;
use super::super::dynamics::rotors;
use super::inverse::accelerations;
use crate::algebra::{Scalar, Vec3, Wrench};
use crate::kinematics::{BodyMotion, Kinematics, kinematics};
use crate::mechanism::{Environment, Mechanism};

/// The centre of mass, and momentum about it, in ground axes.
#[derive(Clone, Debug)]
pub struct Centroid<S> {
    /// Mass of all bodies.
    pub mass: S,
    /// Centre of mass, from the ground's origin.
    pub position: Vec3<S>,
    /// Momentum, and angular momentum about the centre of mass.
    pub momentum: Wrench<S>,
    /// The momentum of one unit of each speed.
    pub matrix: Vec<Wrench<S>>,
    /// The rate of the momentum with `v̇ = 0`.
    pub bias: Wrench<S>,
}

/// A wrench about a body's pole, about the ground's origin in ground axes.
fn on_ground<S: Scalar>(body: &BodyMotion<S>, wrench: Wrench<S>) -> Wrench<S> {
    let f = body.rotation.apply(wrench.f);
    Wrench { f, m: body.rotation.apply(wrench.m) + body.origin.cross(f) }
}

/// Momentum of one unit of each speed, about the ground's origin.
fn by_speed<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) -> Vec<Wrench<S>> {
    let mut columns = vec![Wrench::ZERO; m.nv()];
    if k.bodies.iter().any(|b| b.absolute) {
        for body in &k.bodies {
            for (speed, twist) in &body.partial {
                columns[*speed] = columns[*speed] + on_ground(body, body.inertia.apply(*twist));
            }
        }
    } else {
        for (body, inertia) in k.bodies.iter().zip(moved_inertias(m, k)) {
            for column in &body.columns {
                if let Some(speed) = column.speed {
                    columns[speed] = on_ground(body, inertia.apply(column.twist));
                }
            }
        }
    }
    for rotor in &k.rotors {
        if let Some(s) = rotor.speed {
            columns[s] = columns[s] + on_ground(&k.bodies[rotor.carrier], rotor.along(S::ONE));
        }
    }
    columns
}

/// The centre of mass, and momentum about it.
pub fn centroid<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Centroid<S> {
    let k = kinematics(m, env);
    let (mut mass, mut first) = (S::ZERO, Vec3::ZERO);
    for body in &k.bodies {
        mass = mass + body.inertia.mass;
        first = first + (body.origin.scale(body.inertia.mass) + body.rotation.apply(body.inertia.first));
    }
    let position = first.map(|x| x / mass);
    let mut own: Vec<Wrench<S>> = k.bodies.iter().map(|b| b.inertia.apply(b.twist)).collect();
    for rotor in &k.rotors {
        own[rotor.carrier] = own[rotor.carrier] + rotor.along(rotor.rate);
    }
    let still = vec![S::ZERO; m.nv()];
    let rates = accelerations(m, &k, &still, Vec3::ZERO, "still_");
    let mut needed: Vec<Wrench<S>> =
        k.bodies.iter().zip(&rates).map(|(b, rate)| b.inertia.inertial_wrench(b.twist.w, *rate)).collect();
    rotors::add_gyroscopic(&k, &mut needed);
    rotors::add_prescribed(&k, &mut needed);
    let about = |w: Wrench<S>| Wrench { f: w.f, m: w.m - position.cross(w.f) };
    let all = |wrenches: &[Wrench<S>]| {
        let moved = k.bodies.iter().zip(wrenches).map(|(b, w)| on_ground(b, *w));
        about(moved.fold(Wrench::ZERO, |sum, w| sum + w))
    };
    Centroid {
        mass,
        position,
        momentum: all(&own),
        matrix: by_speed(m, &k).into_iter().map(about).collect(),
        bias: all(&needed),
    }
}
