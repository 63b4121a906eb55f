//! Function of the effective inputs along a motion: the given inputs, clamped to their limits.

use dqdt_derivation::derive::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, Declaration, Returns};

/// Declaration of the internal function that returns the inputs clamped to their limits, for the
/// columns of a table of the motion.
pub(super) const EFFECTIVE_INPUTS: &Definition = &Definition {
    declaration: Declaration {
        name: "acting_inputs",
        summary: "Effective inputs: the inputs clamped to their limits.",
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct { name: "ActingInputs", about: "Effective inputs." },
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive_effective_inputs),
};

fn derive_effective_inputs(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let effective = d.node_ids(d.saturated_inputs());
    if effective.is_empty() { Vec::new() } else { vec![FunctionOutput::vector("acting", "", "", effective)] }
}
