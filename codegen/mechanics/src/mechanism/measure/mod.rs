//! Measures: components of the pose and of the motion of frames, which formulas use as functions.
//!
//! Method:  one file per kind, with everything specific to it (`kind.rs`).
//! Frames:  the observed frame relative to the observing frame, in the axes of the observing frame.
//! Units:   SI.
//! Not handled: accelerations, because loads would then depend on their own effects. Measures of
//! three or more frames: readers and derivatives handle two, `ends.from` and `ends.to`.
//! To add a kind: a file like `distance.rs`, and its line in the registry below.

mod angular_velocity;
mod distance;
mod distance_rate;
mod kind;
mod position;
mod rotation;
mod velocity;

pub use kind::{MeasureContext, MeasureForm, MeasureMechanics, MeasureText};

use super::ends::Ends;
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
}

/// A measured quantity of the frame `ends.to` relative to the frame `ends.from`.
#[derive(Clone, PartialEq, Debug)]
pub struct Measure {
    /// Name for emitted values, such as `position_z_of_wheel_hub`.
    pub name: String,
    /// The measured quantity, such as a position component.
    #[doc(hidden)]
    pub kind: MeasureKind,
    /// Observing frame (`from`) and observed frame (`to`).
    pub ends: Ends,
}
