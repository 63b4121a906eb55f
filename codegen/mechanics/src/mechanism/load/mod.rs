//! Loads: forces, moments and efforts other than inertia forces and joint reactions. Gravity is
//! [`super::Mechanism::gravity`].
//!
//! Problem: the forces of each kind of load on the bodies and the speeds of a mechanism, its
//! potential, and its keys in a spec.
//! Method:  one file per kind, with everything specific to it (`kind.rs`). A kind states its action
//! twice, as wrenches and efforts, and as work along coordinates for Lagrange's equations; each
//! checks the other.
//! Frames:  wrenches in body axes about the pole of the body.
//! Units:   N, N·m, J; efforts in the unit of power per unit of the speed.
//! Cost:    O(1) per load.
//! Not handled: contact, and loads that depend on accelerations.
//! To add a kind: a file like `force.rs` (at a point), `line_force.rs` (between two points) or
//! `generalised_force.rs` (on a speed), and its line in the registry below; its keys in
//! `spec/load_keys`.

mod actuator;
mod context;
mod force;
mod friction;
mod generalised_force;
mod joint_spring;
mod kind;
mod line;
mod line_force;
mod line_spring;
mod torque;

pub use {force::Force, generalised_force::GeneralisedForce};

pub use context::{Action, LoadContext, LoadState, LoadWork, PoseContext, RelativeFrameMotion, RelativePose};
pub use kind::{
    ActsOn, DrawLoad, Law, LawFactor, LoadCondition, LoadForm, LoadKeys, LoadMechanics, LoadTarget,
};
pub use line::{damping_part_name, vector_between_ends};

use super::index::SpeedId;
use dqdt_algebra::Scalar;
use kind::load_kinds;

// The registry: one line a kind.
load_kinds! {
    force::Force,
    torque::Torque,
    line_spring::LineSpring,
    line_force::LineForce,
    joint_spring::JointSpring,
    friction::Friction,
    generalised_force::GeneralisedForce,
    actuator::Actuator,
}

/// A named load of a mechanism: force, moment, spring, friction or effort.
#[derive(Clone, PartialEq, Debug)]
pub struct Load {
    /// Name of the load in the spec.
    pub name: String,
    /// Kind of the load, such as spring, with its data.
    #[doc(hidden)]
    pub kind: LoadKind,
}
