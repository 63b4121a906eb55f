//! Poses as URDF writes them.

use super::robot::Origin;
use crate::robot::decimal::Triple;
use crate::robot::report::Report;
use crate::robot::turn::{self, Angle, Pose, Turn};

/// `rpy` of the file: `Rz(yaw) Ry(pitch) Rx(roll)`. What is snapped is reported.
pub(super) fn turn(origin: &Origin, snap: f64, of: &str, report: &mut Report) -> Turn {
    let angles = [0, 1, 2].map(|i| {
        let (angle, snapped) = Angle::new(&origin.rpy[2 - i], snap);
        if snapped {
            let what = ["yaw", "pitch", "roll"][i];
            report.snapped(
                format!("{of}: {what} {} is {}", origin.rpy[2 - i].text, angle.shown()),
                origin.span,
            );
        }
        angle
    });
    Turn::sequence("zyx", angles)
}

/// The position of a frame. What is snapped is reported.
pub(super) fn place(origin: &Origin, snap: f64, of: &str, report: &mut Report) -> Triple {
    turn::place(&origin.xyz, snap, of, origin.span, report)
}

/// Both.
pub(super) fn pose(origin: &Origin, snap: f64, of: &str, report: &mut Report) -> Pose {
    Pose { at: place(origin, snap, of, report), turn: turn(origin, snap, of, report) }
}
