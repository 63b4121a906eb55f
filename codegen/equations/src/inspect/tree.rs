//! The tree of bodies as lines of text, the sketch in a terminal.

use super::letters;
use dqdt_mechanics::mechanism::{BodyId, Joint, JointVariable, Mechanism};

/// The ground and the tree of bodies, one line for each body and its inboard joint, then the loop
/// closures.
pub(super) fn tree_lines(m: &Mechanism) -> Vec<String> {
    let mut out = vec!["ground".to_owned()];
    push_child_lines(m, None, "", &mut out);
    for c in &m.constraints {
        let Some(ends) = c.kind.form().ends() else { continue };
        let name = |b: Option<BodyId>| b.map_or("ground", |b| m.bodies[b].name.as_str());
        let (from, to) = (name(ends.from.0), name(ends.to.0));
        out.push(format!("{from} ~ {to}: {} ({})", c.name, c.kind.form().kind_name()));
    }
    out
}

/// Adds the lines of all bodies on `parent`, with branches drawn after the prefix `before`.
fn push_child_lines(m: &Mechanism, parent: Option<BodyId>, before: &str, out: &mut Vec<String>) {
    let bodies: Vec<BodyId> = m.body_ids().filter(|b| m.parent_body(*b) == parent).collect();
    for (k, body) in bodies.iter().enumerate() {
        let is_last = k + 1 == bodies.len();
        let (branch, beyond) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        let joint = &m.joints[body.inboard_joint()];
        out.push(format!("{before}{branch}{}: {}", m.bodies[*body].name, describe_joint(m, joint)));
        push_child_lines(m, Some(*body), &format!("{before}{beyond}"), out);
    }
}

/// Description of a joint with its coordinates: `shoulder, revolute about z, φ₁`.
fn describe_joint(m: &Mechanism, joint: &Joint) -> String {
    let free = joint.coordinates.iter().enumerate().map(|(k, c)| match (c, joint.names.get(k)) {
        (JointVariable::Free(i), _) => letters::unicode_name(&m.coordinates[*i].name),
        (JointVariable::Prescribed(_), Some(name)) => format!("{} (prescribed)", letters::unicode_name(name)),
        (JointVariable::Prescribed(_), None) => "(prescribed)".to_owned(),
    });
    let mut parts = vec![joint.name.clone(), letters::describe_joint_kind(joint)];
    parts.extend(free);
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use dqdt_generate::pipeline;
    use std::path::Path;

    fn lines_of(name: &str) -> Vec<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/specs/{name}.toml"));
        tree_lines(&pipeline::load(&path).unwrap().mechanism)
    }

    #[test]
    fn bodies_hang_on_those_that_carry_them_and_loops_are_named() {
        assert_eq!(
            lines_of("four_bar"),
            [
                "ground",
                "├─ crank: A, revolute about z, φ",
                "│  └─ coupler: B, revolute about z, β",
                "└─ rocker: D, revolute about z, ψ",
                "rocker ~ coupler: C (planar revolute)",
            ]
        );
        assert_eq!(lines_of("cart_pole").len(), 3);
    }
}
