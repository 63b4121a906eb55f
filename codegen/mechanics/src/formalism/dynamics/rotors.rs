//! Geared rotors: inertia terms on the bodies that carry rotors and on the speeds that drive
//! rotors.
//!
//! Problem: a rotor rotates at `n v` about an axis a of a body with angular velocity ω. The inertia
//!          of the body includes the rotor at rest. Find the terms that its rotation adds to the
//!          equations.
//! Method:  its angular momentum relative to the carrier is `h v`, `h = J n a`. From
//!          `T += ½ J (n v)² + J n v (a · ω)`, the carrier needs the additional moment
//!          `h v̇ + ω × h v`, and the speed the effort `J n² v̇ + h · ω̇`. `J n²` is part of the
//!          armature of the speed ([`crate::kinematics::Column`]); the rest is here. Since a is
//!          fixed in the carrier, `a · ω̇` is the component of the rate in body axes. A rotor on
//!          the ground has no such terms.
//! Source:  the terms of a gyrostat: Wittenburg 2008, section 4.7; Featherstone 2008, section 9.6
//!          for gears in a tree.
//! Frames:  axes of the carrier.
//! Units:   N·m; efforts in the unit of power per unit of the speed.
//! Cost:    O(rotors).
//!
//! Not handled: a rotor that is not rotationally symmetric; one that is mounted on neither end of
//! its joint.

use crate::kinematics::{Kinematics, TurningRotor};
use crate::mechanism::{BodyId, SpeedId};
use dqdt_algebra::{Scalar, Twist, Vec3, Wrench};

/// Wrench of a pure moment.
pub(crate) fn moment_wrench<S: Scalar>(m: Vec3<S>) -> Wrench<S> {
    Wrench { f: Vec3::ZERO, m }
}

impl<S: Scalar> TurningRotor<S> {
    /// Moment `h x` of a rotor with speed or acceleration x, as a wrench on the carrier.
    pub(crate) fn moment_on_carrier(&self, x: S) -> Wrench<S> {
        moment_wrench(self.momentum.scale(x))
    }

    /// Product `h · ω` with a carrier's twist, or `h · ω̇` with its rate: momentum or effort on the
    /// rotor's speed.
    pub(crate) fn project_on_momentum(&self, carrier: Twist<S>) -> S {
        self.momentum.dot(carrier.w)
    }

    /// Acceleration of the speed that drives the rotor: the prescribed one, or its entry of
    /// `accelerations`.
    pub(crate) fn joint_acceleration(&self, accelerations: &[S]) -> S {
        self.speed.map_or(self.acceleration, |s| accelerations[s])
    }
}

/// Adds the moments `ω × h v` that the rotors require on their carriers.
pub(crate) fn add_rotor_gyroscopic_moments<S: Scalar>(k: &Kinematics<S>, wrenches: &mut [Wrench<S>]) {
    for rotor in &k.rotors {
        let w = k.bodies[rotor.carrier].twist.w;
        let turning = moment_wrench(w.cross(rotor.momentum.scale(rotor.rate)));
        wrenches[rotor.carrier] = wrenches[rotor.carrier] + turning;
    }
}

/// Adds the moments `h v̇` that rotors with prescribed v̇ require on their carriers.
pub(crate) fn add_prescribed_rotor_moments<S: Scalar>(k: &Kinematics<S>, wrenches: &mut [Wrench<S>]) {
    for rotor in k.rotors.iter().filter(|r| r.speed.is_none()) {
        wrenches[rotor.carrier] = wrenches[rotor.carrier] + rotor.moment_on_carrier(rotor.acceleration);
    }
}

/// Adds the moments `h v̇` that all rotors require on their carriers.
pub(crate) fn add_rotor_acceleration_moments<S: Scalar>(
    k: &Kinematics<S>,
    accelerations: &[S],
    wrenches: &mut [Wrench<S>],
) {
    for rotor in &k.rotors {
        let turning = rotor.moment_on_carrier(rotor.joint_acceleration(accelerations));
        wrenches[rotor.carrier] = wrenches[rotor.carrier] + turning;
    }
}

/// Adds the efforts `h · ω̇` that rotors require on their free speeds, for given rates of the
/// bodies.
pub(crate) fn add_rotor_efforts<S: Scalar>(
    k: &Kinematics<S>,
    rate: impl Fn(BodyId) -> Twist<S>,
    efforts: &mut [S],
) {
    for rotor in &k.rotors {
        if let Some(s) = rotor.speed {
            efforts[s] = efforts[s] + rotor.project_on_momentum(rate(rotor.carrier));
        }
    }
}

/// Moment κ, for a unit acceleration, of the rotor that a speed of body `i` drives, in axes of that
/// body, and true if the rotor is mounted on that body.
pub(crate) fn unit_rotor_moment<S: Scalar>(
    k: &Kinematics<S>,
    i: BodyId,
    speed: SpeedId,
) -> Option<(Wrench<S>, bool)> {
    let rotor = k.rotors.iter().find(|r| r.joint == i.inboard_joint() && r.speed == Some(speed))?;
    let on_child = rotor.carrier == i;
    let h = rotor.momentum;
    let m = if on_child { h } else { k.bodies[i].relative_rotation.apply_transposed(h) };
    Some((moment_wrench(m), on_child))
}
