//! Attitude and speeds of a joint, as the spec gives them.

use crate::spec::Joint;
use dqdt_algebra::Axis;
use dqdt_mechanics::mechanism::joint::{Attitude, SpeedKind, VelocityFrame};

/// How the attitude of a spherical or free joint is written.
pub(super) fn attitude(joint: &Joint) -> Attitude {
    if joint.coordinates.quaternion {
        return Attitude::Quaternion;
    }
    let xyz = [Axis::X, Axis::Y, Axis::Z];
    Attitude::Sequence(joint.coordinates.sequence.as_ref().map_or(xyz, |s| s.value))
}

/// What the angular speeds of a spherical or free joint are.
pub(super) fn speed_kind(joint: &Joint) -> SpeedKind {
    let default = if joint.coordinates.quaternion { SpeedKind::BodyRates } else { SpeedKind::Rates };
    joint.speeds.kind.as_ref().map_or(default, |s| s.value)
}

pub(super) fn velocity_frame(joint: &Joint) -> VelocityFrame {
    if joint.speeds.body_velocity { VelocityFrame::Body } else { VelocityFrame::Parent }
}
