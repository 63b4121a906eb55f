//! Choice of names for bodies, joints, coordinates and inputs of the spec.

use super::model::{Drive, MjcfJointKind, Model, Tendon};
use super::tree::LinkTree;
use crate::robot::names::UniqueNames;
use crate::robot::report::Report;

/// Name of a joint in the spec, and the stem from which the names of its coordinate and loads are
/// made.
#[derive(Clone, Debug)]
pub(super) struct JointName {
    pub name: String,
    pub stem: String,
}

/// The names that the spec gives to the bodies, joints, inputs and tendons of an MJCF.
pub(super) struct RobotNames {
    /// Names of bodies, with the indices of the links of the tree.
    pub bodies: Vec<String>,
    pub joints: Vec<JointName>,
    /// Names of inputs, with the indices of the actuators of the model.
    pub inputs: Vec<String>,
    pub actuators: Vec<String>,
    /// Stems of the names of definitions and inputs for tendons: `length_…`, `rate_…`, `force_…`.
    pub tendons: Vec<String>,
}

const OF_FREE: [&str; 13] =
    ["x", "y", "z", "qw", "qx", "qy", "qz", "x_dot", "y_dot", "z_dot", "omega_x", "omega_y", "omega_z"];

/// Chooses names that are valid in a spec, as close as possible to those in the MJCF file. Changes
/// are reported.
pub(super) fn choose_robot_names(model: &Model, tree: &LinkTree, report: &mut Report) -> RobotNames {
    let (mut unique_bodies, mut unique_joints, mut symbols) =
        (UniqueNames::default(), UniqueNames::default(), UniqueNames::default());
    let body_names = choose_body_names(model, &mut unique_bodies, report);
    let body_name = |i: usize| body_names.get(i).cloned().flatten().unwrap_or_else(|| "body".to_owned());
    let joints: Vec<JointName> =
        choose_joint_names(model, tree, &body_name, (&mut unique_joints, &mut symbols), report);
    let mut bodies = Vec::new();
    for (at, link) in tree.links.iter().enumerate() {
        let last = model.bodies.get(link.body).is_some_and(|b| link.joint + 1 == b.joints.len());
        let name = body_name(link.body);
        bodies.push(match joints.get(at).filter(|_| !last) {
            Some(joint) => unique_bodies.unique_name(&format!("{name}_{}", joint.stem)),
            None => name,
        });
    }
    let (mut inputs, mut actuators, mut loads) = (Vec::new(), Vec::new(), UniqueNames::default());
    for actuator in &model.actuators {
        let stem = match actuator.drive {
            Drive::Joint(joint) => {
                let link = tree.links.iter().position(|l| (l.body, l.joint) == joint);
                link.and_then(|link| joints.get(link)).map(|j| j.stem.as_str())
            }
            Drive::Tendon(tendon) => model.tendons.get(tendon).and_then(|t| t.name.as_deref()),
        };
        let stem = stem.unwrap_or("motor");
        let name = actuator.name.as_deref().unwrap_or(stem);
        let input = symbols.unique_name(&format!("u_{name}"));
        if actuator.name.is_some() && input != format!("u_{name}") {
            report.record_renaming(
                format!("the input of actuator `{name}` is named `{input}`"),
                Some(actuator.span),
            );
        }
        inputs.push(input);
        actuators.push(loads.unique_name(&format!("motor_{name}")));
    }
    let tendons = model.tendons.iter().map(|t| tendon_stem(t, &mut symbols, report)).collect();
    RobotNames { bodies, joints, inputs, actuators, tendons }
}

/// Chooses names for the bodies of the model that have joints; `None` for the others. Names in the
/// file have priority over generated ones.
fn choose_body_names(
    model: &Model,
    unique_bodies: &mut UniqueNames,
    report: &mut Report,
) -> Vec<Option<String>> {
    let mut body_names: Vec<Option<String>> = model
        .bodies
        .iter()
        .map(|b| {
            let moved = !b.joints.is_empty();
            b.name
                .as_ref()
                .filter(|_| moved)
                .map(|n| unique_bodies.choose_name(n, "body", Some(b.span), report))
        })
        .collect();
    for (i, body) in model.bodies.iter().enumerate() {
        if body.joints.is_empty() || body.name.is_some() {
            continue;
        }
        let joint = body.joints.iter().find_map(|j| j.name.clone());
        let named = body.parent.filter(|p| model.bodies.get(*p).is_some_and(|b| b.name.is_some()));
        let parent = named.and_then(|p| body_names.get(p).cloned().flatten());
        let name = match (joint, parent) {
            (Some(joint), _) => unique_bodies.unique_name(&format!("{}_body", strip_joint_affix(&joint))),
            (None, Some(parent)) => unique_bodies.unique_name(&format!("{parent}_child")),
            (None, None) => unique_bodies.unique_name("body"),
        };
        report.add_note(
            format!("a body without a name in the file is named `{name}` in the spec"),
            Some(body.span),
        );
        if let Some(slot) = body_names.get_mut(i) {
            *slot = Some(name);
        }
    }
    body_names
}

/// Chooses names for the joints of the links. Free and ball joints come first, because their
/// coordinates are named after them.
fn choose_joint_names(
    model: &Model,
    tree: &LinkTree,
    body_name: &dyn Fn(usize) -> String,
    (unique_joints, symbols): (&mut UniqueNames, &mut UniqueNames),
    report: &mut Report,
) -> Vec<JointName> {
    let mut joints: Vec<Option<JointName>> = vec![None; tree.links.len()];
    for several in [true, false] {
        for (at, link) in tree.links.iter().enumerate() {
            let Some(joint) = model.joint_at_indices((link.body, link.joint)) else { continue };
            if matches!(joint.kind, MjcfJointKind::Free | MjcfJointKind::Ball) != several {
                continue;
            }
            let name = match &joint.name {
                Some(name) => unique_joints.choose_name(name, "joint", Some(joint.span), report),
                None => {
                    let body = body_name(link.body);
                    let name =
                        unique_joints.unique_name(&if several { body } else { format!("{body}_joint") });
                    report.add_note(
                        format!("a joint without a name in the file is named `{name}` in the spec"),
                        Some(joint.span),
                    );
                    name
                }
            };
            let stem = if several {
                symbols.unique_name_with(&name, &|n| OF_FREE.iter().map(|p| format!("{n}_{p}")).collect())
            } else {
                symbols.unique_name_with(strip_joint_affix(&name), &|n| {
                    vec![format!("q_{n}"), format!("q_{n}_dot")]
                })
            };
            if let Some(slot) = joints.get_mut(at) {
                *slot = Some(JointName { name, stem });
            }
        }
    }
    joints.into_iter().flatten().collect()
}

/// A free stem for the definitions of a tendon; a change of its name is reported.
fn tendon_stem(tendon: &Tendon, symbols: &mut UniqueNames, report: &mut Report) -> String {
    let Some(name) = tendon.name.as_deref() else { return symbols.unique_stem("tendon", &tendon_symbols) };
    let stem = symbols.unique_stem(name, &tendon_symbols);
    if stem != name {
        let text = format!("the length of tendon `{name}` is named `length_{stem}`");
        report.record_renaming(text, Some(tendon.span));
    }
    stem
}

/// Names of the definitions and the input that a tendon may have.
fn tendon_symbols(stem: &str) -> Vec<String> {
    ["length", "rate", "force"].map(|p| format!("{p}_{stem}")).to_vec()
}

/// The name of a joint without the prefix `joint_` or the suffix `_joint`.
fn strip_joint_affix(name: &str) -> &str {
    let short = name.strip_suffix("_joint").or_else(|| name.strip_prefix("joint_"));
    short.filter(|s| !s.is_empty()).unwrap_or(name)
}
