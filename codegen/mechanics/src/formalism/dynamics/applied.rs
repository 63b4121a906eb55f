//! Motion of the bodies and applied loads, the common input of all formalisms on the tree.
//!
//! Problem: the wrenches of the loads, `F*` (loads minus gyroscopic wrenches), and the efforts.
//!          Accelerations are those of poles as points, so the gyroscopic wrenches do not contain
//!          the velocity of a pole (unlike those of the tree-forms paper).
//! Method:  loads from `actions`. Gravity is a wrench on each body; or, for formalisms that start
//!          at the ground, an opposite acceleration of the ground: then all accelerations are
//!          relative to free fall, and reactions are the same.
//! Frames:  body axes, about the pole.
//! Units:   N, N·m.
//! Cost:    O(bodies + loads · depth).

use super::actions::{self, sum_actions};
use super::rotors;
use crate::kinematics::{Kinematics, MotionInChosenAxes, evaluate_vector};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::{Scalar, Twist, Vec3, Wrench};

/// Wrenches and efforts that act on a tree in motion, and the acceleration of the ground. Input of
/// the tree formalisms.
#[derive(Clone, Debug)]
pub(crate) struct Applied<S> {
    /// Sum of the wrenches of loads on each body, in body axes about the pole.
    pub loads: Vec<Wrench<S>>,
    /// Forces `F*` on each body: loads minus gyroscopic wrenches, including those of rotors.
    pub forces: Vec<Wrench<S>>,
    /// Sum of the efforts of loads on each free speed.
    pub efforts: Vec<S>,
    /// Acceleration assigned to the ground: zero, or opposite to gravity.
    pub ground: Twist<S>,
}

impl<S: Scalar> Applied<S> {
    /// Sums all loads, with gravity as a wrench on each body and a ground at rest.
    pub fn new(m: &Mechanism, k: &Kinematics<S>, env: &Environment<'_, S>) -> Self {
        let mut acting = vec![actions::gravity_action(m, k, env)];
        acting.extend(actions::load_actions(m, k, env));
        let (wrenches, efforts) = sum_actions(m, &acting);
        Applied {
            forces: subtract_gyroscopic_wrenches(k, &wrenches),
            loads: wrenches,
            efforts,
            ground: Twist::ZERO,
        }
    }

    /// Sums all loads, with gravity as an opposite acceleration of the ground instead of a load.
    pub fn with_accelerated_ground(m: &Mechanism, k: &Kinematics<S>, env: &Environment<'_, S>) -> Self {
        let (wrenches, efforts) = sum_actions(m, &actions::load_actions(m, k, env));
        let ground = Twist { v: -evaluate_vector(&m.gravity, env), w: Vec3::ZERO };
        Applied { forces: subtract_gyroscopic_wrenches(k, &wrenches), loads: wrenches, efforts, ground }
    }

    /// Sums all loads, like [`Applied::with_accelerated_ground`], for a motion in the axes of the
    /// formulation; `in_body_axes` is the motion in body axes.
    pub fn for_formulation_axes(
        m: &Mechanism,
        in_body_axes: &Kinematics<S>,
        motion: &MotionInChosenAxes<S>,
        env: &Environment<'_, S>,
    ) -> Self {
        let (wrenches, efforts) = sum_actions(m, &actions::load_actions(m, in_body_axes, env));
        let loads = motion.wrenches_to_formulation_axes(wrenches);
        let ground = Twist { v: -evaluate_vector(&m.gravity, env), w: Vec3::ZERO };
        Applied { forces: subtract_gyroscopic_wrenches(&motion.kinematics, &loads), loads, efforts, ground }
    }

    /// Gyroscopic wrenches alone, without loads and gravity.
    pub fn gyroscopic_only(k: &Kinematics<S>) -> Self {
        let none = vec![Wrench::ZERO; k.bodies.len()];
        Applied {
            forces: subtract_gyroscopic_wrenches(k, &none),
            loads: none,
            efforts: Vec::new(),
            ground: Twist::ZERO,
        }
    }
}

impl<S: Scalar> Applied<S> {
    /// Forces `F*` minus the wrenches on the carriers of rotors with prescribed accelerations. For
    /// systems whose unknowns are the free accelerations.
    pub fn subtract_prescribed_rotors(&self, k: &Kinematics<S>) -> Vec<Wrench<S>> {
        let mut rotor_wrenches = vec![Wrench::ZERO; k.bodies.len()];
        rotors::add_prescribed_rotor_moments(k, &mut rotor_wrenches);
        self.forces.iter().zip(rotor_wrenches).map(|(f, x)| *f - x).collect()
    }
}

/// Wrenches minus the gyroscopic wrenches of bodies and rotors: `F*`.
fn subtract_gyroscopic_wrenches<S: Scalar>(k: &Kinematics<S>, wrenches: &[Wrench<S>]) -> Vec<Wrench<S>> {
    let mut gyroscopic: Vec<Wrench<S>> =
        k.bodies.iter().map(|b| b.inertia.gyroscopic_wrench(b.twist.w)).collect();
    rotors::add_rotor_gyroscopic_moments(k, &mut gyroscopic);
    wrenches.iter().zip(gyroscopic).map(|(w, x)| *w - x).collect()
}
