//! The kinematic structure matrix S and its inverse T, block by block.
//!
//! `S V = A v + a` with `S_ii = E` and `S_ik = −C_i` for the parent body k of body i;
//! `V = T (A v + a)` with `T = S⁻¹`, whose block (i, j) is the product of the C on the path from
//! body j to body i (tree-forms paper; mechanics 1.1, so that `T S = S T = E`). `C_i` transforms a
//! twist from the frame of the parent body to that of body i.

use super::letters;
use dqdt_document::report::{Block, Math, Section};
use dqdt_mechanics::mechanism::{BodyId, Mechanism};

/// Largest number of bodies for which S and T are written out in a report.
const WRITTEN_OUT: usize = 12;

/// A 6 × 6 block of the structure matrix S or its inverse T: zero, or a signed product of
/// transforms `C`; the empty product is the unit matrix E.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StructureBlock {
    /// The zero block: the bodies are not connected.
    Zero,
    /// `E` or `C_i C_j …`, given by the bodies i, j, ….
    Product(Vec<BodyId>),
    /// `−C_i`, the negative transform from the parent to the given body.
    Minus(BodyId),
}

/// The structure matrix S by blocks; rows and columns are bodies.
pub fn structure_matrix(m: &Mechanism) -> Vec<Vec<StructureBlock>> {
    blocks_by_bodies(m, |i, j| {
        if i == j {
            StructureBlock::Product(Vec::new())
        } else if m.parent_body(i) == Some(j) {
            StructureBlock::Minus(i)
        } else {
            StructureBlock::Zero
        }
    })
}

/// The inverse T = S⁻¹ by blocks; rows and columns are bodies.
pub fn inverse_structure_matrix(m: &Mechanism) -> Vec<Vec<StructureBlock>> {
    blocks_by_bodies(m, |i, j| {
        let way: Vec<BodyId> = m.path_to_root(i).take_while(|b| *b != j).collect();
        if m.path_to_root(i).any(|b| b == j) { StructureBlock::Product(way) } else { StructureBlock::Zero }
    })
}

/// Matrix of blocks, one row and one column for each body.
fn blocks_by_bodies(m: &Mechanism, f: impl Fn(BodyId, BodyId) -> StructureBlock) -> Vec<Vec<StructureBlock>> {
    m.body_ids().map(|i| m.body_ids().map(|j| f(i, j)).collect()).collect()
}

/// The symbol `C_i` of a body's transform from its parent, typeset.
fn transform_symbol(body: BodyId) -> Math {
    letters::bold_letter("C").with_number_indices(&[body.index() + 1])
}

/// A block of S or T, typeset.
fn block_symbol(block: &StructureBlock) -> Math {
    match block {
        StructureBlock::Zero => Math::integer(0),
        StructureBlock::Product(way) if way.is_empty() => letters::bold_letter("E"),
        StructureBlock::Product(way) => {
            let space = Math::operator(" ", r"\,");
            let mut parts = Vec::new();
            for (at, i) in way.iter().enumerate() {
                if at > 0 {
                    parts.push(space.clone());
                }
                parts.push(transform_symbol(*i));
            }
            Math::row(parts)
        }
        StructureBlock::Minus(i) => Math::row([Math::operator("−", "-"), transform_symbol(*i)]),
    }
}

/// The section `Kinematic structure` of a report, with the matrices S and T.
pub(super) fn structure_section(m: &Mechanism) -> Section {
    let section = Section::new("Kinematic structure").with_block(Block::Paragraph(letters::prose_with_formulas(
        "The twists $V$ of all bodies, in body axes about the poles, satisfy $S V = A v + a$ and $V = T (A v + \
         a)$, with $T S = S T = E$. Each block belongs to a pair of bodies. $Cᵢ$, with $O$ and $−O r$ × in \
         its first row and 0 and $O$ in its second, transforms a twist from the parent of body i to body i; for a \
         joint that measures its angles from the ground its lower right block is zero.",
    )));
    if m.bodies.len() > WRITTEN_OUT {
        let note = format!("S and T are shown only for mechanisms with up to {WRITTEN_OUT} bodies.");
        return section.with_block(Block::Note(note.into()));
    }
    section
        .with_block(structure_matrix_block(
            "S",
            &structure_matrix(m),
            "kinematic structure matrix, in blocks of 6 × 6",
        ))
        .with_block(structure_matrix_block(
            "T",
            &inverse_structure_matrix(m),
            "inverse of the kinematic structure matrix",
        ))
}

/// Block of the report with S or T.
fn structure_matrix_block(name: &str, blocks: &[Vec<StructureBlock>], note: &str) -> Block {
    Block::Matrix {
        name: letters::bold_letter(name),
        rows: blocks.iter().map(|row| row.iter().map(block_symbol).collect()).collect(),
        note: note.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dqdt_algebra::{Number, Scalar, Twist, Vec3};
    use dqdt_mechanics::kinematics::{Kinematics, evaluate_parameters, kinematics};
    use dqdt_mechanics::mechanism::{Environment, Partition};
    use dqdt_samples::random::random_mechanism;

    /// Applies a block to a twist.
    fn apply(k: &Kinematics<f64>, block: &StructureBlock, t: Twist<f64>) -> Twist<f64> {
        match block {
            StructureBlock::Zero => Twist::ZERO,
            StructureBlock::Product(way) => {
                way.iter().rev().fold(t, |t, i| k.bodies[*i].carry_parent_twist(t))
            }
            StructureBlock::Minus(i) => k.bodies[*i].carry_parent_twist(t).scale(-f64::ONE),
        }
    }

    fn times(k: &Kinematics<f64>, a: &[Vec<StructureBlock>], x: &[Twist<f64>]) -> Vec<Twist<f64>> {
        let row = |row: &Vec<StructureBlock>| {
            row.iter().zip(x).fold(Twist::ZERO, |sum, (block, t)| sum + apply(k, block, *t))
        };
        a.iter().map(row).collect()
    }

    #[test]
    fn s_and_t_are_inverse_to_each_other_from_both_sides() {
        for seed in 0..60 {
            let s = random_mechanism(seed, 10);
            let p = evaluate_parameters(&s.mechanism, &Number::to_f64, &[]);
            let env = Environment {
                number: &Number::to_f64,
                t: s.t,
                q: &s.q,
                v: &s.v,
                z: &s.z,
                u: &s.u,
                p: &p,
                named: &[],
                measures: &[],
                regrouped: &[],
                formulation: None,
                partition: Partition::ALL_ROWS,
            };
            let k = kinematics(&s.mechanism, &env);
            let (a, b) = (structure_matrix(&s.mechanism), inverse_structure_matrix(&s.mechanism));
            let x: Vec<Twist<f64>> = (0..k.bodies.len())
                .map(|i| {
                    let part = |c: f64| Vec3([0.1, 0.7, 1.3].map(|y| (y + c * i as f64).sin()));
                    Twist { v: part(1.1), w: part(0.4) }
                })
                .collect();
            for y in [times(&k, &a, &times(&k, &b, &x)), times(&k, &b, &times(&k, &a, &x))] {
                for (x, y) in x.iter().zip(y) {
                    let d = *x - y;
                    assert!(d.v.0.iter().chain(&d.w.0).all(|x| x.abs() < 1e-12), "seed {seed}: {d:?}");
                }
            }
        }
    }
}
