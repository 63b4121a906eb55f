//! Attitude and speeds of a joint, as chosen in the spec.

use crate::spec::Joint;
use dqdt_algebra::Axis;
use dqdt_mechanics::mechanism::joint::{Attitude, SpeedKind, VelocityFrame};

/// Representation of the attitude of a spherical or free joint: quaternion or angles; by default
/// angles about x, y, z.
pub(super) fn joint_attitude(joint: &Joint) -> Attitude {
    if joint.coordinates.quaternion {
        return Attitude::Quaternion;
    }
    let xyz = [Axis::X, Axis::Y, Axis::Z];
    Attitude::Sequence(joint.coordinates.sequence.as_ref().map_or(xyz, |s| s.value))
}

/// Type of the angular speeds of a spherical or free joint; by default body rates for a quaternion,
/// rates of the angles otherwise.
pub(super) fn angular_speed_kind(joint: &Joint) -> SpeedKind {
    let default = if joint.coordinates.quaternion { SpeedKind::BodyRates } else { SpeedKind::Rates };
    joint.speeds.kind.as_ref().map_or(default, |s| s.value)
}

pub(super) fn velocity_frame(joint: &Joint) -> VelocityFrame {
    if joint.speeds.body_velocity { VelocityFrame::Body } else { VelocityFrame::Parent }
}
