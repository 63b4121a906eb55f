//! The coordinates and speeds that each kind of joint has.

use crate::algebra::{Axis, Dimension};
use crate::mechanism::{Attitude, SpeedKind, VelocityFrame};
use crate::spec::{Joint, JointKind};

/// A coordinate or speed of a kind of joint: suffix of its default name, dimension, what it is.
pub(super) type Part = (&'static str, Dimension, &'static str);

pub(super) const RATE: Dimension = Dimension([0, 0, -1, 0, 0]);
const ANGLE: Dimension = Dimension::NONE;
const LENGTH: Dimension = Dimension::LENGTH;

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
    let default = joint.coordinates.quaternion;
    if joint.speeds.body_rates.as_ref().map_or(default, |s| s.value) {
        SpeedKind::BodyRates
    } else {
        SpeedKind::Rates
    }
}

pub(super) fn velocity_frame(joint: &Joint) -> VelocityFrame {
    if joint.speeds.body_velocity { VelocityFrame::Body } else { VelocityFrame::Parent }
}

/// The coordinates of a joint, in the order of its kind.
pub(super) fn coordinate_parts(joint: &Joint) -> Vec<Part> {
    const POSITION: [Part; 3] = [
        ("x", LENGTH, "displacement along x"),
        ("y", LENGTH, "displacement along y"),
        ("z", LENGTH, "displacement along z"),
    ];
    let mut parts: Vec<Part> = match joint.kind {
        JointKind::Fixed => vec![],
        JointKind::Revolute(_) | JointKind::Helical(..) => vec![("", ANGLE, "angle")],
        JointKind::Prismatic(_) => vec![("", LENGTH, "displacement")],
        JointKind::Cylindrical(_) => vec![("angle", ANGLE, "angle"), ("slide", LENGTH, "displacement")],
        JointKind::Universal(..) => vec![("1", ANGLE, "first angle"), ("2", ANGLE, "second angle")],
        JointKind::Planar(..) => vec![
            ("x", LENGTH, "displacement along the first axis"),
            ("y", LENGTH, "displacement along the second axis"),
            ("angle", ANGLE, "angle"),
        ],
        JointKind::Direction => vec![("azimuth", ANGLE, "azimuth"), ("elevation", ANGLE, "elevation")],
        JointKind::Spherical => vec![],
        JointKind::Free => POSITION.to_vec(),
    };
    if matches!(joint.kind, JointKind::Spherical | JointKind::Free) {
        if joint.coordinates.quaternion {
            parts.extend([
                ("qw", ANGLE, "quaternion, scalar part"),
                ("qx", ANGLE, "quaternion, x"),
                ("qy", ANGLE, "quaternion, y"),
                ("qz", ANGLE, "quaternion, z"),
            ]);
        } else {
            parts.extend([
                ("1", ANGLE, "first angle"),
                ("2", ANGLE, "second angle"),
                ("3", ANGLE, "third angle"),
            ]);
        }
    }
    parts
}

/// A speed: the rate of a coordinate of the joint, or a part with a name of its own.
#[derive(Clone, Copy)]
pub(super) enum SpeedPart {
    RateOf(usize),
    Own(Part),
}

/// The speeds of a joint with so many coordinates, in the order of its kind.
pub(super) fn speed_parts(joint: &Joint, coordinates: usize) -> Vec<SpeedPart> {
    const OMEGA: [SpeedPart; 3] = [
        SpeedPart::Own(("omega_x", RATE, "angular velocity about x")),
        SpeedPart::Own(("omega_y", RATE, "angular velocity about y")),
        SpeedPart::Own(("omega_z", RATE, "angular velocity about z")),
    ];
    const LINEAR: [SpeedPart; 3] = [
        SpeedPart::Own(("vx", Dimension::VELOCITY, "velocity along the body's x")),
        SpeedPart::Own(("vy", Dimension::VELOCITY, "velocity along the body's y")),
        SpeedPart::Own(("vz", Dimension::VELOCITY, "velocity along the body's z")),
    ];
    let attitude = || speed_kind(joint) == SpeedKind::BodyRates;
    match joint.kind {
        JointKind::Spherical if attitude() => OMEGA.to_vec(),
        JointKind::Free => {
            let mut parts: Vec<SpeedPart> = if joint.speeds.body_velocity {
                LINEAR.to_vec()
            } else {
                (0..3).map(SpeedPart::RateOf).collect()
            };
            parts.extend(if attitude() { OMEGA.to_vec() } else { (3..6).map(SpeedPart::RateOf).collect() });
            parts
        }
        _ => (0..coordinates).map(SpeedPart::RateOf).collect(),
    }
}
