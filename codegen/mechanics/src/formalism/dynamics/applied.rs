//! Motion of the bodies and applied loads, from which every form on the tree starts.
//!
//! Problem: the wrenches of the loads, `F*` (these less the gyroscopic ones), and the efforts. Accelerations are those of poles
//!          as points, so the gyroscopic wrenches have no velocity of a pole in them (unlike those of the tree-forms paper).
//! Method:  loads as `actions` has them. Gravity is a wrench on every body, or, where a form starts from the ground, an
//! acceleration of the ground against it: then all accelerations are relative to free fall, and reactions are the same.
//! Frames:  body axes, about the pole.
//! Units:   N, N·m.
//! Cost:    O(bodies + loads · depth).

use super::actions::{self, total};
use super::rotors;
use crate::kinematics::{InAxes, Kinematics, vector};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::{Scalar, Twist, Vec3, Wrench};

/// What acts on a tree in motion.
#[derive(Clone, Debug)]
pub(crate) struct Applied<S> {
    /// Of the loads.
    pub loads: Vec<Wrench<S>>,
    /// `F*`: loads less gyroscopic wrenches, those of rotors too.
    pub forces: Vec<Wrench<S>>,
    /// On free speeds.
    pub efforts: Vec<S>,
    /// Acceleration of the ground.
    pub ground: Twist<S>,
}

impl<S: Scalar> Applied<S> {
    /// With gravity as a wrench on every body.
    pub fn new(m: &Mechanism, k: &Kinematics<S>, env: &Environment<'_, S>) -> Self {
        let mut acting = vec![actions::gravity(m, k, env)];
        acting.extend(actions::loads(m, k, env));
        let (wrenches, efforts) = total(m, &acting);
        Applied { forces: without_gyroscopic(k, &wrenches), loads: wrenches, efforts, ground: Twist::ZERO }
    }

    /// With the ground accelerated against gravity.
    pub fn with_accelerated_ground(m: &Mechanism, k: &Kinematics<S>, env: &Environment<'_, S>) -> Self {
        let (wrenches, efforts) = total(m, &actions::loads(m, k, env));
        let ground = Twist { v: -vector(&m.gravity, env), w: Vec3::ZERO };
        Applied { forces: without_gyroscopic(k, &wrenches), loads: wrenches, efforts, ground }
    }

    /// The same of a motion in chosen axes; `own`: that in body axes.
    pub fn in_axes(m: &Mechanism, own: &Kinematics<S>, motion: &InAxes<S>, env: &Environment<'_, S>) -> Self {
        let (wrenches, efforts) = total(m, &actions::loads(m, own, env));
        let loads = motion.turned(wrenches);
        let ground = Twist { v: -vector(&m.gravity, env), w: Vec3::ZERO };
        Applied { forces: without_gyroscopic(&motion.kinematics, &loads), loads, efforts, ground }
    }

    /// Gyroscopic wrenches alone.
    pub fn inertial(k: &Kinematics<S>) -> Self {
        let none = vec![Wrench::ZERO; k.bodies.len()];
        Applied {
            forces: without_gyroscopic(k, &none),
            loads: none,
            efforts: Vec::new(),
            ground: Twist::ZERO,
        }
    }
}

impl<S: Scalar> Applied<S> {
    /// F* less what the carriers of rotors must be given for prescribed accelerations of these: for systems whose
    /// unknowns are the free accelerations.
    pub fn with_prescribed_rotors(&self, k: &Kinematics<S>) -> Vec<Wrench<S>> {
        let mut taken = vec![Wrench::ZERO; k.bodies.len()];
        rotors::add_prescribed(k, &mut taken);
        self.forces.iter().zip(taken).map(|(f, x)| *f - x).collect()
    }
}

fn without_gyroscopic<S: Scalar>(k: &Kinematics<S>, wrenches: &[Wrench<S>]) -> Vec<Wrench<S>> {
    let mut taken: Vec<Wrench<S>> = k.bodies.iter().map(|b| b.inertia.gyroscopic(b.twist.w)).collect();
    rotors::add_gyroscopic(k, &mut taken);
    wrenches.iter().zip(taken).map(|(w, x)| *w - x).collect()
}
