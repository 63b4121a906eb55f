//! The emitted function `saturate`: inputs limited to their bounds.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, Declaration, EntryNames, Returns, Role, Solves, Vector};

/// The emitted function `saturate`: inputs after saturation, NU values in their units, and a flag
/// for each, true if a limit acted.
pub const SATURATE: &Definition = &Definition {
    declaration: Declaration {
        name: "saturate",
        summary: "Inputs clamped to their limits, with a flag for each input that is set if the input was clamped.",
        constraints: None,
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Limited { of: Argument::INPUTS },
        entries: EntryNames::Each(Vector::Inputs, "{}_limited"),
        solves: Solves::Nothing,
        checked: false,
        role: Some(Role::Saturate),
        by_default: true,
        in_eval: false,
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    if d.mechanism().inputs.iter().all(|i| i.limits.is_none()) {
        return Vec::new();
    }
    let limited = d.node_ids(d.saturated_inputs());
    vec![FunctionOutput::vector("saturated", "", "inputs clamped to their limits", limited)]
}
