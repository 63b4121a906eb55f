//! Reads closed loops and couplings: `<loop>` and `<coupling>` of URDF+, `<loop_joint>` of Drake's
//! first parser and of Isaac Sim.

use roxmltree::Node;

use super::origin::read_origin;
use super::robot::{ClosureEnd, ClosureKind, Coupling, LoopClosure, Origin};
use super::xml::{ElementReader, single_child};
use crate::robot::decimal::Triple;
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_spec::spec::did_you_mean;

/// Words of the attribute `type` of a loop closure, with the type of its joint.
const KINDS: [(&str, ClosureKind); 9] = [
    ("revolute", ClosureKind::Revolute),
    ("continuous", ClosureKind::Revolute),
    ("prismatic", ClosureKind::Prismatic),
    ("cylindrical", ClosureKind::Cylindrical),
    ("planar", ClosureKind::Planar),
    ("spherical", ClosureKind::Spherical),
    ("ball", ClosureKind::Spherical),
    ("fixed", ClosureKind::Weld),
    ("weld", ClosureKind::Weld),
];

/// Reads a `<loop>` of URDF+: a joint that closes a loop.
pub(super) fn read_loop(reader: &mut ElementReader<'_>, node: Node<'_, '_>) -> Option<LoopClosure> {
    reader.report_unread_parts(node, "loop", &["predecessor", "successor", "axis"]);
    let ends = ["predecessor", "successor"].map(|tag| {
        let end = required_child(reader, node, tag, "link=\"…\"><origin xyz=\"0 0 0\"/></")?;
        reader.report_unread_parts(end, &format!("loop/{tag}"), &["origin"]);
        let (link, span) = read_link_name(reader, end)?;
        Some(ClosureEnd { link, span, origin: read_origin(reader, end) })
    });
    read_closure(reader, node, ends)
}

/// Reads a `<loop_joint>`, whose ends are `<link1>` and `<link2>` with the attributes `link`, `xyz`
/// and `rpy`.
pub(super) fn read_loop_joint(reader: &mut ElementReader<'_>, node: Node<'_, '_>) -> Option<LoopClosure> {
    reader.report_unread_parts(node, "loop_joint", &["link1", "link2", "axis"]);
    let ends = ["link1", "link2"].map(|tag| {
        let end = required_child(reader, node, tag, "link=\"…\" xyz=\"0 0 0\"/>")?;
        reader.report_unread_parts(end, &format!("loop_joint/{tag}"), &[]);
        let (link, span) = read_link_name(reader, end)?;
        let [xyz, rpy] = ["xyz", "rpy"].map(|name| reader.triple_or_default(Some(end), name, [0.0; 3]));
        Some(ClosureEnd { link, span, origin: Origin { xyz, rpy, span: Some(reader.tag_span(end)) } })
    });
    read_closure(reader, node, ends)
}

/// Reads a `<coupling>` of URDF+: the angle of the successor is the ratio times that of the
/// predecessor.
pub(super) fn read_coupling(reader: &mut ElementReader<'_>, node: Node<'_, '_>) -> Option<Coupling> {
    reader.report_unread_parts(node, "coupling", &["predecessor", "successor", "ratio"]);
    let ends = ["predecessor", "successor"].map(|tag| {
        let end = required_child(reader, node, tag, "link=\"…\"/>")?;
        reader.report_unread_parts(end, &format!("coupling/{tag}"), &[]);
        read_link_name(reader, end)
    });
    let ratio_node = required_child(reader, node, "ratio", "value=\"…\"/>");
    let ratio = ratio_node.and_then(|n| {
        reader.report_unread_parts(n, "coupling/ratio", &[]);
        reader.required_number(n, "value")
    });
    if let Some((n, ratio)) = ratio_node.zip(ratio.as_ref()).filter(|(_, r)| r.is_zero()) {
        let d =
            Diagnostic::error("urdf-coupling", format!("a coupling ratio of {} couples nothing", ratio.text))
                .at(Some(reader.attribute_value_span(n, "value")), "the ratio must not be zero")
                .help("write the number of turns of the successor for each turn of the predecessor");
        reader.add_problem(d);
    }
    let (name, span) = read_element_name(reader, node);
    let [predecessor, successor] = ends;
    Some(Coupling { name, span, predecessor: predecessor?, successor: successor?, ratio: ratio? })
}

/// Reads the type, axis and name of a loop closure, whose ends were read before.
fn read_closure(
    reader: &mut ElementReader<'_>,
    node: Node<'_, '_>,
    ends: [Option<ClosureEnd>; 2],
) -> Option<LoopClosure> {
    let kind = reader.text(node, "type").and_then(|word| {
        let kind = KINDS.iter().find(|(k, _)| *k == word).map(|(_, kind)| *kind);
        if kind.is_none() {
            let words = KINDS.map(|(k, _)| k);
            let help = did_you_mean(word, words)
                .map_or_else(|| format!("use one of: {}", words.join(", ")), |w| format!("write `{w}`"));
            let d = Diagnostic::error(
                "urdf-loop-type",
                format!("a loop cannot be closed by a joint of type `{word}`"),
            )
            .at(Some(reader.attribute_value_span(node, "type")), "this is not a joint type for loops")
            .help(help);
            reader.add_problem(d);
        }
        kind
    });
    let axis_node = single_child(reader, node, "axis");
    if let Some(axis) = axis_node {
        let tag = reader.prefixed_name(node);
        reader.report_unread_parts(axis, &format!("{tag}/axis"), &[]);
    }
    let axis = match kind {
        Some(kind) if kind.has_axis() => Some(read_closure_axis(reader, node, axis_node)?),
        _ => None,
    };
    let (name, span) = read_element_name(reader, node);
    let [first, second] = ends;
    Some(LoopClosure { name, span, kind: kind?, ends: [first?, second?], axis })
}

/// Reads the `<axis>` that a loop closure of this type requires.
fn read_closure_axis(
    reader: &mut ElementReader<'_>,
    node: Node<'_, '_>,
    axis: Option<Node<'_, '_>>,
) -> Option<Triple> {
    let Some(axis) = axis else {
        let tag = reader.prefixed_name(node);
        let d = Diagnostic::error("urdf-missing", format!("<{tag}> contains no <axis>"))
            .at(Some(reader.tag_span(node)), "a loop joint of this type requires an axis")
            .help("write <axis xyz=\"0 0 1\"/>, with the components in the frames of both ends");
        reader.add_problem(d);
        return None;
    };
    reader.text(axis, "xyz")?;
    let direction = reader.triple_or_default(Some(axis), "xyz", [1.0, 0.0, 0.0]);
    let length = direction.iter().fold(0.0_f64, |a, x| a.max(x.value.abs()));
    if !(1e-100..1e100).contains(&length) {
        let d = Diagnostic::error("bad-axis", "the axis of a loop joint has no direction")
            .at(
                Some(reader.attribute_value_span(axis, "xyz")),
                "the length of this vector is zero or out of range",
            )
            .help("write the direction of the axis, such as xyz=\"0 0 1\"");
        reader.add_problem(d);
        return None;
    }
    Some(direction)
}

/// A required child element; a missing one is reported. `form` is the rest of its tag in the help.
fn required_child<'a, 'i>(
    reader: &mut ElementReader<'_>,
    node: Node<'a, 'i>,
    tag: &str,
    form: &str,
) -> Option<Node<'a, 'i>> {
    let child = single_child(reader, node, tag);
    if child.is_none() {
        let parent = reader.prefixed_name(node);
        let close = if form.ends_with("</") { format!("{tag}>") } else { String::new() };
        let d = Diagnostic::error("urdf-missing", format!("<{parent}> contains no <{tag}>"))
            .at(Some(reader.tag_span(node)), "here")
            .help(format!("write <{tag} {form}{close}"));
        reader.add_problem(d);
    }
    child
}

fn read_link_name(reader: &mut ElementReader<'_>, end: Node<'_, '_>) -> Option<(String, Span)> {
    let name = reader.text(end, "link")?.to_owned();
    Some((name, reader.attribute_value_span(end, "link")))
}

fn read_element_name(reader: &ElementReader<'_>, node: Node<'_, '_>) -> (Option<String>, Span) {
    let name = node.attribute("name").map(str::trim).filter(|n| !n.is_empty());
    (name.map(str::to_owned), reader.attribute_value_span(node, "name"))
}
