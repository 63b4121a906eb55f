//! Measures: components of the pose and of the motion of frames, as formulas name them.
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

/// One measured quantity, of the frame `ends.to` as seen from the frame `ends.from`.
#[derive(Clone, PartialEq, Debug)]
pub struct Measure {
    /// As in names of emitted values: `position_z_of_wheel_hub`.
    pub name: String,
    /// What is measured.
    #[doc(hidden)]
    pub kind: MeasureKind,
    /// The frame that is seen (`to`), and the one that it is seen from (`from`).
    pub ends: Ends,
}
