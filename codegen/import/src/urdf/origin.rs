//! Poses in URDF.

use roxmltree::Node;

use super::robot::Origin;
use super::xml::{Reader, only};
use crate::robot::decimal::Triple;
use crate::robot::report::Report;
use crate::robot::turn::{self, Angle, Pose, Turn};
use dqdt_diagnostics::error::Diagnostic;

/// Rotation given by `rpy`: `Rz(yaw) Ry(pitch) Rx(roll)`. Snapping is reported.
pub(super) fn turn(origin: &Origin, snap: f64, of: &str, report: &mut Report) -> Turn {
    let angles = [0, 1, 2].map(|i| {
        let (angle, snapped) = Angle::new(&origin.rpy[2 - i], snap);
        if let Some(by) = snapped {
            let what = ["yaw", "pitch", "roll"][i];
            report.snapped(
                format!("{of}: {what} {} is {}", origin.rpy[2 - i].text, angle.shown()),
                origin.span,
                by,
            );
        }
        angle
    });
    Turn::sequence("zyx", angles)
}

/// Position of a frame given by `<origin>`. Snapping is reported.
pub(super) fn place(origin: &Origin, snap: f64, of: &str, report: &mut Report) -> Triple {
    turn::place(&origin.xyz, snap, of, origin.span, report)
}

/// Pose of a frame given by `<origin>`. Snapping is reported.
pub(super) fn pose(origin: &Origin, snap: f64, of: &str, report: &mut Report) -> Pose {
    Pose { at: place(origin, snap, of, report), turn: turn(origin, snap, of, report) }
}

/// The child `<origin>` of an element; by default the identity.
pub(super) fn origin(reader: &mut Reader<'_>, of: Node<'_, '_>) -> Origin {
    let node = only(reader, of, "origin");
    let xyz = reader.triple(node, "xyz", [0.0; 3]);
    if let Some(node) = node {
        reader.attributes(node, "origin");
    }
    if let Some(node) = node.filter(|n| n.has_attribute("quat_xyzw")) {
        let d = Diagnostic::error("urdf-missing", "<origin> has a quaternion, which is not read")
            .at(Some(reader.place(node)), "here")
            .help("write the attitude as rpy=\"roll pitch yaw\" in radians");
        reader.report(d);
    }
    let rpy = reader.triple(node, "rpy", [0.0; 3]);
    Origin { xyz, rpy, span: node.map(|n| reader.place(n)) }
}
