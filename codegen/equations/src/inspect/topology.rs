//! Topology in relative coordinates (Roberson and Wittenburg): the graph of bodies and joints, and
//! the vectors that follow from it.
//!
//! Joint j is the inboard joint of body j. Incidence: S₀ (1 × n) is +1 for joints on the ground; S
//! (n × n) is +1 where body i is the parent body of joint j, and −1 where joint j is the inboard
//! joint of body i. Path matrix T = S⁻¹. Angular velocity of body i: ω = β θ̇ with β = −(p T)ᵀ and
//! p the joint axes; its rate is β θ̈ + σ. With c_ij from the centre of mass of body i to joint j,
//! C = (S_ij c_ij) and d = −C T. In the report S is named `incidence` and T `path`, since these
//! letters denote the kinematic structure matrices (`structure`).

use super::groups::{Arrangement, GroupRole, QuantityGroup};
use super::letters;
use super::view::Part;
use dqdt_algebra::Vec3;
use dqdt_document::report::{Block, Math, Prose, Section};
use dqdt_graph::ir::{Graph, Tracer};
use dqdt_mechanics::kinematics::{self, BodyMotion, Kinematics};
use dqdt_mechanics::mechanism::{BodyId, Environment, JointId, Mechanism};

/// Largest number of bodies for which the vectors c and d of the tree are written out.
const WRITTEN_OUT: usize = 6;

/// Integer incidence and path matrices of the tree of bodies and joints.
pub(super) struct TreeMatrices {
    /// Row S₀ of the ground: 1 for a joint on the ground, else 0; one entry for each joint.
    pub ground: Vec<i64>,
    /// Incidence matrix S by rows; rows are bodies, columns joints.
    pub incidence: Vec<Vec<i64>>,
    /// Path matrix T by rows: −1 where joint i is on the path from body j to the ground, else 0.
    pub path: Vec<Vec<i64>>,
}

/// Incidence and path matrices of a mechanism.
pub(super) fn tree_matrices(m: &Mechanism) -> TreeMatrices {
    let n = m.bodies.len();
    let mut t = TreeMatrices {
        ground: m.joints.iter().map(|j| i64::from(j.parent.is_none())).collect(),
        incidence: vec![vec![0; n]; n],
        path: vec![vec![0; n]; n],
    };
    for (j, joint) in BodyId::enumerate(&m.joints) {
        t.incidence[j][j] = -1;
        if let Some(p) = joint.parent {
            t.incidence[p][j] = 1;
        }
        for i in m.path_to_root(j) {
            t.path[i][j] = -1;
        }
    }
    t
}

/// The sum `d[i][j] = Σ_k sign · c_ik` as a list of signs and joints k.
fn signed_lever_terms(t: &TreeMatrices, i: BodyId, j: JointId) -> Vec<(i64, JointId)> {
    let n = t.path.len();
    JointId::range(n).map(|k| (-t.incidence[i][k] * t.path[k][j], k)).filter(|(sign, _)| *sign != 0).collect()
}

/// A letter with the numbers of a body and a joint as indices, `c₁₂`.
fn vector_name(letter: &str, i: BodyId, j: JointId) -> Math {
    Math::identifier(letter).with_number_indices(&[i.index() + 1, j.index() + 1])
}

/// Sum of signed names, positive terms first: `0`, `c₁₂ − c₁₁`, ….
fn signed_sum(terms: &[(i64, Math)]) -> Math {
    let mut parts: Vec<Math> = Vec::new();
    // A sum is easier to read if it starts with a positive term.
    let mut terms = terms.to_vec();
    terms.sort_by_key(|(sign, _)| -sign);
    for (sign, name) in terms {
        match (sign < 0, parts.is_empty()) {
            (true, true) => parts.push(Math::operator("−", "-")),
            (true, false) => parts.push(Math::operator(" − ", " - ")),
            (false, false) => parts.push(Math::operator(" + ", " + ")),
            (false, true) => {}
        }
        parts.push(name);
    }
    if parts.is_empty() { Math::integer(0) } else { Math::row(parts) }
}

/// The section `Topology`: matrices of integers and names, without closed forms.
pub(super) fn topology_section(m: &Mechanism) -> Section {
    let t = tree_matrices(m);
    let n = m.bodies.len();
    let text = format!(
        "Rows correspond to bodies ({}), columns to joints ({}). Joint j carries body j.",
        names_with_numbers(m.bodies.iter().map(|b| b.name.as_str())),
        names_with_numbers(m.joints.iter().map(|j| j.name.as_str()))
    );
    let section = Section::new("Topology")
        .with_block(Block::Paragraph(text.into()))
        .with_block(topology_matrix_block(
            "incidence_0",
            integer_rows(std::slice::from_ref(&t.ground)),
            "row of the ground: +1 where the ground carries the joint",
        ))
        .with_block(topology_matrix_block(
            "incidence",
            integer_rows(&t.incidence),
            "+1 where the body carries the joint, −1 where the joint carries the body",
        ))
        .with_block(topology_matrix_block("path", integer_rows(&t.path), "inverse of the incidence matrix"));
    if n > WRITTEN_OUT {
        let note = format!("$𝛃$, C and d are shown only for mechanisms with up to {WRITTEN_OUT} bodies.");
        return section.with_block(Block::Note(letters::prose_with_formulas(&note)));
    }
    let grid = |f: &dyn Fn(BodyId, JointId) -> Math| -> Vec<Vec<Math>> {
        m.body_ids().map(|i| m.joint_ids().map(|j| f(i, j)).collect()).collect()
    };
    let beta = grid(&|i, j| {
        let axis = Math::identifier("p").with_number_indices(&[j.index() + 1]);
        signed_sum(&[(-t.path[j][i], axis)].into_iter().filter(|(s, _)| *s != 0).collect::<Vec<_>>())
    });
    let c = grid(&|i, j| {
        let term = (t.incidence[i][j], vector_name("c", i, j));
        signed_sum(&[term].into_iter().filter(|(s, _)| *s != 0).collect::<Vec<_>>())
    });
    let d = grid(&|i, j| {
        let terms: Vec<_> =
            signed_lever_terms(&t, i, j).into_iter().map(|(s, k)| (s, vector_name("c", i, k))).collect();
        signed_sum(&terms)
    });
    section
        .with_block(topology_matrix_block(
            "beta",
            beta,
            "angular velocities $ω = 𝛃 θ̇$; p: axes of the joints (none for a prismatic joint)",
        ))
        .with_block(topology_matrix_block("C", c, "c: vector from the centre of mass of a body to a joint"))
        .with_block(topology_matrix_block("d", d, "d = −C path"))
}

/// Rows of integers, typeset.
fn integer_rows(rows: &[Vec<i64>]) -> Vec<Vec<Math>> {
    rows.iter().map(|r| r.iter().map(|x| Math::integer(*x)).collect()).collect()
}

/// Names with their numbers: `1: arm, 2: tip`.
fn names_with_numbers<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.enumerate().map(|(i, name)| format!("{}: {name}", i + 1)).collect::<Vec<_>>().join(", ")
}

/// Block of the report with one matrix of the tree.
fn topology_matrix_block(name: &str, rows: Vec<Vec<Math>>, note: &str) -> Block {
    Block::Matrix {
        // Names of several letters remain words.
        name: match name {
            "beta" => letters::bold_beta(),
            "C" => letters::bold_letter(name),
            name => Math::identifier(name),
        },
        rows,
        note: letters::prose_with_formulas(note),
    }
}

/// Vectors of the tree in ground axes, as quantities with closed forms.
pub(super) fn tree_vector_groups<'g>(
    m: &Mechanism,
    graph: &'g Graph,
    k: &Kinematics<Tracer<'g>>,
    env: &Environment<'_, Tracer<'g>>,
) -> Vec<QuantityGroup> {
    let heading = "Topology: vectors in ground axes";
    let group = |note: Prose, name: Math, v: Vec3<Tracer<'g>>| QuantityGroup {
        heading: heading.to_owned(),
        part: Part::Topology,
        forms: &[],
        note,
        arrangement: Arrangement::Matrix(name, 1),
        role: GroupRole::Other,
        intro: Vec::new(),
        nodes: v.0.iter().map(|x| x.id(graph)).collect(),
        sums: Vec::new(),
    };
    let mut groups = Vec::new();
    if m.bodies.len() > WRITTEN_OUT {
        return groups;
    }
    for (j, (joint, b)) in m.joints.iter().zip(&k.bodies).enumerate() {
        for column in b.columns.iter().filter(|c| !c.twist.w.is_zero()) {
            let p = b.rotation.apply(column.twist.w);
            let speed = column
                .speed
                .map_or_else(|| "prescribed".into(), |s| letters::typeset_name(&m.speeds[s].name));
            let note = Prose::from(format!("axis of joint {} (", joint.name)) + speed + ")";
            groups.push(group(note, Math::identifier("p").with_number_indices(&[j + 1]), p));
        }
    }
    for (i, (body, b)) in m.bodies.iter().zip(&k.bodies).enumerate() {
        let note = Prose::from(format!("{}: angular acceleration at ", body.name))
            + letters::typeset_matrix_formula("θ̈ = 0");
        groups.push(group(
            note,
            Math::identifier("sigma").with_number_indices(&[i + 1]),
            b.rotation.apply(b.bias.w),
        ));
    }
    let t = tree_matrices(m);
    for i in m.body_ids() {
        for j in m.joint_ids() {
            let terms = signed_lever_terms(&t, i, j);
            if terms.is_empty() {
                continue;
            }
            let zero = Vec3::ZERO;
            let d = terms.iter().fold(zero, |sum, (sign, joint)| {
                let c = joint_lever(m, &k.bodies, env, i, *joint);
                if *sign > 0 { sum + c } else { sum - c }
            });
            groups.push(group(
                format!("vector d of body {} and joint {}", i.index() + 1, j.index() + 1).into(),
                vector_name("d", i, j),
                d,
            ));
        }
    }
    groups
}

/// Vector `c_ij` from the centre of mass of body `i` to joint `j` (its inboard joint or one on it),
/// in ground axes.
fn joint_lever<'g>(
    m: &Mechanism,
    motion: &[BodyMotion<Tracer<'g>>],
    env: &Environment<'_, Tracer<'g>>,
    i: BodyId,
    j: JointId,
) -> Vec3<Tracer<'g>> {
    let b = &motion[i];
    let center = kinematics::evaluate_vector(&m.bodies[i].center_of_mass, env);
    let at = if i.inboard_joint() == j {
        b.pole
    } else {
        kinematics::evaluate_vector(&m.joints[j].parent_frame.origin, env)
    };
    b.rotation.apply(at - center)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_matrix_is_the_inverse_of_the_incidence_matrix() {
        for seed in 0..20 {
            let m = dqdt_samples::random::random_mechanism(seed, 8).mechanism;
            let t = tree_matrices(&m);
            let n = m.bodies.len();
            for i in 0..n {
                for j in 0..n {
                    let product: i64 = (0..n).map(|k| t.incidence[i][k] * t.path[k][j]).sum();
                    assert_eq!(product, i64::from(i == j), "seed {seed}");
                }
            }
        }
    }
}
