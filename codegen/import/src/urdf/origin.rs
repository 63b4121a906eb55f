//! Poses in URDF.

use roxmltree::Node;

use super::robot::Origin;
use super::xml::{ElementReader, single_child};
use crate::robot::decimal::Triple;
use crate::robot::report::Report;
use crate::robot::turn::{self, Pose, RotationAngle, Turn};
use dqdt_diagnostics::error::Diagnostic;

/// Rotation of an `<origin>`, given by `rpy`: `Rz(yaw) Ry(pitch) Rx(roll)`. Snapping is reported.
pub(super) fn rotation_from_rpy(origin: &Origin, snap: f64, label: &str, report: &mut Report) -> Turn {
    let angles = [0, 1, 2].map(|i| {
        let (angle, snapped) = RotationAngle::new(&origin.rpy[2 - i], snap);
        if let Some(by) = snapped {
            let what = ["yaw", "pitch", "roll"][i];
            report.record_snapping(
                format!(
                    "{label}: the {what} angle {} is rounded to {}",
                    origin.rpy[2 - i].text,
                    angle.display_text()
                ),
                origin.span,
                by,
            );
        }
        angle
    });
    Turn::from_sequence("zyx", angles)
}

/// Position of an `<origin>`. Snapping of tiny components to zero is reported.
pub(super) fn origin_position(origin: &Origin, snap: f64, label: &str, report: &mut Report) -> Triple {
    turn::snap_position(&origin.xyz, snap, label, origin.span, report)
}

/// Pose of an `<origin>`: position and rotation. Snapping is reported.
pub(super) fn origin_pose(origin: &Origin, snap: f64, label: &str, report: &mut Report) -> Pose {
    Pose {
        at: origin_position(origin, snap, label, report),
        turn: rotation_from_rpy(origin, snap, label, report),
    }
}

/// Reads the child `<origin>` of an element; by default the identity.
pub(super) fn read_origin(reader: &mut ElementReader<'_>, parent: Node<'_, '_>) -> Origin {
    let node = single_child(reader, parent, "origin");
    let xyz = reader.triple_or_default(node, "xyz", [0.0; 3]);
    if let Some(node) = node {
        reader.report_unread_attributes(node, "origin");
    }
    if let Some(node) = node.filter(|n| n.has_attribute("quat_xyzw")) {
        let d = Diagnostic::error("urdf-missing", "a quaternion in <origin> is not supported")
            .at(Some(reader.tag_span(node)), "here")
            .help("write the attitude as rpy=\"roll pitch yaw\" in radians");
        reader.add_problem(d);
    }
    let rpy = reader.triple_or_default(node, "rpy", [0.0; 3]);
    Origin { xyz, rpy, span: node.map(|n| reader.tag_span(n)) }
}
