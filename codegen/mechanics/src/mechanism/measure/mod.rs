//! Measures: quantities that formulas use as functions, such as components of the pose and motion
//! of frames.
//!
//! Method:  one file per kind, with everything specific to it (`kind.rs`).
//! Frames:  the observed frame relative to the observing frame, in the axes of the observing frame.
//! Units:   SI.
//! Not handled: accelerations, because loads would then depend on their own effects. Measures of
//! three or more frames: readers and derivatives handle two.
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
    position::PositionComponent,
    velocity::VelocityComponent,
    rotation::RotationElement,
    angular_velocity::AngularVelocity,
    distance::Distance,
    distance_rate::DistanceRate,
    gravity_effort::GravityEffort,
}

/// Measured frames, or the measured speed.
#[derive(Clone, PartialEq, Debug)]
pub enum MeasureSubject {
    /// The observed frame (`to`) and the observing frame (`from`).
    Frames(Box<Ends>),
    /// A speed whose gravity effort is measured.
    Speed(SpeedId),
}

impl MeasureSubject {
    /// The two frames, if the measure is one of frames.
    pub fn ends(&self) -> Option<&Ends> {
        match self {
            MeasureSubject::Frames(ends) => Some(ends),
            MeasureSubject::Speed(_) => None,
        }
    }
}

/// A measured quantity of a frame or a speed.
#[derive(Clone, PartialEq, Debug)]
pub struct Measure {
    /// Name for emitted values, such as `position_z_of_wheel_hub`.
    pub name: String,
    /// Kind of the measure, such as a position component.
    #[doc(hidden)]
    pub kind: MeasureKind,
    /// The measured frames or speed.
    pub subject: MeasureSubject,
}
