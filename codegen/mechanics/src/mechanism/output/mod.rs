//! Named outputs: positions, velocities and accelerations of points, sensor readings, efforts,
//! energy, formulas.
//!
//! Method:  one file per kind, with everything that is asked of it (`kind.rs`).
//! Frames:  as each kind says; a vector goes from one body's axes to another's by the nearest
//! common ancestor.
//! Units:   SI; a formula has the unit of its dimension.
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
    Entries, JointEntry, Meaning, Measured, OutputContext, OutputForm, OutputMechanics, WrittenOutput,
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

/// A named output.
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// Name.
    pub name: String,
    /// One line for people; may be empty.
    pub description: String,
    /// Its kind, with the data of the kind.
    #[doc(hidden)]
    pub kind: OutputKind,
}
