//! Reads shapes of links for drawings: boxes, cylinders, capsules and spheres.
//!
//! Drawings are not mechanics, so a shape that cannot be read is omitted without an error. Meshes
//! are not read.

use roxmltree::Node;

use super::origin;
use super::robot::{Origin, Visual, VisualSolid};
use crate::robot::decimal::{Decimal, Triple};
use crate::robot::report::Report;
use crate::robot::turn::{Pose, Turn, format_triple};

/// Reads the elements `<visual>` of a link as solids for drawings.
pub(super) fn read_visuals(link: Node<'_, '_>) -> Vec<Visual> {
    let mut out = Vec::new();
    for visual in link.children().filter(|n| n.is_element() && n.tag_name().name() == "visual") {
        let origin = match visual.children().find(|n| n.tag_name().name() == "origin") {
            None => Some(Origin::identity()),
            Some(node) => read_visual_origin(node),
        };
        let geometry = visual.children().find(|n| n.tag_name().name() == "geometry");
        let solid = geometry.and_then(|g| g.children().find(Node::is_element));
        let (Some(origin), Some(solid)) = (origin, solid) else { continue };
        let one = |solid, shift| Visual { origin: origin.clone(), solid, shift };
        match solid.tag_name().name() {
            "box" => out.extend(
                read_triple(solid, "size").filter(are_all_positive).map(|s| one(VisualSolid::Box(s), 0.0)),
            ),
            "sphere" => {
                out.extend(read_positive_number(solid, "radius").map(|r| one(VisualSolid::Sphere(r), 0.0)))
            }
            "cylinder" | "capsule" => {
                let (Some(radius), Some(length)) =
                    (read_positive_number(solid, "radius"), read_positive_number(solid, "length"))
                else {
                    continue;
                };
                let half = 0.5 * length.value;
                out.push(one(VisualSolid::Cylinder(radius.clone(), length), 0.0));
                if solid.tag_name().name() == "capsule" {
                    out.extend([-half, half].map(|shift| one(VisualSolid::Sphere(radius.clone()), shift)));
                }
            }
            _ => {}
        }
    }
    out
}

fn read_positive_number(node: Node<'_, '_>, name: &str) -> Option<Decimal> {
    Decimal::parse(node.attribute(name)?.trim()).filter(|x| x.value > 0.0)
}

fn are_all_positive(x: &Triple) -> bool {
    x.iter().all(|x| x.value > 0.0)
}

fn read_triple(node: Node<'_, '_>, name: &str) -> Option<Triple> {
    let numbers: Option<Vec<Decimal>> =
        node.attribute(name)?.split_whitespace().map(Decimal::parse).collect();
    numbers?.try_into().ok()
}

/// Reads the `<origin>` of a visual; `None` if it is malformed.
fn read_visual_origin(node: Node<'_, '_>) -> Option<Origin> {
    Some(Origin {
        xyz: read_triple_or_zero(node, "xyz")?,
        rpy: read_triple_or_zero(node, "rpy")?,
        span: None,
    })
}

fn read_triple_or_zero(node: Node<'_, '_>, name: &str) -> Option<Triple> {
    if node.has_attribute(name) { read_triple(node, name) } else { Some([0.0; 3].map(Decimal::from_f64)) }
}

impl Visual {
    /// Entry of `shapes` in the spec for a body in which the link has the pose `link`; `None` if
    /// its position is not finite.
    pub fn shape_entry(&self, link: &Pose, report: &mut Report) -> Option<String> {
        // Drawings need no snapping to right angles.
        let visual = origin::origin_pose(&self.origin, 0.0, "", report);
        let shifted = Pose { at: [0.0, 0.0, self.shift].map(Decimal::from_f64), turn: Turn::NONE };
        let pose = link.compose(&visual).compose(&shifted);
        if !pose.position_values().iter().all(|x| x.is_finite()) {
            return None;
        }
        let solid = match &self.solid {
            VisualSolid::Box(sides) => format!("box = {}", format_triple(sides)),
            VisualSolid::Cylinder(radius, length) => format!("cylinder = [{}, {}]", radius.text, length.text),
            VisualSolid::Sphere(radius) => format!("sphere = {}", radius.text),
        };
        let keys: Vec<String> = std::iter::once(solid).chain(pose.pose_keys(false)).collect();
        Some(format!("{{ {} }}", keys.join(", ")))
    }
}
