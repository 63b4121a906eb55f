//! The tree of bodies: every body is the child of exactly one joint, and every path leads to the
//! ground.

use super::closing;
use crate::spec::{Spec, did_you_mean};
use dqdt_diagnostics::base::OrderedMap;
use dqdt_diagnostics::error::Diagnostic;

/// Number of messages after which no similar names are suggested, because the search takes time.
pub(super) const MAX_SUGGESTIONS: usize = 100;

/// The joint that carries each body, and its parent, by index.
struct InboardJoints {
    joint_of: Vec<Option<usize>>,
    /// `None` on the ground.
    parent_of: Vec<Option<usize>>,
}

/// Finds the joint that carries each body. Joints that carry none, or a body that has one already,
/// are reported.
fn connect_bodies(
    spec: &Spec,
    names: &OrderedMap<&str, usize>,
    problems: &mut Vec<Diagnostic>,
) -> InboardJoints {
    let mut joint_of: Vec<Option<usize>> = vec![None; spec.bodies.len()];
    let mut parent_of: Vec<Option<usize>> = vec![None; spec.bodies.len()];
    for (j, joint) in spec.joints.iter().enumerate() {
        let what = format!("joint `{}`", joint.name.value);
        let child = &joint.child.body;
        if child.value == "ground" {
            problems.push(
                Diagnostic::error("ground-as-child", format!("the child of {what} is the ground"))
                    .at(child.span, "the ground cannot move")
                    .help("swap `parent` and `child`"),
            );
            continue;
        }
        let parent = &joint.parent.body;
        let p = if parent.value == "ground" { None } else { find_body(names, parent, &what, problems) };
        let Some(c) = find_body(names, child, &what, problems) else { continue };
        if p == Some(c) {
            problems.push(
                Diagnostic::error("self-joint", format!("{what} connects body `{}` to itself", child.value))
                    .at(child.span, "child")
                    .also(parent.span, "parent")
                    .help("a joint must connect two bodies, or a body and the ground"),
            );
            continue;
        }
        if let Some(first) = joint_of[c] {
            let first = &spec.joints[first];
            let d = Diagnostic::error(
                "two-joints",
                format!(
                    "body `{}` is the child of two joints, `{}` and `{}`",
                    child.value, first.name.value, joint.name.value
                ),
            )
            .at(child.span, "the body is also a child here")
            .also(first.child.body.span, "child here");
            problems.push(closing::add_closing_help(d, joint));
            continue;
        }
        joint_of[c] = Some(j);
        parent_of[c] = p;
    }
    InboardJoints { joint_of, parent_of }
}

/// Order of the bodies in the tree: their indices in the spec, parents before children, otherwise
/// in the order of the spec. `None` if there is no such order; the reasons are reported.
pub(super) fn order_bodies(spec: &Spec, problems: &mut Vec<Diagnostic>) -> Option<Vec<usize>> {
    let names: OrderedMap<&str, usize> =
        spec.bodies.iter().enumerate().map(|(i, b)| (b.name.value.as_str(), i)).collect();
    let before = problems.len();
    let InboardJoints { joint_of, parent_of } = connect_bodies(spec, &names, problems);
    if spec.bodies.is_empty() {
        problems.push(
            Diagnostic::error("no-bodies", "the spec has no bodies")
                .at(spec.name.span, "no bodies")
                .help("add `[bodies.NAME]` and a joint that carries it; `dqdt new NAME` writes a spec to start from"),
        );
    }
    if spec.broken.joints {
        // The joint of such a body may be one that could not be read.
        return None;
    }
    let children_known = problems.len() == before;
    for (i, body) in spec.bodies.iter().enumerate().filter(|_| children_known) {
        if joint_of[i].is_none() {
            problems.push(
                Diagnostic::error("body-without-joint", format!("no joint carries body `{}`", body.name.value))
                    .at(body.name.span, "this body is not the child of any joint")
                    .help(format!(
                        "add a joint with child = \"{}\"; for a body that moves freely, use a joint of type \"free\" whose parent is the ground",
                        body.name.value
                    )),
            );
        }
    }
    if problems.len() > before {
        return None;
    }
    report_cycles(spec, &parent_of, &joint_of, problems)
}

fn find_body(
    names: &OrderedMap<&str, usize>,
    name: &crate::spec::Name,
    what: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<usize> {
    if let Some(i) = names.get(name.value.as_str()) {
        return Some(*i);
    }
    let d = unknown_body_error(names.keys().copied(), name, what, problems.len());
    problems.push(d);
    None
}

/// Error for an unknown body with a similar name as help. `said`: number of messages before this
/// one.
pub(super) fn unknown_body_error<'n>(
    known: impl Iterator<Item = &'n str> + Clone,
    name: &crate::spec::Name,
    what: &str,
    said: usize,
) -> Diagnostic {
    let d = Diagnostic::error("unknown-body", format!("unknown body `{}` in {what}", name.value))
        .at(name.span, "not found");
    if let Some((body, point)) = name.value.split_once('.')
        && (body == "ground" || known.clone().any(|k| k == body))
    {
        return d.help(format!("write a point of a body as {{ body = \"{body}\", at = \"{point}\" }}"));
    }
    // The search through all names is slow, so it is limited to the first messages.
    let near = if said < MAX_SUGGESTIONS {
        did_you_mean(&name.value, known.clone().chain(["ground"]))
    } else {
        None
    };
    match near {
        Some(near) => d.help(format!("did you mean `{near}`?")),
        None => {
            let list: Vec<String> =
                ["ground"].into_iter().chain(known).take(13).map(|n| format!("`{n}`")).collect();
            d.help(format!("bodies: {}", list.join(", ")))
        }
    }
}

/// Orders the bodies, parents first, and reports cycles of joints.
fn report_cycles(
    spec: &Spec,
    parent_of: &[Option<usize>],
    joint_of: &[Option<usize>],
    problems: &mut Vec<Diagnostic>,
) -> Option<Vec<usize>> {
    let n = parent_of.len();
    let mut placed = vec![false; n];
    let mut order = Vec::with_capacity(n);
    let mut visited_from = vec![usize::MAX; n];
    let mut good = true;
    for start in 0..n {
        let mut path = Vec::new();
        let mut at = Some(start);
        while let Some(i) = at.filter(|i| !placed[*i]) {
            if visited_from[i] == start {
                // The path has returned to this body.
                let from = path.iter().position(|p| *p == i).unwrap_or(0);
                report_cycle(spec, &path[from..], joint_of, problems);
                good = false;
                break;
            }
            if visited_from[i] != usize::MAX {
                break;
            }
            visited_from[i] = start;
            path.push(i);
            at = parent_of[i];
        }
        if good {
            for i in path.into_iter().rev() {
                placed[i] = true;
                order.push(i);
            }
        }
    }
    good.then_some(order)
}

/// Reports bodies whose joints form a cycle.
fn report_cycle(spec: &Spec, bodies: &[usize], joint_of: &[Option<usize>], problems: &mut Vec<Diagnostic>) {
    let mut names: Vec<&str> = bodies.iter().rev().map(|i| spec.bodies[*i].name.value.as_str()).collect();
    names.insert(0, spec.bodies[bodies[0]].name.value.as_str());
    let joints: Vec<usize> = bodies.iter().filter_map(|i| joint_of[*i]).collect();
    let Some(first) = joints.first() else { return };
    let mut d =
        Diagnostic::error("body-cycle", format!("bodies carry each other in a cycle: {}", names.join(" → ")))
            .at(spec.joints[*first].name.span, "this joint is part of the cycle");
    for j in joints.iter().skip(1).take(4) {
        d = d.also(spec.joints[*j].name.span, "this joint is also part of the cycle");
    }
    problems.push(
        d.help(
            "change the parent of one of these joints to the ground, or to a body that the ground carries",
        )
        .help(
            "if the bodies form a closed loop, replace one of these joints with a constraint: use the same \
             `type` in [constraints] (\"weld\" for a fixed joint), with `from` instead of `parent` and \
             `to` instead of `child`",
        ),
    );
}
