//! Measures: quantities of the mechanism that formulas name, such as components of the pose and motion of frames.
//!
//! Method:  one file per kind, with everything that is asked of it (`kind.rs`).
//! Frames:  a frame is seen from another one, in the axes of that one.
//! Units:   SI.
//! Not handled: accelerations; loads would depend on what they cause. Measures of three frames and
//!          more: readers and derivatives know two, `ends.from` and `ends.to`.
//! To add a kind: a file like `distance.rs`, and its line in the registry below.

mod angular_velocity;
mod distance;
mod distance_rate;
mod gravity_effort;
mod kind;
mod position;
mod rotation;
mod velocity;

pub use kind::{MeasureArguments, MeasureContext, MeasureForm, MeasureMechanics, MeasureText};

use super::ends::Ends;
use super::index::SpeedId;
use dqdt_algebra::Scalar;
use kind::measure_kinds;

// The registry: one line a kind.
measure_kinds! {
    position::Position,
    velocity::Velocity,
    rotation::Rotation,
    angular_velocity::AngularVelocity,
    distance::Distance,
    distance_rate::DistanceRate,
    gravity_effort::GravityEffort,
}

/// The arguments of one measure, resolved.
#[derive(Clone, PartialEq, Debug)]
pub enum MeasureSubject {
    /// The frame that is seen (`to`), and the one that it is seen from (`from`).
    Frames(Ends),
    /// A speed.
    Speed(SpeedId),
}

impl MeasureSubject {
    /// The two frames, if it is a measure of frames.
    pub fn ends(&self) -> Option<&Ends> {
        match self {
            MeasureSubject::Frames(ends) => Some(ends),
            MeasureSubject::Speed(_) => None,
        }
    }
}

/// One measured quantity.
#[derive(Clone, PartialEq, Debug)]
pub struct Measure {
    /// As in names of emitted values: `position_z_of_wheel_hub`.
    pub name: String,
    /// What is measured.
    #[doc(hidden)]
    pub kind: MeasureKind,
    /// The frames or the speed that it is a measure of.
    pub subject: MeasureSubject,
}
