//! The emitted function `multipliers`.

use super::{Definition, Derivation, Derive, Solved};
use dqdt_graph::ir::Tracer;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Solves};
use dqdt_graph::ir::{FunctionOutput, ResultShape};
use dqdt_mechanics::kinematics::ConstraintRow;
use dqdt_mechanics::mechanism::Mechanism;

/// The emitted function `multipliers`: multipliers of the constraint rows whose reaction is
/// determined, forces \[N\] and moments [N·m] on the mechanism. The emitted documentation names the
/// body and the axis of each. Fails where [`DQDT`](super::DQDT) does.
pub const MULTIPLIERS: &Definition = &Definition {
    declaration: Declaration {
        name: "multipliers",
        summary: "Multipliers λ of the constraints, with their sign defined by M v̇ + bias = B u + Aᵀ λ.",
        constraints: Some(ConstraintNote {
            with_dependent_speeds: None,
            names_dependent_speeds: true,
            undetermined: Some(
                " The multipliers of {rows} are omitted, because the motion of rigid bodies determines only their combined effect.",
            ),
            ..ConstraintNote::new(
                "Each multiplier acts on the body named `to` in its constraint, and its opposite acts on the body named `from`; \
                 the fields of the result document axes, signs and units.",
            )
        }),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct { name: "Multipliers", about: "Multipliers that the motion determines." },
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
    multiplier_outputs(d, motion.multipliers(), "").collect()
}

/// Function outputs of the multipliers that the motion determines. `multipliers` has one value for
/// each row; each output is named after its row, with a prefix.
pub(super) fn multiplier_outputs<'a, 'g>(
    d: &'a Derivation<'g, '_>,
    multipliers: &'a [Tracer<'g>],
    prefix: &'a str,
) -> impl Iterator<Item = FunctionOutput> + 'a {
    let m = d.mechanism();
    let rows = d.rows().iter().zip(multipliers);
    let rows = rows.filter(move |(row, _)| !d.partition().is_undetermined(row.row_index()));
    rows.map(move |(row, x)| {
        let output = describe_multiplier(m, row);
        FunctionOutput { name: format!("{prefix}{}", output.name), nodes: vec![d.node_id(*x)], ..output }
    })
}

/// Name, unit and description of the multiplier of a row; the node is added by the caller.
fn describe_multiplier(m: &Mechanism, row: &ConstraintRow<Tracer<'_>>) -> FunctionOutput {
    let constraint = &m.constraints[row.constraint];
    let multiplier = constraint.describe_multipliers(&m.bodies).into_iter().nth(row.index);
    let (text, unit) = multiplier.map_or_else(Default::default, |x| (x.description(), x.unit));
    let about = if constraint.description.is_empty() { &constraint.name } else { &constraint.description };
    FunctionOutput {
        name: row.name.clone(),
        unit,
        description: format!("{about}: {text}"),
        shape: ResultShape::Scalar,
        nodes: Vec::new(),
        entries: None,
        labels: Vec::new(),
        places: Vec::new(),
    }
}
