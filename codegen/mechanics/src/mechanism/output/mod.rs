//! Named outputs: positions, velocities and accelerations of points, sensor readings, efforts,
//! energy, formulas.
//!
//! Method:  one file per kind, with everything specific to it (`kind.rs`).
//! Frames:  stated by each kind; vectors are converted between bodies through their nearest common
//! ancestor.
//! Units:   SI; a formula has the SI unit of its dimension.
//! To add a kind: a file like `velocity.rs`, and its line in the registry below; its keys in
//! `spec/output_keys`.

mod acceleration;
mod angular_rate;
mod energy;
mod formula;
mod joint_effort;
mod kind;
mod position;
mod specific_force;
mod velocity;

pub use kind::{
    JointEntry, OutputContext, OutputDescription, OutputEntries, OutputForm, OutputKeys, OutputMechanics,
    ValueWithUnit,
};

use dqdt_algebra::Scalar;
use kind::output_kinds;

// The registry: one line a kind.
output_kinds! {
    position::Position,
    velocity::Velocity,
    acceleration::Acceleration,
    specific_force::SpecificForce,
    angular_rate::AngularRate,
    joint_effort::JointEffort,
    energy::Energy,
    formula::FormulaOutput,
}

/// A named output of a mechanism, which emitted functions return.
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// Name of the output in the spec.
    pub name: String,
    /// One-line description of the output for readers; may be empty.
    pub description: String,
    /// Kind of the output, such as velocity of a point, with its data.
    #[doc(hidden)]
    pub kind: OutputKind,
}
