//! Reads the links and joints of a file.

use roxmltree::{Document, Node};

use super::loops::{read_coupling, read_loop, read_loop_joint};
use super::origin::read_origin;
use super::robot::{Inertial, Limits, Link, Mimic, Robot, UrdfJoint, UrdfJointKind};
use super::visuals;
use super::xml::{ElementReader, single_child};
use crate::robot::decimal::Triple;
use crate::robot::prefixes::join_undeclared_prefixes;
use crate::robot::syntax::syntax_error;
use dqdt_diagnostics::base::{SourceId, Span};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_spec::spec::did_you_mean;

/// Child elements of `<link>`, `<joint>` and `<inertial>` of a URDF that are read.
const OF_LINK: [&str; 1] = ["inertial"];
const OF_JOINT: [&str; 8] =
    ["origin", "parent", "child", "axis", "limit", "dynamics", "joint_properties", "mimic"];
const OF_INERTIAL: [&str; 3] = ["origin", "mass", "inertia"];

const KINDS: [(&str, UrdfJointKind); 6] = [
    ("fixed", UrdfJointKind::Fixed),
    ("revolute", UrdfJointKind::Revolute),
    ("continuous", UrdfJointKind::Continuous),
    ("prismatic", UrdfJointKind::Prismatic),
    ("planar", UrdfJointKind::Planar),
    ("floating", UrdfJointKind::Floating),
];

/// Error about an element of xacro, which must be converted to URDF first.
fn find_xacro_element(reader: &ElementReader<'_>, document: &Document<'_>) -> Option<Diagnostic> {
    let node = document.descendants().filter(Node::is_element).find(|n| {
        n.tag_name().namespace().is_some_and(is_xacro_namespace)
            || reader.prefixed_name(*n).starts_with("xacro:")
    })?;
    let d = Diagnostic::error(
        "urdf-xacro",
        format!("<{}> is an element of xacro, not of URDF", reader.prefixed_name(node)),
    );
    let help = "convert the file to URDF first: `xacro robot.urdf.xacro > robot.urdf`";
    Some(d.at(Some(reader.tag_span(node)), "here").help(help))
}

/// Reads a URDF text into the data model of the robot. Returns all problems on failure.
pub(super) fn read_robot(name: &str, text: &str, source: SourceId) -> Result<Robot, Vec<Diagnostic>> {
    let joined = join_undeclared_prefixes(text);
    let document =
        Document::parse(&joined).map_err(|e| vec![syntax_error("urdf-syntax", &e, (name, text), source)])?;
    let root = document.root_element();
    let namespace = root.tag_name().namespace();
    let mut reader =
        ElementReader { source, required_text: text, problems: Vec::new(), namespace, ignored: Vec::new() };
    if root.tag_name().name() != "robot" {
        return Err(vec![wrong_root_error(&reader, root)]);
    }
    if let Some(d) = find_xacro_element(&reader, &document) {
        return Err(vec![d]);
    }
    reject_misplaced_elements(&mut reader, root);
    reader.report_unread_attributes(root, "robot");
    let name = root.attribute("name").unwrap_or("robot").to_owned();
    let mut robot = Robot {
        name,
        links: Vec::new(),
        joints: Vec::new(),
        closures: Vec::new(),
        couplings: Vec::new(),
        ignored: Vec::new(),
    };
    for node in root.children().filter(Node::is_element) {
        match reader.prefixed_name(node) {
            "drake:loop_joint" => robot.closures.extend(read_loop_joint(&mut reader, node)),
            "link" if reader.is_urdf_element(node) => robot.links.extend(read_link(&mut reader, node)),
            // Elements `<joint>` within `<transmission>` and the like are not children of the
            // robot.
            "joint" if reader.is_urdf_element(node) => robot.joints.extend(read_joint(&mut reader, node)),
            "loop" if reader.is_urdf_element(node) => robot.closures.extend(read_loop(&mut reader, node)),
            "loop_joint" if reader.is_urdf_element(node) => {
                robot.closures.extend(read_loop_joint(&mut reader, node))
            }
            "coupling" if reader.is_urdf_element(node) => {
                robot.couplings.extend(read_coupling(&mut reader, node))
            }
            _ => reader.report_unread_element("", node),
        }
    }
    reject_duplicate_names(&mut reader, "link", robot.links.iter().map(|l| (l.name.as_str(), l.span)));
    reject_duplicate_names(&mut reader, "joint", robot.joints.iter().map(|j| (j.name.as_str(), j.span)));
    if robot.links.is_empty() && reader.problems.is_empty() {
        let d = Diagnostic::error("urdf-empty", "the robot has no links")
            .at(Some(reader.tag_span(root)), "here")
            .help("write links as <link name=\"…\"> inside <robot>");
        let xacro = root.namespaces().any(|n| is_xacro_namespace(n.uri()));
        reader.add_problem(if xacro {
            d.help("if this is a xacro file, convert it to URDF first: `xacro robot.urdf.xacro > robot.urdf`")
        } else {
            d
        });
    }
    robot.ignored = std::mem::take(&mut reader.ignored);
    if reader.problems.is_empty() { Ok(robot) } else { Err(reader.problems) }
}

/// Child element of a joint with its damping and friction: `<dynamics>`, or `<joint_properties>`,
/// its former name, which CAD exporters still write.
fn find_dynamics_element<'a, 'i>(
    reader: &mut ElementReader<'_>,
    joint: Node<'a, 'i>,
) -> Option<Node<'a, 'i>> {
    let [dynamics, first_name] = ["dynamics", "joint_properties"].map(|name| {
        let node = single_child(reader, joint, name)?;
        reader.report_unread_parts(node, &format!("joint/{name}"), &[]);
        Some(node)
    });
    if let (Some(first), Some(second)) = (dynamics, first_name) {
        let message =
            "a joint has both <dynamics> and <joint_properties>, which are names for the same element";
        let d = Diagnostic::error("duplicate", message)
            .at(Some(reader.tag_span(second)), "again here")
            .also(Some(reader.tag_span(first)), "first here")
            .help("keep only one of the two elements");
        reader.add_problem(d);
    }
    dynamics.or(first_name)
}

/// Tags of a URDF that are links, joints or parts of them, and therefore errors in wrong places.
const PARTS: [&str; 13] = [
    "link",
    "joint",
    "inertial",
    "mass",
    "inertia",
    "origin",
    "parent",
    "child",
    "axis",
    "limit",
    "dynamics",
    "joint_properties",
    "mimic",
];
/// The [`PARTS`] that contain no others: all but link, joint and inertial.
const LEAVES: &[&str] = PARTS.split_at(3).1;

/// Rejects parts of the robot in wrong places: they would be ignored, and the equations would be
/// those of another robot.
fn reject_misplaced_elements(reader: &mut ElementReader<'_>, parent: Node<'_, '_>) {
    let tag = parent.tag_name().name();
    for child in parent.children().filter(Node::is_element) {
        if !reader.is_urdf_element(child) {
            continue;
        }
        let name = child.tag_name().name();
        let within_itself =
            matches!(tag, "link" | "joint" | "inertial") && matches!(name, "link" | "joint" | "inertial");
        let at_home = tag == "link" && name == "inertial";
        if PARTS.contains(&name) && (LEAVES.contains(&tag) || within_itself && !at_home) {
            let d = Diagnostic::error("urdf-misplaced", format!("<{name}> is not allowed in <{tag}>"))
                .at(Some(reader.tag_span(child)), "an element in this place is ignored")
                .help("put links and joints into <robot>, <inertial> into a <link>, and other elements into <inertial> or a <joint>; check that the preceding element is closed");
            reader.add_problem(d);
        }
        if matches!(tag, "robot" | "link" | "joint" | "inertial") || LEAVES.contains(&tag) {
            reject_misplaced_elements(reader, child);
        }
    }
}

/// True for the namespace of xacro, the macro language of URDF, which must be expanded first.
fn is_xacro_namespace(namespace: &str) -> bool {
    namespace.ends_with("xacro")
}

/// Error for a file whose root element is not `<robot>`.
fn wrong_root_error(reader: &ElementReader<'_>, root: Node<'_, '_>) -> Diagnostic {
    let tag = root.tag_name().name();
    let help = match tag {
        "mujoco" => "the file is in MJCF: pass it by name, so that its root element identifies the format",
        "sdf" => "the file is in SDF: convert it to URDF first",
        _ => "write one root element <robot name=\"…\">",
    };
    let d = Diagnostic::error("urdf-root", format!("the root element is <{tag}>, not <robot>")).help(help);
    // A file of an unknown kind is not quoted, because it may be a secret.
    if matches!(tag, "mujoco" | "sdf") { d.at(Some(reader.tag_span(root)), "here") } else { d }
}

/// Rejects names that two links or two joints have.
fn reject_duplicate_names<'a>(
    reader: &mut ElementReader<'_>,
    noun: &str,
    names: impl Iterator<Item = (&'a str, Span)>,
) {
    let mut first: std::collections::BTreeMap<&str, Span> = std::collections::BTreeMap::new();
    for (name, span) in names {
        if let Some(earlier) = first.get(name) {
            let d = Diagnostic::error("duplicate", format!("the {noun} `{name}` is defined twice"))
                .at(Some(span), "again here")
                .also(Some(*earlier), "first here")
                .help("rename one of the two elements");
            reader.add_problem(d);
        } else {
            first.insert(name, span);
        }
    }
}

/// Reads a `<link>` with its inertia and visuals.
fn read_link(reader: &mut ElementReader<'_>, node: Node<'_, '_>) -> Option<Link> {
    reader.report_unread_parts(node, "link", &OF_LINK);
    let name = reader.text(node, "name").map(str::to_owned);
    let inertial = single_child(reader, node, "inertial");
    let inertial = inertial.and_then(|n| {
        reader.report_unread_parts(n, "link/inertial", &OF_INERTIAL);
        read_inertial(reader, n)
    });
    Some(Link {
        span: reader.attribute_value_span(node, "name"),
        name: name?,
        inertial,
        visuals: visuals::read_visuals(node),
    })
}

/// Reads an `<inertial>`; missing mass or tensor is reported.
fn read_inertial(reader: &mut ElementReader<'_>, node: Node<'_, '_>) -> Option<Inertial> {
    let origin = read_origin(reader, node);
    let mass = single_child(reader, node, "mass");
    let tensor = single_child(reader, node, "inertia");
    for (what, child) in [("mass", mass), ("inertia", tensor)] {
        if child.is_some() {
            continue;
        }
        let d = Diagnostic::error("urdf-missing", format!("<inertial> contains no <{what}>"))
            .at(Some(reader.tag_span(node)), "here")
            .help("write <mass value=\"…\"/> and <inertia ixx=\"…\" ixy=\"0\" ixz=\"0\" iyy=\"…\" iyz=\"0\" izz=\"…\"/>, or omit <inertial> for a massless link");
        reader.add_problem(d);
    }
    let (mass_node, tensor) = (mass?, tensor?);
    reader.report_unread_parts(mass_node, "link/inertial/mass", &[]);
    reader.report_unread_parts(tensor, "link/inertial/inertia", &[]);
    let mass = reader.required_number(mass_node, "value");
    if let Some(mass) = mass.as_ref().filter(|m| m.value < 0.0) {
        let d = Diagnostic::error("urdf-mass", format!("the mass {} of a link is negative", mass.text));
        let place = reader.attribute_value_span(mass_node, "value");
        reader.add_problem(
            d.at(Some(place), "here")
                .help("write zero or a positive mass; a negative mass could be hidden by the mass of another link fixed to this link"),
        );
    }
    let diagonal = ["ixx", "iyy", "izz"].map(|a| reader.required_number(tensor, a));
    // Tiny negative moments are rounding errors of zero.
    let largest = diagonal.iter().flatten().fold(0.0_f64, |a, m| a.max(m.value));
    let dust = (1e-9 * largest).max(1e-18);
    for (name, moment) in ["ixx", "iyy", "izz"].into_iter().zip(&diagonal) {
        if let Some(moment) = moment.as_ref().filter(|m| m.value < -dust) {
            let d = Diagnostic::error(
                "urdf-mass",
                format!("the moment of inertia {} of a link is negative", moment.text),
            );
            let place = reader.attribute_value_span(tensor, name);
            reader.add_problem(d.at(Some(place), "here").help("write zero or a positive moment of inertia"));
        }
    }
    let products = ["ixy", "ixz", "iyz"].map(|a| reader.number_or_default(Some(tensor), a, 0.0));
    let [Some(xx), Some(yy), Some(zz)] = diagonal else { return None };
    let [xy, xz, yz] = products;
    Some(Inertial { origin, mass: mass?, inertia: [xx, yy, zz, xy, xz, yz] })
}

/// Reads a `<joint>`: type, links, origin, axis, limits, damping and mimic.
fn read_joint(reader: &mut ElementReader<'_>, node: Node<'_, '_>) -> Option<UrdfJoint> {
    reader.report_unread_parts(node, "joint", &OF_JOINT);
    let name = reader.text(node, "name").map(str::to_owned);
    let kind = read_joint_kind(reader, node);
    let parent = read_joint_end(reader, node, "parent");
    let child = read_joint_end(reader, node, "child");
    let origin = read_origin(reader, node);
    let has_axis = kind.is_some_and(|k| !matches!(k, UrdfJointKind::Fixed | UrdfJointKind::Floating));
    let axis = read_joint_axis(reader, node, has_axis);
    let limits = read_limits(reader, node);
    let dynamics = find_dynamics_element(reader, node);
    let damping = reader.number_or_default(dynamics, "damping", 0.0);
    let friction = reader.number_or_default(dynamics, "friction", 0.0);
    for (name, value) in [("damping", &damping), ("friction", &friction)] {
        if let Some(node) = dynamics.filter(|_| value.value < 0.0) {
            let d = Diagnostic::error(
                "urdf-friction",
                format!("the {name} {} of a joint is negative", value.text),
            );
            let place = reader.attribute_value_span(node, name);
            reader.add_problem(
                d.at(Some(place), "a negative coefficient would drive the joint")
                    .help("write zero or a positive coefficient"),
            );
        }
    }
    let mimic = single_child(reader, node, "mimic").and_then(|n| {
        reader.report_unread_parts(n, "joint/mimic", &[]);
        let multiplier = reader.number_or_default(Some(n), "multiplier", 1.0);
        let offset = reader.number_or_default(Some(n), "offset", 0.0);
        let joint = reader.text(n, "joint")?.to_owned();
        Some(Mimic { joint, multiplier, offset, span: reader.attribute_value_span(n, "joint") })
    });
    let span = reader.attribute_value_span(node, "name");
    let ((parent, parent_span), (child, child_span)) = (parent?, child?);
    Some(UrdfJoint {
        name: name?,
        span,
        kind: kind?,
        parent,
        parent_span,
        child,
        child_span,
        origin,
        axis,
        limits,
        damping,
        friction,
        mimic,
        has_motor: true,
    })
}

/// Reads the type of a joint; an unknown one is reported.
fn read_joint_kind(reader: &mut ElementReader<'_>, joint: Node<'_, '_>) -> Option<UrdfJointKind> {
    let word = reader.text(joint, "type")?;
    let known = KINDS.iter().find(|(k, _)| *k == word).map(|(_, kind)| *kind);
    if known.is_none() {
        let words = KINDS.map(|(k, _)| k);
        let meant = did_you_mean(word, words);
        let help =
            meant.map_or_else(|| format!("use one of: {}", words.join(", ")), |w| format!("write `{w}`"));
        let d = Diagnostic::error("urdf-joint-type", format!("there is no joint type `{word}`"))
            .at(Some(reader.attribute_value_span(joint, "type")), "this is not a joint type")
            .help(help);
        reader.add_problem(d);
    }
    known
}

/// Reads the axis of a joint. If the joint moves along or about it, its length must not vanish.
fn read_joint_axis(reader: &mut ElementReader<'_>, joint: Node<'_, '_>, is_used: bool) -> Triple {
    let axis_node = single_child(reader, joint, "axis");
    let axis = reader.triple_or_default(axis_node, "xyz", [1.0, 0.0, 0.0]);
    let length = axis.iter().fold(0.0_f64, |a, x| a.max(x.value.abs()));
    if let Some(node) = axis_node {
        reader.report_unread_parts(node, "joint/axis", &[]);
        let _ = reader.text(node, "xyz");
    }
    if is_used && !(1e-100..1e100).contains(&length) {
        let place = axis_node.map(|n| reader.attribute_value_span(n, "xyz"));
        let d = Diagnostic::error("bad-axis", "the axis of the joint has no direction")
            .at(place, "the length of this vector is zero or out of range")
            .help("write the direction of the axis, such as xyz=\"0 0 1\"");
        reader.add_problem(d);
    }
    axis
}

/// Reads the `<limit>` of a joint.
fn read_limits(reader: &mut ElementReader<'_>, joint: Node<'_, '_>) -> Limits {
    let limit = single_child(reader, joint, "limit");
    let mut read_limit = |name: &str| {
        limit.filter(|n| n.has_attribute(name)).map(|n| reader.number_or_default(Some(n), name, 0.0))
    };
    let limits = Limits {
        lower: read_limit("lower"),
        upper: read_limit("upper"),
        effort: read_limit("effort"),
        velocity: read_limit("velocity"),
    };
    if let Some(node) = limit {
        reader.report_unread_parts(node, "joint/limit", &[]);
    }
    limits
}

/// Reads the link that a joint names as its `<parent>` or `<child>`.
fn read_joint_end(reader: &mut ElementReader<'_>, joint: Node<'_, '_>, name: &str) -> Option<(String, Span)> {
    let Some(node) = single_child(reader, joint, name) else {
        let d = Diagnostic::error("urdf-missing", format!("the joint has no <{name}> element"))
            .at(Some(reader.attribute_value_span(joint, "name")), "here")
            .help(format!("write <{name} link=\"…\"/>"));
        reader.add_problem(d);
        return None;
    };
    reader.report_unread_parts(node, &format!("joint/{name}"), &[]);
    let link = reader.text(node, "link")?.to_owned();
    Some((link, reader.attribute_value_span(node, "link")))
}
