//! The emitted function `outputs`: the outputs of the spec.

use super::{Definition, Derivation, Derive, Solved};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::ResultShape;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Solves};
use dqdt_mechanics::formalism::{self, OutputShape};

/// The emitted function `outputs`: outputs of the spec, each in its unit and frame. Some need
/// accelerations; the function then fails where [`DQDT`](super::DQDT) does.
pub const OUTPUTS: &Definition = &Definition {
    declaration: Declaration {
        name: "outputs",
        summary: "Values of the outputs in the spec.",
        constraints: Some(ConstraintNote {
            where_solved: true,
            ..ConstraintNote::new("Accelerations in the outputs satisfy the constraints.")
        }),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct { name: "Outputs", about: "Values of the outputs in the spec." },
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
    if m.outputs.is_empty() {
        return Vec::new();
    }
    let held = (d.rows(), motion.multipliers());
    let values =
        formalism::evaluate_outputs(m, &d.environment(motion.inputs()), motion.accelerations(), held);
    let outputs = values.into_iter().map(|o| FunctionOutput {
        shape: match o.shape {
            OutputShape::Scalar => ResultShape::Scalar,
            OutputShape::Vector(n) => ResultShape::Vector(n),
        },
        nodes: d.node_ids(&o.values),
        name: o.name,
        unit: o.unit,
        description: o.description,
        entries: None,
        labels: o.labels,
        places: Vec::new(),
    });
    outputs.collect()
}
