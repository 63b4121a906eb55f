//! The emitted function `program_inputs`.

use super::{Definition, Derivation, Derive, Solved};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Solves};

/// The emitted function `program_inputs`: the inputs that realise the program constraints, each in
/// its unit. Fails where these inputs have no influence on the constraints.
pub const PROGRAM_INPUTS: &Definition = &Definition {
    declaration: Declaration {
        name: "program_inputs",
        summary: "Values of the inputs that enforce the program constraints; the entries of `u` for these inputs are ignored.",
        constraints: Some(ConstraintNote::new("All other constraints are enforced as well.")),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct {
            name: "ProgramInputs",
            about: "Inputs that enforce the program constraints.",
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
    let realising = m.inputs_realising_constraints();
    if realising.is_empty() {
        return Vec::new();
    }
    let outputs = realising.into_iter().map(|i| {
        let input = &m.inputs[i];
        let node = d.node_id(motion.inputs()[i]);
        FunctionOutput::scalar(input.name.clone(), input.unit.clone(), input.description.clone(), node)
    });
    outputs.collect()
}
