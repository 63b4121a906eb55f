//! Multipliers of the constraints.

use super::{Definition, Derivation, Derive, Solved};
use crate::ir::Tracer;
use crate::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Solves};
use crate::ir::{FunctionOutput, Shape};
use crate::kinematics::ConstraintRow;
use crate::mechanism::Mechanism;

/// Multipliers of the constraints, of the rows whose reaction is determined: forces \[N\] and moments [N·m] on the mechanism; the
/// emitted documentation says of each on what it acts and along which axis. Fails as [`DQDT`](super::DQDT) does.
pub const MULTIPLIERS: &Definition = &Definition {
    declaration: Declaration {
        name: "multipliers",
        summary: "Multipliers λ of the constraints, which act on the mechanism: M v̇ + bias = B u + Aᵀ λ.",
        constraints: Some(ConstraintNote {
            with_dependent_speeds: None,
            names_dependent_speeds: true,
            undetermined: Some(
                " Left out, since the motion of rigid bodies does not determine them, only what they do together: {rows}.",
            ),
            ..ConstraintNote::new(
                "Each acts on the body named `to` in its constraint, its opposite on the one named `from`; axes, signs and units stand \
                 with the fields of the result.",
            )
        }),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct {
            name: "Multipliers",
            about: "Multipliers of the constraints that the motion determines.",
        },
        entries: EntryNames::Numbered,
        solves: Solves::Accelerations,
        checked: true,
        role: None,
        by_default: true,
        in_eval: true,
    },
    derive: Derive::Motion(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let determined = |row: &ConstraintRow<Tracer<'g>>| !m.partition.is_undetermined(row.place());
    let rows = d.rows().iter().zip(motion.multipliers()).filter(|(row, _)| determined(row));
    rows.map(|(row, x)| FunctionOutput { nodes: vec![d.id(*x)], ..multiplier(m, row) }).collect()
}

/// Name, unit and meaning of a multiplier.
fn multiplier(m: &Mechanism, row: &ConstraintRow<Tracer<'_>>) -> FunctionOutput {
    let constraint = &m.constraints[row.constraint];
    let own = constraint.multipliers(&m.bodies).into_iter().nth(row.index);
    let (text, unit) = own.map_or_else(Default::default, |own| (own.text(), own.unit));
    let about = if constraint.description.is_empty() { &constraint.name } else { &constraint.description };
    FunctionOutput {
        name: row.name.clone(),
        unit,
        description: format!("{about}: {text}"),
        shape: Shape::Scalar,
        nodes: Vec::new(),
    }
}
